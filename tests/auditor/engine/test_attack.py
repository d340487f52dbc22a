"""The attack: what becomes of a changed claim, each fate seen on a change whose fate is known."""

from dataclasses import replace

import pytest

from auditor.checks.formula_mutation import formula_mutants, uses
from auditor.engine import attack
from auditor.engine.attack import Fate, attack_claim, classify, refuted_of
from auditor.engine.registry import registry
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity
from proofs_numeric.wilkins2024.theorem_5_4 import shape
from tests.auditor.checks.claims import claim

CLAIM = "rogers2024.thm7.gaussian.T"


def changed(identifier, end):
    """The first mutant of a claim whose change ends so."""
    mutants = formula_mutants(registry().claims[identifier])
    return next(mutant() for change, mutant in mutants if str(change).endswith(end))


@pytest.mark.parametrize(
    ("end", "fate", "by"),
    [
        (": delta_inf / epsilon -> delta_inf", Fate.REFUTED, "numeric.calibration"),
        (": value - delta_inf -> value + delta_inf", Fate.WEAKER, ""),
        (": count * A.log1p(-tail) -> count", Fate.UNDEFINED, "NotEnclosedError"),
    ],
)
def test_the_fate_of_a_calibration(end, fate, by):
    """A scale that forgets epsilon is seen; what is held against less mass than there is says less."""
    catalogue = registry()
    assert classify(catalogue.claims[CLAIM], changed(CLAIM, end), catalogue) == (fate, by)


@pytest.mark.slow
def test_no_change_of_the_exact_delta_is_unseen():
    """Theorem 5.4, every sixth change: a factor decides at a point of its oracle, of other laws it is not proved."""
    trials = attack_claim("wilkins2024.thm5.4", 8, 120.0).trials
    assert len(trials) > 6
    # Where the change leaves an exponential of an astronomical number, GMP ends the process for want of memory.
    fates = {each.fate for each in trials}
    assert {Fate.REFUTED, Fate.UNPROVED} <= fates <= {Fate.REFUTED, Fate.UNPROVED, Fate.UNDEFINED, Fate.CRASHED}


@pytest.mark.slow
@pytest.mark.parametrize("identifier", [CLAIM, "rogers2024.thm7.laplace.rho", "rogers2024.thm9.profile"])
def test_no_change_of_these_claims_is_unseen(identifier):
    """A fixed sample of the catalogue, four changes of each."""
    trials = attack_claim(identifier, 4, 120.0).trials
    assert len(trials) == 4
    assert not {Fate.UNSEEN, Fate.TOO_LONG} & {each.fate for each in trials}


def test_a_claim_that_no_check_looks_at_is_unseen():
    """A delta bound without oracle, exact value or proof: any formula would do."""
    from dataclasses import replace

    from proofs_numeric.statements.kinds import DeltaBound

    catalogue = registry()
    bare = claim(DeltaBound(lambda A, *, x: A.number(x)))
    other = replace(bare, kind=DeltaBound(lambda A, *, x: A.number(x) / 2))
    assert classify(bare, other, catalogue) == (Fate.UNSEEN, "")
    assert classify(bare, replace(bare, kind=DeltaBound(lambda A, *, x: 2 * A.number(x) / 2)), catalogue) == (
        Fate.SAME,
        "",
    )


@pytest.mark.slow
def test_a_change_is_seen_of_another_claim_of_the_same_formula():
    """The pattern of signs holds of other signs, too; that the sign is that of the slope is another claim."""
    catalogue = registry()
    claim = catalogue.claims["wilkins2024.thm5.4.shape.third.pattern"]
    change, mutant = next(made for made in formula_mutants(claim) if str(made[0]).endswith(": 2 * rate -> 2"))
    other = catalogue.claims["wilkins2024.thm5.4.shape.third.sign"]
    assert classify(claim, mutant(), catalogue)[0] is Fate.UNSEEN
    assert refuted_of(change, [other], catalogue) == other.id
    assert change.original in set(uses(other))


