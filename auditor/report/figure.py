"""The small figure of a card as inline SVG of a few hundred bytes: claimed, exact and test bounds.

Panels stand side by side: delta over epsilon, the bound on the trade-off function, the wealth of a test over its
releases, the map of an accountant's box. The page defines colours and axes, so a figure consists of paths only. Figures
draw numbers of the report and prove no bounds.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from itertools import chain, pairwise

from auditor.findings.evidence import (
    AccountantEvidence,
    AccountantMap,
    Enclosed,
    EnclosuresEvidence,
    SamplingEvidence,
    WitnessEvidence,
)
from auditor.findings.finding import Finding

Point = tuple[float, float]

WIDTH, HEIGHT = 110, 70
"""Size of a panel's field in drawing units; the style sheet repeats it, with the margins."""
PANELS = {"p": "delta over epsilon", "t": "trade-off function", "w": "log10 wealth over releases", "m": ""}
"""Titles by kind of panel; a map has its own title."""
FIRST = 10.0
"""Smallest number of releases on the axis of a wealth."""
GRID = (0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)
"""False-positive rates at which a claimed trade-off function is evaluated."""
LONG = 100
"""Ratio of the largest to the smallest value above which an axis of a map is logarithmic."""
LEGEND = (
    ("c", "claimed values, joined by lines; wealth that refutes"),
    ("x", "exact, on the worst pair"),
    ("b", "result of a test: interval, lower bound (open above), upper bound on the trade-off function, wealth"),
    ("r", "right"),
    ("l", "loose"),
    ("u", "unsafe, rounding, invalid or inconsistent"),
    ("n", "differs from a bound, or not decided"),
)
"""CSS class of a path, and its meaning."""
CLASSES = {"unsafe": "u", "rounding": "r", "invalid": "u", "inconsistent": "u", "loose": "l", "right": "r"}
"""CSS class of a path by the class of an answer; other answers are drawn as undecided."""


@dataclass(frozen=True)
class Scale:
    """One axis: maps numbers from `low` to `high`, transformed by `bend`, to the length of the field."""

    low: float
    high: float
    bend: Callable[[float], float] = float

    def __call__(self, value: float, length: int) -> int:
        """Return the position of a number in [0, length], clipped at the ends."""
        low, high = self.bend(self.low), self.bend(self.high)
        share = (self.bend(min(max(value, self.low), self.high)) - low) / (high - low) if high > low else 0.5
        return round(share * length)


def draw(findings: Iterable[Finding]) -> str:
    """Return the panels of one subject's findings as SVG; empty if there is nothing to draw."""
    records = [evidence for finding in findings for evidence in finding.evidence]
    sampled = [each for each in records if isinstance(each, SamplingEvidence)]
    maps = [each.map for each in records if isinstance(each, AccountantEvidence) and each.map is not None]
    bands = [each for each in sampled if each.tradeoff]
    bets = [each for each in sampled if len(each.wealth) > 1]
    promised = _claimed_points(each for each in records if isinstance(each, EnclosuresEvidence))
    panels = [
        *([("p", PANELS["p"], _profile(records, sampled))] if _claimed_points(records) else []),
        *([("t", PANELS["t"], _tradeoff(bands, promised))] if bands else []),
        *([("w", PANELS["w"], _wealth(bets))] if bets else []),
        *(("m", f"{one.up} over {one.across}", _map(one)) for one in maps),
    ]
    return "".join(
        f'<svg role="img" {_name(field, title)}><use href="#{field}" />{paths}</svg>' for field, title, paths in panels
    )


def fields() -> str:
    """Return the SVG symbols shared by a page's figures: axes, titles, the uninformative line, constant axis ends."""
    same = {"p": ("", "", "", "0"), "t": ("0", "fnr 1", "fpr 1", "0"), "w": ("", "", "", "10"), "m": ()}
    symbols = "".join(
        f'<symbol id="{field}" overflow="visible"><path class="axes" d="M0,0V{HEIGHT}H{WIDTH}" />'
        f"{_path('g', f'M0,0L{WIDTH},{HEIGHT}') if field == 't' else ''}"
        f'{_ends(*same[field])}<text id="_{field}">{escape(title)}</text></symbol>'
        for field, title in PANELS.items()
    )
    return f'<svg class="fields" aria-hidden="true">{symbols}</svg>'


