"""Calibrations: the returned value keeps the target by the exact formula, and the next value does not."""

import functools
import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from auditor.engine.calibration import OPEN_VALUE, CalibrationError, calibrate, fitting, stated
from auditor.engine.registry import registry
from auditor.errors import UsageError
from auditor.front.cli import invoke
from mechanisms.baselines import analytic_gaussian_accountant as analytic_gaussian
from mechanisms.calibrator import Calibrator
from mechanisms.correlated_stability_histogram import accountant as correlated_stability_histogram
from mechanisms.correlated_stability_histogram import composed_accountant as correlated_releases
from mechanisms.discrete_correlated import accountant as discrete_correlated
from mechanisms.gaussian_sparse_histogram import add_the_deltas_accountant as added_deltas
from mechanisms.gaussian_sparse_histogram import composed_accountant as gaussian_releases
from mechanisms.gaussian_sparse_histogram import f_dp_accountant as f_dp
from mechanisms.gaussian_sparse_histogram import ledger
from mechanisms.geometric_sparse_histogram import accountant as geometric_sparse_histogram
from mechanisms.integer_sparse_histogram import accountant as integer_sparse_histogram
from mechanisms.iterated_selection import accountant as iterated_selection
from mechanisms.sample_and_threshold import accountant as sample_and_threshold
from mechanisms.unknown_domain.gumbel import accountant as gumbel
from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.box import Box, Parameter, ParameterError
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.kinds import DeltaBound

CLOSED = (
    "adaptive_weights",
    "analytic_gaussian",
    "correlated_gaussian",
    "correlated_gaussian_sparse_users",
    "gaussian_sparse_histogram",
    "geometric_sparse_histogram",
    "unknown_domain_gaussian",
    "unknown_domain_laplace",
    "weighted_set_union",
)
"""Mechanisms whose delta has a closed form, which mpmath evaluates without a ball."""


def claim_of(calibrator):
    """Return the claim that decides."""
    return registry().claim(calibrator.claim)


def delta_at(claim, point):
    """Return delta by mpmath, 60 digits."""
    return evaluate_in(MpReal(60), claim.formula, claim.domain.parse(point))


def users_at(calibrator, rng):
    """Return random facts of the claim: two to five keys of a user, ten of the data, and up to three in a count."""
    facts = {"keys": int(rng.integers(2, 6)), "all_keys": 10, "per_key": int(rng.integers(1, 4))}
    return {parameter: facts[fact] for parameter, fact in calibrator.users.items()}


def check(found, claim, target):
    """Check every number: delta is at most the target at the value and above it at the next, the stated bounds hold."""
    for one in found.choices:
        at = {**found.point, **one.at, one.name: one.value}
        exact = delta_at(claim, at)
        assert exact <= evaluate_in(MpReal(60), lambda A: A.number(target), {})
        assert exact <= MpReal(60).number(Fraction(one.delta))
        assert one.next_value is not None
        assert delta_at(claim, {**at, one.name: one.next_value}) > MpReal(60).number(target)
        assert MpReal(60).number(Fraction(one.next_delta)) <= delta_at(claim, {**at, one.name: one.next_value})


@pytest.mark.parametrize("name", CLOSED)
def test_noise_and_threshold_keep_the_target_and_a_step_less_does_not(name):
    """Four random targets of each mechanism: epsilon 0.2 to 4, delta 1e-9 to 1e-3, three to seven digits."""
    calibrator, rng = registry().calibrators[name], np.random.default_rng(46)
    claim = claim_of(calibrator)
    for _case in range(4):
        epsilon, target = (Fraction(f"{math.exp(rng.uniform(*ends)):.4g}") for ends in ((-1.6, 1.4), (-20.7, -6.9)))
        digits = int(rng.integers(3, 8))
        calibration = calibrate(
            calibrator, claim, target, {"epsilon": epsilon, **users_at(calibrator, rng)}, digits=digits
        )
        assert [one.name for one in calibration.choices] == [*filter(None, (calibrator.noise, calibrator.threshold))]
        check(calibration, claim, target)


