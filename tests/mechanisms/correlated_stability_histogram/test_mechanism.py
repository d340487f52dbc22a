"""The correlated stability histogram, its pairs, faults, controls, and its relatives."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from auditor.checks.promise import promised_delta
from auditor.engine.registry import registry
from mechanisms.correlated_gaussian import mechanism as correlated_gaussian
from mechanisms.correlated_stability_histogram import aggregates as correlated_stability_histogram_aggregates
from mechanisms.correlated_stability_histogram import mechanism as correlated_stability_histogram
from mechanisms.discrete_correlated import mechanism as discrete_correlated
from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates
from mechanisms.mechanism import AccountantFault, Boundary
from mechanisms.misra_gries import mechanism as misra_gries
from mechanisms.top_k import mechanism as top_k
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.neighbours import sparse_monotone

_SPECS = [
    module.MECHANISM
    for module in (
        correlated_stability_histogram,
        correlated_stability_histogram_aggregates,
        correlated_gaussian,
        top_k,
        misra_gries,
        discrete_correlated,
    )
]
_FAMILIES = {spec.id for spec in _SPECS}
_ACCOUNTANTS = sorted(
    i for i, one in registry().faults.items() if isinstance(one, AccountantFault) and one.mechanism in _FAMILIES
)


def _rng() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(20250211))


@pytest.mark.slow
@pytest.mark.parametrize("identifier", _ACCOUNTANTS)
def test_an_accountant_fault_is_below_what_is_attained(identifier):
    """Where its claim is a bound, at most twice what is attained; else below half of the claim."""
    fault = registry().faults[identifier]
    claim = registry().claim(fault.violates)
    at = {name: float(value) for name, value in fault.parameters.items()} | {"k": int(fault.parameters["k"])}
    truth, attained = promised_delta(claim, fault.parameters), claim.kind.exact
    if attained is None:
        assert fault.accountant(**at) < 0.5 * float(truth.lower)
    else:
        whole = {name: int(at[name]) for name in ("k", "releases")}
        reached = attained(Float64(), **({name: np.float64(x) for name, x in at.items()} | whole))
        assert 1.2 * fault.accountant(**at) < reached <= float(truth.upper)


def test_a_far_counter_has_the_total_deviation():
    """One release of a far counter is N(count, sigma^2 (1 + k^-1/2)); two share 1/(1 + sqrt(k)) of their variance."""
    mechanism = correlated_stability_histogram.build(k=4, sigma=4, gap=12)
    _keys, values = mechanism.release_many({"a": 1000, "b": 1000}, 200_000, _rng())
    # Standard errors: .0023 relative for a variance, .0022 for a correlation; eight of them are allowed.
    assert values.var(axis=0) == pytest.approx([24.0, 24.0], rel=0.026)
    assert np.corrcoef(values.T)[0, 1] == pytest.approx(1 / 3, abs=0.018)


def test_new_counters_are_released_as_often_as_delta_infinite_says():
    """Some of four counters of 1 passes with the exact probability."""
    mechanism = correlated_stability_histogram.build(k=4, sigma=4, gap=2)
    n = 200_000
    _keys, values = mechanism.release_many({f"k{i}": 1 for i in range(4)}, n, _rng())
    p = float(delta_infinite(Float64(), k=4, sigma=4.0, gap=2.0))
    hits = int((~np.isnan(values)).any(axis=1).sum())
    assert abs(hits - n * p) < 7 * np.sqrt(n * p * (1 - p))


@pytest.mark.slow
def test_discrete_releases_agree():
    """Exact releases and those by table: Fisher's exact test of keys, values and their difference (error 1e-10)."""
    mechanism = discrete_correlated.build(k=2, sigma=2, gap=3)
    rng, histogram, n = _rng(), {"a": 5, "b": 4}, 4000
    single = [mechanism.release(histogram, rng) for _ in range(n)]
    exact = np.array([[release.get(key, np.nan) for key in "ab"] for release in single])
    _keys, fast = mechanism.release_many(histogram, n, rng)
    for values in (exact, fast):
        known = values[~np.isnan(values)]
        assert np.all(2 * known == np.rint(2 * known))
        assert known.min() > 4
    events = [lambda v: ~np.isnan(v[:, 0]), lambda v: ~np.isnan(v).any(axis=1), lambda v: np.isnan(v).all(axis=1)]
    events += [lambda v, c=c: v[:, 0] > c for c in (5, 6.5, 8)]
    events += [lambda v, c=c: v[:, 0] - v[:, 1] > c for c in (-1, 0, 0.5, 2)]
    for event in events:
        a, b = int(event(exact).sum()), int(event(fast).sum())
        assert stats.fisher_exact([[a, n - a], [b, n - b]]).pvalue > 1e-10 / len(events)


def test_the_comparison_is_a_field():
    """On the half-integer grid ">" and ">=" differ by the mass at the threshold."""
    open_, closed = (
        discrete_correlated.DiscreteCorrelated(1, Fraction(1), Fraction(0), boundary)
        for boundary in (Boundary.EXCLUSIVE, Boundary.INCLUSIVE)
    )
    shares = [np.mean(~np.isnan(m.release_many({"a": 1}, 20_000, _rng())[1])) for m in (open_, closed)]
    assert shares[1] - shares[0] > 0.05


