"""Every planted fault breaks the claim that it names and every control keeps its own, by certified numbers."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from auditor.checks.promise import least_epsilon, promised_delta
from auditor.engine.registry import registry
from mechanisms.mechanism import AccountantFault, Fault
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.enclosure import bounds
from proofs_numeric.statements.neighbours import Direction
from tests.mechanisms.variants import ends

KNOWN = registry()
FAULTS = sorted(i for i, fault in KNOWN.faults.items() if isinstance(fault, Fault) and fault.pair.profile)
ACCOUNTANTS = sorted(i for i, fault in KNOWN.faults.items() if isinstance(fault, AccountantFault))
CONTROLS = sorted(i for i, control in KNOWN.controls.items() if control.pair.profile)
BELOW_A_BOUND = """
adaptive_weights correlated_stability_histogram_aggregates discrete_correlated hierarchical_histogram
interactive_quantile iterated_selection report_noisy_max trie_heavy_hitters trie_heavy_hitters_replacement
unknown_domain_binary unknown_domain_binary_long unknown_domain_gaussian unknown_domain_gumbel unknown_domain_laplace
unknown_domain_pay_what_you_get unknown_domain_top
"""
"""Mechanisms whose claim is a bound that their pairs do not attain."""
CANCELS = ("unknown_domain_gumbel_picks_alone_accountant",)
"""Accountants that subtract what they report too little of."""
SHOWN_BY_A_DIVERGENCE = {i for i in FAULTS if KNOWN.faults[i].caught_by == "numeric.renyi"}
"""Below their claim at every epsilon."""


def profile(variant, direction, epsilon=None):
    """Enclose the variant's exact delta on its pair."""
    with Ball(192) as A:
        epsilon = A.number(Fraction(variant.epsilon) if epsilon is None else epsilon)
        return bounds(A.number(variant.pair.profile(A, epsilon, direction)))


def promised(variant, epsilon=None):
    """Enclose what the claim allows."""
    epsilon = Fraction(variant.epsilon) if epsilon is None else epsilon
    return promised_delta(KNOWN.claims[variant.held_to], variant.parameters, epsilon)


def test_there_are_variants_with_laws():
    """The parametrised tests below have cases."""
    assert len(FAULTS) > 100
    assert len(CONTROLS) > 10
    assert len(ACCOUNTANTS) > 30


@pytest.mark.parametrize("identifier", KNOWN.mechanisms)
def test_the_worst_pairs_attain_the_claim_unless_it_is_a_bound(identifier):
    """No profile of a declared pair exceeds it at four epsilons; the largest is it to 25 digits at epsilon 1."""
    spec = KNOWN.mechanisms[identifier]
    claim = KNOWN.claims[spec.held_to]
    for epsilon in filter(lambda x: x >= least_epsilon(claim), map(Fraction, ("0", "1/2", "1", "3"))):
        allowed = promised_delta(claim, spec.parameters, epsilon)
        with Ball(192) as A:
            profiles = [pair.profile for pair in spec.pairs(spec.parameters) if pair.profile]
            results = [bounds(A.number(p(A, A.number(epsilon), way))) for p in profiles for way in Direction]
        largest = max(results)[0]
        assert largest <= allowed.upper
        if epsilon == 1:
            attained = abs(largest - allowed.lower) <= abs(allowed.lower) / 10**25
            assert attained == (identifier not in BELOW_A_BOUND.split())


@pytest.mark.parametrize("identifier", FAULTS)
def test_a_fault_exceeds_its_claim_by_certified_numbers(identifier):
    """Enclosure above enclosure, unless a divergence shows it; doubles agree; it travels and says why it leaks."""
    fault = KNOWN.faults[identifier]
    assert fault.explanation.endswith(".")
    lower, upper = profile(fault, fault.direction)
    assert (lower > promised(fault).upper) == (identifier not in SHOWN_BY_A_DIVERGENCE)
    assert upper >= 0
    assert lower <= 1
    double = float(fault.exact_delta(Float64(), np.float64(Fraction(fault.epsilon))))
    assert double == pytest.approx(float((lower + upper) / 2), rel=1e-7, abs=float(upper - lower))
    assert pickle.loads(pickle.dumps(fault)).id == identifier  # noqa: S301 - our own bytes


@pytest.mark.parametrize("identifier", CONTROLS)
def test_a_control_keeps_its_claim_by_certified_numbers(identifier):
    """Both directions of its exact profile, where its claim is compared and elsewhere; it travels between processes."""
    control = KNOWN.controls[identifier]
    least = least_epsilon(KNOWN.claims[control.held_to])
    for epsilon in {Fraction(control.epsilon), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)}:
        if epsilon >= least:
            allowed = promised(control, epsilon).upper
            assert all(profile(control, direction, epsilon)[0] <= allowed for direction in Direction)
    assert pickle.loads(pickle.dumps(control)).proof == control.proof  # noqa: S301 - our own bytes


@pytest.mark.slow
@pytest.mark.parametrize("identifier", KNOWN.controls)
def test_a_control_stays_below_its_claim_in_simulation(identifier):
    """No key, no value above a cut and no order of keys exceeds it beyond chance: 5e-12 an event."""
    control, n = KNOWN.controls[identifier], 100_000
    pair = control.pair
    sides = [
        control.build(**control.parameters).release_many(histogram, n, np.random.default_rng([53, side]))
        for side, histogram in enumerate((pair.left, pair.right))
    ]
    (left, _), (right, _) = sides
    assert [key for key in left if key in right] == [key for key in right if key in left]
    factor, allowed = math.exp(Fraction(control.epsilon)), float(promised(control).upper)
    for name in sorted({*left, *right}):
        columns = [values[:, keys.index(name)] if name in keys else np.full(n, np.nan) for keys, values in sides]
        finite = np.concatenate([column[~np.isnan(column)] for column in columns])
        about = pair.left.get(name, 0) + np.linspace(-4, 8, 7)
        for cut in (-np.inf, *about, *(np.quantile(finite, [0.1, 0.5, 0.9]) if finite.size else ())):
            (p_low, p_high), (q_low, q_high) = (ends(int(np.sum(column >= cut)), n) for column in columns)
            assert max(p_low - factor * q_high, q_low - factor * p_high) <= allowed


@pytest.mark.parametrize("identifier", ACCOUNTANTS)
def test_an_accountant_fault_reports_too_little_at_its_point(identifier):
    """By its formula, ball below the ball of what is attained; its function says so in doubles, and it travels."""
    fault = KNOWN.faults[identifier]
    claim = KNOWN.claims[fault.violates]
    point = claim.domain.parse(dict(fault.parameters))
    with Ball(128) as A:
        at = {name: value if isinstance(value, int) else A.number(value) for name, value in point.items()}
        reported = A.number(fault.formula(A, **at))
        assert reported < A.number((getattr(claim.kind, "exact", None) or claim.formula)(A, **at))
    doubles = fault.accountant(**{name: x if isinstance(x, int) else float(x) for name, x in point.items()})
    assert doubles == pytest.approx(float(reported.mid()), rel=1e-9 if identifier in CANCELS else 1e-12)
    assert pickle.loads(pickle.dumps(fault)) == fault  # noqa: S301 - our own bytes