SETTINGS = {"gaussian_sparse_histogram": (12, 150), "weighted_set_union": (8, 45), "unknown_domain_laplace": (12, 250)}


@pytest.mark.parametrize("name", SETTINGS)
def test_epsilon_for_a_setting_is_rounded_up_and_keys_are_rounded_down(name):
    """Other parameters than noise and threshold: those in which delta falls go up, the others down."""
    calibrator = registry().calibrators[name]
    claim, (keys,) = claim_of(calibrator), [p for p, fact in calibrator.users.items() if fact == "keys"]
    noise, threshold = SETTINGS[name]
    setting = {calibrator.noise: noise, calibrator.threshold: threshold, keys: 5}
    target = Fraction("1e-6")
    calibration = calibrate(calibrator, claim, target, setting, digits=6)
    (one,) = calibration.choices
    assert one.name == "epsilon"
    assert one.next_value < one.value
    check(calibration, claim, target)
    calibration = calibrate(calibrator, claim, target, {**setting, "epsilon": Fraction(3, 4), keys: OPEN_VALUE})
    (one,) = calibration.choices
    assert one.name == keys
    assert one.next_value == one.value + 1
    check(calibration, claim, target)


ACCOUNTANTS = {
    "analytic_gaussian_distance": ({"epsilon": 1}, analytic_gaussian.delta),
    "correlated_stability_histogram_adaptive": (
        {"epsilon": 1, "k": 10, "releases": 30},
        correlated_releases.adaptive_delta,
    ),
    "correlated_stability_histogram_releases_adaptive": (
        {"epsilon": 1, "k": 10, "m": 3, "releases": 30},
        correlated_releases.few_counters_adaptive_delta,
    ),
    "correlated_stability_histogram_same": (
        {"epsilon": 1, "k": 10, "releases": 30},
        correlated_releases.repeated_delta,
    ),
    "gaussian_sparse_histogram_added": ({"epsilon": 1, "c_u": 10}, added_deltas.delta),
    "gaussian_sparse_histogram_f_dp": ({"epsilon": 1, "c_u": 10}, f_dp.delta),
    "gaussian_sparse_histogram_fixed": ({"epsilon": 1, "rows_1": 3}, gaussian_releases.three_kinds_delta),
    "iterated_selection": ({"epsilon": 1, "c_u": 10}, iterated_selection.delta),
    "ledger": ({"epsilon": 1, "mu": Fraction(1, 4)}, ledger.delta_of_budgets),
    "misra_gries": ({"epsilon": 1, "k": 10}, correlated_stability_histogram.delta),
    "top_k": ({"epsilon": 1, "k": 10}, correlated_stability_histogram.delta),
    "unknown_domain_gumbel": ({"epsilon": 1, "k": 3, "delta": Fraction("5e-6")}, gumbel.delta),
    "unknown_domain_pay_what_you_get": (
        {"epsilon": 1, "l_star": 2, "k_star": 5, "delta": Fraction("1e-6")},
        gumbel.stream_delta,
    ),
    "unknown_domain_pay_what_you_get_pooled": (
        {"epsilon": 1, "l_star": 2, "k_star": 5, "delta": Fraction("1e-6")},
        gumbel.stream_ledger_delta,
    ),
}
"""What is given, and an accountant in doubles."""


@pytest.mark.parametrize("name", ACCOUNTANTS)
def test_a_mechanism_without_a_closed_form_is_calibrated_as_its_accountant_says(name):
    """Certified on both sides of (1, 1e-5), and within a part in 1,000 of 1e-5 by the accountant at both."""
    calibrator, (given, accountant) = registry().calibrators[name], ACCOUNTANTS[name]
    calibration = calibrate(calibrator, claim_of(calibrator), Fraction("1e-5"), given)
    for one in calibration.choices:
        share = calibration.noise_share if one.name == calibrator.noise else Fraction(1)
        target = Fraction("1e-5") * share
        assert Fraction(one.delta) <= target <= Fraction(one.next_delta)
        for value, above in ((one.value, False), (one.next_value, True)):
            at = {**calibration.point, **one.at, one.name: value}
            at |= {follower: formula(Float64(), **at) for follower, formula in calibrator.follows.items()}
            doubles = {parameter: x if isinstance(x, int) else float(x) for parameter, x in at.items()}
            delta = accountant(doubles.pop("epsilon"), **doubles)
            assert delta == pytest.approx(float(target), rel=1e-3)
            assert delta > target * (1 - Fraction(1, 10**9)) if above else delta < target * (1 + Fraction(1, 10**9))


