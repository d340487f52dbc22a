"""What an audit of somebody's mechanism found, as the JSON document of the contract."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from auditor.black_box.audit import EventStatus
from auditor.errors import ExitCode
from auditor.extras import required
from auditor.findings.card import WORDS, again, card, drawn
from auditor.findings.evidence import Evidence, SamplingEvidence, TradeoffPoint
from auditor.inputs.data import Rows
from auditor.mechanism_audit.request import SAMPLES
from auditor.target.target import Target
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pandas import DataFrame

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.explored import Explored
    from auditor.mechanism_audit.many_keys import ManyKeysTest
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.steered import SteeredTest
    from auditor.statistics.tradeoff import TradeoffBand
    from proofs_numeric.statements.neighbours import Neighbours


MOST_LISTED = 12
"""Keys, or ranges of counts, that are listed."""
Stop = Literal["decision", "power", "samples", "seconds", "wall"]
"""A refutation, the power asked for, the budget of releases or of CPU seconds, or the limit by the clock."""


@dataclass(frozen=True)
class MechanismAudit:
    """Result of `audit_mechanism`; `to_json` is the contract's document.

    Args:
        target: what was sampled.
        verdict: refuted, no violation seen (with the power asked for), undecided (less power, or nothing to see) or
            error (the target cannot be audited).
        detail: the verdict in one line.
        epsilon: claimed epsilon as text.
        delta_claimed: claimed delta as text.
        measure: what is claimed where it is no (epsilon, delta): rho, mu or profile, and its text.
        result: the black-box result; None where there is none.
        pair: the pair it names.
        tried: every pair that was bet on.
        neighbours: who is a neighbour of whom; empty where the caller's own pairs alone say it.
        detect: the delta that a silence had to be able to see.
        would_take: what the power asked for would take beyond what was drawn; None where it was reached.
        alpha: false-alarm probability of the whole audit.
        seed: seed of everything.
        notes: what was seen of the target beside its outputs, one line each.
        band: bounds on the trade-off function; None where no releases were bet on.
        stopped: what ended the draws of the result; None without a result.
        steered: tests by steered releases, of the keys that a neighbour lacks.
        rare: what steered releases say of what is rare on every pair; None where counting was to show all.
        many_keys: the test on releases of many keys of one user each; None where it does not apply.
        where: the lines of the target that draw noise on the pair named, what depends on the data, what would keep the
            claim.
        reproduce: command line that draws the same samples again, block by block.
        live: the target is an object of the caller's, which `reproduce` names and no command can import.
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
    where: tuple[str, ...] = ()
    live: bool = False

    @property
    def exit_code(self) -> ExitCode:
        """1 when refuted, 2 when the target could not be audited, 3 when undecided, else 0."""
        codes = {
            Verdict.REFUTED: ExitCode.FINDINGS,
            Verdict.ERROR: ExitCode.USAGE,
            Verdict.UNDECIDED: ExitCode.UNDECIDED,
        }
        return codes.get(self.verdict, ExitCode.OK)

    def __repr__(self) -> str:
        return f"<{WORDS[self.verdict]}: {self.target}: {self.detail}>"

    def to_frame(self) -> DataFrame:
        """Return lower bounds on delta by epsilon as a frame of pandas, and the delta claimed at the epsilon claimed.

        The bounds hold together, with the confidence of `band`; numbers are the floats next to the decimals of
        `to_json`. Without releases that were bet on there is no row.

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
        """Draw what an attacker reaches, and return the two axes of matplotlib.

        Left: errors in telling the neighbours apart; below the line of the claim it is broken. Right: the delta that
        the mechanism has at least, by epsilon; above the cross at its epsilon it breaks the claim.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        axes = required("matplotlib.pyplot").subplots(1, 2, figsize=(10, 4))[1]
        self._draw(*axes)
        return axes

    def _draw(self, errors: Any, profile: Any) -> None:
        epsilon, delta = float(self.epsilon), float(self.delta_claimed)
        fpr = [i / 200 for i in range(201)]
        least = [max(0, 1 - delta - math.exp(epsilon) * x, math.exp(-epsilon) * (1 - delta - x)) for x in fpr]
        corners = [] if self.band is None else self.band.to_json()["corners"]
        errors.plot(fpr, least, label="least errors that the claim allows")
        errors.plot(*([float(c[rate]) for c in corners] for rate in ("fpr", "fnr")), "o-", label="errors reached")
        errors.set(xlabel="false positives", ylabel="false negatives")
        shown = {epsilon: bound for epsilon, bound in self._bounds().items() if bound > 0}
        profile.plot(shown.keys(), shown.values(), "o-", color="C1", label="delta is at least")
        profile.plot([epsilon], [delta], "x", color="C0", label="claimed")
        profile.set(xlabel="epsilon", ylabel="delta", yscale="log" if delta else "linear")
        errors.legend()
        profile.legend()

    def _bounds(self) -> dict[float, float]:
        bounds = {} if self.band is None else self.band.to_json()["delta_lower"]
        return {float(epsilon): float(bound) for epsilon, bound in bounds.items()}

    def _claimed(self, epsilon: float) -> float:
        return float(self.delta_claimed) if epsilon == float(self.epsilon) else math.nan

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the verdict with its power, the pair, the event, and how to see it again."""
        result, pair = self.result, self.pair
        bounds = ", ".join(f"{bound:.3g} at {epsilon:g}" for epsilon, bound in self._bounds().items())
        says = f"Errors reached in telling the neighbours apart; delta is at least, by epsilon: {bounds}"
        figure = drawn(lambda figure: self._draw(*figure.subplots(1, 2)), says, (10, 4)) if bounds else ""
        return card(
            self.verdict,
            self.target,
            self.detail,
            [
                ("pair", "" if pair is None else f"{side_text(pair.left)} against {side_text(pair.right)}"),
                ("event", "" if result is None else result.event),
                ("releases a side", "" if result is None else f"{result.samples:,}"),
                ("false-alarm probability", self.alpha),
                ("where", "; ".join(self.where)),
                ("to decide", "" if self.would_take is None else str(self.would_take)),
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
            "where": list(self.where),
            "reproduce": None if self.live else self.reproduce,
        }
        return {**document, **{name: text for name, text in self.measure.items() if name != "delta"}}

    def evidence(self) -> list[Evidence]:
        """Return what was sampled as evidence of a finding; nothing where there is no result."""
        if self.result is None:
            return []
        document = self.to_json()
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
                notes=document["notes"],
                tradeoff=[TradeoffPoint(**corner) for corner in document["tradeoff"]["corners"]] if self.band else [],
                wealth=self.result.wealth(),
            )
        ]


def inputs(pairs: Sequence[Neighbours]) -> dict[str, Any]:
    """Return which inputs pairs are of: keys (the first of many), sizes and counts, as ranges; values of rows."""
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
    """Return the same in one line, with who is a neighbour of whom."""
    told = inputs(pairs)
    more = f" and {told['more_keys']} more" if told["more_keys"] else ""
    counted = f"{told['pairs']} pair{'s' * (told['pairs'] != 1)}"
    keys = f"{told['sizes']} keys ({', '.join(told['keys'])}{more})"
    low, high = told["values"] or (1.0, 1.0)  # nobody gave values
    values = "" if low == high == 1 else f", values {low:g} to {high:g}"
    return f"tried {counted} of {keys}, counts {told['counts']}{values}" + (relation and f"; neighbours: {relation}")


def side_text(side: Mapping[str, int]) -> str:
    """Return a histogram as text; of more than `MOST_LISTED` keys the first, and the number of the others."""
    if len(side) <= MOST_LISTED:
        return str(dict(side))
    return f"{str(dict(list(side.items())[:MOST_LISTED]))[:-1]}, and {len(side) - MOST_LISTED:,} more keys}}"


def ranges(numbers: Iterable[int]) -> str:
    """Return whole numbers as ranges, `0-2, 51-53`; the middle ones of many are left out."""
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
    """

    command: str
    seconds: float
    lacking: int = 0

    def __str__(self) -> str:
        more = f", {self.lacking:.2g} more releases per dataset" if self.lacking else ""
        return f"{self.command} (about {self.seconds:.2g} CPU seconds{more})"


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
    words = ", ".join(f"{name}={value if isinstance(value, dict) else f'{value:.17g}'}" for name, value in more.items())
    live = not isinstance(request.target, str | Target)
    again = f"the same call with {words}" if live else shlex.join(command(request.at(**more, blocks=None)))
    return WouldTake(again, more["budget"], lacking)


