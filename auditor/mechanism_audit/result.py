"""Result of a mechanism audit, as the JSON document of the contract."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from auditor.black_box.audit import EventStatus
from auditor.errors import ExitCode
from auditor.extras import required
from auditor.inputs.data import Rows
from auditor.mechanism_audit.request import SAMPLES
from auditor.target.target import shorten_path
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pandas import DataFrame

    from auditor.black_box.audit import BlackBoxResult
    from auditor.findings.evidence import Evidence
    from auditor.mechanism_audit.draws import Explored, SteeredTest
    from auditor.mechanism_audit.many_keys import ManyKeysTest
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.shared_keys import SharedKeysTest
    from auditor.statistics.tradeoff import TradeoffBand
    from proofs_numeric.statements.neighbours import Neighbours


MOST_LISTED = 12
"""Largest number of keys, or of ranges of counts, in a list."""
Stop = Literal["decision", "power", "samples", "seconds", "wall"]
"""Reason for the stop: a refutation, the requested power, the limit of releases, of CPU seconds, or of wall-clock
time."""


@dataclass(frozen=True)
class MechanismAudit:
    """Result of `audit_mechanism`; `to_json` is the contract's document.

    Args:
        target: the sampled target.
        verdict: refuted, no violation seen (with the requested power), undecided (less power, or too little evidence)
            or error (the target cannot be audited).
        detail: the verdict in one line.
        epsilon: claimed epsilon as text.
        delta_claimed: claimed delta as text.
        measure: name (rho, mu or privacy_profile) -> text, if the claim is no (epsilon, delta).
        result: the black-box result; None if there is none.
        pair: the reported pair.
        tried: all pairs tested.
        neighbours: neighbouring relation; empty if only the caller's pairs define it.
        detect: delta that the audit was required to detect.
        would_take: further effort for the requested power; None if it was reached.
        alpha: false-alarm probability of the whole audit.
        seed: seed of all randomness.
        notes: observations about the target beside its outputs, one line each.
        band: bounds on the trade-off function; None without tested releases.
        stopped: reason why the draws of the result ended; None without a result.
        steered: tests by importance sampling of the keys that a neighbour lacks.
        rare: exploration of rare events on all pairs; None if counting covers them.
        shared_keys: test by guesses of who holds shared keys; None if counting has the time.
        many_keys: test on releases of many single-user keys; None if it does not apply.
        where: lines of the target that draw noise on the reported pair, their dependence on the data, and a repair.
        suspect: file:line of the suspected line in `where`; empty without one.
        reproduce: command line that draws equal samples again, block by block.
        live: whether the target is an object of the caller, which no command can import.
    """

    target: str
    verdict: Verdict
    detail: str
    epsilon: str
    delta_claimed: str
    measure: Mapping[str, str]
    result: BlackBoxResult | None
    pair: Neighbours | None
    tried: tuple[Neighbours, ...]
    neighbours: str
    detect: float | None
    would_take: WouldTake | None
    alpha: str
    seed: int
    notes: tuple[str, ...]
    band: Band | None
    stopped: Stop | None
    reproduce: str
    steered: tuple[SteeredTest, ...] = ()
    rare: Explored | None = None
    many_keys: ManyKeysTest | None = None
    shared_keys: SharedKeysTest | None = None
    where: tuple[str, ...] = ()
    suspect: str = ""
    live: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """Return 1 if refuted, 2 if the target could not be audited, 3 if undecided, otherwise 0."""
        codes = {
            Verdict.REFUTED: ExitCode.FINDINGS,
            Verdict.ERROR: ExitCode.USAGE,
            Verdict.UNDECIDED: ExitCode.UNDECIDED,
        }
        return codes.get(self.verdict, ExitCode.OK)

    def __repr__(self) -> str:
        return f"<{self.verdict.words}: {self.target}: {self.detail}>"

    def to_frame(self) -> DataFrame:
        """Return a pandas frame of lower bounds on delta by epsilon, and the claimed delta at the claimed epsilon.

        The bounds hold simultaneously, with the confidence of `band`. The numbers are floats of the decimals in
        `to_json`. Without tested releases the frame is empty.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        rows = [
            {"epsilon": epsilon, "delta_at_least": bound, "delta_claimed": self._claimed(epsilon)}
            for epsilon, bound in self._bounds().items()
        ]
        columns = ["epsilon", "delta_at_least", "delta_claimed"]
        return required("pandas").DataFrame(rows, columns=columns).set_index("epsilon")

    def plot(self) -> Any:
        """Draw the attacker's errors and the lower bounds on delta, and return the two axes of matplotlib.

        Left: errors in distinguishing the neighbours; a point in the shaded area violates the claim. Right: lower
        bounds on delta by epsilon; a bar at the claimed epsilon is the violation, from the claimed delta to the bound.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        axes = required("matplotlib.pyplot").subplots(1, 2, figsize=(10, 4))[1]
        self._draw(*axes)
        return axes

    def _draw(self, errors: Any, profile: Any) -> None:
        epsilon, delta = _as_float(self.epsilon), float(self.delta_claimed)
        fpr = [i / 200 for i in range(201)]
        least = [max(0, 1 - delta - math.exp(epsilon) * x, math.exp(-epsilon) * (1 - delta - x)) for x in fpr]
        corners = [] if self.band is None else self.band.to_json()["corners"]
        errors.plot(fpr, least, label="least errors that the claim allows")
        errors.plot(*([float(c[rate]) for c in corners] for rate in ("fpr", "fnr")), "o-", label="errors reached")
        errors.fill_between(fpr, least, alpha=0.12, color="C3", label="no point if the claim holds")
        errors.set(xlabel="false positive rate", ylabel="false negative rate")
        bounds = {epsilon: bound for epsilon, bound in self._bounds().items() if bound > 0}
        profile.plot(bounds.keys(), bounds.values(), "o-", color="C1", label="delta is at least")
        profile.plot([epsilon], [delta], "x", color="C0", label="claimed")
        if (least_delta := bounds.get(epsilon, 0)) > delta:
            profile.plot([epsilon] * 2, [delta, least_delta], color="C3", linewidth=4, alpha=0.5, label="violation")
        profile.set(xlabel="epsilon", ylabel="delta", yscale="log" if delta else "linear")
        errors.legend()
        profile.legend()

    def _bounds(self) -> dict[float, float]:
        bounds = {} if self.band is None else self.band.to_json()["delta_lower"]
        return {float(epsilon): float(bound) for epsilon, bound in bounds.items()}

    def _claimed(self, epsilon: float) -> float:
        return float(self.delta_claimed) if epsilon == _as_float(self.epsilon) else math.nan

    def _repr_html_(self) -> str:
        """Return the card for a notebook: verdict with power, pair, event, and the command to reproduce it."""
        from auditor.findings.card import again, card, render_image

        result, pair = self.result, self.pair
        bounds = ", ".join(f"{bound:.3g} at {epsilon:g}" for epsilon, bound in self._bounds().items())
        says = f"Error rates of a test between the neighbours; lower bounds on delta by epsilon: {bounds}"
        figure = render_image(lambda figure: self._draw(*figure.subplots(1, 2)), says, (10, 4)) if bounds else ""
        return card(
            self.verdict,
            self.target,
            self.detail,
            [
                ("to decide", "" if self.would_take is None else str(self.would_take)),
                ("pair", "" if pair is None else f"{side_text(pair.left)} against {side_text(pair.right)}"),
                ("event", "" if result is None else result.event),
                ("releases per dataset", "" if result is None else f"{result.samples:,}"),
                ("false-alarm probability", self.alpha),
                ("where", "; ".join(self.where)),
                ("see it again", again(self.reproduce, self.seed, live=self.live)),
            ],
            figure,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the contract's JSON document."""
        result, pair = self.result, self.pair
        lacking = result is not None and result.lacking  # the document is the same at any speed
        document: dict[str, Any] = {
            "verdict": self.verdict.value,
            "detail": self.detail,
            "target": self.target,
            "epsilon": self.epsilon,
            "delta_claimed": self.delta_claimed,
            "delta_lower": None if result is None else real(result.delta_lower, down=True),
            "epsilon_lower": None if result is None else real(result.epsilon_lower, down=True),
            "pair": None if pair is None else {"id": pair.id, "left": dict(pair.left), "right": dict(pair.right)},
            "direction": None if result is None else result.direction.value,
            "event": None if result is None else result.event,
            "event_status": EventStatus.NONE.value if result is None else result.event_status.value,
            "samples": 0 if result is None else result.samples,
            "pair_samples": 0 if result is None else result.pair_samples,
            "blocks": 0 if result is None else result.blocks,
            "alpha": self.alpha,
            "detectable_delta": None if result is None else real(result.detectable_delta, down=False),
            "detect": None if self.detect is None else real(self.detect, down=False),
            "power": None if result is None else real(result.power, down=False),
            "pairs_tried": [pair.id for pair in self.tried],
            "inputs_tried": inputs(self.tried),
            "neighbours": self.neighbours,
            "would_take": {"samples": f"{self.would_take.lacking:.2g}"} if self.would_take and lacking else None,
            "seed": self.seed,
            "efficiency": None
            if result is None or result.efficiency is None
            else real(result.efficiency.share, down=True, digits=2),
            "efficiency_law": None if result is None or result.efficiency is None else result.efficiency.law,
            "profile_lower": {} if result is None else {f"{e:g}": real(b, down=True) for e, b in result.profile},
            "notes": list(self.notes),
            "tradeoff": None if self.band is None else self.band.to_json(),
            "stopped": self.stopped,
            "steered": [test.to_json() for test in self.steered],
            "rare": None if self.rare is None else self.rare.to_json(),
            "many_keys": None if self.many_keys is None else self.many_keys.to_json(),
            "shared_keys": None if self.shared_keys is None else self.shared_keys.to_json(),
            "where": list(self.where),
            "reproduce": None if self.live else self.reproduce,
        }
        return {**document, **{name: text for name, text in self.measure.items() if name != "delta"}}

    def evidence(self) -> list[Evidence]:
        """Return the samples as evidence of a finding; empty without a result."""
        from auditor.findings.evidence import SamplingEvidence, SourceLine, TradeoffPoint

        if self.result is None:
            return []
        document = self.to_json()
        file, _, line = shorten_path(self.suspect).rpartition(":")
        return [
            SamplingEvidence(
                method="betting e-process",
                pair=document["pair"]["id"] if document["pair"] else "",
                direction=document["direction"],
                event=document["event"] or "",
                event_status=document["event_status"],
                delta_lower=document["delta_lower"],
                epsilon_lower=document["epsilon_lower"],
                level=self.alpha,
                samples=document["samples"],
                blocks=document["blocks"],
                detectable_delta=document["detectable_delta"],
                efficiency=document["efficiency"],
                efficiency_law=document["efficiency_law"],
                profile_lower=document["profile_lower"],
                suspect=SourceLine(file=file, line=int(line)) if file else None,
                notes=document["notes"],
                tradeoff=[TradeoffPoint(**corner) for corner in document["tradeoff"]["corners"]] if self.band else [],
                wealth=self.result.wealth(),
            )
        ]