DEFINED = {
    "central_laplace": ({"epsilon": 1, "p": Fraction(1, 10)}, "1e-5"),
    "central_laplace_replacement": ({"epsilon": 1}, "1e-5"),
    "correlated_stability_histogram_aggregates": ({"epsilon": 1, "k": 4, "mu_o": Fraction(1, 8)}, "1e-5"),
    "exponential_mechanism": ({"epsilon": 1}, "1e-5"),
    "fixed_size_sample": ({"epsilon": 1, "n": 8, "tau": 2}, "0.6"),
    "hadamard_response": ({"epsilon": 1, "epsilon_0": 2}, "1e-5"),
    "sample_and_threshold_contacts": ({"epsilon": 1, "m": 2, "contacts": 3, "n": 6}, "0.05"),
    "sample_and_threshold_share": ({"epsilon": 1, "alpha": Fraction(1, 6)}, "1e-5"),
    "shuffle_bernoulli": ({"epsilon": 1, "f": Fraction(1, 2), "p": 1}, "0.03"),
    "trie_heavy_hitters_replacement": ({"epsilon": 1, "p": Fraction(1, 5), "levels": 1}, "0.1"),
}
"""What is given, and a target within reach of the claim's evaluation from the definition."""


@pytest.mark.parametrize("name", DEFINED)
def test_delta_by_its_definition_keeps_the_target_and_a_step_less_does_not(name):
    """The claim's oracle, which shares no code with its formula, at both sides."""
    calibrator, (given, delta) = registry().calibrators[name], DEFINED[name]
    claim, target = claim_of(calibrator), Fraction(delta)
    calibration = calibrate(calibrator, claim, target, given)
    for one in calibration.choices:
        at = {**calibration.point, **one.at}
        limit = target * (calibration.noise_share if one.name == calibrator.noise else 1)
        here, beside = (
            evaluate_in(MpReal(25), claim.kind.oracle, claim.domain.parse({**at, one.name: value}))
            for value in (one.value, one.next_value)
        )
        assert here <= MpReal(25).number(limit) < beside


def least_over_orders(epsilon, rho):
    """Return delta of rho-CDP at epsilon: the least of Canonne, Kamath and Steinke's bounds over 100,000 orders."""
    alpha = 1 + np.exp(np.linspace(-6, 8, 100_000))
    exponents = (alpha - 1) * (alpha * rho - epsilon + np.log1p(-1 / alpha)) - np.log(alpha)
    return float(np.exp(exponents.min()))


@pytest.mark.parametrize(
    ("name", "given", "rho", "threshold"),
    [
        ("unknown_domain_top", {"delta_0": 3, "delta_inf": 2}, 3 * 4 / 2, (2, math.sqrt(2), 3)),
        ("unknown_domain_binary", {"L": 64, "delta_0": 2}, 2 * 7 / 2, (1, math.sqrt(7), 128)),
    ],
)
def test_theorems_of_concentrated_privacy_give_noise_and_threshold(name, given, rho, threshold):
    """Half of (1, 1e-5) is the theorem's own delta; rho is in units of 1/sigma^2, the threshold by SciPy's quantile."""
    calibrator = registry().calibrators[name]
    calibration = calibrate(calibrator, claim_of(calibrator), Fraction("1e-5"), {"epsilon": 1, **given})
    assert calibration.point["delta"] == Fraction("5e-6")
    (noise,) = calibration.choices
    for sigma, is_kept in ((noise.value, True), (noise.next_value, False)):
        delta = 5e-6 + (1 - 5e-6) * least_over_orders(1.0, rho / float(sigma) ** 2)
        assert delta == pytest.approx(1e-5, rel=1e-3)
        assert (delta <= 1e-5 * (1 + 1e-7)) if is_kept else delta > 1e-5
    (stated_threshold,) = stated(calibration, registry().claim, digits=7)
    start, deviations, union = threshold
    expected = start + float(noise.value) * deviations * stats.norm.isf(5e-6 / union)
    assert expected <= stated_threshold.value < expected * (1 + 2e-6)


