"""The matrix of library accountants: a row per library, a column per mechanism, in each cell the worst recorded answer.

The cells quote the recorded audit of all libraries, which is independent of the run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.report.model import AccountantEntry

CORNERS = " in corners"
"""End of the class of an accountant that is wrong only outside the practical range."""
CLASSES = {
    "unsafe": ("bad", "below the truth: less privacy than stated"),
    "invalid": ("bad", "no number, or a number out of range"),
    "inconsistent": ("bad", "two answers contradict each other"),
    "corners": ("warn", "wrong only for delta below 1e-15, epsilon outside 0.01 to 20, or a Renyi order below 1.01"),
    "undecided": ("plain", "too few answers could be judged"),
    "loose": ("safe", "above the truth: safe, not tight"),
    "right": ("good", "no violation seen, and no answer looser than rounding"),
}
"""Classes of cells, the worst first: the tone of each, and its meaning."""


@dataclass(frozen=True)
class Cell:
    """The worst accountant of one library for one mechanism.

    Attributes:
        accountant: its id.
        name: its class, a key of CLASSES.
        factor: returned value divided by the truth in the practical range, for its worst answer; empty without one.
        accountants: number of accountants in the cell.
        bad: number of them in a bad class: unsafe, invalid or inconsistent.
    """

    accountant: str
    name: str
    factor: str
    accountants: int
    bad: int

    @property
    def tone(self) -> str:
        """The colour of the cell."""
        return CLASSES[self.name][0]

    @property
    def counts(self) -> str:
        """The number of bad accountants of the cell as text; empty for a single accountant."""
        return "" if self.accountants == 1 else f"{self.bad or 'none'} of {self.accountants} bad"


@dataclass(frozen=True)
class Matrix:
    """Libraries by mechanisms.

    Attributes:
        mechanisms: the columns; the mechanism with most accountants is first.
        rows: library, and a cell per column; None if the library has no accountant of the mechanism.
        key: class, tone and meaning of each class in the matrix, with its number of cells.
    """

    mechanisms: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]
    key: Sequence[tuple[str, str, str, int]]


def matrix(entries: Iterable[AccountantEntry]) -> Matrix | None:
    """Return the matrix of the recorded accountants; None without any."""
    groups: dict[tuple[str, str], list[AccountantEntry]] = {}
    for entry in entries:
        if entry.recorded:
            groups.setdefault((entry.recorded["library"], entry.recorded["of"]), []).append(entry)
    if not groups:
        return None
    counts = Counter[str]()
    for (_, mechanism), group in groups.items():
        counts[mechanism] += len(group)
    mechanisms = sorted(counts, key=lambda name: (-counts[name], name))
    cells = {place: _worst(group) for place, group in groups.items()}
    rows = [
        (library, [cells.get((library, name)) for name in mechanisms]) for library in sorted({row for row, _ in cells})
    ]
    numbers = Counter(cell.name for cell in cells.values())
    key = [(name, tone, words, numbers[name]) for name, (tone, words) in CLASSES.items() if numbers[name]]
    return Matrix(mechanisms, rows, key)


def _worst(group: Sequence[AccountantEntry]) -> Cell:
    order = [*CLASSES]
    classes = {entry.id: grade(entry.recorded) for entry in group}

    def rank(entry: AccountantEntry) -> tuple[int, float, str]:
        name, factor = classes[entry.id]
        size = _size(factor)
        return order.index(name), size if name == "unsafe" else -size, entry.id

    worst = min(group, key=rank)
    bad = sum(CLASSES[name][0] == "bad" for name, _ in classes.values())
    return Cell(worst.id, *classes[worst.id], len(group), bad)


def grade(recorded: Mapping[str, str]) -> tuple[str, str]:
    """Return the class of a recorded accountant and the factor of its worst answer in the practical range."""
    name, loosest = recorded["class"], recorded["loosest"]
    if name.endswith(CORNERS):
        return "corners", ""
    if name in CLASSES:
        return name, _short(recorded["worst"]) if name == "unsafe" else ""
    return ("loose", _short(loosest)) if loosest not in {"", "corner"} else ("right", "")


def _short(number: str) -> str:
    """Return a number without the plus sign and the leading zeros of its exponent."""
    return re.sub(r"e\+?(-?)0*", r"e\1", number)


def _size(factor: str) -> float:
    """Return a factor such as `0.37` or `1 - 0.002` as a number; 1 without a factor."""
    return sum(float(part) for part in (factor or "1").replace(" - ", " + -").split(" + "))
