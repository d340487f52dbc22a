"""Smaller pairs of rows, without users that both sides have in common; many users are left out at once first."""

from collections.abc import Callable
from typing import Any

from auditor.inputs.data import Rows
from proofs_numeric.statements.neighbours import Neighbours

MOST_TRIED = 24
"""Largest number of smaller pairs tried: each takes the releases of a refutation."""


def without_users(pair: Neighbours, accepts: Callable[[Neighbours], bool | None]) -> list[Neighbours]:
    """Return the pair and every accepted smaller pair, the smallest last.

    Args:
        pair: pair of rows.
        accepts: returns whether a smaller pair still refutes; None, which ends the search, if time has run out.
    """
    pairs, size, trials = [pair], len(_common(pair)), 0
    while size >= 1 and trials < MOST_TRIED:
        users, begin = _common(pairs[-1]), 0
        while begin < len(users):
            smaller = _without(pairs[-1], set(users[begin : begin + size]))
            answer, trials = accepts(smaller), trials + 1
            if answer is None:
                return pairs
            if answer:
                pairs.append(smaller)
            begin += size
        size //= 2
    return pairs


def shrunk_from(pair: Neighbours, left: Any, right: Any) -> Neighbours:
    """Return a smaller pair, whose name tells from which pair it was made."""
    return Neighbours(f"shrunk from {pair.id.removeprefix('shrunk from ')}", left, right, pair.description)


def _common(pair: Neighbours) -> list[str]:
    """Return the users with equal rows on both sides."""
    rows_of = [_rows_by_user(side) for side in (pair.left, pair.right)]
    return [user for user, rows in rows_of[0].items() if rows_of[1].get(user) == rows]


def _rows_by_user(side: object) -> dict[str, list[str]]:
    rows_of: dict[str, list[str]] = {}
    for user, key, value in side.rows if isinstance(side, Rows) else ():
        rows_of.setdefault(user, []).append(f"{key} {value!r}")  # NaN equals itself as text
    return rows_of


def _without(pair: Neighbours, users: set[str]) -> Neighbours:
    left, right = (
        Rows([row for row in side.rows if row[0] not in users]) if isinstance(side, Rows) else side
        for side in (pair.left, pair.right)
    )
    return shrunk_from(pair, left, right)