def test_a_rate_that_starts_above_one_is_found():
    """A fixed-size sample from 20 clients on: m/n is exactly the target, and 19 clients are below the threshold."""
    calibrator = registry().calibrators["fixed_size_sample"]
    claim, given = claim_of(calibrator), {"epsilon": 1, "n": 10**6, "tau": 20}
    (one,) = calibrate(calibrator, claim, Fraction("2.5e-5"), given).choices
    assert (one.value, one.delta, one.next_value) == (25, "0.000025", 26)
    with pytest.raises(CalibrationError, match="expected a value of m"):
        calibrate(calibrator, claim, Fraction("1.9e-5"), given)


def test_two_equal_releases_are_one_release_of_all_rows():
    """Three rows twice: the noise and the gap of six rows, by each of three claims."""
    results = [
        calibrate(registry().calibrators[name], claim_of(registry().calibrators[name]), Fraction("1e-6"), given)
        for name, given in (
            ("gaussian_sparse_histogram_fixed", {"epsilon": 1, "rows_1": 3}),
            ("gaussian_sparse_histogram_repeated", {"epsilon": 1, "c_u": 3, "releases": 2}),
            ("gaussian_sparse_histogram", {"epsilon": 1, "c_u": 6}),
        )
    ]
    first, *others = [[one.value for one in result.choices] for result in results]
    assert others == [first, first]


def test_every_mechanism_and_every_accountant_of_a_delta_can_be_calibrated():
    """A mechanism by its own id, an accountant of this project by the claim that it is held against."""
    calibrators = registry().calibrators.values()
    assert {*registry().mechanisms} <= {one.id for one in calibrators}
    ours = {one.against for one in registry().accountants.values() if not one.library}
    assert ours <= {one.claim for one in calibrators}


def test_a_least_value_is_the_number_of_the_claim_that_states_it():
    """The claims of least noise and threshold, rounded up to the digits asked for."""
    for name, given in (("gaussian_sparse_histogram", {"c_u": 10}), ("weighted_set_union", {"c_u": 100})):
        calibrator = registry().calibrators[name]
        target = Fraction("1e-5")
        calibration = calibrate(calibrator, claim_of(calibrator), target, {"epsilon": 1, **given}, digits=8)
        for one in calibration.choices:
            stated = registry().claim(one.least_by)
            point = {n: v for n, v in {**calibration.point, "delta": target}.items() if n in stated.domain.names}
            least = float(evaluate_in(MpReal(40), stated.formula, stated.domain.parse(point)))
            assert float(one.next_value) < least <= float(one.value), (name, one.name)


