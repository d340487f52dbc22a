"""Counters with a noise that they share and one of their own: what is said of all of them, and the tactics for that."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class SharedNoise(OfFormulas):
    """``Z + Z_i`` for i from 1 to ``count``, all independent, Z normal of scale ``shared`` and Z_i of scale ``own``."""

    count: Formula
    shared: Formula
    own: Formula
    threshold: Formula


@dataclass(frozen=True)
class Passing(OfFormulas):
    """That some counter passes the threshold."""

    noise: SharedNoise


@dataclass(frozen=True)
class AllBelow:
    """``bound relation P[Z + Z_i <= threshold for all i]``.

    Attributes:
        box: the parameters.
        relation: ``<=`` or ``=``.

    """

    box: Box
    noise: SharedNoise
    bound: Formula
    relation: str = "<="


@dataclass(frozen=True)
class Apart(Tactic):
    """`AllBelow`, as all are below where Z is at most ``share``, and each Z_i at most what is left of the threshold.

    Goals: ``proof``: bound <= P[Z <= share] P[Z_1 <= threshold - share]^count, the product as they are independent;
    by their signs: scales are positive, and there is one counter or more.
    """

    rule = "shared and own noise bounded apart"

    share: Formula
    proof: Tactic


@dataclass(frozen=True)
class OfIndependent(Tactic):
    """`AllBelow`, as all are below at least as often as if each had its own normal of the same law.

    Goals: ``proof``: bound <= Phi(threshold/sqrt(shared^2 + own^2))^count; ``tangent``: 1 + k (y - 1) <= y^k for every
    integer k >= 1 and y >= 0; by their signs: scales are positive, and there is one counter or more.
    Used besides: given Z the others are independent, so that the probability is the mean of X^count, X that of one
    given Z, whose mean is the probability of one; and y = X over its mean has the mean 1.
    """

    rule = "shared noise against independent noise"

    proof: Tactic
    tangent: Tactic


@dataclass(frozen=True)
class Exactly(Tactic):
    """`AllBelow`, against the probability itself.

    Goals: ``proof``: bound relation E[Phi(t - b X)^count], t = threshold/own and b = shared/own; by their signs:
    scales are positive, and there is one counter or more.
    """

    rule = "largest of noises with a shared part"

    proof: Tactic