@pytest.mark.slow
def test_a_change_that_a_step_of_the_derivation_refuses_is_seen():
    """1/rho^2 + x/rho falls, too; but it is not 1/rho^2 - x^2."""
    catalogue = registry()
    claim = catalogue.claims["wilkins2024.thm5.4.shape.kappa"]
    step = SymbolicIdentity("kappa", shape.kappa, 1 / shape.rho**2 - shape.x**2, ("x",))
    claim = replace(claim, kind=replace(claim.kind, proof=Derivation((step,))))
    mutant = next(
        make for change, make in formula_mutants(claim) if str(change).endswith(": 1 - x * (x + phi(x) / Phi(x)) -> 1")
    )
    assert classify(claim, mutant(), catalogue) == (Fate.UNPROVED, "a step of its derivation is refused")


def test_a_mutant_that_takes_its_process_with_it_is_one_mutant(monkeypatch):
    """It is a crash, which says nothing of the formula; the next one is tried."""
    import os

    monkeypatch.setattr(attack, "classify", lambda *_: os._exit(9))
    result = attack_claim(CLAIM, 2, 30.0)
    assert [each.fate for each in result.trials] == [Fate.CRASHED] * len(result.trials)
    assert 1 <= len(result.trials) <= 2 < result.mutants


def test_a_changed_inequality_of_numbers_that_holds_too_is_told_from_one_that_no_check_saw():
    """That a sample of 101 exceeds the bound of a sample of 100 is as rare: a true statement."""
    catalogue = registry()
    identifier = "bharadwaj2022.lem4.num"
    fate, _by = classify(catalogue.claims[identifier], changed(identifier, "100 / 1000000 -> 101 / 1000000"), catalogue)
    assert fate is Fate.TRUE


def test_a_formula_that_several_papers_use_is_changed():
    """The conversion of Theorem 3 has a module of its own; the refuted mutant lacks the first rho."""
    catalogue = registry()
    identifier = "rogers2024.thm3.cdp_to_dp"
    fate, by = classify(
        catalogue.claims[identifier],
        changed(identifier, "rho + 2 * sqrt(-rho * log(delta)) -> 2 * sqrt(-rho * log(delta))"),
        catalogue,
    )
    assert (fate, by) == (Fate.REFUTED, "numeric.calibration")


def test_a_mutant_that_does_not_end_is_one_mutant(monkeypatch):
    """It is ended at its time."""
    import time

    monkeypatch.setattr(attack, "classify", lambda *_: time.sleep(600))
    assert {each.fate for each in attack_claim(CLAIM, 1, 0.3).trials} == {Fate.TOO_LONG}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("identifier", "end", "fate", "by"),
    [
        # a node of an expression at numbers
        ("thresholds.opendp2922.origin", ": 1 + exp((-1) / 1) -> 1", Fate.REFUTED, "numeric.quantity"),
        # the mean of a symmetric law; and another mean
        ("lebeda2025.alg4", ": 3 - z -> 3 + z", Fate.SAME, ""),
        ("lebeda2025.alg4", ": 3 - z -> 3", Fate.REFUTED, "law.sampling"),
        # any split is a bound: the search of the least may start anywhere
        ("lebeda2025.lem20", ": middle - width -> middle", Fate.UNSEEN, "and true at all 23 points that decide it"),
        # what half a million releases do not show, a million do
        ("rogers2024.alg3.order", "60 * exp(1) -> 61 * exp(1)", Fate.REFUTED, "law.sampling, in the standard profile"),
        # an oracle of the same quantity sees what a bound's slack hides
        (
            "lebeda2025.sec6.agg.delta",
            ": minimum(k, (k + sqrt(k)) * (1 + (sigma * mu_o)^2) / 2) -> k",
            Fate.REFUTED,
            "numeric.oracle",
        ),
    ],
)
def test_what_is_told_of_a_change(identifier, end, fate, by):
    """Calls of itself, symmetric laws, bounds that any split gives, and what only more points show."""
    catalogue = registry()
    assert classify(catalogue.claims[identifier], changed(identifier, end), catalogue) == (fate, by)


def test_enclosures_of_one_number_that_do_not_meet_are_seen_of_another_claim():
    """A forward pair without its new counters is another number; by other code it lies between known ends."""
    catalogue = registry()
    mutants = formula_mutants(catalogue.claims["lebeda2025.csh.exact.pair"])
    change = next(change for change, _ in mutants if str(change).endswith("-> _integrated(A, pair, bits, log_size)"))
    assert refuted_of(change, [catalogue.claims["lebeda2025.sec3.cert"]], catalogue) == (
        "lebeda2025.sec3.cert: two enclosures of one number do not meet"
    )