def test_the_accountants_in_doubles_have_the_same_least_settings():
    """Searches of their own in doubles: integer, geometric and correlated histograms, and sample-and-threshold."""
    target, at = Fraction("1e-5"), {"epsilon": 1}

    def found(name, given):
        calibrator = registry().calibrators[name]
        return [one.value for one in calibrate(calibrator, claim_of(calibrator), target, given).choices]

    for name, module in (
        ("integer_sparse_histogram", integer_sparse_histogram),
        ("geometric_sparse_histogram", geometric_sparse_histogram),
    ):
        noise, threshold = found(name, {**at, "c_u": 3, "per_key": 2})
        hundredths, least = module.least(1.0, 1e-5, c_u=3, per_key=2)
        assert Fraction(math.ceil(100 * noise), 100) == hundredths
        assert 0 <= least - threshold <= 1  # at a noise that is up to a hundredth larger
    sigma, gap = found("correlated_stability_histogram", {**at, "k": 10})
    assert float(sigma) == pytest.approx(correlated_stability_histogram.sigma(1.0, 1e-5, k=10), rel=1e-4)
    assert float(gap) == pytest.approx(
        correlated_stability_histogram.gap(1.0, 1e-5, k=10, sigma=float(sigma)), rel=1e-4
    )
    (tau,) = found("sample_and_threshold", {**at, "p": Fraction(1, 10)})
    assert tau == sample_and_threshold.least_tau_at_rate(1.0, 1e-5, p=0.1)
    for name in ("trie_heavy_hitters", "hierarchical_histogram", "interactive_quantile"):
        (tau,) = found(name, {**at, "p": Fraction(1, 10), "levels": 4})
        level = sample_and_threshold.least_tau_at_rate(0.25, 2.5e-6, p=0.1)  # a fourth of epsilon and delta a level
        assert tau == level, name
    (rate,) = found("sample_and_threshold", {**at, "tau": 20})
    assert float(rate) == pytest.approx(sample_and_threshold.greatest_rate(1.0, 1e-5, tau=20), rel=1e-4)
    assert float(rate) <= sample_and_threshold.greatest_rate(1.0, 1e-5, tau=20)


def test_a_grid_of_half_counts_is_kept():
    """The discrete correlated histogram: a gap in half counts, and half a count less is too little."""
    calibrator = registry().calibrators["discrete_correlated"]
    claim = claim_of(calibrator)
    (one,) = calibrate(calibrator, claim, Fraction("1e-3"), {"epsilon": 2, "k": 2, "sigma": 2}).choices
    assert (2 * one.value).denominator == 1
    assert one.next_value == one.value - Fraction(1, 2)
    assert discrete_correlated.delta(2.0, k=2, sigma=2.0, gap=float(one.value)) <= 1e-3
    assert discrete_correlated.delta(2.0, k=2, sigma=2.0, gap=float(one.next_value)) > 1e-3
    calibration = calibrate(calibrator, claim, Fraction("1e-3"), {"epsilon": 2, "k": 2})
    assert calibration.first_count == calibration.point["gap"] + Fraction(3, 2)  # "> 1 + gap" on half counts


def test_the_gap_of_whole_sums_is_the_accountants():
    """One counter with a sum: half a count less is too little, by the accountant in doubles."""
    calibrator, setting = registry().calibrators["discrete_correlated_sums"], {"k": 1, "sigma": 1, "per_sum": 1}
    given = {"epsilon": 3, **setting, "sigma_s": 4}
    (one,) = calibrate(calibrator, claim_of(calibrator), Fraction("1e-2"), given).choices
    for gap, is_enough in ((one.value, True), (one.next_value, False)):
        delta = discrete_correlated.delta_with_sums(3.0, **setting, sigma_s=4.0, gap=float(gap))
        assert (delta <= 1e-2) == is_enough


EPSILON = Parameter("epsilon", "privacy loss", lower=0)
SIGMA = Parameter("sigma", "noise", open_lower=True)


def invented(formula, **more):
    """Return a claim and a calibrator of noise with a formula of ours."""
    source = Source("tests", "nowhere", ours=True)
    claim = Claim(
        id="tests.delta", source=source, title="a delta", statement="", kind=DeltaBound(formula),
        domain=Box((EPSILON, SIGMA)), falls=("epsilon", "sigma"), **more,
    )  # fmt: skip
    return claim, Calibrator(id="tests", claim=claim.id, release="tests", users={}, noise="sigma")


@pytest.mark.parametrize("error", [Fraction(-1, 500), Fraction(1, 500)])
def test_doubles_that_are_wrong_either_way_do_not_change_the_answer(error):
    """The formula in doubles is off by a part in 500: balls decide all the same."""

    def delta(A, *, epsilon, sigma):
        value = A.exp(-sigma - epsilon)
        return value * float(1 + error) if isinstance(A, Float64) else value

    claim, calibrator = invented(delta)
    (one,) = calibrate(calibrator, claim, Fraction(1, 1000), {"epsilon": 1}, digits=4).choices
    assert (one.value, one.next_value) == (Fraction("5.908"), Fraction("5.907"))  # ln 1000 - 1 = 5.90776