def _number(real: str | None) -> float | None:
    """Return a real or exact value as a float; None if it is no finite double."""
    try:
        number = float(Fraction(real or ""))
    except (ValueError, ZeroDivisionError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _log10(delta: str | None) -> float | None:
    """Return the decimal logarithm of a number of any size, minus infinity for 0; None for other text."""
    try:
        number = Fraction(delta or "")
    except (ValueError, ZeroDivisionError):
        return None
    return math.log10(number.numerator) - math.log10(number.denominator) if number > 0 else -math.inf


def _middle(number: Enclosed | None) -> str | None:
    return None if number is None else number.value or number.lower


def _points(pairs: Iterable[tuple[float | None, float | None]]) -> list[Point]:
    return sorted({(x, y) for x, y in pairs if x is not None and y is not None})


def _profiles(records: Iterable[object]) -> Iterator[tuple[float | None, str | None, str | None]]:
    """Yield (epsilon, claimed delta, exact delta) of exact profiles, witnesses against a claim, and tests."""
    for each in records:
        if isinstance(each, EnclosuresEvidence) and each.relation == "at most":
            for row in each.rows:
                yield _number(row.parameters.get("epsilon")), _middle(row.against), _middle(row.quantity)
        elif isinstance(each, WitnessEvidence) and each.relation == "<=":
            yield _number(each.parameters.get("epsilon")), _middle(each.right), _middle(each.left)
        elif isinstance(each, SamplingEvidence):
            yield _number(each.epsilon), each.delta_claimed, None


def _claimed_points(records: Iterable[object]) -> list[Point]:
    return _points((epsilon, _number(claimed)) for epsilon, claimed, _ in _profiles(records))


def _profile(records: Sequence[object], sampled: Sequence[SamplingEvidence]) -> str:
    """Draw logarithms of deltas between powers of ten; only a delta of 0 lies on the lower edge."""
    claimed = _points((epsilon, _log10(delta)) for epsilon, delta, _ in _profiles(records))
    exact = _points((epsilon, _log10(delta)) for epsilon, _, delta in _profiles(records))
    bounds = sorted(set(chain.from_iterable(map(_bounds, sampled))))
    deltas = [delta for _, delta in (*claimed, *exact)] + [end for _, *ends in bounds for end in ends]
    positive = [delta for delta in deltas if delta > -math.inf] or [0.0]
    epsilons = [epsilon for epsilon, _ in (*claimed, *exact)] + [epsilon for epsilon, *_ in bounds]
    across = Scale(0, max(1.0, *epsilons), math.log1p)
    low, high = math.ceil(min(positive)) - 1, math.ceil(max(positive))
    up = Scale(low, high)
    bars = "".join(
        # equal bars become one mark
        dict.fromkeys(
            f"M{across(epsilon, WIDTH) - 2},{_from_top(up, lower)}h4m-2,0"
            + (f"V{_from_top(up, upper[0])}m-2,0h4" if upper else "v-6")
            for epsilon, lower, *upper in bounds
        )
    )
    lines = _line("c", claimed, across, up) + _line("x", exact, across, up)
    foot = "\N{LESS-THAN OR EQUAL TO}" * (len(positive) < len(deltas)) + _power(low)
    return f"{lines}{_path('b', bars)}{_ends(foot, _power(high), f'{across.high:g}')}"


def _power(exponent: int) -> str:
    """Return a power of ten as text, also below the range of doubles."""
    return f"1e{exponent}" if exponent < -3 else f"{10.0**exponent:g}"


def _bounds(test: SamplingEvidence) -> Iterator[tuple[float, ...]]:
    """Yield (epsilon, log10 of the lower bound, log10 of the upper bound if any) for each positive lower bound."""
    intervals = [(test.epsilon, test.delta_lower, test.delta_upper)]
    for epsilon, lower, upper in (*intervals, *((at, bound, None) for at, bound in test.profile_lower.items())):
        at, ends = _number(epsilon), [end for end in (_log10(lower), _log10(upper)) if end is not None]
        if at is not None and ends and ends[0] > -math.inf:
            yield at, *ends


def _tradeoff(bands: Sequence[SamplingEvidence], promised: Sequence[Point]) -> str:
    """Draw the corners of the lowest bound on the trade-off function, and the function that the claim allows.

    (epsilon, delta) in both directions implies `fnr >= 1 - delta - e^epsilon fpr`, and the same with the errors swapped
    (Wasserman and Zhou).
    """
    unit = Scale(0, 1)
    best = min(bands, key=lambda each: min(Decimal(corner.fpr) + Decimal(corner.fnr) for corner in each.tradeoff))
    corners = _points((_number(corner.fpr), _number(corner.fnr)) for corner in best.tradeoff)
    left = [
        (
            fpr,
            max(0.0, *(max(1 - delta - math.exp(e) * fpr, math.exp(-e) * (1 - delta - fpr)) for e, delta in promised)),
        )
        for fpr in GRID
        if promised
    ]
    return _line("c", left, unit, unit) + _line("b", corners, unit, unit)


def _wealth(bets: Sequence[SamplingEvidence]) -> str:
    """Draw log10 wealth over log releases, and the rejection threshold 1 / level."""
    paths = [_points((float(point.samples), _number(point.log10)) for point in each.wealth) for each in bets]
    threshold = -math.log10(max(float(bets[0].level), 1e-300))
    releases, wealths = [x for path in paths for x, _ in path], [y for path in paths for _, y in path]
    across = Scale(FIRST, max(FIRST, *releases), math.log10)
    up = Scale(min(0.0, *wealths), max(threshold, *wealths))
    lines = "".join(_line("b", path, across, up) for path in paths)
    decides = _path("c", f"M0,{_from_top(up, threshold)}h{WIDTH}")
    return decides + lines + _ends(f"{up.low:z.1f}", f"{up.high:.1f}", f"{across.high:g}")


def _map(one: AccountantMap) -> str:
    places = {name: _points((_number(x), _number(y)) for x, y in pairs) for name, pairs in one.classes.items()}
    every = [point for points in places.values() for point in points]
    if not every:
        return ""
    across, up = (_axis([point[axis] for point in every]) for axis in (0, 1))
    paths: dict[str, str] = {}
    for name, points in places.items():
        marks = dict.fromkeys(f"M{across(x, WIDTH)},{_from_top(up, y)}z" for x, y in points)
        mark = CLASSES.get(name, "n")
        paths[mark] = paths.get(mark, "") + "".join(marks)
    drawing = "".join(_path(mark, paths[mark]) for mark in sorted(paths, key="nrlu".index))
    ends = (f"{value:.3g}" for value in (up.low, up.high, across.high, across.low))
    return drawing + _ends(*ends, f"{one.up} over {one.across}")


def _axis(values: Sequence[float]) -> Scale:
    low, high = min(values), max(values)
    return Scale(low, high, math.log10) if 0 < LONG * low < high else Scale(low, high)


def _from_top(scale: Scale, value: float) -> int:
    """Return a position from the top, as SVG measures it."""
    return HEIGHT - scale(value, HEIGHT)


def _line(name: str, points: Sequence[Point], across: Scale, up: Scale) -> str:
    """Draw a line through points: a single point as a short stroke, without collinear points."""
    places = list(dict.fromkeys((across(x, WIDTH), _from_top(up, y)) for x, y in points))
    if len(places) == 1:
        return _path(name, f"M{places[0][0] - 3},{places[0][1]}h6")
    moves: list[tuple[int, int]] = []
    for (left, above), (x, y) in pairwise([(0, 0), *places]):
        right, down = x - left, y - above
        if len(moves) > 1 and right * moves[-1][1] == down * moves[-1][0] and down * moves[-1][1] >= 0:
            right, down = right + moves[-1][0], down + moves.pop()[1]
        moves.append((right, down))
    return _path(name, re.sub(",(?=-)", "", "m" + ",".join(f"{x},{y}" for x, y in moves))) if places else ""


def _path(name: str, d: str) -> str:
    return f'<path class="{name}" d="{d}" />' if d else ""


def _name(field: str, title: str) -> str:
    """Return the accessible name of a panel: the title of its kind, or its own."""
    return f'aria-labelledby="_{field}"' if title == PANELS[field] else f'aria-label="{escape(title)}"'


def _ends(*texts: str) -> str:
    """Return the texts of the axis ends (up: low, high; across: right, left) and a title.

    The style sheet places them by their order.
    """
    return "".join(f"<text>{escape(text)}</text>" if text else "<text/>" for text in texts)
