"""The result of an accountant audit, for people and for programs: a function of the request and the log alone."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.accountant_audit.judge import SHOWN_DIGITS, Judgement, Kind, shown
from auditor.accountant_audit.log import BAD, FEWEST, LARGE, MOST_OPEN, Call, of_kind
from auditor.accountant_audit.untaken import Untaken, some
from auditor.errors import ExitCode, counted
from auditor.extras import required
from auditor.findings.card import WORDS, again, card, drawn
from auditor.findings.evidence import AccountantEvidence, AccountantMap, AccountantPoint, Enclosed, Ends
from proofs_numeric.arithmetic.enclosure import Enclosure, bounds
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

EXIT = {Verdict.CONSISTENT: ExitCode.OK, Verdict.REFUTED: ExitCode.FINDINGS, Verdict.UNDECIDED: ExitCode.UNDECIDED}
RATIO_DIGITS = 12
CLEARLY = 0.99
"""A ratio below this part of another one is told beside it."""
SMALLEST_NORMAL = sys.float_info.min
INCONSISTENT = "inconsistent"
MUCH = 0.5
"""A share of the box from which on nothing is said of what is left out."""
LONG_RANGE = 100
"""Ratio of the ends of a parameter from which on a map of it is logarithmic."""
MOST_PLACES = 24
LARGEST_EXCESS = 700.0
"""Logarithm of the largest returned/truth that is drawn."""
LEAST_SHARE = 0.1
"""Share of the box below which a silence is not called one over the box: a convention, and told as one."""


@dataclass(frozen=True)
class ClassOfAnswers:
    """The calls of one class.

    Args:
        calls: how many.
        practical: how many of them in the practical range.
        simplest: the one easiest to read, in the practical range where there is one.
        worst: the one furthest below the truth (above it for `loose`); the simplest where no ratio is known.
        worst_practical: the same in the practical range; None without one.
    """

    calls: int
    practical: int
    simplest: AccountantPoint | None
    worst: AccountantPoint | None
    worst_practical: AccountantPoint | None


@dataclass(frozen=True)
class AccountantAudit:
    """Result of `audit_accountant`; `to_json` is the contract's document.

    Args:
        target: what was called.
        claim: id of the claim.
        verdict: refuted with an unsafe, invalid or inconsistent answer; undecided when too little could be judged, else
            no violation seen.
        unsafe: shrunk point at which the answer is below the truth.
        invalid: shrunk point at which it returns no acceptable number, or contradicts itself.
        beside: the call that `invalid` contradicts; None where nothing worse than a contradiction was seen.
        differs: point below an upper bound but not below the exact value.
        loosest: point furthest above the truth; None when nothing was judged.
        worst_relative_error: largest ``|returned/truth - 1|`` of all judged points with a positive truth, as a decimal
            string.
        examples: number of calls.
        judged: at how many of them an unsafe answer would have been seen.
        practical: how many of these lie in the practical range.
        admitted: share of the box that the claim's constraint leaves, by a draw of points, as a decimal string.
        telling: at which share of the points called by chance an unsafe answer would have been seen; searches for wrong
            answers go where one would, and do not count.
        cut: searches that their share of the budget ended.
        achieves: what was held against the target: empty where it is the returned number itself, else the name of what
            the returned value achieves (delta).
        sees: how little below the truth, relatively, one of them would have shown, as a decimal string; None with none.
        classes: the classes of answers that were met: a `Kind`, or `inconsistent`.
        ignored: parameters that move the truth and never the answer.
        box: searched ranges, exact text.
        held: parameters kept at their default because the target does not take them.
        untaken: branches of the target's own source that no call took.
        tolerance: how far below the truth, relatively, an answer is still right.
        seed: seed of the search.
        reproduce: command line that shows it again: the counterexample alone where one point shows it, else the search.
        calls: every call, in order.
        live: the target is an object of the caller's, which `reproduce` names and no command can import.
    """

    target: str
    claim: str
    verdict: Verdict
    unsafe: AccountantPoint | None
    invalid: AccountantPoint | None
    beside: AccountantPoint | None
    differs: AccountantPoint | None
    loosest: AccountantPoint | None
    worst_relative_error: str | None
    examples: int
    judged: int
    practical: int
    admitted: str
    telling: str
    cut: int
    achieves: str
    sees: str | None
    classes: Mapping[str, ClassOfAnswers]
    ignored: tuple[str, ...]
    box: Mapping[str, tuple[str, str]]
    held: Mapping[str, str]
    untaken: tuple[Untaken, ...]
    tolerance: str
    seed: int
    reproduce: str
    calls: tuple[Call, ...] = field(default=(), compare=False)
    live: bool = False

    def __repr__(self) -> str:
        return f"<{WORDS[self.verdict]}: {self.target} against {self.claim}: {self.detail}>"

    def to_frame(self) -> DataFrame:
        """Return every call as a row of a frame of pandas.

        Columns: the parameters, what was returned, the truth and their ratio as the decimals of `to_json`, the class
        of the answer, and whether the point lies in the ranges that people use.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        rows = []
        for call in self.calls:
            point = point_of(call, {})
            about = {"returned": point.returned, "truth": point.truth and _truth(point), "ratio": point.ratio}
            rows.append({**call.point, **about, "class": call.kind.value, "practical": call.practical})
        return required("pandas").DataFrame(rows)

    def plot(self) -> Any:
        """Draw the map of the box: where calls of each class lie, and return the axes of matplotlib.

        The first two searched parameters span it; with one alone the other axis is how far answers are off.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        axes = required("matplotlib.pyplot").subplots()[1]
        self._draw(axes)
        return axes

    def _draw(self, axes: Any) -> None:
        across, up, classes = self.plane()
        for kind, places in classes.items():
            marks = {"color": "C3", "marker": "x"} if kind in BAD else {"marker": "."}
            axes.scatter(*zip(*places, strict=True), label=f"{kind.value} ({len(places)})", **marks)
        axes.set(xlabel=across, ylabel=up, title=f"{self.target.rpartition(':')[2]} against {self.claim}")
        for scale, place in ((axes.set_xscale, 0), (axes.set_yscale, 1)):
            if long_range([point[place] for places in classes.values() for point in places]):
                scale("log")
        axes.legend()

    def plane(self) -> tuple[str, str, dict[Kind, list[tuple[float, float]]]]:
        """Return what the map has across and up, and the finite places of calls by the class of their answers."""
        across, *others = [name for name, (lower, upper) in self.box.items() if lower != upper] or list(self.box)
        up = others[0] if others else "returned/truth"
        classes: dict[Kind, list[tuple[float, float]]] = {}
        for call in self.calls:
            place = [call.point[across], call.point[up] if others else math.exp(min(call.excess, LARGEST_EXCESS))]
            numbers = [float(each) for each in place if isinstance(each, int | float) and math.isfinite(each)]
            if len(numbers) == len(place):
                classes.setdefault(call.kind, []).append((numbers[0], numbers[1]))
        return across, up, classes

    def map(self) -> AccountantMap:
        """Return the plane with at most `MOST_PLACES` of each class, evenly in the order of the calls."""
        across, up, classes = self.plane()
        few = {kind: places[:: math.ceil(len(places) / MOST_PLACES)] for kind, places in classes.items()}
        texts = {kind.value: [(f"{x:.3g}", f"{y:.3g}") for x, y in places] for kind, places in few.items()}
        return AccountantMap(across=across, up=up, classes=texts)

    @property
    def detail(self) -> str:
        """The verdict in one line: what is wrong or open, and how much was judged, where, and how finely."""
        found = self._wrong()
        if self.verdict is not Verdict.REFUTED:
            corners = [f"in corners, which --strict makes count: {text}" for text in found[:1]]
            found = [*self._silent(), *corners]
        return "; ".join([*found, self.scope, *self.notes])

    @property
    def brief(self) -> list[str]:
        """What refutes it, or what is open, in two lines at most: the point, and the truth there."""
        if self.verdict is not Verdict.REFUTED:
            return self.detail.split("; ")[:2]
        point = self.unsafe or self.invalid
        assert point is not None  # noqa: S101 - an audit is refuted by an answer
        if self.unsafe is None:
            name = Kind.INVALID.value if self.classes.get(Kind.INVALID) else INCONSISTENT
            return [f"{name} at {where(point)}: {point.reason}"]
        first = f"{Kind.UNSAFE.value}: returns {point.returned} at {where(point)}"
        return [first, f"{self._held(point)}; {self.quotient} {point.ratio}"]

    def _wrong(self) -> list[str]:
        parts = []
        if (unsafe := self.unsafe) is not None:
            held = f"{unsafe.reason}; {self._held(unsafe)}"
            parts.append(f"{Kind.UNSAFE.value}: returns {unsafe.returned} at {where(unsafe)} ({held})")
            parts += self._worst_unsafe(unsafe)
        for name in (Kind.INVALID.value, INCONSISTENT):
            if (one := self.classes.get(name)) is not None and one.simplest is not None:
                often = "" if name == INCONSISTENT or one.calls == 1 else f" ({one.calls} of {self.examples} calls)"
                parts.append(f"{name} at {where(one.simplest)}: {one.simplest.reason}{often}")
        wrong = [one for name, one in self.classes.items() if name in {*BAD, INCONSISTENT}]
        bad = of_kind(self.calls, *BAD)
        corners = not any(one.practical for one in wrong) and all(call.corner for call in bad)
        if parts and self.practical and corners:
            among = f"{counted(self.practical, 'call')} judged in the practical range"
            parts.append(f"in corners only: none of the {among} is wrong")
        return parts

    def _worst_unsafe(self, unsafe: AccountantPoint) -> list[str]:
        one = self.classes[Kind.UNSAFE.value]
        least, parts = float(unsafe.ratio or 0), []
        for word, point in (("in the practical range", one.worst_practical), ("anywhere", one.worst)):
            if point is not None and point.ratio is not None and float(point.ratio) < least * CLEARLY:
                least = float(point.ratio)
                parts.append(f"worst {word}: {self.quotient} {point.ratio} at {where(point)}")
        return parts

    @property
    def quotient(self) -> str:
        """What a ratio divides."""
        return f"{self.achieves} asked for/achieved" if self.achieves else "returned/truth"

    def _held(self, point: AccountantPoint) -> str:
        """The number held against what was returned, or achieved by it."""
        return f"{self.achieves} achieved {_truth(point)}" if self.achieves else f"truth {_truth(point)}"

    def _silent(self) -> list[str]:
        if self.verdict is Verdict.UNDECIDED:
            return self._open()
        loosest = self.loosest
        kind = "no violation seen" if self.differs is None else "differs from the bound, not below the exact value"
        extreme = [] if loosest is None else [f"largest {self.quotient} {loosest.ratio} at {where(loosest)}"]
        return [kind, *extreme, f"largest relative error {self.worst_relative_error or 'none'}"]

    def _open(self) -> list[str]:
        parts = []
        if (late := self.classes.get(Kind.UNANSWERED)) is not None and late.simplest is not None:
            parts.append(
                f"{late.simplest.reason} at {where(late.simplest)} ({late.calls} of {self.examples} calls)"
                f"{self._reached(late.simplest)}: raise --call-timeout, or leave that part out of --box"
            )
        if (declined := self.classes.get(Kind.DECLINES)) is not None and declined.simplest is not None:
            remedy = ": raise --memory, or leave" if "MiB" in declined.simplest.reason else ": leave"
            parts.append(
                f"declines at {where(declined.simplest)}: {declined.simplest.reason} ({declined.calls} of "
                f"{self.examples} calls; at most {float(MOST_OPEN):.0%} may be){remedy} that part out of --box"
            )
        if (close := self.classes.get(Kind.UNSEPARATED)) is not None and close.simplest is not None:
            parts.append(
                f"answer and truth are not told apart in {close.calls} of {self.examples} calls, for one at "
                f"{where(close.simplest)} (at most {float(MOST_OPEN):.0%} may be): raise --tolerance, or leave "
                "that part out of --box"
            )
        if deciding := [one for one in self.untaken if one.decides]:
            parts.append(f"{some(deciding)}: give a --box in which that happens, or leave the branch out")
        if 0 < self.judged < FEWEST:
            parts.append(
                f"only {counted(self.judged, 'call')} could have shown an unsafe answer, of at least {FEWEST}: give a "
                "--box of which the claim's constraint leaves more, or more --max-examples or --budget"
            )
        if self.judged and self.share < LEAST_SHARE:
            parts.append(
                f"an unsafe answer could have been seen in about {self.share:.1%} of the box, by the points that "
                f"chance chose; below {LEAST_SHARE:.0%} a green would be read as one over the box, by convention: give "
                "a --box of which the claim's constraint leaves more, and where delta is neither 0 nor 1"
            )
        if not self.judged:
            parts.append(
                "no call could have shown an unsafe answer: everywhere delta is 0 or 1, epsilon 0 is enough, no finite "
                "answer is allowed, or the claim says nothing; give a --box where it says something"
            )
        return parts

    def _reached(self, late: AccountantPoint) -> str:
        """From which size on it was not asked after an answer that came too late, and up to which it answered."""
        answered = [call.point for call in self.calls if call.kind is not Kind.UNANSWERED]
        sizes = [
            (name, int(late.parameters[name]), max((int(point[name]) for point in answered), default=0))
            for name, size in (self.calls[0].point.items() if self.calls else ())
            if isinstance(size, int) and int(late.parameters[name]) >= LARGE
        ]
        from_here = " and ".join(f"{name} >= {size}" for name, size, _reached in sizes)
        reached = " and ".join(f"{name}={most}" for name, _size, most in sizes)
        return f"; not asked after it for {from_here}, and answered up to {reached}" if sizes else ""

    @property
    def share(self) -> float:
        """Share of the box in which an unsafe answer could have been seen: of what is admitted, that of the draws."""
        return float(self.admitted) * float(self.telling)

    @property
    def scope(self) -> str:
        """How many calls were judged, over which box, and how little below the truth they would have shown."""
        box = ", ".join(f"{name} in [{lower}, {upper}]" for name, (lower, upper) in self.box.items())
        judged = f"judged {self.judged} of {counted(self.examples, 'call')} over {box}"
        if self.sees is None:
            return judged
        fine = "any amount" if float(self.sees) < SMALLEST_NORMAL else f"more than {self.sees} of it"
        return f"{judged}: each would have shown an answer below the truth by {fine}"

    @property
    def notes(self) -> list[str]:
        """What else the log says, one line each: rounding, calls that were not judged, and searches cut short."""
        ignored = (
            [f"the answer does not depend on {', '.join(self.ignored)}, and the truth does"] if self.ignored else []
        )
        rounded, silent = (self.classes.get(kind.value) for kind in (Kind.ROUNDING, Kind.UNDEFINED))
        told = []
        if rounded is not None and rounded.worst is not None:
            worst = (
                f", worst {self.quotient} {rounded.worst.ratio} at {where(rounded.worst)}"
                if rounded.worst.ratio
                else ""
            )
            told.append(f"below the truth by rounding in {counted(rounded.calls, 'call')}{worst}")
        if silent is not None and silent.simplest is not None:
            reason = f"{silent.simplest.reason}, for one at {where(silent.simplest)}"
            told.append(f"not judged in {silent.calls} of {self.examples} calls: {reason}")
        others = [one for one in self.untaken if not (one.decides and self.verdict is Verdict.UNDECIDED)]
        told += [some(others)] if others else []
        left = float(self.admitted)
        few = [f"the claim's constraint leaves {left:.0%} of that box"] if left < MUCH else []
        cut = [f"--budget ended searches early: {self.cut}"] if self.cut else []
        return [*ignored, *told, *few, *cut]

    @property
    def counterexample(self) -> tuple[AccountantPoint, ...]:
        """The call that refutes, or two that contradict each other; empty where the audit is not refuted."""
        if self.verdict is not Verdict.REFUTED:
            return ()
        return tuple(point for point in (self.beside, self.unsafe or self.invalid) if point is not None)

    @property
    def exact_digits(self) -> str:
        """Digits of the exact value at the counterexample; empty for a contradiction, which needs none."""
        *beside, point = self.counterexample or (None,)
        return "" if beside or point is None or point.truth is None else point.truth.value or point.truth.lower

    @property
    def exit_code(self) -> ExitCode:
        """0 when no violation was seen, 1 when refuted, 3 when undecided."""
        return EXIT[self.verdict]

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the verdict with its scope, the worst answer of each class, and the command."""
        worst = [
            (name, f"{one.calls} of {self.examples} calls; worst: returned {point.returned} at {where(point)}")
            for name, one in self.classes.items()
            if (point := one.worst) is not None
        ]
        facts = [
            *worst,
            ("tolerance", self.tolerance),
            ("see it again", again(self.reproduce, self.seed, live=self.live)),
        ]
        says = f"The map of the box: {', '.join(f'{one.calls} {name}' for name, one in self.classes.items())}"
        figure = drawn(lambda figure: self._draw(figure.subplots()), says, (6.4, 4)) if self.calls else ""
        return card(self.verdict, f"{self.target} against {self.claim}", self.detail, facts, figure)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's JSON document."""

        def point(value: AccountantPoint | None) -> dict[str, Any] | None:
            return None if value is None else value.model_dump(mode="json")

        return {
            "verdict": self.verdict.value,
            "detail": self.detail,
            "target": self.target,
            "claim": self.claim,
            "unsafe": point(self.unsafe),
            "invalid": point(self.invalid),
            "differs": point(self.differs),
            "loosest": point(self.loosest) or {},
            "worst_relative_error": self.worst_relative_error,
            "examples": self.examples,
            "judged": self.judged,
            "judged_practical": self.practical,
            "admitted": self.admitted,
            "telling": self.telling,
            "cut": self.cut,
            "achieves": self.achieves,
            "sees": self.sees,
            "classes": {
                name: {
                    "calls": one.calls,
                    "practical": one.practical,
                    "simplest": point(one.simplest),
                    "worst": point(one.worst),
                    "worst_practical": point(one.worst_practical),
                }
                for name, one in self.classes.items()
            },
            "ignored": list(self.ignored),
            "box": {name: {"lower": lower, "upper": upper} for name, (lower, upper) in self.box.items()},
            "held": dict(self.held),
            "untaken": [one.text for one in self.untaken],
            "tolerance": self.tolerance,
            "seed": self.seed,
            "reproduce": None if self.live else self.reproduce,
        }

    def evidence(self) -> AccountantEvidence:
        """Return the result as evidence of a finding; its rows are the worst answer of each bad class.

        A target in a file is named without its folder, which is another one on each machine.
        """
        bad = (name for name in self.classes if name in {*BAD, Kind.UNANSWERED, INCONSISTENT})
        return AccountantEvidence(
            target=Path(self.target).name,
            against=self.claim,
            box={name: Ends(lower=lower, upper=upper) for name, (lower, upper) in self.box.items()},
            tolerance=self.tolerance,
            examples=self.examples,
            unsafe=self.unsafe,
            invalid=self.invalid,
            differs=self.differs,
            loosest=self.loosest,
            rows=[point for name in bad if (point := self.classes[name].worst) is not None],
            map=self.map() if self.calls else None,
        )