def test_a_delta_that_no_ball_decides_is_no_certified_value():
    """A ball too wide to compare: nothing is returned."""

    def delta(A, *, epsilon, sigma):
        value = A.exp(-sigma - epsilon)
        return value if isinstance(A, Float64) else A.between(0, 1)

    claim, calibrator = invented(delta)
    with pytest.raises(CalibrationError, match=r"expected a certified sigma near 5\.9"):
        calibrate(calibrator, claim, Fraction(1, 1000), {"epsilon": 1}, digits=4)


def test_what_cannot_be_computed_is_one_line():
    """Too much is missing, no value keeps the target, unknown names."""
    calibrator = registry().calibrators["gaussian_sparse_histogram"]
    claim, tenth = claim_of(calibrator), Fraction(1, 10)
    with pytest.raises(UsageError, match="expected all but sigma and gap, or one of epsilon, gap"):
        calibrate(calibrator, claim, tenth, {})
    with pytest.raises(UsageError, match="got sigma to compute"):
        calibrate(calibrator, claim, tenth, {"epsilon": 1, "gap": 3})  # delta goes both ways in sigma at a gap
    with pytest.raises(UsageError, match="expected --delta, or values of sigma, gap"):
        calibrate(calibrator, claim, None, {"epsilon": 1})
    with pytest.raises(ParameterError, match="unknown parameter keys"):
        calibrate(calibrator, claim, tenth, {"keys": 3})
    with pytest.raises(CalibrationError, match="expected a value of gap in the claim's domain"):
        calibrate(calibrator, claim, Fraction("1e-9"), {"epsilon": 1, "sigma": 1, "c_u": 10})


def test_delta_of_a_setting_is_rounded_up():
    """Delta at the point, six digits."""
    calibrator = registry().calibrators["gaussian_sparse_histogram"]
    calibration = calibrate(calibrator, claim_of(calibrator), None, {"epsilon": 1, "sigma": 12, "gap": 60, "c_u": 10})
    exact = delta_at(claim_of(calibrator), calibration.point)
    (one,) = calibration.choices
    assert float(exact) <= float(one.value) < float(exact) * (1 + 1e-5)


def test_every_calibrator_names_parameters_of_its_claim():
    """Noise, threshold, users, grids and chosen parameters; the claim says in which direction delta moves."""
    for calibrator in registry().calibrators.values():
        claim = claim_of(calibrator)
        names = {*calibrator.users, *calibrator.steps, *calibrator.chosen, calibrator.noise, calibrator.threshold}
        assert names - {""} <= {*claim.domain.names}, calibrator.id
        assert {*calibrator.least} <= {*claim.domain.names}, calibrator.id
        assert calibrator.threshold in {"", *claim.falls}, calibrator.id
        assert calibrator.threshold or calibrator.noise in {"", *claim.falls}, calibrator.id
        assert {*calibrator.shares} <= {*claim.rises}, calibrator.id
        assert "epsilon" in {*claim.falls, *(turn.parameter for turn in claim.turns)}, calibrator.id


def test_limit_thresholds_are_passed_by_noise_with_a_probability_that_no_double_shows():
    """Raising the limit threshold changes delta by less than 1e-150."""
    for name in CLOSED:
        calibrator = registry().calibrators[name]
        if not calibrator.threshold:
            continue
        claim, rng = claim_of(calibrator), np.random.default_rng(3)
        point = {"epsilon": 3, calibrator.noise: 2, **users_at(calibrator, rng)}
        far = math.ceil(
            float(evaluate_in(MpReal(30), calibrator.limit_threshold, {n: Fraction(v) for n, v in point.items()}))
        )
        near, further = (delta_at(claim, {**point, calibrator.threshold: value}) for value in (far, far + 100))
        assert abs(near - further) < 1e-150, name


