"""Every claim, mechanism, fault, control and accountant keeps the rules that the engine relies on."""

from collections import Counter
from functools import partial

from auditor.engine.plan import checks_for
from auditor.engine.registry import registry
from mechanisms.mechanism import Fault
from proofs_numeric.statements.kinds import Monotonicity, Recurrence
from proofs_numeric.statements.statement import statement_of
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.statements.withdrawn import WITHDRAWN

KNOWN = registry()


def test_there_is_something_of_every_kind():
    """The tests below have cases."""
    kinds = (KNOWN.claims, KNOWN.mechanisms, KNOWN.faults, KNOWN.controls, KNOWN.accountants, KNOWN.checks)
    assert all(kinds)


CLAIMS_OF = {"bharadwaj2022": 167, "lebeda2025": 87, "rogers2024": 156, "thresholds": 10, "wilkins2024": 244}
"""Least number of ids of each source: a row may be added, none may vanish unnoticed."""


def test_no_claim_is_dropped_silently():
    """No paper has fewer ids than were counted against its catalogue: here, or withdrawn with a reason."""
    counts = Counter(identifier.split(".")[0] for identifier in (*KNOWN.claims, *WITHDRAWN))
    assert {paper: least for paper, least in CLAIMS_OF.items() if counts[paper] < least} == {}


def test_every_subject_has_a_check():
    """Nothing is listed that nothing looks at."""
    assert [identifier for identifier, subject in KNOWN.subjects.items() if not checks_for(subject, KNOWN)] == []


def test_a_claim_false_in_print_has_its_correction_beside_it():
    """`corrected_by` names a claim that is expected to hold."""
    false = [claim for claim in KNOWN.claims.values() if claim.expected is Expectation.REFUTED]
    assert false
    assert [claim.id for claim in false if claim.corrected_by not in KNOWN.claims] == []
    corrections = [KNOWN.claims[claim.corrected_by] for claim in false]
    assert [claim.id for claim in corrections if claim.expected is Expectation.REFUTED] == []


def test_a_claim_is_addressed_by_its_paper():
    """The id begins with the paper's slug."""
    claims = KNOWN.claims.values()
    assert [claim.id for claim in claims if claim.id.split(".")[0] != claim.source.paper.split()[0]] == []


def refused(checks):
    """The id and the error of each (id, check) whose check raises ValueError."""
    for identifier, check in checks:
        try:
            check()
        except ValueError as error:
            yield identifier, str(error)


def test_every_given_point_lies_in_the_domain():
    """Of every claim, of the pairs of a monotone one and the steps of a recurrence; one that does not is seen."""
    kinds = Monotonicity | Recurrence
    pairs = {i: statement_of(claim) for i, claim in KNOWN.claims.items() if isinstance(claim.kind, kinds)}
    domains = {i: claim.domain for i, claim in KNOWN.claims.items()} | {
        i: said.box for i, said in pairs.items() if said
    }
    inputs = [(i, partial(domains[i].parse, point)) for i, claim in KNOWN.claims.items() for point in claim.points]
    assert inputs
    assert list(refused(inputs)) == []
    ((identifier, error),) = refused([("outside", partial(KNOWN.claims["wilkins2024.thm5.4"].domain.parse, {}))])
    assert (identifier, "missing parameter" in error) == ("outside", True)


def test_the_pair_of_a_variant_is_a_pair_of_neighbours():
    """A fault shown on histograms that are no neighbours would be no fault."""
    faults = {identifier: fault for identifier, fault in KNOWN.faults.items() if isinstance(fault, Fault)}
    assert list(refused((i, variant.pair.check) for i, variant in {**KNOWN.controls, **faults}.items())) == []


def test_the_worst_cases_of_a_mechanism_are_neighbours_with_distinct_names():
    """Pairs are declared under the mechanism's own adjacency."""
    pairs = {identifier: spec.pairs(spec.parameters) for identifier, spec in KNOWN.mechanisms.items()}
    assert [identifier for identifier, own in pairs.items() if not own] == []
    assert [identifier for identifier, own in pairs.items() if len({pair.id for pair in own}) < len(own)] == []
    assert list(refused((identifier, pair.check) for identifier, own in pairs.items() for pair in own)) == []


def test_a_control_comes_with_its_proof():
    """Neutral variants say why they are neutral."""
    assert [i for i, control in KNOWN.controls.items() if len(control.proof.split()) < 10] == []
