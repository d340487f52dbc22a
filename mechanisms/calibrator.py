"""Data of a calibration: which claim about delta decides, and which of its parameters are noise and threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from proofs_numeric.arithmetic.formula import Formula


@dataclass(frozen=True)
class Calibrator:
    """What `auditor calibrate` needs of one mechanism.

    Attributes:
        id: the mechanism, and what else is fixed if the mechanism has several.
        claim: id of the claim about delta, exact or an upper bound, that decides.
        release: what is released, in one word; the table of a release has all mechanisms with this word.
        users: parameter of the claim -> fact about the data: `keys` of one user, `all_keys`, `per_key` (counts),
            `releases`.
        noise: parameter that scales the noise; empty without noise.
        threshold: parameter that is the threshold; empty without one.
        noise_share: share of the target that the noise may have, below 1 if delta adds noise and new keys.
        limit_threshold: a threshold that noise passes with a probability below 1e-150, by the other parameters.
        deviation: standard deviation of a released value, as a formula of the claim's parameters.
        first_count: least released count less the threshold (counts).
        shares: parameter that is a part of delta -> its share of the target, where it is not given.
        steps: parameter -> distance between the values of a grid; other reals have decimal digits.
        chosen: parameter -> formula of the others that chooses its value, where it is not given.
        follows: parameter -> formula of noise, threshold and the others that it follows, where it is not given.
        least: parameter -> id of the claim that states its least value.
        stated: number that is no parameter, such as a threshold -> id of the claim that states it, and formulas of that
            claim's parameters if they have other names or meanings.
        mechanism: id of the mechanism, if it is not the id.
    """

    id: str
    claim: str
    release: str
    users: Mapping[str, str]
    noise: str = ""
    threshold: str = ""
    noise_share: Fraction = Fraction(1)
    limit_threshold: Formula | None = None
    deviation: Formula | None = None
    first_count: int | Fraction = 0
    shares: Mapping[str, Fraction] = field(default_factory=dict)
    steps: Mapping[str, Fraction] = field(default_factory=dict)
    chosen: Mapping[str, Formula] = field(default_factory=dict)
    follows: Mapping[str, Formula] = field(default_factory=dict)
    least: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, tuple[str, Mapping[str, Formula]]] = field(default_factory=dict)
    mechanism: str = ""

    @property
    def of(self) -> str:
        """Id of the mechanism."""
        return self.mechanism or self.id