def two_digits_up(value: float) -> float:
    """Return the least number of two significant digits that is not smaller; `value` > 0."""
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / unit - 1e-9) * unit


@dataclass(frozen=True)
class Band:
    """Bounds on every f for which the target is f-DP, left against right, at a confidence of their own.

    Attributes:
        bounds: points that f does not exceed.
        samples: releases a side behind them.
        epsilons: where delta is bounded.
    """

    bounds: TradeoffBand
    samples: int
    epsilons: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the corners of the bound and what they say about delta, all rounded to their own side."""
        corners = [{"fpr": real(x, down=False), "fnr": real(y, down=False)} for x, y in self.bounds.corners()]
        lower = {f"{epsilon:g}": real(self.bounds.delta_lower(epsilon), down=True) for epsilon in self.epsilons}
        return {"samples": self.samples, "alpha": f"{self.bounds.alpha:g}", "corners": corners, "delta_lower": lower}


def stopped(result: BlackBoxResult, request: MechanismRequest, *, walled: bool) -> Stop:
    """Say what ended the draws: a replay, whose blocks stand for the seconds, says the same; `walled` by the clock."""
    by_time: Stop = "wall" if walled else "seconds"
    if result.verdict is Verdict.REFUTED:
        return "decision"
    if request.samples is not None or request.one_run is not None:
        return "samples" if result.samples >= (request.samples or 1) else by_time
    return "power" if result.verdict is Verdict.CONSISTENT and result.samples >= SAMPLES else by_time


def real(value: float, *, down: bool, digits: int = 6) -> str:
    """Return a bound to so many digits, rounded to its own side."""
    if math.isinf(value):
        return "infinity"
    text = f"{value:.{digits}g}"
    if (down and float(text) > value) or (not down and float(text) < value):
        exponent = math.floor(math.log10(abs(value))) - (digits - 1)
        text = f"{float(text) + (-1 if down else 1) * 10.0**exponent:.{digits}g}"
    return text


def counted_text(result: BlackBoxResult) -> str:
    """Say how many samples there were, and how many of them of the pair named."""
    if result.pair_samples == result.samples:
        return f"{result.samples} releases a side"
    return f"{result.pair_samples} of {result.samples} releases a side"
