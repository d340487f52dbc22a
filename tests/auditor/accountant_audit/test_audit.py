"""The accountant audit: wrong accountants are caught at small, simple inputs; right ones are not; nothing hangs."""

import functools
import itertools
import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import mpmath
import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.judge import Judge, Kind
from auditor.accountant_audit.log import BAD
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.result import LEAST_SHARE
from auditor.accountant_audit.search import PATIENCE
from auditor.engine.registry import registry
from auditor.errors import ExitCode, TargetError, UsageError
from auditor.front.accountants import accountant_request
from auditor.search.parameter_points import search_box
from auditor.target.target import HANGS, Infinite, Returned
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, Source, SpecialValue
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.accountant_audit import constants

HERE = Path(__file__).parent
BOX = {"epsilon": ("0", "50"), "mu": ("1e-4", "20")}
HISTOGRAM = {"epsilon": ("0", "50"), "c_u": ("1", "1e6"), "sigma": ("0.1", "1e4"), "gap": ("0", "1e5")}


def freshly(name, claim="wilkins2024.thm2.2", box=None, **options):
    """Audit one of the accountants beside this file."""
    file = "constants.py" if hasattr(constants, name) else "accountants.py"
    options = {"max_examples": 80, **options}
    return audit_accountant(accountant_request(f"{HERE / file}:{name}", claim, box=box or {}, **options))


@functools.cache
def _audited(name, claim, box, options):
    return freshly(name, claim, dict(box), **dict(options))


def audit(name, claim="wilkins2024.thm2.2", box=None, **options):
    """Audit it once for all tests that ask the same."""
    return _audited(name, claim, tuple((box or {}).items()), tuple(options.items()))


@pytest.mark.slow
def test_a_right_accountant_passes_with_its_accuracy():
    """No violation, looseness one, relative error of rounding."""
    result = audit("right", "wilkins2024.thm5.4", HISTOGRAM)
    assert result.verdict is Verdict.CONSISTENT, result.detail
    assert result.exit_code == 0
    assert float(result.worst_relative_error) < 1e-12
    assert float(result.loosest.ratio) == pytest.approx(1, abs=1e-9)


@pytest.mark.slow
def test_delta_of_a_smaller_c_u_is_caught_at_two_rows():
    """The shrunk counterexample is the smallest c_u that differs, with plain numbers beside it."""
    unsafe = audit("wrong_c_u", "wilkins2024.thm5.4", HISTOGRAM).unsafe
    assert unsafe.parameters["c_u"] == "2"
    assert all(len(value) <= 6 for value in unsafe.parameters.values())
    assert float(unsafe.returned) < float(unsafe.truth.lower)


@pytest.mark.slow
def test_the_naive_power_is_caught_where_it_cancels():
    """1 - cdf^C_u loses its digits beyond gap = 8 sigma."""
    result = audit("naive_power", "wilkins2024.thm5.4", HISTOGRAM)
    assert result.verdict is Verdict.REFUTED
    assert float(result.unsafe.parameters["gap"]) > 5 * float(result.unsafe.parameters["sigma"])
    assert result.constants == {"mu_o": "0"}


@pytest.mark.slow
def test_cancellation_for_small_mu_is_caught():
    """A difference of close tails loses relative accuracy; the walk towards unsafe answers finds where."""
    result = audit("gaussian_cancels", box={**BOX, "mu": ("1e-9", "20")}, strict=True)
    assert result.unsafe is not None
    assert min(call.point["mu"] for call in result.calls if call.kind in BAD) < 0.01


@pytest.mark.slow
def test_reporting_nothing_is_caught_at_plain_numbers_of_the_practical_range():
    """One digit each, with a true delta that people use."""
    unsafe = audit("zero", box=BOX).unsafe
    assert all(value[1:] == ".0" or (value[:2] == "0." and len(value) == 3) for value in unsafe.parameters.values())
    assert 1e-15 <= float(unsafe.truth.lower) <= 1e-2
    assert unsafe.ratio == "0"


