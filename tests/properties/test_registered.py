"""Every claim, mechanism, fault, control and accountant keeps the rules that the engine relies on."""

from __future__ import annotations

from collections import Counter

import pytest

from auditor.engine.plan import checks_for
from auditor.engine.registry import registry
from mechanisms.mechanism import AccountantFault, Fault
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.statements.withdrawn import WITHDRAWN

KNOWN = registry()
CLAIMS = sorted(KNOWN.claims)
FAULTS = sorted(KNOWN.faults)
MECHANISMS = sorted(KNOWN.mechanisms)
CONTROLS = sorted(KNOWN.controls)


def test_there_is_something_of_every_kind():
    """The parametrised tests below have cases."""
    assert all((CLAIMS, FAULTS, MECHANISMS, CONTROLS, KNOWN.accountants, KNOWN.checks))


CLAIMS_OF = {"bharadwaj2022": 167, "lebeda2025": 87, "rogers2024": 156, "thresholds": 10, "wilkins2024": 244}
"""Least number of ids of each source: a row may be added, none may vanish unnoticed."""


def test_no_claim_is_dropped_silently():
    """No paper has fewer ids than were counted against its catalogue: here, or withdrawn with a reason."""
    found = Counter(identifier.split(".")[0] for identifier in (*CLAIMS, *WITHDRAWN))
    assert {paper: least for paper, least in CLAIMS_OF.items() if found[paper] < least} == {}


@pytest.mark.parametrize("identifier", sorted(KNOWN.subjects))
def test_every_subject_has_a_check(identifier):
    """Nothing is listed that nothing looks at."""
    assert checks_for(KNOWN.subjects[identifier], KNOWN)


@pytest.mark.parametrize("identifier", [i for i in CLAIMS if KNOWN.claims[i].expected is Expectation.REFUTED])
def test_a_claim_false_in_print_has_its_correction_beside_it(identifier):
    """`corrected_by` names a claim that is expected to hold."""
    corrected = KNOWN.claims[identifier].corrected_by
    assert corrected in KNOWN.claims, f"{identifier} names no correction"
    assert KNOWN.claims[corrected].expected is not Expectation.REFUTED


@pytest.mark.parametrize("identifier", CLAIMS)
def test_a_claim_is_addressed_by_its_paper(identifier):
    """The id begins with the paper's slug and every given point lies in the domain."""
    claim = KNOWN.claims[identifier]
    assert identifier.split(".")[0] == claim.source.paper.split()[0]
    for point in claim.points:
        claim.domain.parse(point)


@pytest.mark.parametrize("identifier", [*CONTROLS, *(i for i in FAULTS if isinstance(KNOWN.faults[i], Fault))])
def test_the_pair_of_a_variant_is_a_pair_of_neighbours(identifier):
    """A fault shown on histograms that are no neighbours would be no fault."""
    subject = KNOWN.subjects[identifier]
    assert not isinstance(subject, AccountantFault)
    subject.pair.check()


@pytest.mark.parametrize("identifier", MECHANISMS)
def test_the_worst_cases_of_a_mechanism_are_neighbours_with_distinct_names(identifier):
    """Pairs are declared under the mechanism's own adjacency."""
    spec = KNOWN.mechanisms[identifier]
    pairs = spec.pairs(spec.parameters)
    assert pairs
    assert len({pair.id for pair in pairs}) == len(pairs)
    for pair in pairs:
        pair.check()


@pytest.mark.parametrize("identifier", CONTROLS)
def test_a_control_comes_with_its_proof(identifier):
    """Neutral variants say why they are neutral."""
    control = KNOWN.controls[identifier]
    assert len(control.proof.split()) >= 10
