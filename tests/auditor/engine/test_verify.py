"""The second arithmetic encloses what the first does, and the checker refuses what was tampered with."""

import random
from fractions import Fraction

import pytest

from auditor.engine.runner import run
from auditor.engine.verify import Item, VerifyResult, _boxes, _guard, _meets, verify
from auditor.findings.evidence import Enclosed, EnclosureRow, EnclosuresEvidence, ProofEvidence
from auditor.findings.evidence import Ends as Range
from proofs_numeric.arithmetic import Ball, special
from proofs_numeric.arithmetic.enclosure import bounds
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.arithmetic.interval import Interval, effort
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf, mills, normal_cdf
from proofs_numeric.kernel.boxes import positive_on_box
from proofs_numeric.statements import concentrated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.derivation import Derivation, PositiveOnBox
from proofs_numeric.statements.kinds import DeltaBound, Inequality
from proofs_numeric.wilkins2024.section_7 import f_dp
from proofs_numeric.wilkins2024.theorem_5_4 import calibrations, lower_threshold
from tests.auditor.checks.claims import claim, square


def rational(mpf) -> Fraction:
    """Exact value of an mpmath number in its raw form (sign, mantissa, exponent, bits)."""
    sign, mantissa, exponent, _bits = mpf
    return (-1) ** sign * int(mantissa) * Fraction(2) ** exponent


@pytest.mark.slow
@pytest.mark.parametrize("primitive", [normal_cdf, log_normal_cdf, mills])
def test_intervals_and_balls_enclose_the_same_numbers(primitive):
    """At 400 points of [-40, 40] the interval contains the much narrower ball, and is itself narrow."""
    points = random.Random(7)  # noqa: S311 - test points, not secrets
    for _case in range(400):
        x = Fraction(points.randint(-40_000, 40_000), 1000)
        low, high = map(rational, primitive(Interval(96), Interval(96).number(x)).ends)
        with Ball(1024) as ball:
            lower, upper = bounds(primitive(ball, ball.number(x)))
        hair = Fraction(1, 10**300)  # the ball's own width
        assert low - hair <= lower <= upper <= high + hair
        # 96 bits less what the tails cancel: e^(x^2/2) against 1.
        assert high - low <= abs(upper) * Fraction(1, 10**18) + Fraction(1, 10**26)


POSITIVE = PositiveOnBox(
    "gap", lambda A, *, x: x * x - x + A.number("0.3"), Box((Parameter("x", "", upper=1),)), "x (1 - x) <= 1/4"
)
PROVED = claim(Inequality(square, square, proof=Derivation((POSITIVE,))))


def evidence(tree: str) -> ProofEvidence:
    """What a report holds of the proof."""
    return ProofEvidence(
        method="boxes",
        expression="gap",
        claim="test.lemma",
        step="gap",
        box={"x": Range(lower="0", upper="1")},
        tree=tree,
    )


def test_a_recorded_tree_stands():
    """Every leaf of the bisection is above zero in intervals too."""
    assert _boxes(PROVED, evidence(positive_on_box(POSITIVE.formula, POSITIVE.box).tree)) == ""


def test_a_truncated_tree_does_not_cover_the_box():
    """A proof with a branch cut off is refused."""
    assert "the tree does not cover the box" in _boxes(PROVED, evidence("a."))


def test_a_tree_of_a_false_statement_fails():
    """The same tree under a formula that dips below zero is refused."""
    false = PositiveOnBox("gap", lambda A, *, x: x * x - x + A.number("0.2"), POSITIVE.box, "")
    moved = claim(Inequality(square, square, proof=Derivation((false,))))
    assert "not above zero" in _boxes(moved, evidence(positive_on_box(POSITIVE.formula, POSITIVE.box).tree))


def test_intervals_that_are_too_wide_fail_nothing():
    """Where intervals see no sign the proof is not checked: that is no failure, and no pass."""
    wide = PositiveOnBox("gap", lambda A, *, x: (x - x) + x * x - x * x + A.number("0.001"), POSITIVE.box, "")
    blurred = claim(Inequality(square, square, proof=Derivation((wide,))))
    with pytest.raises(ArithmeticError, match="too wide to see a sign"):
        _boxes(blurred, evidence("."))
    item = _guard("finding", "gap", lambda: _boxes(blurred, evidence(".")))
    assert (item.outcome, "too wide" in item.reason) == ("not checked", True)


def item(outcome: str) -> Item:
    """Give an item with an outcome."""
    return Item("finding", "what", outcome, "why" if outcome != "stands" else "")


def test_a_verification_says_how_many_of_how_many():
    """The numbers, each reason once for a finding, and what intervals have nothing to say on."""
    outcomes = ["stands", "not checked", "not checked", "fails"]
    lines = VerifyResult(tuple(map(item, outcomes)), (item("stands"), item("fails")), {"sampling": 3}).lines()
    assert "fails: finding (what): why" in lines
    assert "not checked: finding (2 items): why" in lines
    kinds = "(proofs, enclosures, printed numbers, witnesses)"
    assert f"mpmath's intervals confirm 1 of 4 items {kinds}, contradict 1, cannot check 2" in lines
    assert "nothing for intervals to check: 3 of kind sampling" in lines
    assert "statsmodels agrees with 1 of 2 items of sampling tests, contradicts 1, cannot check 0" in lines


