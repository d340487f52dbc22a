"""What decides an exit code: rounding, refusals and corners accuse nobody; values that people use are asked first."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import auditor
from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.excess import shortfalls
from auditor.accountant_audit.judge import Judge, Kind
from auditor.accountant_audit.practical import has_practical_parameters
from auditor.accountant_audit.rounding import SUBNORMAL, Rounding
from auditor.accountant_audit.solved import solved
from auditor.engine.registry import registry
from auditor.errors import ExitCode, UsageError
from auditor.front.accountants import accountant_request, object_request
from auditor.search.parameter_points import exact_values, search_box
from auditor.target.target import Returned, Several
from mechanisms.baselines import analytic_gaussian_accountant
from tests.auditor.accountant_audit.corpus import gaussian

GAUSSIAN, BOX = "wilkins2024.thm2.2", {"epsilon": ("0", "10"), "mu": ("0.05", "5")}
SIGMA_OF = "standard.gaussian.composition"

ROUNDED = {
    "a last bit of epsilon": (
        ("standard.laplace.composition", "epsilon"), {"scale": 0.1, "k": 1, "delta": 1e-12}, 9.999999999997998,
        Kind.ROUNDING,
    ),
    "eight digits of epsilon": (
        ("standard.laplace.composition", "epsilon"), {"scale": 0.1, "k": 1, "delta": 1e-12}, 9.9999999, Kind.UNSAFE,
    ),
    "above one": ((GAUSSIAN,), {"epsilon": 0.0, "mu": 40.0}, 1 + 3.6e-15, Kind.ROUNDING),
    "far above one": ((GAUSSIAN,), {"epsilon": 0.0, "mu": 40.0}, 1 + 3.6e-8, Kind.INVALID),
    "a subnormal": ((GAUSSIAN,), {"epsilon": 3.819, "mu": 0.1}, 5e-324, Kind.ROUNDING),
    "below zero, subnormal": ((GAUSSIAN,), {"epsilon": 3.819, "mu": 0.1}, -7.9e-312, Kind.ROUNDING),
    "below zero": ((GAUSSIAN,), {"epsilon": 3.819, "mu": 0.1}, -1e-300, Kind.INVALID),
    "zero for a delta of 1e-5": ((GAUSSIAN,), {"epsilon": 4.0, "mu": 1.0}, 0.0, Kind.UNSAFE),
    "an epsilon below 0 that holds": (
        (SIGMA_OF, "epsilon"), {"sigma": 100.0, "delta": 0.01, "k": 1}, -0.0054, Kind.RIGHT,
    ),
    "an epsilon below 0 that does not": (
        (SIGMA_OF, "epsilon"), {"sigma": 100.0, "delta": 0.01, "k": 1}, -0.05, Kind.UNSAFE,
    ),
    "an epsilon below 0 where 0 is too little": (
        (SIGMA_OF, "epsilon"), {"sigma": 100.0, "delta": 0.003, "k": 1}, -1e-5, Kind.UNSAFE,
    ),
}  # fmt: skip
"""Claim (and the parameter solved for), arguments, answer, judgement."""


def judge_of(claim, *solves, tolerance="1e-9", floor="0"):
    """Return the judge of a claim, or of one of its parameters."""
    held_to = registry().claim(claim)
    return Judge(solved(held_to, solves) if solves else held_to, Fraction(tolerance), (), Fraction(floor))


@pytest.mark.parametrize("name", ROUNDED)
def test_rounding_is_a_class_of_its_own(name):
    """A last bit of the answer, of a returned parameter or of the end of a range; more than that is a violation."""
    against, point, returned, kind = ROUNDED[name]
    assert judge_of(*against)(point, Returned(Fraction(returned))).kind is kind


def test_a_promise_of_outward_rounding_allows_none():
    """Tolerance 0: one unit in the last place is a violation."""
    point, truth = {"epsilon": 1.0, "mu": 1.0}, gaussian(1.0, 1.0)
    low = Returned(Fraction(truth) * (1 - Fraction(1, 2**40)))
    assert judge_of(GAUSSIAN, tolerance="0")(point, low).kind is Kind.UNSAFE
    assert judge_of(GAUSSIAN)(point, low).kind is Kind.RIGHT
    assert judge_of(GAUSSIAN, tolerance="0")({"epsilon": 0.0, "mu": 40.0}, Returned(Fraction(1 + 2**-52))).kind is (
        Kind.INVALID
    )


def test_below_a_documented_floor_is_rounding():
    """A library that documents an absolute accuracy is not held to less; above it, it is."""
    point = {"epsilon": 10.0, "mu": 1.0}
    assert judge_of(GAUSSIAN)(point, Returned(Fraction(0))).kind is Kind.UNSAFE
    assert judge_of(GAUSSIAN, floor="1e-12")(point, Returned(Fraction(0))).kind is Kind.ROUNDING
    assert judge_of(GAUSSIAN, floor="1e-12")({"epsilon": 4.0, "mu": 1.0}, Returned(Fraction(0))).kind is Kind.UNSAFE


def test_answers_are_compared_by_the_same_rule():
    """Two numbers differ by more than twice the rounding of one."""
    rule, number = Rounding(Fraction(1, 10**9)), Fraction(1, 100)
    near, far = number * (1 + Fraction(1, 10**9)), number * (1 + Fraction(3, 10**9))
    assert not rule.exceeds(near, number)
    assert rule.exceeds(far, number)
    assert not rule.differ(near, number)
    assert rule.differ(number, far)
    assert rule.differ(number, -number)
    assert not rule.differ(SUBNORMAL, Fraction(0))


def refuses_above_5(epsilon, mu):
    """A documented range."""
    if epsilon > 5:
        raise ValueError("epsilon must be at most 5")
    return gaussian(epsilon, mu)


def asserts_at_most_5(epsilon, mu):
    """A documented range, asserted."""
    assert epsilon <= 5, "epsilon must be at most 5"
    return gaussian(epsilon, mu)


def crashes_above_5(epsilon, mu):
    """The square root of a negative number."""
    return math.sqrt(5 - epsilon) * 0 + gaussian(epsilon, mu)


def needs_memory(epsilon, mu):
    """Three gibibytes."""
    return np.empty(3 * 2**30, dtype=np.uint8).size * 0 + gaussian(epsilon, mu)


def audit(target, against=GAUSSIAN, **options):
    """Audit a live accountant."""
    return audit_accountant(accountant_request(target, against, **{"box": BOX, "max_examples": 200, **options}))


@pytest.mark.slow
def test_a_refusal_is_no_violation_and_no_green():
    """Half of the box refused: undecided, with the reason; none of it refused: no violation seen."""
    result = audit(refuses_above_5, max_examples=60)
    assert result.exit_code == ExitCode.UNDECIDED, result.detail
    assert "raises ValueError: epsilon must be at most 5" in result.detail
    inside = audit(refuses_above_5, max_examples=60, box={**BOX, "epsilon": ("0", "5")})
    assert inside.exit_code == ExitCode.OK, inside.detail


def test_an_assertion_about_the_arguments_is_a_refusal():
    """Half of the box refused: undecided, as with `raise`."""
    result = audit(asserts_at_most_5, max_examples=30)
    assert result.exit_code == ExitCode.UNDECIDED, result.detail
    assert "declines at" in result.detail


@pytest.mark.slow
def test_a_crash_is_invalid():
    """A `ValueError` that a function of C raises refuses nothing."""
    result = audit(crashes_above_5, max_examples=60)
    assert result.exit_code == ExitCode.FINDINGS
    assert "math domain error" in result.invalid.reason


@pytest.mark.slow
def test_our_own_memory_limit_declines_and_is_an_option():
    """Too little memory decides nothing; enough of it does."""
    small = audit(needs_memory, max_examples=5)
    assert small.exit_code == ExitCode.UNDECIDED
    assert "it needs more than 2048 MiB of memory" in small.detail
    assert "raise --memory" in small.detail
    one = {"epsilon": ("1", "1"), "mu": ("1", "1")}
    assert audit(needs_memory, max_examples=5, memory=8192, box=one).exit_code == ExitCode.OK


@pytest.mark.parametrize("memory", [0, -1, 1.5, True])
def test_an_unusable_memory_is_refused(memory):
    """MiB, one at least."""
    with pytest.raises(UsageError, match="expected memory >= 1"):
        accountant_request(gaussian, GAUSSIAN, memory=memory)


@pytest.mark.slow
def test_corners_are_reported_and_decide_only_where_that_is_asked():
    """Nothing below 1e-16: no violation seen, with the corner in its line; with strict it is refuted."""

    def floored(epsilon, mu):
        delta = gaussian(epsilon, mu)
        return delta if delta > 1e-16 else 0.0

    result = audit(floored, max_examples=60)
    assert result.exit_code == ExitCode.OK, result.detail
    assert "in corners (failures only with --strict): unsafe: returns 0.0" in result.detail
    assert audit(floored, max_examples=60, strict=True).exit_code == ExitCode.FINDINGS


@pytest.mark.slow
def test_a_mistake_found_only_in_corners_is_looked_for_beside_them():
    """A strip of practical points beside epsilon = 0 where a branch answers 0: one of them is the counterexample."""

    def zero_for_much_noise(epsilon, sigma, k):
        return 0.0 if sigma > 12345.678 else gaussian(epsilon, math.sqrt(k) / sigma)

    result = audit(zero_for_much_noise, SIGMA_OF, box={"sigma": ("0.5", "1e5")}, max_examples=400)
    assert result.exit_code == ExitCode.FINDINGS, result.detail
    assert float(result.unsafe.parameters["epsilon"]) >= 0.01


@pytest.mark.slow
def test_a_counterexample_lacks_more_than_rounding_where_others_do():
    """An error that grows as delta falls: the round point that stands for it is not one where it is hardly there."""

    def sigma(epsilon, delta):
        return analytic_gaussian_accountant.sigma(epsilon, delta + 1e-12, sensitivity=1)

    box = {"epsilon": ("1", "2"), "delta": ("1e-13", "1e-5")}
    result = audit(sigma, SIGMA_OF, solves=("sigma",), box=box)
    assert float(result.unsafe.ratio) < 0.995


def test_refusals_alone_are_not_explained_by_the_truth():
    """Where every call declines, nothing is said of where delta is 0 or 1."""

    def refuses(epsilon, mu):
        raise ValueError("not supported")

    result = audit(refuses, max_examples=20)
    assert result.exit_code == ExitCode.UNDECIDED
    assert "ValueError: not supported" in result.detail
    assert "delta is 0 or 1" not in result.detail


def _nan_for_a_tiny_mean(mu, epsilon):
    return math.nan if mu < 1e-300 else 0.0 if mu < 1e-6 else gaussian(epsilon, mu)


def test_an_invalid_answer_to_a_delta_that_no_precision_resolves_is_a_corner():
    """Delta at epsilon = 1, mu = 5e-324 is below e^(-10^646): its enclosure contains 0 at 3072 bits."""
    result = auditor.audit_accountant(
        _nan_for_a_tiny_mean, GAUSSIAN, box={"epsilon": ("0", "10"), "mu": ("0", "5")}, max_examples=60
    )
    assert result.exit_code is ExitCode.OK
    assert result.classes["invalid"].practical == 0
    assert all(text in result.detail.partition("in corners")[2] for text in ("unsafe: returns 0.0", "invalid at"))


@pytest.mark.slow
def test_a_box_of_corners_alone_is_decided_by_them():
    """Who asks for corners gets a verdict on corners."""
    result = audit(
        lambda epsilon, mu: gaussian(epsilon, mu) / 2, max_examples=30, box={**BOX, "epsilon": ("0", "0.005")}
    )
    assert result.exit_code == ExitCode.FINDINGS


@pytest.mark.parametrize(("alpha", "practical"), [
    ("1.0000000000000002", False), ("1.01", True), ("2", True), ("1e-300", False), ("1e-6", True),
])  # fmt: skip
def test_orders_next_to_one_and_tiny_levels_are_corners(alpha, practical):
    """Nobody converts a Renyi divergence of order 1 + 2e-16, or tests at a level of 1e-300."""
    assert has_practical_parameters({"alpha": Fraction(alpha)}) == practical


@pytest.mark.slow
def test_a_small_epsilon_in_place_of_a_large_one_is_no_corner():
    """What was returned does not make a corner: the truth does."""
    box = {"sigma": ("0.5", "5"), "delta": ("1e-9", "1e-3"), "k": ("1", "10")}
    result = audit(lambda sigma, delta, k: 1e-4, SIGMA_OF, solves=["epsilon"], box=box, max_examples=40)
    assert result.exit_code == ExitCode.FINDINGS


@pytest.mark.slow
@pytest.mark.parametrize("point", [(2.0, 1.0), (1.0, 0.5), (3.0, 2.0), (0.1, 0.1)])
def test_a_mistake_at_one_pair_of_used_values_is_found(point):
    """A tenth too little at one pair of round numbers."""
    result = audit(lambda epsilon, mu: gaussian(epsilon, mu) * (0.9 if (epsilon, mu) == point else 1))
    assert result.exit_code == ExitCode.FINDINGS
    assert result.unsafe.parameters == {"epsilon": repr(point[0]), "mu": repr(point[1])}


@pytest.mark.parametrize("claim", [GAUSSIAN, SIGMA_OF, "wilkins2024.thm7.1"])
def test_every_pair_of_used_values_is_among_the_points(claim):
    """Of every two parameters, whatever the others are."""
    box = search_box(registry().claim(claim).domain)
    points = box.used_points()
    for one, other in itertools.combinations(box.axes, 2):
        names = one.parameter.name, other.parameter.name
        met = {tuple(point[name] for name in names) for point in points}
        expected = {pair for pair in itertools.product(one.used, other.used) if box.domain.constraint is None}
        assert expected <= met


CALIBRATED = {
    "less noise": (lambda delta, sigma: sigma**2 / 2 + math.sqrt(2 * math.log(1 / delta)) * sigma, ExitCode.FINDINGS),
    "right": (lambda delta, sigma: 1 / (2 * sigma**2) + math.sqrt(2 * math.log(1 / delta)) / sigma, ExitCode.OK),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALIBRATED)
@pytest.mark.parametrize("solves", [(), ("epsilon",)])
def test_a_function_of_delta_without_a_truth_is_one_of_epsilon(name, solves):
    """By its signature, or by --solves: a ledger that charges less for less noise is refuted, the right one is not."""
    function, expected = CALIBRATED[name]
    box = {"delta": ("1e-9", "0.1"), "sigma": ("0.3", "100")}
    result = auditor.audit_object(function, box=box, falls=["sigma"], solves=solves, max_examples=100)
    assert result.exit_code == expected, result.detail
    assert expected == ExitCode.OK or "epsilon should fall with sigma" in result.detail


def test_what_a_function_of_delta_and_epsilon_returns_must_be_said():
    """Its signature does not say; one name is enough."""
    box = {"delta": ("1e-9", "0.1"), "epsilon": ("0.3", "1")}
    with pytest.raises(UsageError, match="--solves NAME names the returned parameter"):
        auditor.audit_object(lambda epsilon, delta: 1.0, box=box)
    with pytest.raises(UsageError, match="expected one name for a function without --against"):
        object_request(gaussian, None, box=box, solves=["sigma", "gap"])


@pytest.mark.slow
@pytest.mark.parametrize(("against", "box"), [(SIGMA_OF, {"k": ("1", "1")}), ("thresholds.gaussian.sigma", {})])
def test_two_truths_of_one_quantity_give_one_verdict(against, box):
    """A calibration that is right but for epsilon 0: a corner of both truths."""
    from mechanisms.baselines import analytic_gaussian_accountant

    def sigma(epsilon, delta, k=1):
        found = analytic_gaussian_accountant.sigma(epsilon, delta, sensitivity=1.0)
        return found * (0.5 if epsilon == 0 else 1)

    solves = {} if against == "thresholds.gaussian.sigma" else {"solves": ["sigma"]}
    ranges = {"epsilon": ("0", "10"), "delta": ("1e-10", "0.1"), **box}
    result = audit(sigma, against, box=ranges, max_examples=60, **solves)
    assert result.exit_code == ExitCode.OK, result.detail
    assert "in corners (failures only with --strict): unsafe" in result.detail


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "box", "code"), [
    (1, "0", ExitCode.OK), (0.9, "0", ExitCode.FINDINGS), (1, "1e-12", ExitCode.OK), (0.9, "1e-12", ExitCode.FINDINGS),
])  # fmt: skip
def test_an_epsilon_without_a_delta_is_judged(factor, box, code):
    """Pure privacy: no delta at the returned epsilon, and some below it."""
    ranges = {"epsilon_0": ("0.01", "20"), "delta": (box, box)}
    result = audit(
        lambda epsilon_0, delta: factor * epsilon_0, "standard.permute_and_flip", solves=["epsilon"], box=ranges,
        max_examples=40,
    )  # fmt: skip
    assert result.exit_code == code, result.detail


def test_floats_and_lone_names_are_accepted():
    """A float is its shortest decimal; one string of names is a list of them."""
    arguments = {"box": {"epsilon": 0.1, "delta": (1e-9, 0.1), "k": 1}, "tolerance": 1e-6}
    request = accountant_request(gaussian, SIGMA_OF, solves="sigma", **arguments)
    assert request.box == {"epsilon": ("0.1", "0.1"), "delta": ("1e-09", "0.1"), "k": (1, 1)}
    assert (tuple(request.solves), request.tolerance) == (("sigma",), "1e-06")


def test_a_truth_without_the_parameter_gives_way_to_one_of_the_same_delta():
    """What returns a sigma is held against a truth of epsilon, sigma and k; of a scale no such truth has the delta."""
    assert accountant_request(gaussian, GAUSSIAN, solves="sigma").claim.id == "standard.gaussian.composition"
    with pytest.raises(UsageError, match=r"has no parameter scale, only epsilon, mu; use --against .* --solves scale"):
        accountant_request(gaussian, GAUSSIAN, solves="scale")


def test_a_range_that_nothing_takes_is_refused():
    """A parameter that a function does not take would seem to be searched."""
    with pytest.raises(UsageError, match=r"--box nu: .* does not take nu; it takes epsilon, mu"):
        auditor.audit_object(gaussian, box={**BOX, "nu": ("1", "2")})


@pytest.mark.slow
def test_the_brief_of_a_refutation_is_a_point_and_its_truth():
    """Two lines that a test's message shows."""
    point, truth = audit(lambda epsilon, mu: gaussian(epsilon, mu) / 2, max_examples=20).brief
    assert point.startswith("unsafe: returns ")
    assert truth.startswith("truth ")
    assert "returned/truth 0.5" in truth


