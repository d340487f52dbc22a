"""Test of a few plain pairs before the search of data sets: a gross violation needs no search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.mechanism_audit.pair_search import families, moved, usable
from auditor.mechanism_audit.sampler import releases_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.mechanism_audit.promise import Promise
    from auditor.mechanism_audit.sampler import Sampler
    from proofs_numeric.statements.neighbours import Neighbours

ALPHA_SHARE = 0.02
"""Share of alpha for these pairs."""
RELEASES, FEWEST, TIME_SHARE = 1 << 11, 1 << 8, 0.02
"""Most and fewest releases per dataset over all pairs, and share of the budget that they must not exceed."""
MOST_GIVEN = 4
"""Number of given pairs that are tested."""
COUNTS = (1, 32, 1024)
"""Counts at which a key may be released by most releases; the pairs lie far above the first that is."""
PLAIN = (
    "new key",
    "key far above",
    "key far above, all that one user may have",
    "heavy user, keys far above",
    "one user moves, far above",
    "many move both ways, far above",
)
"""Names of the pairs."""


def plain_pairs(sampler: Sampler, promise: Promise, given_pairs: Sequence[Neighbours], seed: int) -> list[Neighbours]:
    """Return the given pairs, or else plain pairs, that the target accepts; none for a slow target, which is recorded.

    Pairs are left out if the target raises on one side in every release: the search tells refusals from outputs.

    Args:
        sampler: source of the releases.
        promise: claim.
        given_pairs: pairs of the caller's data, beyond which invented pairs may lie, or worst-case pairs of the claim.
        seed: seed of a separate stream.
    """
    pace, users = sampler.pace, promise.adjacency
    if not pace.decide_whether(2 * FEWEST * sampler.release_seconds <= TIME_SHARE * pace.budget):
        return []
    pairs = list(given_pairs[:MOST_GIVEN])
    if not pairs:
        threshold = next((count for count in COUNTS if _is_released(sampler, count, seed)), COUNTS[0])
        fixed = (*families(users.most_changed, users.per_key, threshold), *moved(users.most_changed, threshold))
        usable_pairs = [usable(pair, sampler, users) for pair in fixed if pair.id in PLAIN]
        pairs = [pair for pair in usable_pairs if pair is not None]
    return [pair for pair in pairs if not _refuses_pair(sampler, pair, seed)]


def _is_released(sampler: Sampler, count: int, seed: int) -> bool:
    """Return whether most of a few releases hold a key of this count."""
    batch = sampler.look_at({sampler.first_key: count}, seed)
    return batch is not None and bool(releases_key(batch, sampler.first_key).mean() >= 0.5)


def _refuses_pair(sampler: Sampler, pair: Neighbours, seed: int) -> bool:
    """Return whether the target raises in each of a few releases of one side."""
    batches = (sampler.look_at(side, seed) for side in (pair.left, pair.right))
    return any(batch is None or sampler.raises(batch) == len(batch.values) for batch in batches)
