"""Smaller pairs of rows, without users that both sides have in common; many users are left out at once first."""

from collections.abc import Callable

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
    found, size, tried = [pair], len(_common(pair)), 0
    while size >= 1 and tried < MOST_TRIED:
        users, begin = _common(found[-1]), 0
        while begin < len(users):
            smaller = _without(found[-1], set(users[begin : begin + size]))
            answer, tried = accepts(smaller), tried + 1
            if answer is None:
                return found
            if answer:
                found.append(smaller)
            begin += size
        size //= 2
    return found


def _common(pair: Neighbours) -> list[str]:
    """Return the users with equal rows on both sides."""
    held = [_held(side) for side in (pair.left, pair.right)]
    return [user for user, rows in held[0].items() if held[1].get(user) == rows]


def _held(side: object) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for user, key, value in side.rows if isinstance(side, Rows) else ():
        held.setdefault(user, []).append(f"{key} {value!r}")  # NaN equals itself as text
    return held


def _without(pair: Neighbours, users: set[str]) -> Neighbours:
    left, right = (
        Rows([row for row in side.rows if row[0] not in users]) if isinstance(side, Rows) else side
        for side in (pair.left, pair.right)
    )
    return Neighbours(pair.id, left, right, pair.description)