@pytest.mark.parametrize(
    ("claim", "solves", "point", "returned", "words"),
    [
        (
            SIGMA_OF,
            ["sigma"],
            {"epsilon": 1.0, "delta": 1e-5, "k": 1},
            3.6187,
            "at least 3.7306, so it is 3 % too small",
        ),
        (GAUSSIAN, ["mu"], {"epsilon": 1.0, "delta": 1e-5}, 0.27634, "at most 0.26805, so it is 3.1 % too large"),
        (SIGMA_OF, ["epsilon"], {"sigma": 1.0, "delta": 5e-5, "k": 1}, 3.5864, "least 3.9849, so it is 0.4 too small"),
        (GAUSSIAN, [], {"epsilon": 1.0, "mu": 0.5}, 0.0066247, "least 1.0062, so it is 0.0062 too small"),
        ("thresholds.gaussian.sigma", [], {"epsilon": 1.0, "delta": 1e-5}, 3.6187, "scale has to be at least 3.7306"),
        (
            "thresholds.laplace.integer",
            ["threshold"],
            {"c_u": 1, "per_key": 1, "scale": 1.0, "delta": 1e-5},
            12,
            "threshold has to be at least 13, so",
        ),
    ],
)
def test_what_an_unsafe_answer_lacks_is_stated_in_its_own_unit(claim, solves, point, returned, words):
    """Noise, the inverse of noise, epsilon, delta: 3.7306 is the analytic Gaussian noise of (1, 1e-5)."""
    judge, answer = judge_of(claim, *solves), Returned(Fraction(returned))
    assert judge(point, answer).kind is Kind.UNSAFE
    assert words in ", and ".join(one.text for one in shortfalls(judge, exact_values(point), answer))


