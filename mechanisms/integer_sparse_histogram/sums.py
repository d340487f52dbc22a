"""The integer sparse histogram with a whole sum beside every count (`mechanisms.whole_sums`)."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from mechanisms.integer_sparse_histogram import mechanism as counts
from mechanisms.integer_sparse_histogram.mechanism import Rows, rows_profile, total_loss
from mechanisms.laws.privacy_loss import SumLoss
from mechanisms.mechanism import MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.whole_sums import WholeSums, beside, falling
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.thresholds.integer_profile import KEYS
from proofs_numeric.thresholds.integer_sums import moved_with_sums


@of_numbers
def build(*, sigma_s: Value, per_sum: Value, per_key: Value = 1, **of_counts: Value) -> WholeSums:
    """The mechanism by the names of its claim: the sum is per_sum/per_key times the count, a whole number."""
    each = Fraction(per_sum) / Fraction(per_key)
    return beside(counts.build(per_key=per_key, **of_counts), sigma_s=sigma_s, each=each)


def rows_loss(direction: Direction, *, rows: Rows, sigma_s: Fraction, per_sum: int, **at: Any) -> SumLoss:
    """Privacy loss of new keys, and of the totals of counts and of sums of those that move."""
    return SumLoss(
        (*counts.rows_loss(direction, rows=rows, **at).parts, total_loss(sigma_s, n=rows.moved, move=per_sum))
    )


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where new keys have one count, and the others lie far above the threshold and move alike."""
    rows = Rows.of(neighbours, parameters)
    if rows is None:
        return ExactLaw()
    at: dict[str, Any] = {"sigma": Fraction(parameters["sigma"]), "threshold": int(parameters["threshold"])}
    each = int(parameters["per_sum"]) // int(parameters.get("per_key", 1))
    sums: dict[str, Any] = {"sigma_s": Fraction(parameters["sigma_s"]), "per_sum": rows.move * each}
    return ExactLaw(
        partial(rows_profile, rows=rows, **at, moved=partial(moved_with_sums, **sums)),
        partial(rows_loss, rows=rows, **at, **sums),
    )


MECHANISM = MechanismSpec(
    id="integer_sparse_histogram_sums", title="sparse histogram with whole sums, discrete Gaussian noise on both",
    build=build, parameters={"sigma": 2, "threshold": 9, "c_u": 2, "per_key": 1, "sigma_s": 4, "per_sum": 2},
    guarantee_claim="thresholds.gaussian.integer.sums",
    source="a statement of this project; aggregates of wilkins2024, Theorem 5.4, on integers", privacy=KEYS, law=law,
)  # fmt: skip


CALIBRATOR = replace(
    counts.COUNTS, id=MECHANISM.id, claim="thresholds.gaussian.integer.sums", release="counts_and_sums"
)


FAULTS = (
    MECHANISM.broken(
        id="integer_sparse_histogram_sums_unclipped", title="users add twice what the sums are clipped to",
        pair="moved", at={"per_sum": 4},
        explanation="The noise is calibrated for sums that move by two; they move by four.",
    ),
)  # fmt: skip

CONTROLS = (
    MECHANISM.neutral(
        id="integer_sparse_histogram_sums_negative", title="users take from the sums what they might add",
        build=partial(falling, build), pair="moved",
        proof="The sums' noise is symmetric: a sum that falls by C is the mirror image of one that rises by it.",
    ),
)  # fmt: skip