@pytest.mark.slow
def test_most_of_a_real_report_is_checked_again():
    """A quick run with proofs on boxes, enclosures, printed numbers and witnesses: nearly everything stands."""
    proofs = ["wilkins2024.thm5.4.collapse.g_below_G", "bharadwaj2022.lem3.range.corrected"]
    numbers = ["thresholds.laplace.integer", "thresholds.gaussian.integer", "thresholds.opendp2922.*"]
    result = verify(run([*proofs, *numbers, "rogers2024.thm7.laplace.T*"], profile="quick"))
    assert result.count("fails") == 0
    assert result.count("stands") > 20
    assert result.count("not checked") < result.count("stands") / 5


A96 = Interval(96)


@pytest.mark.parametrize("x", ["1e-40", "-1e-40", "0.001", "-0.001", "0.3", "-0.3", "2"])
@pytest.mark.parametrize("name", ["expm1", "log1p"])
def test_small_arguments_keep_their_digits(name, x):
    """exp(x) - 1 and log(1 + x) of tiny numbers lose nothing, and enclose what balls enclose."""
    value = getattr(A96, name)(A96.number(x))
    with Ball(400) as ball:
        lower, upper = bounds(getattr(ball, name)(ball.number(x)))
    low, high = map(rational, value.ends)
    assert low <= lower <= upper <= high
    assert high - low <= abs(upper) / 2**80


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (special.binomial_tail, {"n": 50, "p": "0.3", "k": 20}),
        (special.binomial_tail, {"n": 100_000, "p": "0.001", "k": 90}),
        (special.binomial_tail, {"n": 5, "p": "0.3", "k": 5}),
        (concentrated.best_log_excess, {"rho": "0.1", "epsilon": "1"}),
        (concentrated.best_log_excess, {"rho": "1e-12", "epsilon": "50"}),
        (concentrated.best_log_excess, {"rho": "20", "epsilon": "0"}),
        (calibrations.gaussian_epsilon, {"delta": "1e-9", "mu": "0.3"}),
        (calibrations.gaussian_epsilon, {"delta": "0.9", "mu": "0.1"}),
        (calibrations.gaussian_mu, {"epsilon": "0.3", "delta": "1e-20"}),
        (lower_threshold.ceiling, {"x": "2.5"}),
        (lower_threshold.ceiling, {"x": "-2.5"}),
        (f_dp.delta_f_dp, {"epsilon": "0.3", "c_u": 40, "sigma": "5", "gap": "12", "mu_o": "0.1"}),
    ],
)
def test_the_kernels_enclose_what_balls_enclose(kernel, arguments):
    """Roots, tails and maxima of another control flow: narrow, and the same number."""

    def value_in(A):
        values = {name: v if isinstance(v, int) else A.number(v) for name, v in arguments.items()}
        with A:
            return (
                kernel(A, *values.values())
                if "x" in values or "rho" in values or "n" in values
                else kernel(A, **values)
            )

    low, high = map(rational, A96.number(value_in(A96)).ends)
    with Ball(256) as ball:
        lower, upper = bounds(ball.number(value_in(ball)))
    assert low <= upper
    assert lower <= high
    assert high - low <= abs(upper) / 10**15


def test_what_would_take_minutes_is_given_up(monkeypatch):
    """A limit on evaluations, not on seconds: the same items are checked on every machine."""
    monkeypatch.setattr(effort, "most", 50)

    def endless() -> str:
        while True:
            special.normal_cdf(A96, A96.number(1))

    item = _guard("finding", "what", endless)
    assert item.outcome == "not checked"
    assert "at most 50 evaluations of the normal law" in item.reason
    assert (
        _guard("finding", "what", lambda: str(special.normal_cdf(A96, A96.number(0)).b < 0.4)[:0]).outcome == "stands"
    )


def test_integer_parts_in_doubt_are_both_tried():
    """An interval around an integer may have two integer parts."""
    assert list(floors(A96, A96.number("2.5"))) == [2]
    assert list(floors(A96, A96.between("1.9", "2.1"))) == [1, 2]
    assert list(floors(A96, A96.number("-0.5"))) == [-1]


PROFILE = claim(
    DeltaBound(lambda A, *, epsilon: gaussian_profile(A, epsilon, A.number(1))), domain=Box((Parameter("epsilon", ""),))
)


@pytest.mark.parametrize(
    ("lower", "upper", "stands"),
    [("0.126936737506", "0.126936737507", True), ("0.126936737508", "0.126936737509", False)],
)
def test_enclosures_are_computed_again(lower, upper, stands):
    """A digit changed in a report's enclosure is found."""
    row = EnclosureRow(parameters={"epsilon": "1"}, quantity=Enclosed(lower=lower, upper=upper))
    rows = EnclosuresEvidence(quantity="delta", relation="=", digits=12, cases=1, rows=[row])
    assert (_meets(PROFILE, rows.rows[0].parameters, rows.rows[0].quantity) == "") is stands
