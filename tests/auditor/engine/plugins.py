"""Plug-ins for tests: a good one, and what turns it into bad ones."""

GOOD = """
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from mechanisms.mechanism import BatchMechanism, MechanismSpec
from mechanisms.pair import ExactLaw
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Source
from proofs_numeric.statements.kinds import Achieved, DeltaBound
from proofs_numeric.statements.neighbours import Neighbours, Privacy
from proofs_numeric.statements.derivation import Derivation, Premise


def delta(A, *, epsilon, scale):
    return A.maximum(0, -A.expm1((epsilon - 1 / scale) / 2))


PRIVACY = Privacy(
    lambda parameters: AddRemoveUser(c_u=1),
    lambda parameters: (Neighbours("joins", {"a": 3}, {"a": 2}, "one user joins"),),
)
CLAIM = Claim(
    id="plug.thm1",
    source=Source("plug", "Theorem 1"),
    title="Laplace noise on a count",
    statement="",
    kind=DeltaBound(delta),
    domain=Box((
        Parameter("epsilon", "privacy loss", "nats", lower=0, upper=9),
        Parameter("scale", "scale of the noise", "users", lower="0.1", upper=1000),
    )),
    quantity=QuantityKind.DELTA,
    privacy=PRIVACY,
)


@dataclass(frozen=True)
class NoisyTotal(BatchMechanism):
    scale: float
    releases_only_input_keys = False

    def release_many(self, histogram, n, rng):
        return ("total",), (sum(histogram.values()) + rng.laplace(0, self.scale, (n, 1))).round(3)


def build(scale):
    return NoisyTotal(float(scale))


def profile(A, epsilon, direction, *, scale):
    return delta(A, epsilon=epsilon, scale=A.number(scale))


def law(neighbours, parameters):
    return ExactLaw(partial(profile, scale=parameters["scale"]))


MECHANISM = MechanismSpec(
    id="plug_total",
    title="Total with Laplace noise",
    build=build,
    parameters={"scale": Fraction(2)},
    guarantee_claim="plug.thm1",
    source="plug, Algorithm 1",
    privacy=PRIVACY,
    law=law,
)
BROKEN = partial(
    MECHANISM.broken,
    id="plug_fault",
    title="Too little noise",
    caught_by="empirical.black_box",
    pair="joins",
    epsilon=Fraction(0),
    explanation="The scale is too small.",
)
CLAIMS = [CLAIM]
"""
"""A claim and a mechanism that keeps it; `BROKEN` makes faults of the mechanism."""
