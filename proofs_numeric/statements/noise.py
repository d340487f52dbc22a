"""Counters with a noise that they share and one of their own: what is said of all of them, and the tactics for that."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.rules import SHARED_NOISE
from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class SharedNoise(OfFormulas):
    """``Z + Z_i`` for i from 1 to ``count``, all independent, Z normal of scale ``shared``, Z_i of ``scale``."""

    count: Formula
    shared: Formula
    scale: Formula
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
class OfSharedNoise(Tactic):
    """`AllBelow`: given Z the other noises are independent, and each is below with X = Phi((threshold - Z)/scale).

    Goals: ``proof``: bound relation E[X^count], which is `unreleased`; by their signs: scales are positive, and there
    is one counter or more.  Of a lower bound one of two may stand for E[X^count].
    With a ``share``, P[Z <= share] x^count, x = X at Z = share: a goal is x <= X at every Z <= share.
    With a ``tangent``, (E X)^count, E X = Phi(threshold/sqrt(shared^2 + scale^2)): a goal is 1 + k (y - 1) <= y^k for
    every integer k >= 1 and y >= 0, here X over its mean.
    """

    rule = SHARED_NOISE

    proof: Tactic
    share: Formula | None = None
    tangent: Tactic | None = None
