"""Theorem 21's mechanism with a whole sum beside every counter (`mechanisms.whole_sums`)."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from mechanisms.correlated_stability_histogram.law import moves
from mechanisms.discrete_correlated import mechanism as counters
from mechanisms.mechanism import MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.whole_sums import WholeSums, beside, falling
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.lebeda2025.neighbours import DISCRETE_SUMS
from proofs_numeric.lebeda2025.theorem_21.exact_profile import sticks_with_sums, sums
from proofs_numeric.statements.neighbours import Direction, Neighbours


@of_numbers
def build(*, sigma_s: Value, per_sum: Value, **of_counters: Value) -> WholeSums:
    """The mechanism by the names of its claim: the sum is per_sum times the count."""
    return beside(counters.build(**of_counters), sigma_s=sigma_s, each=per_sum)


def sums_profile(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    sigma: Fraction,
    gap: Fraction,
    sigma_s: Fraction,
    per_sum: int,
    j: int,
    **pair: int,
) -> Any:
    """Exact hockey stick of the pair (l, j), l < k."""
    at: dict[str, Any] = {"epsilon": A.number(epsilon), "sigma": A.number(sigma), "twice": int(2 * gap // 1)}
    totals = sums(A, A.number(sigma_s), per_sum, j)
    forward, backward = sticks_with_sums(A, **at, totals=totals, j=j, **pair)
    return forward if direction is Direction.FORWARD else backward


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where k counters are new, or shared and far above the threshold; else none is known."""
    k, changes = int(parameters["k"]), moves(neighbours, parameters)
    pair = None if changes is None else changes.among(k)
    if pair is None or pair[0] == k:
        return counters.law(neighbours, parameters)
    at: dict[str, Any] = {name: Fraction(parameters[name]) for name in ("sigma", "gap", "sigma_s")}
    return ExactLaw(partial(sums_profile, **at, k=k, per_sum=int(parameters["per_sum"]), l=pair[0], j=pair[1]))


MECHANISM = MechanismSpec(
    id="discrete_correlated_sums", title="discrete correlated stability histogram with whole sums", build=build,
    parameters={"k": 2, "sigma": 1, "gap": "9/2", "sigma_s": 2, "per_sum": 1}, guarantee_claim="lebeda2025.thm21.sums",
    source="a statement of this project; lebeda2025, Theorem 21 and Section 6", privacy=DISCRETE_SUMS, law=law,
)  # fmt: skip

CALIBRATOR = replace(
    counters.CALIBRATOR, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="counts_and_sums"
)  # fmt: skip

FAULTS = (
    MECHANISM.broken(
        id="discrete_correlated_sums_unclipped", title="users add three times what the sums are clipped to", pair="n2",
        at={"per_sum": 3}, explanation="The noise is calibrated for sums that move by one; they move by three.",
    ),
)  # fmt: skip

CONTROLS = (
    MECHANISM.neutral(
        id="discrete_correlated_sums_negative", title="users take from the sums what they might add",
        build=partial(falling, build), pair="n2",
        proof="The sums' noise is symmetric and none of the counters': a sum that falls by C mirrors one that rises.",
    ),
)  # fmt: skip
