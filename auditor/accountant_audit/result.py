"""The result of an accountant audit, for people and for programs, computed from the request and the log alone."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.accountant_audit.judge import SHOWN_DIGITS, Judgement, Kind, format_answer
from auditor.accountant_audit.log import BAD, FEWEST, LARGE, MOST_OPEN, Call, of_kind
from auditor.accountant_audit.untaken import Untaken, some
from auditor.errors import ExitCode, counted
from auditor.extras import required
from auditor.findings.card import WORDS, again, card, render_image
from auditor.findings.evidence import AccountantEvidence, AccountantMap, AccountantPoint, Enclosed, Ends
from proofs_numeric.arithmetic.enclosure import Enclosure, bounds
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

EXIT = {Verdict.CONSISTENT: ExitCode.OK, Verdict.REFUTED: ExitCode.FINDINGS, Verdict.UNDECIDED: ExitCode.UNDECIDED}
RATIO_DIGITS = 12
CLEARLY = 0.99
"""Factor below another ratio from which a worse ratio is reported in addition."""
SMALLEST_NORMAL = sys.float_info.min
INCONSISTENT = "inconsistent"
MUCH = 0.5
"""Share of the box above which the result does not mention points excluded by the constraint."""
LONG_RANGE = 100
"""Ratio of a parameter's largest to smallest value above which its axis on a map is logarithmic."""
MOST_PLACES = 24
LARGEST_EXCESS = 700.0
"""Logarithm of the largest returned/truth that is drawn."""
LEAST_SHARE = 0.1
"""Minimum share of the box for the verdict 'no violation seen'; a convention, reported as one."""


