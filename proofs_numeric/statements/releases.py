"""What a mechanism releases of a histogram: with the adjacency it determines the pairs of laws of a privacy claim.

Counts are whole numbers. Every formula takes the claim's parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.constants import one, zero


@dataclass(frozen=True)
class Noisy(OfFormulas):
    """Every count with noise of its own; counts below a threshold may be left out.

    Attributes:
        scale: standard deviation of the normal noise, or scale of the Laplace noise (counts).
        keys: most counts that one user changes; None: the law is the same for any number.
        change: most by which one user changes one count.
        margin: threshold less the largest count of a key that only this user has; None: no such key is left out.
        laplace: whether the noise is Laplace noise.
        whole: whether the noise is on the integers.
        beside: distance of the aggregates beside one count, in standard deviations of their noise.
        shared: variance of a count's own noise over that of a noise that all counts share; None: they share none.
        releases: number of releases with fresh noise.
        reverse: whether only the law without the user against that with the user is meant; else both orders.

    """

    scale: Formula
    keys: Formula | None = one
    change: Formula = one
    margin: Formula | None = None
    laplace: bool = False
    whole: bool = False
    beside: Formula = zero
    shared: Formula | None = None
    releases: Formula = one
    reverse: bool = False


@dataclass(frozen=True)
class Sampled(OfFormulas):
    """How many records of an item a sample has, from ``threshold`` on; a user has one record.

    Attributes:
        threshold: an integer from 1 on.
        rate: probability with which each record is sampled, alone.
        size, clients: or the sample's fixed size, and the number of records.
        levels: parameter that is the number of independent samples; empty: one.

    """

    threshold: Formula
    rate: Formula | None = None
    size: Formula | None = None
    clients: Formula | None = None
    levels: str = ""


Release = Noisy | Sampled
