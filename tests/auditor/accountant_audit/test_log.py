"""The verdict is a function of every call: no bad answer is forgotten, and no right accountant is accused."""

import functools
import math
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.judge import Judgement, Kind
from auditor.accountant_audit.log import Call, telling_share
from auditor.accountant_audit.request import AccountantRequest
from auditor.errors import ExitCode
from auditor.target.target import HANGS, Answer, Infinite, Misbehaved, Returned, Target
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Source, SpecialValue
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.verdict import Verdict


def share(A, epsilon, mu):
    """A delta that falls with epsilon and rises with mu: mu / (mu + epsilon + 1) / 100."""
    return mu / (mu + epsilon + 1) / 100


def claimed(special=None, **kind):
    """Return a claim of it over a box wider than the practical range."""
    axes = (Parameter("epsilon", "", upper=100), Parameter("mu", "", upper=50, log=True))
    return Claim(
        id="toy.share",
        source=Source("toy", "none"),
        title="toy",
        statement="x",
        kind=DeltaBound(share, **kind),
        domain=Box(axes),
        quantity=QuantityKind.DELTA,
        rises=("mu",),
        falls=("epsilon",),
        special_value=special,
    )


def right(epsilon, mu):
    """The delta at the exact values of the arguments, rounded to a double."""
    epsilon, mu = Fraction(epsilon), Fraction(mu)
    return Returned(Fraction(float(mu / (mu + epsilon + 1) / 100)))


def scaled(factor):
    """An answer multiplied by a factor."""
    return lambda answer: Returned(answer.value * factor)


def always(answer):
    """An answer whatever the right one is."""
    return lambda _: answer


BAD = {
    "half": scaled(Fraction(1, 2)),
    "a tenth less": scaled(Fraction(9, 10)),
    "a hundred millionth less": scaled(1 - Fraction(1, 10**8)),
    "nothing": always(Returned(Fraction(0))),
    "negative": always(Returned(Fraction(-1, 10**20))),
    "two": always(Returned(Fraction(2))),
    "infinity": always(Infinite(positive=True)),
    "minus infinity": always(Infinite(positive=False)),
    "NaN": always(Misbehaved("returns NaN", "returns nan (NaN)", "nan")),
    "exception": always(Misbehaved("raises", "raises ValueError")),
    "death": always(Misbehaved("dies", "dies: exited with status 9")),
    "hang": always(Misbehaved(HANGS, "gives no answer within 10 s")),
}


@dataclass
class Spoilt(Target):
    """A target in this process whose call number `at` is spoilt."""

    at: int = -1
    spoil: object = None
    answer: object = right
    calls: list = field(default_factory=list)

    def __enter__(self):
        return self

    def call(self, arguments) -> Answer:
        """Answer, rightly but once."""
        self.calls.append(dict(arguments))
        answer = self.answer(**arguments)
        return self.spoil(answer) if len(self.calls) == self.at + 1 else answer


def audit(at=-1, bad=None, claim=None, **options):
    """Audit a spoilt target; return the result and the calls."""
    target = Spoilt("spoilt", "accountant", at=at, spoil=BAD.get(bad), **options)
    calls = target.calls
    size = {"max_examples": 20, "box": {"mu": ("1e-6", "50")}, "strict": True}
    return audit_accountant(AccountantRequest(target=target, claim=claim or claimed(), **size)), calls


@functools.cache
def visited():
    """How many calls the searches make of a right accountant."""
    result, calls = audit()
    assert result.verdict is Verdict.CONSISTENT
    assert result.examples == len(calls) > 80
    return len(calls)


@pytest.mark.slow
@pytest.mark.parametrize(("place", "bad"), [(5 * i % 12, bad) for i, bad in enumerate(BAD)])
def test_one_bad_call_anywhere_is_never_green(place, bad):
    """Whichever search makes the call, the first to the last: corners, draws, walks, pairs, or the second asking."""
    at = place * (visited() - 1) // 11
    result, calls = audit(at, bad)
    assert len(calls) > at
    assert result.exit_code in {ExitCode.FINDINGS, ExitCode.UNDECIDED}
    assert (result.verdict is Verdict.REFUTED) == (bad != "hang")