def _as_float(exact: str) -> float:
    """Return an exact value, such as `1/10`, in double precision."""
    return math.inf if exact == "infinity" else float(Fraction(exact))


def inputs(pairs: Sequence[Neighbours]) -> dict[str, Any]:
    """Return the inputs of pairs: keys (the first of many), sizes and counts as ranges, and the range of row values."""
    sides = [side for pair in pairs for side in (pair.left, pair.right)]
    keys = list(dict.fromkeys(key for side in sides for key in side))
    values = [end for side in sides if isinstance(side, Rows) and side for end in side.value_ends]
    return {
        "pairs": len(pairs),
        "keys": keys[:MOST_LISTED],
        "more_keys": max(0, len(keys) - MOST_LISTED),
        "sizes": ranges(len(side) for side in sides),
        "counts": ranges(count for side in sides for count in side.values()),
        "values": [min(values), max(values)] if values else None,
    }


def inputs_text(pairs: Sequence[Neighbours], relation: str) -> str:
    """Return the inputs of pairs in one line of text, with the neighbouring relation."""
    summary = inputs(pairs)
    more = f" and {summary['more_keys']} more" if summary["more_keys"] else ""
    counted = f"{summary['pairs']} pair{'s' * (summary['pairs'] != 1)}"
    keys = f"{summary['sizes']} keys ({', '.join(summary['keys'])}{more})"
    low, high = summary["values"] or (1.0, 1.0)  # default if no values are given
    values = "" if low == high == 1 else f", values {low:g} to {high:g}"
    return f"tried {counted} of {keys}, counts {summary['counts']}{values}" + (relation and f"; neighbours: {relation}")