def test_top_k_releases_nothing_at_a_tie():
    """K + 1 equal counts reduce to nothing."""
    assert top_k.build(k=2, sigma=4, gap=1).release({"a": 90, "b": 90, "c": 90}, _rng()) == {}


def test_aggregates_are_released_with_their_counter_only():
    """A counter held back takes its aggregates with it."""
    mechanism = correlated_stability_histogram.CorrelatedStabilityHistogram(
        k=2, tau=1, tau_star=50.0, sigma=1.0, aggregates=Aggregates(("value",), (3.0,), ((1.0,),))
    )
    keys, values = mechanism.release_many({"a": 1, "b": 100}, 20, _rng())
    assert keys == ("count/a", "value/a", "count/b", "value/b")
    assert np.isnan(values[:, :2]).all()
    assert not np.isnan(values[:, 2:]).any()


_BUILDS = {spec.id: (spec.build, dict(spec.parameters)) for spec in _SPECS}
_LOWER = "expected 0.01 <= sigma <= 100000 (users) for the sampler's table"


def _refused(call, message):
    """The call raises one line that says what was expected and what came."""
    with pytest.raises(ValueError, match=message) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith("expected ")
    assert "got " in line


@pytest.mark.parametrize("identifier", _BUILDS)
@pytest.mark.parametrize("k", [0, -1, 1.5, "3/2", -0.0, Fraction(7, 2)])
def test_a_sparsity_bound_is_a_positive_integer(identifier, k):
    """In every mechanism of the family."""
    build, parameters = _BUILDS[identifier]
    _refused(lambda: build(**(parameters | {"k": k})), r"expected an integer k >= 1 \(counters\), got k=")


@pytest.mark.parametrize("identifier", _BUILDS)
@pytest.mark.parametrize("sigma", [0, -1, -0.0])
def test_no_noise_is_no_deviation(identifier, sigma):
    """Zero of either sign, and less."""
    build, parameters = _BUILDS[identifier]
    _refused(lambda: build(**(parameters | {"sigma": sigma})), r"<= sigma <= |0 < sigma < infinity")


@pytest.mark.parametrize("identifier", _BUILDS)
@pytest.mark.parametrize("count", [2**60, 10**400, 10**5000], ids=["2^60", "10^400", "10^5000"])
def test_a_count_that_its_grid_cannot_hide_is_not_released(identifier, count):
    """Doubles of that size are wider apart than the grid: low bits would tell the count."""
    build, parameters = _BUILDS[identifier]
    mechanism, rng = build(**parameters), _rng()
    before = rng.bit_generator.state
    _refused(lambda: mechanism.release({"k0": count}, rng), "expected (counts <= 2|at most 10000000 elements)")
    assert rng.bit_generator.state == before


@pytest.mark.parametrize("module", [correlated_stability_histogram, discrete_correlated])
def test_more_counters_than_k_are_not_released(module):
    """One too many, and the remedy is named."""
    mechanism, rng = module.build(k=2, sigma=2, gap=5), _rng()
    before = rng.bit_generator.state
    _refused(lambda: mechanism.release({"a": 1, "b": 1, "c": 1, "d": 0}, rng), r"at most k=2 .*, got 3; .*top_k")
    assert mechanism.release_many({"a": 1, "b": 1, "d": 0}, 0, rng)[1].shape == (0, 2)
    assert rng.bit_generator.state == before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: discrete_correlated.build(k=1, sigma="1/1000", gap=1), _LOWER.replace("(", r"\(").replace(")", r"\)")),
        (lambda: discrete_correlated.build(k=1, sigma=10**9, gap=1), "for the sampler's table, got sigma=1000000000.0"),
        (lambda: discrete_correlated.DiscreteCorrelated(1, Fraction(10**400), Fraction(1)), "got sigma=a larger one"),
        (lambda: discrete_correlated.DiscreteCorrelated(1, 0.5, Fraction(1)), "expected an exact sigma"),
        (lambda: discrete_correlated.DiscreteCorrelated(1, Fraction(1), "1/2"), "expected an exact gap"),
        (lambda: discrete_correlated.build(k=1, sigma=1, gap=10**300), r"expected -2\^51 <= gap <= 2\^51"),
        (lambda: correlated_gaussian.build(k=2, sigma=1).release({"zz": 1}, _rng()), "expected keys k0 to k1"),
        (lambda: correlated_gaussian.CorrelatedGaussian(k=2, sigma="1"), "expected 0 < sigma < infinity"),
        (
            lambda: correlated_stability_histogram.CorrelatedStabilityHistogram(1, 1, float("nan"), 1.0),
            "expected a finite tau_star",
        ),
        (
            lambda: correlated_stability_histogram.CorrelatedStabilityHistogram(1, 1, 1.0, 1.0, grid=0.3),
            "expected grid to be a power of two",
        ),
        (lambda: correlated_stability_histogram_aggregates.build(k=1, sigma=1, gap=1, mu_o=0), "expected mu_o > 0"),
        (lambda: sparse_monotone({"k": 2}).check({"a": 2, "b": 1}, {"a": 1, "b": 2}), "all changes of one sign"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message):
    """Nothing is released, and the line names the rule."""
    _refused(call, message)
