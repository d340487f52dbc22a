"""Neighbouring pairs to try, each with its family and its position within or beyond the known data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from proofs_numeric.statements.neighbours import Neighbours

MANY_KEYS = "many keys"
"""First words of the families of pairs with equal counts in more and more keys, from a few keys on."""
CROWDS = (8, 16, 64, 256)
"""Numbers of keys of these pairs."""


def crowd_sizes(few: int, most: int) -> list[int]:
    """Return the numbers of keys of these pairs, from a few to the most; none if there are no more than a few."""
    return [few, *(size for size in CROWDS if few < size < most), most] if few < most else []


@dataclass(frozen=True)
class Candidate:
    """A neighbouring pair to try.

    Attributes:
        pair: the neighbours.
        family: what the pair varies; the search keeps the best pair of each family.
        beyond: the property that is outside the user's data and declarations; "" if there is none.
        remedy: the option that includes or excludes such inputs; "" for pairs within.
    """

    pair: Neighbours
    family: str
    beyond: str = ""
    remedy: str = ""


def interleaved(groups: Sequence[Sequence[Candidate]], seed: int) -> Iterator[Candidate]:
    """Yield candidates of all groups in turn, each group in a random order of the seed.

    A search that runs out of time has then tried some candidates of each group.
    """
    random = Random(seed)  # noqa: S311 - a search, not a secret
    shuffled = [random.sample(list(group), len(group)) for group in groups]
    for turn in zip_longest(*shuffled):
        yield from (candidate for candidate in turn if candidate is not None)