def long_range(values: Sequence[float]) -> bool:
    """Whether an axis that shows these is logarithmic."""
    return bool(values) and 0 < LONG_RANGE * min(values) < max(values)


def where(point: AccountantPoint) -> str:
    """The parameters of a point, as they are passed by keyword."""
    return ", ".join(f"{name}={value}" for name, value in point.parameters.items())


def _truth(point: AccountantPoint) -> str:
    return (point.truth.value or point.truth.lower) if point.truth else "infinity"


def point_of(call: Call, held: Mapping[str, str]) -> AccountantPoint:
    """Return a call as a point of the report; parameters that were held are named too."""
    return AccountantPoint(
        parameters={**held, **{name: text_of(value) for name, value in call.point.items()}},
        returned=shown(call.answer),
        truth=_enclosed(call.judgement),
        ratio=_ratio(call.judgement),
        reason=call.judgement.reason,
    )


def _enclosed(judgement: Judgement) -> Enclosed | None:
    """The truth for the report, rounded outward; None for one that encloses nothing finite."""
    ends = None if judgement.truth is None else bounds(judgement.truth)
    if ends is None:
        return None
    value, lower, upper = Enclosure(*ends, judgement.bits).decimal(SHOWN_DIGITS)
    return Enclosed(lower=lower, upper=upper, value=value, bits=judgement.bits)


def _ratio(judgement: Judgement) -> str | None:
    """Returned / truth to twelve digits; infinity over a truth of zero."""
    if judgement.ratio is None:
        return "0" if judgement.excess == -math.inf else None
    ends = bounds(judgement.ratio)
    return "infinity" if ends is None else Enclosure(*ends, judgement.bits).decimal(RATIO_DIGITS)[0]


def text_of(argument: float | str) -> str:
    """Return an argument as exact text."""
    return repr(argument) if isinstance(argument, float) else str(argument)