@pytest.mark.slow
def test_reporting_one_is_loose_and_no_violation():
    """A loose answer is safe, and how loose is said."""
    result = audit("one", box=BOX)
    assert result.verdict is Verdict.CONSISTENT
    assert float(result.loosest.ratio) > 1e6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("above_one", "returns 1.5, a delta above 1"),
        ("infinite", "infinity where the exact value is finite"),
        ("not_a_number_beyond", "NaN"),
        ("dies", "exited with status 1"),
    ],
)
def test_what_is_no_delta_is_invalid(name, words):
    """Range, infinity, NaN, order and death are findings of their own name, with exit code 1."""
    result = audit(name, box=BOX, max_examples=20, strict=True)
    assert words in result.invalid.reason
    assert result.verdict is Verdict.REFUTED
    assert result.exit_code == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "returned", "reason"),
    [
        ("nan", "nan", "returns nan (NaN); allowed: a float everywhere in the box"),
        ("text", "'0.5'", "returns '0.5' (str); allowed: a float everywhere in the box"),
        ("leaves", "nothing", "dies: exited with status 7; allowed: a float everywhere in the box"),
        ("endless", "infinity", "returns infinity where the exact value is finite"),
    ],
)
def test_what_is_no_number_is_said_once_with_what_is_allowed(name, returned, reason):
    """What came back, and one sentence on it: `returns returns nan` is nobody's English."""
    target = Path(__file__).parents[1] / "target" / "nasty.py"
    result = audit_accountant(accountant_request(f"{target}:{name}", "wilkins2024.thm2.2", max_examples=5))
    assert (result.invalid.returned, result.invalid.reason) == (returned, reason)
    assert result.detail.startswith("invalid at epsilon=")
    assert f": {reason}" in result.detail


@pytest.mark.slow
def test_what_is_wrong_in_corners_only_is_said_to_be():
    """A threshold that double precision cannot hold at delta = 5e-324, and is right wherever it is used."""
    result = audit("laplace_threshold", "rogers2024.thm7.laplace.T", strict=True)
    assert result.invalid.parameters["delta"] == "5e-324"
    text = f"in corners only: none of the {result.practical} calls judged in the practical range is wrong"
    assert text in result.detail
    assert "in corners only" not in audit("zero", box=BOX).detail


@pytest.mark.slow
def test_the_ratio_of_an_over_report_is_what_it_says():
    """One over a delta of 2.2157e-2178 is 4.5e+2177, with all its digits."""
    loosest = audit("one", box={"epsilon": ("1", "1"), "mu": ("0.01", "0.01")}).loosest
    assert loosest.ratio.startswith("4.51")
    assert loosest.ratio.endswith("e+2177")


@pytest.mark.slow
def test_an_accountant_that_never_over_reports_has_no_loosest_point():
    """Zero where no double lies below the truth is right, and not loose."""
    result = audit("zero", box=BOX)
    assert result.loosest is None
    assert result.to_json()["loosest"] == {}


@pytest.mark.slow
def test_the_counterexample_alone_is_shown_again_by_its_command():
    """The command holds every parameter at the counterexample: one call, and one to a fresh process."""
    result = audit("naive_power", "wilkins2024.thm5.4", HISTOGRAM)
    words = shlex.split(result.reproduce)
    boxes = dict(words[place + 1].split("=") for place, word in enumerate(words) if word == "--box")
    assert set(boxes) == {"epsilon", "c_u", "sigma", "gap"}
    again = audit("naive_power", "wilkins2024.thm5.4", {name: (value, value) for name, value in boxes.items()})
    assert again.unsafe == result.unsafe
    assert again.examples == 2