@pytest.mark.slow
@pytest.mark.parametrize("over", [0, Fraction(1, 999_983), 3])
@pytest.mark.parametrize("step", [0, -30, -12, -6])
def test_a_right_accountant_is_never_accused(over, step):
    """Exact, over by a constant factor, or rounded up to so many digits: right, or safe and loose."""

    def answer(epsilon, mu):
        value = right(epsilon, mu).value * (1 + over)
        if step and value:
            grain = Fraction(10) ** (math.floor(math.log10(value)) + step)
            value = grain * -(-value // grain)
        return Returned(value)

    result, _ = audit(answer=answer)
    assert result.verdict is Verdict.CONSISTENT, result.detail
    assert result.unsafe is result.invalid is None


def test_another_answer_to_the_same_arguments_is_a_contradiction():
    """What a call leaves behind shows when a fresh process is asked again, even where both answers are safe."""
    first = {}

    def answer(epsilon, mu):
        again = (epsilon, mu) in first
        first[epsilon, mu] = True
        return Returned(right(epsilon, mu).value * (2 if again else 1))

    result, _ = audit(answer=answer)
    assert result.verdict is Verdict.REFUTED
    assert "to the same arguments" in result.invalid.reason


def test_where_the_claim_is_infeasible_everywhere_nothing_is_decided():
    """Infinity is right there, and nothing unsafe could be seen."""
    claim = claimed(special=lambda **_: SpecialValue("infinity", "infeasible"))
    result, _ = audit(claim=claim, answer=lambda **_: Infinite(positive=True))
    assert (result.verdict, result.judged, result.exit_code) == (Verdict.UNDECIDED, 0, ExitCode.UNDECIDED)
    assert "no call could have revealed an unsafe answer" in result.detail


def test_where_the_claim_says_nothing_nothing_is_decided():
    """Undefined everywhere is no green."""
    claim = claimed(special=lambda **_: SpecialValue("undefined", "no such law"))
    result, _ = audit(claim=claim)
    assert (result.verdict, result.judged) == (Verdict.UNDECIDED, 0)


def test_a_truth_that_is_not_separated_from_the_answer_decides_nothing():
    """An enclosure that is as wide at every precision tells no answer from the truth; the share is said."""
    wide = Claim(
        id="toy.wide",
        source=Source("toy", "none"),
        title="toy",
        statement="x",
        kind=DeltaBound(lambda A, epsilon: A.between(Fraction(1, 4), Fraction(1, 2)) / (1 + epsilon)),
        domain=Box((Parameter("epsilon", "", upper=100),)),
        quantity=QuantityKind.DELTA,
    )
    target = Spoilt("spoilt", "accountant", answer=lambda epsilon: Returned(Fraction(3, 8) / (1 + Fraction(epsilon))))
    result = audit_accountant(AccountantRequest(target=target, claim=wide, max_examples=3))
    assert result.verdict is Verdict.UNDECIDED
    assert f"cannot be separated in {result.examples} of {result.examples} calls" in result.detail


@pytest.mark.slow
@pytest.mark.parametrize(("kept", "names"), [("mu", ("epsilon",)), ("epsilon", ("mu",)), ("", ("epsilon", "mu"))])
def test_an_answer_that_ignores_a_parameter_is_told(kept, names):
    """A safe constant is no violation; that it is one is in the headline."""

    def answer(epsilon, mu):
        return right(epsilon if kept == "epsilon" else 0, mu if kept == "mu" else 50)

    result, _ = audit(answer=answer)
    assert result.ignored == names
    assert f"does not depend on {', '.join(names)}, and the truth does" in result.detail


def test_both_the_plainest_and_the_worst_are_shown():
    """Unsafe by a tenth in practice and by a million in a corner: neither hides the other, nor a NaN."""

    def answer(epsilon, mu):
        if epsilon > 90:
            return Misbehaved("returns NaN", "returns nan (NaN)", "nan")
        return Returned(right(epsilon, mu).value * (Fraction(1, 10**6) if epsilon == 0 else Fraction(9, 10)))

    result, _ = audit(answer=answer)
    unsafe = result.classes["unsafe"]
    assert float(result.unsafe.ratio) == pytest.approx(0.9)
    assert float(unsafe.worst.ratio) == pytest.approx(1e-6)
    assert float(unsafe.worst_practical.ratio) == pytest.approx(0.9)
    assert result.invalid is not None
    assert "worst anywhere: returned/truth 1e-06" in result.detail
    assert "NaN" in result.detail


def test_the_headline_says_what_was_judged_where_and_how_finely():
    """Calls, box, and how little below the truth would have been seen."""
    result, calls = audit()
    assert f"judged {result.judged} of {len(calls)} calls over epsilon in [0, 100], mu in [1e-06, 50]" in result.detail
    assert "each would have revealed an answer below the truth by more than 1e-09 of it" in result.detail
    assert result.judged == len(calls)


def test_only_points_that_chance_chose_say_how_much_of_the_box_is_judged():
    """One of ten drawn points is telling; ninety more, where a search went because they are, change nothing."""

    def call(sees, *, drawn):
        return Call({}, Returned(Fraction(1)), Judgement(Kind.RIGHT, sees=sees), practical=True, is_random=drawn)

    drawn = [call(0.0 if place == 0 else math.inf, drawn=True) for place in range(10)]
    assert telling_share([*drawn, *(call(0.0, drawn=False) for _ in range(90))]) == Fraction(1, 10)
    assert telling_share([]) == 0
