"""Mechanisms of the catalogue as somebody's plain files: a claim brings its own neighbours, whoever is audited."""

from __future__ import annotations

import pytest

from auditor.engine.registered import registered
from auditor.engine.registry import registry
from auditor.mechanism_audit.audit import audit_mechanism
from auditor.mechanism_audit.request import MechanismRequest
from proofs_numeric.statements.verdict import Verdict

KNOWN = registry()
FILE = """from auditor.engine.registry import registry

spec = registry().mechanisms["{identifier}"]
mechanism = spec.build(**spec.parameters)
"""


def as_file(identifier, folder):
    """The audit of a file that holds the mechanism, against the claim by its id and parameters alone."""
    spec = KNOWN.mechanisms[identifier]
    claim = KNOWN.claim(spec.held_to)
    own, placing = claim.privacy.reads({"epsilon": "1", **spec.parameters})
    names = claim.domain.names
    file = folder / "somebodys_mechanism.py"
    file.write_text(FILE.format(identifier=identifier))
    parameters = {**{name: value for name, value in own.items() if name in names}, **placing}
    return MechanismRequest(target=f"{file}:mechanism", claim=claim, parameters=parameters)


@pytest.mark.parametrize("identifier", sorted(KNOWN.mechanisms))
def test_a_file_is_audited_on_the_neighbours_of_the_registered_mechanism(identifier, tmp_path):
    """The same histograms under the same adjacency, whether the target is an id or a file with the claim's id."""
    spec = KNOWN.mechanisms[identifier]
    by_id = registered(identifier, {"epsilon": "1"}, KNOWN)
    by_file = as_file(identifier, tmp_path)
    promises = [request.promise() for request in (by_id, by_file)]
    assert promises[0].adjacency == promises[1].adjacency == spec.adjacency(spec.parameters)
    first, second = (
        [(pair.left, pair.right) for pair in request.neighbours(promise)]
        for request, promise in zip((by_id, by_file), promises, strict=True)
    )
    assert first == second == [(pair.left, pair.right) for pair in spec.pairs(spec.parameters)]
    for pair in promises[1].pairs:
        promises[1].adjacency.check(pair.left, pair.right)


@pytest.mark.slow
@pytest.mark.parametrize("identifier", sorted(KNOWN.mechanisms))
def test_a_right_mechanism_in_a_file_is_not_refuted(identifier, tmp_path):
    """Nor is it one that cannot be audited: what its keys are is told by the claim's neighbours."""
    result = audit_mechanism(as_file(identifier, tmp_path).at(samples=1500, detect="0.99", seed=11))
    assert result.verdict in {Verdict.CONSISTENT, Verdict.UNDECIDED}, result.detail
    assert result.result.samples == 1500