def test_the_command_names_the_path_below_the_working_folder(tmp_path, monkeypatch):
    """The user's relative path stays relative."""
    (tmp_path / "mine.py").write_text("def delta(epsilon, mu):\n    return 1.0\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    result = audit_accountant(accountant_request("mine.py:delta", "wilkins2024.thm2.2", max_examples=20))
    assert shlex.split(result.reproduce)[2] == "mine.py:delta"


@pytest.mark.slow
def test_what_one_point_does_not_show_is_searched_again():
    """An order needs two points: the command repeats the search."""
    result = audit("jumps", box={"epsilon": ("0", "5"), "mu": ("0.5", "2")}, max_examples=150, seed=3)
    assert "rises with epsilon" in result.invalid.reason
    assert result.exit_code == 1
    assert "--box epsilon=0:5 --box mu=0.5:2 --max-examples 150 --seed 3" in result.reproduce


@pytest.mark.slow
@pytest.mark.parametrize("tiny", [Fraction(1, 1 << 10**7), mpmath.mpf(2) ** -(10**11)])
def test_an_exact_answer_far_below_all_doubles_is_judged_as_nothing(tiny):
    """Where delta is 0.127 it is unsafe, found at once: no arithmetic on a hundred million bits."""
    box = {"epsilon": ("1", "1"), "mu": ("1", "1")}
    request = accountant_request(lambda epsilon, mu: tiny, "wilkins2024.thm2.2", box=box, max_examples=5)
    assert audit_accountant(request).unsafe.ratio == "0"


@pytest.mark.slow
def test_a_hanging_accountant_costs_a_few_limits_and_decides_nothing():
    """A slow call is no violation, and no green: what would decide is said."""
    result = audit("hangs", box=BOX, call_timeout=0.5)
    assert (result.verdict, result.exit_code) == (Verdict.UNDECIDED, ExitCode.UNDECIDED)
    assert "gives no answer within 0.5 s at epsilon=" in result.detail
    assert "raise --call-timeout" in result.detail
    assert result.examples == PATIENCE[HANGS]


def test_an_accountant_with_other_parameters_is_refused():
    """The message names what the claim passes."""
    with pytest.raises(TargetError, match="does not take epsilon, mu by keyword"):
        audit("takes_something_else")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_document():
    """Search and shrinking are deterministic."""
    first, again = (freshly("zero", box=BOX, seed=5, max_examples=20).to_json() for _ in range(2))
    assert first == again


@pytest.mark.slow
def test_the_document_has_the_contracts_keys():
    """Keys that other tools rely on are there whatever was found."""
    document = audit("one", box=BOX).to_json()
    assert {"verdict", "unsafe", "invalid", "loosest", "examples", "box"} <= set(document)
    assert document["unsafe"] is None
    assert document["box"]["mu"] == {"lower": "0.0001", "upper": "20"}


@pytest.mark.parametrize(
    ("box", "tolerance", "words"),
    [
        ({"nu": ("0", "1")}, "1e-9", "no such parameter; allowed: epsilon, mu"),
        ({"mu": ("2", "1")}, "1e-9", "expected lo <= hi"),
        ({"mu": ("-1", "1")}, "1e-9", "expected 0 <=? mu"),
        ({"mu": ("x", "1")}, "1e-9", "expected an exact number"),
        ({"mu": ("nan", "1")}, "1e-9", "expected an exact number"),
        ({}, "2", "expected 0 <= tolerance < 1"),
        ({}, "1/3", "expected 0 <= tolerance < 1, an exact decimal such as 1e-9 in a string, got '1/3'"),
        ({}, "nan", "an exact decimal"),
        ({}, "", "an exact decimal"),
        ({"mo": ("0", "1")}, "1e-9", "no such parameter; allowed: epsilon, mu; closest: 'mu'"),
    ],
)
def test_an_unusable_box_or_tolerance_is_refused(box, tolerance, words):
    """One line: what, value, allowed."""
    with pytest.raises(UsageError, match=words):
        audit("one", box=box, tolerance=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("ends", [("1.2", "1.8"), ("0.5", "0.9")])
def test_a_box_without_an_integer_is_refused(ends):
    """An integer parameter needs an integer in its range."""
    with pytest.raises(UsageError, match="--box c_u: expected"):
        audit("right", "wilkins2024.thm5.4", {"c_u": ends})


@pytest.mark.slow
def test_a_box_of_an_integer_is_narrowed_to_integers():
    """Ends between integers mean the integers inside."""
    result = audit("right", "wilkins2024.thm5.4", {**HISTOGRAM, "c_u": ("1.5", "3.7")}, max_examples=10)
    assert result.box["c_u"] == ("2", "3")


@pytest.mark.slow
def test_a_calibration_is_judged_by_the_delta_it_achieves():
    """One per cent less noise is caught, the right noise is not."""
    box = {"epsilon": ("0.01", "10"), "delta": ("1e-10", "0.1")}
    assert audit("sigma_right", "thresholds.gaussian.sigma", box, max_examples=30).verdict is Verdict.CONSISTENT
    small = audit("sigma_small", "thresholds.gaussian.sigma", box, max_examples=30)
    assert small.unsafe.reason.startswith("achieves more than the delta asked for: scale has to be at least ")
    assert "so it is 1 % too small" in small.unsafe.reason
    assert float(small.unsafe.truth.lower) > float(small.unsafe.parameters["delta"])


@pytest.mark.slow
def test_an_epsilon_of_zero_is_not_called_loose():
    """Where delta is large no smaller epsilon exists: achieving less than delta is right, and shows nothing."""
    box = {"sigma": ("1", "100"), "delta": ("0.4", "0.9")}
    result = audit("epsilon_right", "thresholds.gaussian.epsilon", box, max_examples=40)
    assert result.verdict is Verdict.UNDECIDED
    assert "epsilon 0 is enough" in result.detail
    assert result.unsafe is result.invalid is None
    assert result.loosest is None


def toy(role=Role.EXACT, exact=None, special=None):
    """Return a claim whose value is x / 2 on (0, 1]."""
    return Claim(
        id="toy",
        source=Source("toy", "none"),
        title="toy",
        statement="x/2",
        kind=DeltaBound(lambda A, x: x / 2, exact=exact),
        domain=Box((Parameter("x", "x", lower=0, upper=1),)),
        quantity=QuantityKind.DELTA,
        role=role,
        special_value=special,
    )


def judged(claim, returned, x=0.5):
    """Return the kind of one answer."""
    answer = Returned(Fraction(returned)) if returned != "infinity" else Infinite(positive=True)
    return Judge(claim, Fraction(1, 10**9))({"x": x}, answer).kind


def test_the_tolerance_separates_rounding_from_an_under_report():
    """Below truth (1 - tolerance) is unsafe; within it is right; above it is loose."""
    truth = Fraction(1, 4)
    assert judged(toy(), truth) is Kind.RIGHT
    assert judged(toy(), truth * (1 - Fraction(1, 2 * 10**9))) is Kind.RIGHT
    assert judged(toy(), truth * (1 - Fraction(2, 10**9))) is Kind.UNSAFE
    assert judged(toy(), truth * (1 - Fraction(2, 10**6))) is Kind.UNSAFE
    assert judged(toy(), truth * (1 + Fraction(2, 10**9))) is Kind.LOOSE


def test_a_truth_above_what_came_back_is_known_as_well_as_it_is_shown():
    """Zero is below a wide enclosure already; the truth is shown to 17 digits, and they are its own."""
    loss = 2**72
    claim = replace(toy(), kind=DeltaBound(lambda A, x: (x / 3 + loss) - loss))
    judgement = Judge(claim, Fraction(1, 10**9))({"x": 0.5}, Returned(Fraction(0)))
    assert judgement.kind is Kind.UNSAFE
    assert judgement.truth.rel_accuracy_bits() > 57
    assert (6 * judgement.truth).contains(1)


def test_the_truth_is_taken_at_the_binary_value_of_the_argument():
    """0.1 as a double is above one tenth: the tenth's own value is unsafe at tolerance zero."""
    judge = Judge(toy(), Fraction(0))
    assert judge({"x": 0.1}, Returned(Fraction(0.1) / 2)).kind is Kind.RIGHT
    assert judge({"x": 0.1}, Returned(Fraction(1, 20) - Fraction(1, 10**300))).kind is Kind.UNSAFE


def test_below_an_upper_bound_but_not_below_the_exact_value_differs():
    """A bound that is not exact is no lower limit for an accountant."""
    claim = toy(Role.UPPER, exact=lambda A, x: x / 4)
    assert judged(claim, Fraction(1, 4)) is Kind.RIGHT
    assert judged(claim, Fraction(1, 5)) is Kind.DIFFERS
    assert judged(claim, Fraction(1, 9)) is Kind.UNSAFE


def test_infinity_is_right_exactly_where_the_claim_is_infinite():
    """A finite answer where nothing finite suffices is unsafe."""
    claim = toy(special=lambda x: SpecialValue("infinity", "infeasible") if x < Fraction(1, 4) else None)
    assert judged(claim, "infinity", 0.125) is Kind.RIGHT
    assert judged(claim, Fraction(1, 2), 0.125) is Kind.UNSAFE
    assert judged(claim, "infinity", 0.5) is Kind.INVALID


@pytest.mark.parametrize(("ends", "choices"), [(("a", "a"), ("a",)), (("b", "c"), ("b", "c"))])
def test_a_box_of_words_is_narrowed(ends, choices):
    """An enumeration is cut from one word to another; what is no word of it is refused."""
    domain = Box((Parameter("word", "", choices=("a", "b", "c")),))
    assert search_box(domain, {"word": ends}).axes[0].parameter.choices == choices
    with pytest.raises(UsageError, match=r"--box word: expected word in \{a, b, c\}, got d"):
        search_box(domain, {"word": ("a", "d")})


@pytest.mark.slow
def test_the_sum_of_deltas_is_safe_against_the_exact_claim():
    """Add-the-deltas is loose by at most a factor of two."""
    result = audit("sum_of_deltas", "wilkins2024.thm5.4", HISTOGRAM)
    assert result.verdict is Verdict.CONSISTENT
    assert 1.5 < float(result.loosest.ratio) <= 2 + 1e-9


@pytest.mark.slow
def test_published_points_are_called_however_small_the_search():
    """A claim's own points are never thinned away: a fault that only they show is found by a search of one example."""
    claim = registry().claim("lebeda2025.lem8.exact")
    point = {"epsilon": Fraction(349, 1000), "k": 100, "sigma": 52}
    target = "mechanisms.correlated_gaussian.faults:all_changed"
    audit = audit_accountant(AccountantRequest(target=target, claim=replace(claim, points=(point,)), max_examples=1))
    assert audit.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_silence_over_little_of_the_box_is_undecided_and_tells_the_share():
    """A right accountant whose delta is 0 but for a sliver of the box; in the sliver it is consistent."""
    sliver = {"epsilon_0": ("0.01", "0.02")}
    wide = audit(
        "randomized_response", "standard.randomized_response", {"epsilon": ("0.019", "20"), **sliver}, max_examples=400
    )
    assert wide.verdict is Verdict.UNDECIDED, wide.detail
    assert wide.share < LEAST_SHARE
    assert f"in about {wide.share:.1%} of the box, estimated from random points; below 10%" in wide.detail
    narrow = audit("randomized_response", "standard.randomized_response", {"epsilon": ("0.001", "0.009"), **sliver})
    assert narrow.verdict is Verdict.CONSISTENT, narrow.detail
    assert narrow.share > 0.9


@pytest.mark.slow
def test_a_box_that_the_constraint_hardly_admits_gets_the_command_that_decides():
    """The smaller box of the proposed command is judged, and its own audit proposes none."""
    ranges = {"epsilon": ("0.1", "5"), "sigma": ("0.5", "5"), "rate": ("0.01", "0.5"), "k": ("1", "100")}
    target, claim = (
        f"{HERE.parent.parent / 'field' / 'targets' / 'clt_mu.py'}:right",
        "standard.subsampled_gaussian.composition.both",
    )
    wide = audit_accountant(accountant_request(target, claim, box=ranges, max_examples=30))
    assert wide.verdict is Verdict.UNDECIDED, wide.detail
    words = shlex.split(wide.decides)
    assert "k=100:100" in words
    cut = dict(word.split("=") for option, word in itertools.pairwise(words) if option == "--box")
    assert cut.keys() == ranges.keys()
    box = {name: tuple(ends.split(":")) for name, ends in cut.items()}
    narrow = audit_accountant(accountant_request(target, claim, box=box, max_examples=30))
    assert (narrow.verdict, narrow.decides) == (Verdict.CONSISTENT, ""), narrow.detail


def test_a_box_is_cut_where_the_constraint_holds():
    """Two cuts, if one is not enough; none without points."""
    names = ("x", "y")
    domain = Box(
        tuple(Parameter(name, name, "", 0, 100) for name in names), constraint=lambda x, y: x >= 90 and y <= 10
    )
    box = search_box(domain, {}, frozenset(names))
    points = [{"x": 90.0 + place, "y": float(place)} for place in range(10)]
    cut = box.cut_to(points, 0.5, 0)
    assert cut.admitted(Random(1)) > 0.4  # noqa: S311 - a search, not a secret
    assert cut.text()["x"][1] == "100"
    assert cut.text()["y"][0] == "0"
    assert box.cut_to([], 0.5, 0) is None


@pytest.mark.slow
def test_an_accountant_that_answers_in_part_of_the_box_is_never_green():
    """A refusal is reported with how often; only the part that answers is consistent, and its box says so."""
    inside, ranges = ("0.5", "0.9"), {"epsilon_0": ("1", "2")}
    whole = audit("randomized_response_in_part", "standard.randomized_response", {"epsilon": ("0", "20"), **ranges})
    assert whole.verdict is Verdict.UNDECIDED
    assert whole.unsafe is whole.invalid is None
    assert whole.classes["declines"].calls > whole.judged
    assert f"({whole.classes['declines'].calls} of {whole.examples} calls" in whole.detail
    part = audit("randomized_response_in_part", "standard.randomized_response", {"epsilon": inside, **ranges})
    assert part.verdict is Verdict.CONSISTENT, part.detail
    assert "over epsilon in [0.5, 0.9]" in part.detail


@pytest.mark.slow
@pytest.mark.parametrize(("name", "refuted"), [("wrong_c_u", True), ("right", False)])
def test_a_search_until_refuted_ends_there_and_only_there(name, refuted):
    """Verdicts are the same; a right accountant is called as often, a wrong one less."""
    request = accountant_request(
        f"{HERE / 'accountants.py'}:{name}", "wilkins2024.thm5.4", box=HISTOGRAM, max_examples=20
    )
    whole, until = (audit_accountant(replace(request, until_refuted=ends)) for ends in (False, True))
    assert (whole.verdict is Verdict.REFUTED, until.verdict is Verdict.REFUTED) == (refuted, refuted)
    assert (until.examples < whole.examples) == refuted
