"""Tilts shared by many draws, learnt by raising the count of a rare key until it is released and lowering it again.

Noise from coins in a loop, from rejection or from the bits of an integer has no single decisive draw. Draws are alike
if the target requests them in an equal way (`SteeredGenerator`). Each kind of draw has a table: the probabilities of
the cells of its outcomes. A key of larger count is released more often. The draws of these releases set the tilt for a
smaller count, until the count is the key's true count. The method is the multilevel cross-entropy method (Rubinstein &
Kroese 2004).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.target.draws.steering import Cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Kind = tuple[str, str, str, str, tuple[Any, ...]]
    """Site, method, way, loop iteration and cells of draws that are alike; "" covers iterations without a table."""
    Tables = tuple[tuple[Kind, tuple[float, ...]], ...]

FLOOR = 0.03
"""Share of a draw's untilted law in its table: no likelihood ratio of a draw exceeds the inverse."""
ENOUGH, POWERS = 32.0, (1.0, 0.5, 0.25, 0.0)
"""Effective number of releases that suffices for learning, and the exponents of the weights tried to reach it."""
TELLING = 4.0
"""Log-likelihood, in nats, that a cut has to gain."""


def tables(alike: Sequence[Sequence[tuple[Sequence[Any], Sequence[int]]]], values: Floats) -> Tables:
    """Return a table for each kind of draw whose law differs given the event.

    Args:
        alike: for each release, its kinds of draws and the cells of their outcomes.
        values: weight of each release in the event, 0 outside it; (n,).
    """
    if not values.any():
        return ()
    masses_of: dict[Kind, Floats] = {}
    values = tempered(values)
    effective = float(values.sum() / (values @ values))  # draws of equal weights count 1 each
    for place in np.flatnonzero(values).tolist():
        for (site, method, way, turn, ends), cells in alike[place]:
            masses = np.bincount(cells, minlength=len(Cells(*ends).masses)) * values[place] * effective
            for each in ("", turn):
                kind = (site, method, way, each, tuple(ends))
                masses_of[kind] = masses_of.get(kind, 0.0) + masses
    tilted_masses: dict[Kind, Floats] = {}
    for kind, masses in sorted(masses_of.items()):  # pooled kinds first
        (*_, turn, cells), even = kind, np.array(Cells(*kind[4]).masses)
        base = tilted_masses.get((*kind[:3], "", cells), even) if turn else even
        ratios = np.ones(len(even))
        cut(masses, base, ratios)
        if (ratios != 1.0).any():
            tilted_masses[kind] = base * ratios / (base @ ratios)
    return tuple(
        (kind, tuple(((1.0 - FLOOR) * masses + FLOOR * np.array(Cells(*kind[4]).masses)).tolist()))
        for kind, masses in tilted_masses.items()
    )


def tempered(values: Floats) -> Floats:
    """Return the weights to a power of at most 1, so that a few large weights do not dominate; (n,)."""
    enough = min(ENOUGH, 0.5 * np.count_nonzero(values))
    for power in POWERS:
        powers = np.where(values > 0, values**power, 0.0)
        if powers.sum() ** 2 / (powers @ powers) >= enough:
            break
    return powers


def cut(values: Floats, base: Floats, ratios: Floats) -> None:
    """Cut the cells in two where the density of the draws changes, and cut each part recursively.

    Args:
        values: weighted draws in each cell, (k,).
        base: probability of each cell, (k,).
        ratios: output, (k,): density of the draws over the base, constant in each part.
    """
    left, below = np.cumsum(values)[:-1], np.cumsum(base)[:-1]
    n, all_below = float(values.sum()), float(base.sum())
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
        cut(values[part], base[part], ratios[part])
