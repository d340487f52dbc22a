"""Approximate CDP against Renyi divergences: right mechanisms pass, two releases priced as one do not."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.checks.check import Context
from auditor.checks.renyi import CHECKS, check_renyi, divergences
from auditor.engine.plan import checks_for
from auditor.engine.registry import registry
from auditor.profile import profile
from proofs_numeric.statements.verdict import Verdict
from tests.mechanisms.variants import with_pairs

KNOWN = registry()
CONTEXT = Context(profile("quick"), 0, Fraction(1, 10**6), KNOWN)


@pytest.mark.parametrize("identifier", ["unknown_domain_gaussian", "unknown_domain_gumbel", "report_noisy_max"])
def test_a_right_mechanism_keeps_its_rho(identifier):
    """No violation, over all pairs, both directions and the grid of orders."""
    (found,) = check_renyi(KNOWN.mechanisms[identifier], CONTEXT)
    assert found.verdict is Verdict.CONSISTENT
    assert found.met


@pytest.mark.parametrize(
    "identifier", ["unknown_domain_fresh_gaussian_released", "unknown_domain_top_fresh_noise_released"]
)
def test_two_releases_priced_as_one_are_refuted(identifier):
    """The decision with one noise, the value with another."""
    (found,) = check_renyi(KNOWN.faults[identifier], CONTEXT)
    assert found.verdict is Verdict.REFUTED


def test_a_fault_that_no_hockey_stick_shows_is_left_to_this_check():
    """It names the check; the one of profiles, which it would pass, leaves it alone."""
    fault = KNOWN.faults["unknown_domain_top_fresh_noise_released"]
    assert fault.caught_by in {check.name for check in checks_for(fault, KNOWN)}
    assert "numeric.pair_profile" not in {check.name for check in checks_for(fault, KNOWN)}


def test_the_divergence_found_is_the_known_one():
    """Gaussian: at best, .91 standard deviations from the threshold, KL is .677265; near there it is nearly that."""
    fault = KNOWN.faults["unknown_domain_fresh_gaussian_released"]
    claim = KNOWN.claims[fault.violates]
    results = {
        (way.value, order): float(divergence.lower)
        for way, order, divergence, _allowed in divergences(fault.pair.profile, claim, dict(fault.parameters), 48)
    }
    assert 0.66 < max(results["forward", 1], results["backward", 1]) < 0.677265


def test_less_noise_than_promised_is_refuted_at_every_order():
    """Pairs of sigma = 2 held against the rho of sigma = 3."""
    spec = KNOWN.mechanisms["unknown_domain_gaussian"]
    louder = with_pairs(spec, spec.pairs(spec.parameters), parameters={**spec.parameters, "sigma": 3})
    (found,) = check_renyi(louder, CONTEXT)
    assert found.verdict is Verdict.REFUTED


def test_new_items_beyond_delta_are_refuted():
    """Mass on impossible outcomes: pairs of delta = 1/20 held against delta = 1/1000."""
    spec = KNOWN.mechanisms["unknown_domain_gaussian"]
    new = spec.pair("a1.new", spec.parameters)
    stricter = with_pairs(spec, [new], parameters={**spec.parameters, "delta": "1/1000"})
    (found,) = check_renyi(stricter, CONTEXT)
    assert found.verdict is Verdict.REFUTED


def test_every_mechanism_with_a_promise_is_checked():
    """The check applies to every mechanism that makes such a claim, and to no other."""
    promised = {i for i, spec in KNOWN.mechanisms.items() if KNOWN.claim(spec.guarantee_claim).promise is not None}
    assert len(promised) >= 12
    assert {i for i, spec in KNOWN.mechanisms.items() if CHECKS[0].applies(spec, KNOWN)} == promised


UNPROVED = ["rogers2024.bm.profile", "rogers2024.thm2.profile"]


def promising(claim, factor):
    """The claim with a multiple of its rho behind it."""

    def promise(A, **at):
        lost, cost = claim.promise(A, **at)
        return lost, A.number(factor) * cost

    return replace(claim, promise=promise)


@pytest.mark.parametrize("name", UNPROVED)
@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(3, 4)])
def test_a_promise_better_than_the_claims_own_profile_is_refuted(name, factor):
    """No kernel compares it; half of rho, and three quarters, are too good."""
    (found,) = check_renyi(promising(KNOWN.claims[name], factor), CONTEXT)
    assert found.verdict is Verdict.REFUTED


def test_promises_without_a_proof_of_pairs_are_compared():
    """Those of two claims, which keep them; the kernel compares the others."""
    compared = [name for name, claim in KNOWN.claims.items() if CHECKS[0].applies(claim, KNOWN)]
    assert sorted(compared) == UNPROVED
    for name in compared:
        (found,) = check_renyi(KNOWN.claims[name], CONTEXT)
        assert found.verdict is Verdict.CONSISTENT
        assert "the largest is 0.9" in found.headline