def side_text(side: Mapping[str, int]) -> str:
    """Return a histogram as text; beyond `MOST_LISTED` keys, the first ones and the number of the rest."""
    if len(side) <= MOST_LISTED:
        return str(dict(side))
    return f"{str(dict(list(side.items())[:MOST_LISTED]))[:-1]}, and {len(side) - MOST_LISTED:,} more keys}}"


def ranges(numbers: Iterable[int]) -> str:
    """Return whole numbers as ranges, `0-2, 51-53`; a long list omits the middle ones."""
    ends: list[list[int]] = []
    for number in sorted(set(numbers)):
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    texts = [f"{low}" if low == high else f"{low}-{high}" for low, high in ends]
    return ", ".join(texts if len(texts) <= MOST_LISTED else [*texts[: MOST_LISTED - 1], "...", texts[-1]])


@dataclass(frozen=True)
class WouldTake:
    """The audit that is expected to decide where this one is undecided.

    Attributes:
        command: the whole command; of a live object the options of the same call.
        seconds: CPU seconds that it takes, at the measured speed.
        lacking: releases per dataset beyond those drawn; 0 if their number is unknown.
        bounded: whether the command declares bounds of the data: those of the user's data, if there are any.
    """

    command: str
    seconds: float
    lacking: int = 0
    bounded: bool = False

    def __str__(self) -> str:
        more = f", {about(self.lacking)} more releases per dataset" if self.lacking else ""
        valid = "; it declares bounds of the data: write those of your data" if self.bounded else ""
        return f"{self.command} (about {about(self.seconds)} CPU seconds{more}{valid})"


