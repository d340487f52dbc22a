"""Tilts that many draws share, found by raising a rare key's count until it shows and lowering it again.

Noise of coins in a loop, of rejection or of an integer's bits has no single draw that matters. Draws are alike where
they are asked for in the same way (`SteeredGenerator`), and each kind has a table: the probabilities of the cells of
its outcomes. A key at a larger count shows more often; what its draws were when it did is where they are tilted to for
a smaller one, until the count is the key's own: the cross-entropy method by levels (Rubinstein & Kroese 2004).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.target.steering import Cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Kind = tuple[str, str, str, str, tuple[Any, ...]]
    """Site, method, way, turn and cells of draws that are alike; no turn: of turns without a table of their own."""
    Tables = tuple[tuple[Kind, tuple[float, ...]], ...]

FLOOR = 0.03
"""Share of a draw's own law in its table: no ratio of a draw exceeds the inverse."""
ENOUGH, POWERS = 32.0, (1.0, 0.5, 0.25, 0.0)
"""Independent weights that are enough to learn from, and powers of them by which there may be more."""
TELLING = 4.0
"""Log-likelihood that a cut has to gain."""


def tables(alike: Sequence[Sequence[tuple[Sequence[Any], Sequence[int]]]], values: Floats) -> Tables:
    """Return a table for each kind of draw that is otherwise where the event shows.

    Args:
        alike: of each release its kinds of draws, and their cells.
        values: of each release, its weight where it shows the event, else 0; (n,).

    """
    if not values.any():
        return ()
    found: dict[Kind, Floats] = {}
    values = tempered(values)
    effective = float(values.sum() / (values @ values))  # so that the draws of equal weights count 1 each
    for place in np.flatnonzero(values).tolist():
        for (site, method, way, turn, own), cells in alike[place]:
            masses = np.bincount(cells, minlength=len(Cells(*own).masses)) * values[place] * effective
            for each in ("", turn):
                kind = (site, method, way, each, tuple(own))
                found[kind] = found.get(kind, 0.0) + masses
    learnt: dict[Kind, Floats] = {}
    for kind, masses in sorted(found.items()):  # those of all turns first
        (*_, turn, cells), own = kind, np.array(Cells(*kind[4]).masses)
        base = learnt.get((*kind[:3], "", cells), own) if turn else own
        ratios = np.ones(len(own))
        cut(masses, base, ratios)
        if (ratios != 1.0).any():
            learnt[kind] = base * ratios / (base @ ratios)
    return tuple(
        (kind, tuple(((1.0 - FLOOR) * masses + FLOOR * np.array(Cells(*kind[4]).masses)).tolist()))
        for kind, masses in learnt.items()
    )


def tempered(values: Floats) -> Floats:
    """Return weights to a power of at most 1, so that no few of them decide; (n,)."""
    enough = min(ENOUGH, 0.5 * np.count_nonzero(values))
    for power in POWERS:
        powered = np.where(values > 0, values**power, 0.0)
        if powered.sum() ** 2 / (powered @ powered) >= enough:
            break
    return powered


def cut(drawn: Floats, base: Floats, ratios: Floats) -> None:
    """Cut cells in two where the draws on both sides have densities, over a base, that differ; and on, in each part.

    Args:
        drawn: in each cell, (k,).
        base: probability of each cell, (k,).
        ratios: set to the density of the draws over the base, constant in each part, (k,).
    """
    left, below = np.cumsum(drawn)[:-1], np.cumsum(base)[:-1]
    n, all_below = float(drawn.sum()), float(base.sum())
    if not len(left) or n <= 0:
        return
    parts = np.stack([left, n - left]), np.stack([below, all_below - below])
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = np.nansum(parts[0] * np.log(parts[0] * all_below / (n * parts[1])), axis=0)
    best = int(np.argmax(gains))
    if gains[best] <= TELLING:
        return
    for part, place in ((slice(None, best + 1), 0), (slice(best + 1, None), 1)):
        share = parts[1][place, best] / all_below
        ratios[part] *= (parts[0][place, best] + share) / ((n + 1.0) * share)
        cut(drawn[part], base[part], ratios[part])
