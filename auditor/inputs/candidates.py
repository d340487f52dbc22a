"""Neighbouring pairs to try, each with what it varies and whether it lies within what is known of the data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class Candidate:
    """A neighbouring pair to try.

    Attributes:
        pair: the neighbours.
        family: what is varied; the best pairs of different families are kept.
        beyond: what about the pair lies beyond the user's data and declarations; "" if nothing does.
        remedy: the option that includes or excludes such inputs; "" within.
    """

    pair: Neighbours
    family: str
    beyond: str = ""
    remedy: str = ""


def interleaved(groups: Sequence[Sequence[Candidate]], seed: int) -> Iterator[Candidate]:
    """Yield candidates of all groups by turns, each group in an order drawn from `seed`.

    A search that is cut short has then tried some of each group.
    """
    random = Random(seed)  # noqa: S311 - a search, not a secret
    shuffled = [random.sample(list(group), len(group)) for group in groups]
    for turn in zip_longest(*shuffled):
        yield from (candidate for candidate in turn if candidate is not None)