def would_take(
    request: MechanismRequest, command: Callable[[MechanismRequest], list[str]], lacking: int = 0, **more: Any
) -> WouldTake:
    """Return the audit that is expected to decide.

    Args:
        request: of the undecided audit.
        command: words of the command line of a request.
        lacking: releases per dataset beyond those drawn; 0 if their number is unknown.
        more: options that differ, `budget` in CPU seconds among them.
    """
    words = ", ".join(f"{name}={value!r}" for name, value in more.items())
    again = f"the same call with {words}" if request.live else shlex.join(command(request.at(**more, blocks=None)))
    return WouldTake(again, more["budget"], lacking)


@dataclass(frozen=True)
class Band:
    """Bounds on every f for which the target is f-DP, left against right, at a separate confidence level.

    Attributes:
        bounds: points that f does not exceed.
        samples: releases per dataset behind them.
        epsilons: values of epsilon at which delta is bounded.
    """

    bounds: TradeoffBand
    samples: int
    epsilons: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the corners of the bound and the lower bounds on delta, each rounded in its conservative direction."""
        corners = [{"fpr": real(x, down=False), "fnr": real(y, down=False)} for x, y in self.bounds.corners()]
        lower = {f"{epsilon:g}": real(self.bounds.delta_lower(epsilon), down=True) for epsilon in self.epsilons}
        return {"samples": self.samples, "alpha": f"{self.bounds.alpha:g}", "corners": corners, "delta_lower": lower}


def stopped(result: BlackBoxResult, request: MechanismRequest, *, by_wall: bool) -> Stop:
    """Return the reason why the draws ended; a replay by blocks gives an equal answer; `by_wall`: wall-clock limit."""
    by_time: Stop = "wall" if by_wall else "seconds"
    if result.verdict is Verdict.REFUTED:
        return "decision"
    if request.samples is not None or request.one_run is not None:
        return "samples" if result.samples >= (request.samples or 1) else by_time
    return "power" if result.verdict is Verdict.CONSISTENT and result.samples >= SAMPLES else by_time


def real(value: float, *, down: bool, digits: int = 6) -> str:
    """Return a bound to `digits` digits, rounded down or up."""
    if math.isinf(value):
        return "infinity"
    text = f"{value:.{digits}g}"
    if (down and float(text) > value) or (not down and float(text) < value):
        exponent = math.floor(math.log10(abs(value))) - (digits - 1)
        text = f"{float(text) + (-1 if down else 1) * 10.0**exponent:.{digits}g}"
    return text


def about(value: float) -> str:
    """Return a number to two digits, without an exponent."""
    return f"{float(f'{value:.2g}'):,.12g}"


def counted_text(result: BlackBoxResult) -> str:
    """Return the number of releases, and how many of them are of the reported pair."""
    if result.pair_samples == result.samples:
        return f"{result.samples} releases per dataset"
    return f"{result.pair_samples} of {result.samples} releases per dataset"
