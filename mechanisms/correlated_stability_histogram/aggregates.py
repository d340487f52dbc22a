"""The correlated stability histogram with a column of aggregates beside every counter (lebeda2025, Section 6).

A released counter takes its aggregate along, with independent noise of its own; one that is held back takes it with it.
The default audit has a lower threshold of 3 too: delta depends on tau* - tau only.
"""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from mechanisms.correlated_stability_histogram import law as csh
from mechanisms.correlated_stability_histogram import mechanism as plain
from mechanisms.correlated_stability_histogram.law import moves, new_counters_loss, shared_loss
from mechanisms.correlated_stability_histogram.laws.shared_noise_loss import NewCountersLoss
from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates
from mechanisms.laws.privacy_loss import GaussianLoss, SumLoss
from mechanisms.mechanism import MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.neighbours import AGGREGATES
from proofs_numeric.lebeda2025.section_6 import shared_distance
from proofs_numeric.statements.neighbours import Direction, Neighbours


@of_numbers
def build(*, k: Value, sigma: Value, gap: Value, mu_o: Value, tau: Value = 1) -> plain.CorrelatedStabilityHistogram:
    """Algorithm 2 with one column `value`, the count with noise of variance 1/mu_o^2 (users^2)."""
    distance = Fraction(mu_o)
    if distance <= 0:
        raise ValueError(
            f"expected mu_o > 0 (standard deviations), got mu_o={mu_o}; without aggregates build the other"
        )
    column = Aggregates(("value",), (1.0,), ((float(1 / distance**2),),))
    return replace(plain.build(k=k, sigma=sigma, gap=gap, tau=tau), aggregates=column)


def shared_profile(
    A: Arithmetic, epsilon: Number, _direction: Direction, *, k: int, sigma: Value, mu_o: Value, j: int
) -> Any:
    """Exact hockey stick of k shared counters far above the threshold, j of them changed with their aggregates."""
    at = {"sigma": A.number(Fraction(sigma)), "mu_o": A.number(Fraction(mu_o))}
    return gaussian_profile(A, A.number(epsilon), shared_distance(A, k=k, j=j, **at))


def columns_loss(direction: Direction, *, k: int, sigma: Value, mu_o: Value, j: int) -> SumLoss:
    """Privacy loss of the same pair, counters and columns apart."""
    columns = GaussianLoss(math.sqrt(j) * float(Fraction(mu_o)))
    return SumLoss((shared_loss(direction, k=k, sigma=sigma, j=j), columns))


def mixed_loss(
    direction: Direction, *, k: int, sigma: Value, gap: Value, mu_o: Value, l: int, j: int
) -> NewCountersLoss:
    """Privacy loss of l new counters beside j changed ones far above the threshold, with their columns."""
    counts = new_counters_loss(direction, k=k, sigma=sigma, gap=gap, l=l, j=j)
    return replace(counts, rest=GaussianLoss(math.sqrt(j) * float(Fraction(mu_o))))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where k counters are new or shared and far above the threshold, with their columns; else none is known."""
    k, changes = int(parameters["k"]), moves(neighbours, parameters)
    at: dict[str, Any] = {"k": k, "sigma": Fraction(parameters["sigma"]), "mu_o": Fraction(parameters["mu_o"])}
    pair = None if changes is None else changes.among(k)
    if pair is None:
        return ExactLaw()
    l, j = pair
    if l == k:
        return csh.law(neighbours, parameters)
    if l == 0:
        return ExactLaw(partial(shared_profile, **at, j=j), partial(columns_loss, **at, j=j))
    return ExactLaw(None, partial(mixed_loss, **at, gap=Fraction(parameters["gap"]), l=l, j=j))


MECHANISM = MechanismSpec(
    id="correlated_stability_histogram_aggregates",
    title="correlated stability histogram with a lower threshold and aggregates (Section 6)", build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12, "mu_o": "1/8", "tau": 3}, guarantee_claim="lebeda2025.sec6.agg.delta",
    source="lebeda2025, Section 6", privacy=AGGREGATES, law=law,
)  # fmt: skip

CALIBRATOR = replace(
    plain.CALIBRATOR, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="counts_and_columns",
    noise_share=Fraction(3, 4),
)  # fmt: skip