def test_the_mechanisms_that_fit_the_facts():
    """Keys of a user are needed; a count that moves by more than one fits where the claim has a parameter for it."""
    calibrators = registry().calibrators
    assert fitting(calibrators["gaussian_sparse_histogram"], {"keys": "3"}) == {"c_u": "3"}
    assert fitting(calibrators["gaussian_sparse_histogram"], {"keys": "3", "per_key": "2"}) is None
    assert fitting(calibrators["integer_sparse_histogram"], {"keys": "3"}) == {"c_u": "3", "per_key": "1"}
    assert fitting(calibrators["correlated_stability_histogram"], {"keys": "3"}) is None


def test_the_table_of_counts_is_sorted_and_has_a_row_for_each_mechanism_that_fits(capsys):
    """Three keys of three: the correlated histogram for few counters is first, and what has no answer says why."""
    assert invoke(["calibrate", "counts", "keys=3", "all_keys=3", "--epsilon", "1", "--delta", "1e-5"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["mechanism", "parameter", "deviation", "released", "from", "claim"]
    rows = [line.split() for line in lines if len(line.split()) == 5]
    assert rows[0][0] == "correlated_stability_histogram_sparse_users"
    counts = [float(row[3]) for row in rows]
    assert counts == sorted(counts)
    results = {row[0]: row for row in rows}
    assert results["integer_sparse_histogram"][1:4] == ["sigma=6.4621", "6.462", "31"]
    assert results["gaussian_sparse_histogram"][1:4] == ["sigma=6.4617", "6.462", "30.104"]
    assert any(line.startswith("discrete_correlated: expected a value of sigma") for line in lines)
    assert len(results) == len({row[0] for row in rows}) == 7


def test_several_releases_give_three_quarters_of_delta_to_the_noise(capsys):
    """Ten keys, thirty releases: the noise alone has 7.5e-6 and the threshold the rest; the table has the row."""
    calibrator = registry().calibrators["gaussian_sparse_histogram_adaptive"]
    claim, target = claim_of(calibrator), Fraction("1e-5")
    calibration = calibrate(calibrator, claim, target, {"epsilon": 1, "c_u": 10, "releases": 30})
    noise, threshold = calibration.choices
    check(replace(calibration, choices=(noise,)), claim, 3 * target / 4)
    check(replace(calibration, choices=(threshold,)), claim, target)
    facts = ["keys=10", "releases=30"]
    assert invoke(["calibrate", "adaptive_counts", *facts, "--epsilon", "1", "--delta", "1e-5"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [
        "gaussian_sparse_histogram_adaptive", "sigma=65.73", "65.73", "371.94", "wilkins2024.composition.adaptive",
    ]  # fmt: skip
    assert fitting(registry().calibrators["gaussian_sparse_histogram"], {"keys": "3", "releases": "2"}) is None


def test_integer_counts_of_thirty_releases_are_calibrated_as_their_accountant_says():
    """Ten keys: the noise alone has 7.5e-6, and one count less of the threshold is too little, by doubles."""
    calibrator = registry().calibrators["integer_sparse_histogram_adaptive"]
    given = {"epsilon": 1, "c_u": 10, "releases": 30}
    noise, threshold = calibrate(calibrator, claim_of(calibrator), Fraction("1e-5"), given).choices
    assert threshold.next_value == threshold.value - 1
    accountant = functools.partial(integer_sparse_histogram.releases_delta, 1.0, c_u=10, releases=30)
    for sigma, least, most in ((noise.value, 0.999, 1), (noise.next_value, 1, 1.001)):
        delta = accountant(sigma=float(sigma), threshold=noise.at["threshold"])
        assert least < delta / 7.5e-6 < most * (1 + 1e-6)
    here, beside = (accountant(sigma=float(noise.value), threshold=t) for t in (threshold.value, threshold.next_value))
    assert here <= 1e-5 < beside


def test_a_mechanism_without_noise_has_its_parameter_in_the_table(capsys):
    """Optimal partition selection: the delta of one key, for users of four keys."""
    assert invoke(["calibrate", "selections", "keys=4", "--epsilon", "1", "--delta", "1e-5"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == [
        "partition_selection", "delta_0=2.5e-06", "standard.selection.keys",
    ]  # fmt: skip


def test_parameters_of_the_claims_are_given_beside_facts(capsys):
    """Three mechanisms with four levels of a rate of 1/10, a fourth of (1, 1e-5) a level; no other kind has levels."""
    assert invoke(["calibrate", "levels", "p=1/10", "levels=4", "--epsilon", "1", "--delta", "1e-5"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    tau = str(sample_and_threshold.least_tau_at_rate(0.25, 2.5e-6, p=0.1))
    assert [line.split()[:2] for line in lines] == [
        [name, tau] for name in ("hierarchical_histogram", "interactive_quantile", "trie_heavy_hitters")
    ]
    assert invoke(["calibrate", "samples", "levels=4", "--epsilon", "1", "--delta", "1e-5"]) != 0
    assert "per_key, releases, m, n, p, tau, got levels" in capsys.readouterr().err


def test_the_verb_of_one_mechanism_prints_both_sides_and_the_claim(capsys):
    """Noise with the threshold that it was computed at, threshold, and the claims of the least values."""
    assert invoke(["calibrate", "gaussian_sparse_histogram", "c_u=10", "--epsilon", "1", "--delta", "1e-5"]) == 0
    out = capsys.readouterr().out
    assert "sigma   11.798  9.99006e-06 at gap=471.92  11.797" in out
    assert "wilkins2024.thm5.4.gap" in out
    assert out.splitlines()[-1] == "delta by wilkins2024.thm5.4; epsilon=1, c_u=10, mu_o=0"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["no_such"], "no mechanism matches 'no_such'"),
        (["counts", "keys=3"], "expected --epsilon and --delta"),
        (["counts", "users=3", "--epsilon", "1", "--delta", "1e-5"], "of keys, all_keys, per_key, releases"),
        (["counts", "--epsilon", "1", "--delta", "1e-5"], "expected values that a mechanism takes"),
        (["gaussian_sparse_histogram", "--epsilon", "1", "--delta", "2"], "expected 1e-140 <= delta < 1"),
        (["gaussian_sparse_histogram", "--delta", "x"], "delta: "),
        (["gaussian_sparse_histogram", "--digits", "0"], "expected 1 <= digits <= 12"),
        (["picks", "--epsilon", "1", "--delta", "0"], "expected 1e-140 <= delta < 1, got delta=0"),
        (["picks", "--epsilon", "1", "--delta", "1e-400"], "got delta=1e-400"),
        (["picks", "epsilon=2", "--epsilon", "1", "--delta", "1e-5"], "got --epsilon 1 and epsilon=2"),
        (["counts", "keys=0", "--epsilon", "1", "--delta", "1e-5"], "expected an integer keys >= 1, got keys=0"),
        (["counts", "keys=1.5", "--epsilon", "1", "--delta", "1e-5"], "expected an integer keys >= 1, got keys=1.5"),
        (["picks", "--epsilon", "-1", "--delta", "1e-5"], "expected epsilon >= 0 (nats), got epsilon=-1"),
        (["picks", "--epsilon", "one", "--delta", "1e-5"], "epsilon: "),
        (["exponential_mechanism", "--epsilon", "-1", "--delta", "1e-5"], "got epsilon=-1"),
        (["unknown_domain_top", "sigma=5", "--epsilon", "1", "--delta", "1e-5"], "write NAME=? for the one to compute"),
        (["shuffle_bernoulli", "--epsilon", "1", "--delta", "1e-5"], "got m, f, p to compute; give NAME=VALUE"),
    ],
)
def test_wrong_words_are_one_line(words, error, capsys):
    """What, value, allowed; exit code 2."""
    code = invoke(["calibrate", *words])
    assert code != 0
    assert error in capsys.readouterr().err


def test_a_release_word_is_no_id_of_a_mechanism():
    """Both are first arguments of the command."""
    calibrators = registry().calibrators
    assert not {one.release for one in calibrators.values()} & {*registry().mechanisms}
    for first, second in itertools.combinations(calibrators.values(), 2):
        assert first.of != second.of or replace(first, id="") != replace(second, id="")
