"""Exact profiles that the unknown-domain algorithms share, for any real epsilon unless said otherwise."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import binomial_pmf, gaussian_profile, integral
from proofs_numeric.rogers2024.laws import gaussian_tail
from proofs_numeric.statements.concentrated import FiniteLaw
from proofs_numeric.statements.neighbours import Direction, Neighbours


def added(neighbours: Neighbours) -> dict[str, tuple[int, int]] | None:
    """Counts (left, right) of the keys that differ; None unless left has more in each."""
    keys = sorted({*neighbours.left, *neighbours.right})
    counts = {key: (neighbours.left.get(key, 0), neighbours.right.get(key, 0)) for key in keys}
    moved = {key: (left, right) for key, (left, right) in counts.items() if left != right}
    return moved if moved and all(left > right for left, right in moved.values()) else None


def unchanged(A: Arithmetic, epsilon: Number, direction: Direction) -> Number:
    """Both sides have the same law."""
    del direction
    return A.maximum(0, 1 - A.exp(A.number(epsilon)))


def gaussian_shift(A: Arithmetic, epsilon: Number, direction: Direction, *, squared: Value) -> Any:
    """Two unit normals at a distance whose square is `squared`."""
    del direction
    return gaussian_profile(A, A.number(epsilon), A.sqrt(A.number(squared)))


def laplace_shift(A: Arithmetic, epsilon: Number, direction: Direction, *, distance: Value, items: int = 1) -> Any:
    """Vectors of `items` unit Laplace laws, each `distance` scales apart."""
    del direction
    return laplace_counts_profile(A, A.number(epsilon), n=items, distance=A.number(distance))


def mixed(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    survival: Callable[[Arithmetic], Number],
    shift: Callable[[Arithmetic, Number, Direction], Any],
) -> Any:
    """New items beside shared high ones: nothing new with probability p = survival(A), then the profile H of a shift.

    Forward `1 - p + p H(epsilon - log p)`, backward `H(epsilon + log p)`, which never sees the new items.
    """
    level, p = A.number(epsilon), survival(A)
    if direction is Direction.FORWARD:
        return 1 - p + p * shift(A, level - A.log(p), direction)
    return shift(A, level + A.log(p), direction)


def gaussian_cut(A: Arithmetic, level: Number, distance: Number) -> Number:
    """Where the log ratio of two unit normals is `level`, from the middle of their centres."""
    del A
    return level / distance


def laplace_cut(A: Arithmetic, level: Number, distance: Number) -> Number:
    """The same for two unit Laplace laws, levels within `distance`; beyond, a point outside their centres."""
    del A, distance
    return level / 2


def edge(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    upper: Value,
    lower: Value,
    scale: Value,
    threshold: Callable[[Arithmetic], Number],
    tail: Callable[[Arithmetic, Number], Number] = gaussian_tail,
    cut: Callable[[Arithmetic, Number, Number], Number] = gaussian_cut,
) -> Number:
    """One shared count near the threshold, `upper` in left and `lower` in right (A1.edge, A1.lapedge).

    The likelihood ratio does not fall in the value and silence is its least point, so the best event is a ray;
    backward it is silence together with values below a bound. `tail` is P[unit noise > x].
    """
    level, s, t = A.number(epsilon), A.number(scale), threshold(A)
    centre, distance = (A.number(upper) + lower) / 2, (A.number(upper) - lower) / s
    growth, sign = A.exp(level), 1 if direction is Direction.FORWARD else -1
    first, second = (upper, lower) if direction is Direction.FORWARD else (lower, upper)
    best = A.maximum(t, centre + sign * s * cut(A, level, distance))
    gain = tail(A, sign * (best - first) / s) - growth * tail(A, sign * (best - second) / s)
    return A.maximum(A.maximum(0, gain), 1 - growth)


def shown_afresh(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    left: Callable[[Arithmetic], Number],
    right: Callable[[Arithmetic], Number],
    distance: Value,
) -> Any:
    """A count shown with probability left(A), right(A), then with noise that the decision did not see.

    `distance` lies between the two counts, in standard deviations.
    """
    level = A.number(epsilon)
    p, q = (left(A), right(A)) if direction is Direction.FORWARD else (right(A), left(A))
    delta = p * gaussian_profile(A, level + A.log(q) - A.log(p), A.number(distance))
    return delta + A.maximum(0, (1 - p) - A.exp(level) * (1 - q))


def counting(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    items: int,
    left: Callable[[Arithmetic], Number],
    right: Callable[[Arithmetic], Number],
) -> Number:
    """Number of released items among `items` independent ones with release probabilities left(A), right(A).

    Exact for the number of items shown; their values can only add to it.
    """
    growth = A.exp(A.number(epsilon))
    p, q = (left(A), right(A)) if direction is Direction.FORWARD else (right(A), left(A))
    return A.sum(
        A.maximum(0, binomial_pmf(A, items, p, k) - growth * binomial_pmf(A, items, q, k)) for k in range(items + 1)
    )


Density = Callable[[Arithmetic], Callable[[Arithmetic, Number], Number]]
"""`density(A)(B, y)`: constants in A, the value in B (A itself, or complex balls inside an integral)."""


def with_atom(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    left: Density,
    right: Density,
    atoms: Callable[[Arithmetic], tuple[Number, Number]],
    span: Callable[[Arithmetic], tuple[Number, Number]],
    alone: Callable[[Arithmetic], tuple[Number, Number]] | None = None,
) -> Number:
    """A value with a density on `span`, an atom (silence), and mass `alone` on outcomes of one side only.

    The region where P leads is located in doubles and its weight integrated in A: a rigorous lower bound for balls,
    which differs from the supremum by the square of the location error (below 1e-25).
    """
    growth = A.exp(A.number(epsilon))
    forward = direction is Direction.FORWARD
    p, q = (left, right) if forward else (right, left)
    start, end = span(A)
    level = float(A.exp(A.number(epsilon))) if not hasattr(growth, "mid") else float(growth.mid())

    p_double, q_double, p_here, q_here = p(Float64()), q(Float64()), p(A), q(A)

    def lead(y: Number) -> Any:
        return p_double(Float64(), y) - level * q_double(Float64(), y)

    ends = [_double(start), _double(end)]
    grid = np.linspace(ends[0], ends[1], 4001)
    signs = np.sign(lead(grid))
    crossings = [
        float(increasing_root(Float64(), lambda y, side=signs[i + 1]: side * lead(y), grid[i], grid[i + 1]))
        for i in np.flatnonzero(signs[:-1] * signs[1:] < 0)
    ]
    cuts = [start, *(A.number(Fraction(c)) for c in crossings), end]
    middles = [ends[0], *crossings, ends[1]]
    total = A.number(0)
    for (a, b), (x, y) in zip(itertools.pairwise(cuts), itertools.pairwise(middles), strict=True):
        if lead((x + y) / 2) > 0:
            total = total + integral(A, lambda B, v: p_here(B, v) - growth * q_here(B, v), a, b)
    atom_left, atom_right = atoms(A)
    atom, other = (atom_left, atom_right) if forward else (atom_right, atom_left)
    own_left, own_right = alone(A) if alone is not None else (A.number(0), A.number(0))
    return total + A.maximum(0, atom - growth * other) + (own_left if forward else own_right)


def _double(value: Number) -> float:
    return float(value.mid()) if hasattr(value, "mid") else float(value)


def finite(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    left: Callable[[Arithmetic], FiniteLaw[Any]],
    right: Callable[[Arithmetic], FiniteLaw[Any]],
) -> Number:
    """Finite laws computed in A."""
    growth = A.exp(A.number(epsilon))
    p, q = (left(A), right(A)) if direction is Direction.FORWARD else (right(A), left(A))
    return A.sum(A.maximum(0, mass - growth * q[y]) if y in q else mass for y, mass in p.items())