@dataclass(frozen=True)
class ClassOfAnswers:
    """The calls of one class.

    Args:
        calls: number of calls.
        practical: number of calls in the practical range.
        simplest: the most readable call, in the practical range if possible.
        worst: the call furthest below the truth (above it for `loose`); the simplest without a known ratio.
        worst_practical: the worst call in the practical range; None without one.
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
        target: name of the target.
        claim: id of the claim.
        verdict: refuted by an unsafe, invalid or inconsistent answer; undecided if too little could be judged; else no
            violation seen.
        unsafe: simplified point at which the answer is below the truth.
        invalid: simplified point at which the target returns no acceptable number, or contradicts itself.
        beside: the call that `invalid` contradicts; None if an unsafe or invalid answer was found.
        differs: point below an upper bound but not below the exact value.
        loosest: point furthest above the truth; None if nothing was judged.
        worst_relative_error: largest ``|returned/truth - 1|`` over judged points with a positive truth, as a decimal
            string.
        examples: number of calls.
        judged: number of calls at which an unsafe answer would have been seen.
        practical: number of judged calls in the practical range.
        admitted: share of the box that satisfies the claim's constraint, estimated by random points, as a decimal
            string.
        telling: share of random points at which an unsafe answer would have been seen; calls of searches do not count,
            as searches prefer such points.
        cut: number of searches ended by their share of the budget.
        achieves: name of the quantity that the returned value achieves (delta) and that was compared; empty if the
            returned number itself was compared.
        sees: least relative amount below the truth that a call would have revealed, as a decimal string; None if no
            call was judged.
        classes: the classes of answers that occurred: a `Kind`, or `inconsistent`.
        ignored: parameters that change the truth but never the answer.
        box: searched ranges, exact text.
        constants: parameters fixed at their default because the target does not take them.
        untaken: branches of the target's own source that no call took.
        tolerance: relative amount below the truth within which an answer is right.
        seed: seed of the search.
        decides: command line of the search of a smaller box, if the claim's constraint admits too little of this one;
            empty otherwise.
        reproduce: command line that repeats the counterexample if it is one point, else the search.
        calls: every call, in order.
        live: whether the target is an object of the caller, which `reproduce` names but no command can import.
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
    constants: Mapping[str, str]
    untaken: tuple[Untaken, ...]
    tolerance: str
    seed: int
    decides: str
    reproduce: str
    calls: tuple[Call, ...] = field(default=(), compare=False)
    live: bool = False

    def __repr__(self) -> str:
        return f"<{WORDS[self.verdict]}: {self.target} against {self.claim}: {self.detail}>"

    def to_frame(self) -> DataFrame:
        """Return the calls as a pandas frame, one row per call.

        Columns: the parameters; the returned value, the truth and their ratio as in `to_json`; the class of the answer;
        whether the point is in the practical range.

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
        """Draw the calls in the box by class of their answers, and return the matplotlib axes.

        The axes are the first two searched parameters; with a single parameter, the second axis is returned/truth.

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
        """Return the names of the map's horizontal and vertical axes, and the finite points of calls by class."""
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
        """Return the map with at most `MOST_PLACES` points per class, evenly spaced in call order."""
        across, up, classes = self.plane()
        few = {kind: places[:: math.ceil(len(places) / MOST_PLACES)] for kind, places in classes.items()}
        texts = {kind.value: [(f"{x:.3g}", f"{y:.3g}") for x, y in places] for kind, places in few.items()}
        return AccountantMap(across=across, up=up, classes=texts)

    @property
    def sentences(self) -> list[str]:
        """What is wrong or open, the worst first; then the number, range and resolution of judged calls, and notes."""
        return [*self._reasons(), self.scope, *self.notes]

    @property
    def detail(self) -> str:
        """The sentences in one line."""
        return "; ".join(self.sentences)

    @property
    def headline(self) -> str:
        """The verdict in one line; for a refutation only what is wrong, since the evidence has the judged calls."""
        return "; ".join(self._reasons()) if self.verdict is Verdict.REFUTED else self.detail

    def _reasons(self) -> list[str]:
        wrong = self._wrong()
        if self.verdict is Verdict.REFUTED:
            return wrong + self._in_corners()
        corners = [f"in corners (failures only with --strict): {'; '.join(wrong)}"] if wrong else []
        return [*self._silent(), *corners]

    @property
    def brief(self) -> list[str]:
        """The reason for a refutation or an undecided verdict, in at most two lines: the point and its truth."""
        if self.verdict is not Verdict.REFUTED:
            return self.detail.split("; ")[:2]
        point = self.unsafe or self.invalid
        assert point is not None  # noqa: S101 - an audit is refuted by an answer
        if self.unsafe is None:
            name = Kind.INVALID.value if self.classes.get(Kind.INVALID) else INCONSISTENT
            return [f"{name} at {where(point)}: {point.reason}"]
        first = f"{Kind.UNSAFE.value}: returns {point.returned} at {where(point)}"
        return [first, f"{self._describe_truth(point)}; {self.quotient} {point.ratio}"]

    def _wrong(self) -> list[str]:
        parts = []
        if (unsafe := self.unsafe) is not None:
            truth = f"{unsafe.reason}; {self._describe_truth(unsafe)}"
            parts.append(f"{Kind.UNSAFE.value}: returns {unsafe.returned} at {where(unsafe)} ({truth})")
            parts += self._worst_unsafe(unsafe)
        for name in (Kind.INVALID.value, INCONSISTENT):
            if (one := self.classes.get(name)) is not None and one.simplest is not None:
                often = "" if name == INCONSISTENT or one.calls == 1 else f" ({one.calls} of {self.examples} calls)"
                parts.append(f"{name} at {where(one.simplest)}: {one.simplest.reason}{often}")
        return parts

    def _in_corners(self) -> list[str]:
        """Return the note that every wrong answer is a corner, if many practical calls were judged."""
        wrong = [one for name, one in self.classes.items() if name in {*BAD, INCONSISTENT}]
        bad = of_kind(self.calls, *BAD)
        corners = not any(one.practical for one in wrong) and all(call.corner for call in bad)
        among = f"{counted(self.practical, 'call')} judged in the practical range"
        return [f"in corners only: none of the {among} is wrong"] if self.practical and corners else []

    def _worst_unsafe(self, unsafe: AccountantPoint) -> list[str]:
        one = self.classes[Kind.UNSAFE.value]
        least, parts = float(unsafe.ratio or 0), []
        for word, point in (("in the practical range", one.worst_practical), ("anywhere", one.worst)):
            if point is not None and point.ratio is not None and float(point.ratio) < least * CLEARLY:
                least = float(point.ratio)
                lack = f" ({point.lacks})" if point.lacks else ""
                parts.append(f"worst {word}: {self.quotient} {point.ratio} at {where(point)}{lack}")
        return parts

    @property
    def quotient(self) -> str:
        """Name of the quotient in a ratio."""
        return f"{self.achieves} asked for/achieved" if self.achieves else "returned/truth"

    def _describe_truth(self, point: AccountantPoint) -> str:
        """Return the number compared with the returned or achieved value, with its name."""
        return f"{self.achieves} achieved {_truth(point)}" if self.achieves else f"truth {_truth(point)}"

    def _silent(self) -> list[str]:
        if self.verdict is Verdict.UNDECIDED:
            return self._open()
        loosest = self.loosest
        kind = "no violation seen" if self.differs is None else "differs from the bound, not below the exact value"
        extreme = [] if loosest is None else [f"largest {self.quotient} {loosest.ratio} at {where(loosest)}"]
        return ["; ".join([kind, *extreme, f"largest relative error {self.worst_relative_error or 'none'}"])]

    def _open(self) -> list[str]:
        parts = []
        if (late := self.classes.get(Kind.UNANSWERED)) is not None and late.simplest is not None:
            parts.append(
                f"{late.simplest.reason} at {where(late.simplest)} ({late.calls} of {self.examples} calls)"
                f"{self._reached(late.simplest)}: raise --call-timeout, or leave that part out of --box"
            )
        if (refusals := self.classes.get(Kind.DECLINES)) is not None and refusals.simplest is not None:
            remedy = ": raise --memory, or leave" if "MiB" in refusals.simplest.reason else ": leave"
            parts.append(
                f"declines at {where(refusals.simplest)}: {refusals.simplest.reason} ({refusals.calls} of "
                f"{self.examples} calls; at most {float(MOST_OPEN):.0%} may be){remedy} that part out of --box"
            )
        if (close := self.classes.get(Kind.UNSEPARATED)) is not None and close.simplest is not None:
            parts.append(
                f"answer and truth cannot be separated in {close.calls} of {self.examples} calls, for one at "
                f"{where(close.simplest)} (at most {float(MOST_OPEN):.0%} may be): raise --tolerance, or leave "
                "that part out of --box"
            )
        if deciding := [one for one in self.untaken if one.decides]:
            parts.append(f"{some(deciding)}: give a --box in which that happens, or leave the branch out")
        if 0 < self.judged < FEWEST:
            parts.append(
                f"only {counted(self.judged, 'call')} could have revealed an unsafe answer, fewer than {FEWEST}: give "
                "a --box with more points that satisfy the claim's constraint, or more --max-examples or --budget"
            )
        if self.judged and self.share < LEAST_SHARE:
            parts.append(
                f"an unsafe answer could have been detected in about {self.share:.1%} of the box, estimated from "
                f"random points; below {LEAST_SHARE:.0%} the box counts as not covered: give a --box with more points "
                "that satisfy the claim's constraint and have delta strictly between 0 and 1"
            )
        silent = self.classes.get(Kind.UNDEFINED)
        if not self.judged and silent is not None and silent.simplest is not None and silent.calls == self.examples:
            parts.append(f"no call was judged: {silent.simplest.reason}, for one at {where(silent.simplest)}")
        elif not self.judged and not {Kind.DECLINES, Kind.UNANSWERED} >= {*self.classes}:
            parts.append(
                "no call could have revealed an unsafe answer: everywhere delta is 0 or 1, epsilon 0 is enough, no "
                "finite answer is allowed, or the claim does not apply; give a --box where it applies"
            )
        return parts

    def _reached(self, late: AccountantPoint) -> str:
        """Return the sizes that were not called after a late answer, and the largest sizes that were answered."""
        answered = [call.point for call in self.calls if call.kind is not Kind.UNANSWERED]
        sizes = [
            (name, int(late.parameters[name]), max((int(point[name]) for point in answered), default=0))
            for name, size in (self.calls[0].point.items() if self.calls else ())
            if isinstance(size, int) and int(late.parameters[name]) >= LARGE
        ]
        from_here = " and ".join(f"{name} >= {size}" for name, size, _reached in sizes)
        reached = " and ".join(f"{name}={most}" for name, _size, most in sizes)
        return f"; not called afterwards for {from_here}; answered up to {reached}" if sizes else ""

    @property
    def share(self) -> float:
        """Share of the box in which an unsafe answer could have been seen: `admitted` times `telling`."""
        return float(self.admitted) * float(self.telling)

    @property
    def scope(self) -> str:
        """The number of judged calls, the searched box, and the least amount below the truth that they reveal."""
        box = ", ".join(f"{name} in [{lower}, {upper}]" for name, (lower, upper) in self.box.items())
        summary = f"judged {self.judged} of {counted(self.examples, 'call')} over {box}"
        if self.sees is None:
            return summary
        fine = "any amount" if float(self.sees) < SMALLEST_NORMAL else f"more than {self.sees} of it"
        return f"{summary}: each would have revealed an answer below the truth by {fine}"

    @property
    def notes(self) -> list[str]:
        """Further results of the log, one line each: rounding, calls that were not judged, searches cut short."""
        ignored = (
            [f"the answer does not depend on {', '.join(self.ignored)}, and the truth does"] if self.ignored else []
        )
        rounded, silent = (self.classes.get(kind.value) for kind in (Kind.ROUNDING, Kind.UNDEFINED))
        lines = []
        if rounded is not None and rounded.worst is not None:
            worst = (
                f", worst {self.quotient} {rounded.worst.ratio} at {where(rounded.worst)}"
                if rounded.worst.ratio
                else ""
            )
            lines.append(f"below the truth by rounding in {counted(rounded.calls, 'call')}{worst}")
        if silent is not None and silent.simplest is not None and silent.calls < self.examples:
            reason = f"{silent.simplest.reason}, for one at {where(silent.simplest)}"
            lines.append(f"not judged in {silent.calls} of {self.examples} calls: {reason}")
        others = [one for one in self.untaken if not (one.decides and self.verdict is Verdict.UNDECIDED)]
        lines += [some(others)] if others else []
        left = float(self.admitted)
        few = [f"the claim's constraint leaves {left:.0%} of that box"] if left < MUCH else []
        cut = [f"--budget ended searches early: {self.cut}"] if self.cut else []
        return [*ignored, *lines, *few, *cut]

    @property
    def counterexample(self) -> tuple[AccountantPoint, ...]:
        """The refuting call, or two contradicting calls; empty if the audit is not refuted."""
        if self.verdict is not Verdict.REFUTED:
            return ()
        return tuple(point for point in (self.beside, self.unsafe or self.invalid) if point is not None)

    @property
    def exact_digits(self) -> str:
        """Digits of the exact value at the counterexample; empty for a contradiction."""
        *beside, point = self.counterexample or (None,)
        return "" if beside or point is None or point.truth is None else point.truth.value or point.truth.lower

    @property
    def exit_code(self) -> ExitCode:
        """0 without a violation, 1 if refuted, 3 if undecided."""
        return EXIT[self.verdict]

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook: verdict with scope, the worst answer of each class, and the command."""
        worst = [
            (name, f"{one.calls} of {self.examples} calls; worst: returned {point.returned} at {where(point)}")
            for name, one in self.classes.items()
            if (point := one.worst) is not None
        ]
        facts = [
            *worst,
            ("tolerance", self.tolerance),
            *([("to decide", self.decides)] if self.decides else []),
            ("see it again", again(self.reproduce, self.seed, live=self.live)),
        ]
        says = f"The map of the box: {', '.join(f'{one.calls} {name}' for name, one in self.classes.items())}"
        figure = render_image(lambda figure: self._draw(figure.subplots()), says, (6.4, 4)) if self.calls else ""
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
            "held": dict(self.constants),
            "untaken": [one.text for one in self.untaken],
            "tolerance": self.tolerance,
            "seed": self.seed,
            "reproduce": None if self.live else self.reproduce,
        }

    def evidence(self) -> AccountantEvidence:
        """Return the result as evidence of a finding; its rows are the worst answers of the bad classes.

        A target in a file is named without its folder, which differs between machines.
        """
        bad = (name for name in self.classes if name in {*BAD, Kind.UNANSWERED, INCONSISTENT})
        return AccountantEvidence(
            target=Path(self.target).name,
            against=self.claim,
            box={name: Ends(lower=lower, upper=upper) for name, (lower, upper) in self.box.items()},
            tolerance=self.tolerance,
            examples=self.examples,
            judged=self.judged,
            notes=self.notes,
            unsafe=self.unsafe,
            invalid=self.invalid,
            differs=self.differs,
            loosest=self.loosest,
            rows=[point for name in bad if (point := self.classes[name].worst) is not None],
            map=self.map() if self.calls else None,
        )


def long_range(values: Sequence[float]) -> bool:
    """Return whether an axis with these values is logarithmic."""
    return bool(values) and 0 < LONG_RANGE * min(values) < max(values)


def where(point: AccountantPoint) -> str:
    """Return the parameters of a point as keyword arguments."""
    return ", ".join(f"{name}={value}" for name, value in point.parameters.items())


def _truth(point: AccountantPoint) -> str:
    return (point.truth.value or point.truth.lower) if point.truth else "infinity"


def point_of(call: Call, constants: Mapping[str, str]) -> AccountantPoint:
    """Return a call as a point of the report, including fixed parameters."""
    return AccountantPoint(
        parameters={**constants, **{name: text_of(value) for name, value in call.point.items()}},
        returned=format_answer(call.answer),
        truth=_enclosed(call.judgement),
        ratio=_ratio(call.judgement),
        reason=call.judgement.reason,
        lacks=call.judgement.lacks,
    )


def _enclosed(judgement: Judgement) -> Enclosed | None:
    """Return the truth for the report, rounded outward; None without a finite enclosure."""
    ends = None if judgement.truth is None else bounds(judgement.truth)
    if ends is None:
        return None
    value, lower, upper = Enclosure(*ends, judgement.bits).decimal(SHOWN_DIGITS)
    return Enclosed(lower=lower, upper=upper, value=value, bits=judgement.bits)


def _ratio(judgement: Judgement) -> str | None:
    """Return returned / truth with twelve digits; "infinity" for a truth of zero."""
    if judgement.ratio is None:
        return "0" if judgement.excess == -math.inf else None
    ends = bounds(judgement.ratio)
    return "infinity" if ends is None else Enclosure(*ends, judgement.bits).decimal(RATIO_DIGITS)[0]


def text_of(argument: float | str) -> str:
    """Return an argument as exact text."""
    return repr(argument) if isinstance(argument, float) else str(argument)