@pytest.mark.slow
def test_a_fraction_for_a_whole_number_is_named_with_its_remedy():
    """The threshold of real noise, compared with the claim about whole numbers."""
    request = accountant_request(
        lambda scale, delta: 1 - scale * math.log(2 * delta), "thresholds.laplace.integer", solves="threshold"
    )
    result = audit_accountant(request)
    assert result.exit_code is ExitCode.UNDECIDED
    assert result.detail.startswith("no call was judged: its threshold is ")
    assert "return one, or choose a truth about real numbers" in result.detail


def test_a_last_bit_of_a_probability_near_one_is_rounding():
    """Keep and keep_next of geometric selection as doubles: right to the last bit, though that is 1e-15 of delta."""
    judge = judge_of("standard.partition_selection.keep", "keep", "keep_next", tolerance="1e-6")
    point = {"epsilon": 3.0, "delta": 1e-10}
    kept, kept_next = 0.9978652778100017, 0.9998937184453589
    assert judge(point, Several((Returned(Fraction(kept)), Returned(Fraction(kept_next))), "")).kind is Kind.ROUNDING
    wrong = Several((Returned(Fraction(kept)), Returned(Fraction(kept_next + 1e-14))), "")
    assert judge(point, wrong).kind is Kind.UNSAFE
