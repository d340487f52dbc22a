"""Second test of an audit: whether the last bits of released doubles depend on the input.

The first test concerns the mechanism over real numbers. It rounds released numbers to a grid far finer than their noise
(`Sampler.grid`), so that the last bits have no effect. The rounding is the same function on both sides. A violation on
rounded numbers is therefore a violation of the mechanism over real numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.mechanism_audit.stages import paced
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.sampler import Sampler
    from proofs_numeric.statements.neighbours import Neighbours

SHARE = 0.1
"""Share of alpha, and of the time for counting, that is left for this test."""
RELEASES, SECONDS = 1 << 14, 6.0
"""Limits of this test: releases per dataset over all pairs, and CPU seconds at the default budget."""
MORE = 4
"""Multiple of the releases of a refutation by last bits, in which rounded numbers of its pair must not refute."""
ALONE = "floating point alone: "
"""Begins the verdict if only the last bits of released numbers refute the claim."""
REMEDY = (
    "the mechanism over real numbers was not refuted. Round after the noise, `round(value + noise, 2)`, or draw "
    "discrete noise, `count + rng.geometric(p) - rng.geometric(p)` with p = 1 - exp(-epsilon / sensitivity); "
    "--floating-point ignore skips this test"
)


def reserved(sampler: Sampler, alpha: float) -> float:
    """Return the share of the time for counting that is left for this test: none if it is not asked for."""
    return SHARE if alpha > 0 and any(sampler.grid.values()) else 0.0


def last_bits(
    sampler: Sampler, pairs: Sequence[Neighbours], levels: Sequence[Level], options: dict[str, Any]
) -> tuple[BlackBoxResult, bool] | None:
    """Return the refutation by unrounded numbers, and whether the last bits alone refute; None if not refuted.

    The first test may have had too few releases for an event that does not depend on the last bits, such as an
    exception. If the pair is refuted on rounded numbers too, that result counts.

    Args:
        sampler: source of the releases; it stops rounding if the last bits alone refute.
        pairs: neighbouring pairs to test.
        levels: claimed levels.
        options: alpha, seed, directions and profile of the test.
    """
    if not any(sampler.grid.values()):
        return None
    sampler.set_rounding(on=False)
    with sampler.doing("testing the last bits"):
        seconds = min(sampler.pace.share_of(SECONDS), sampler.pace.seconds() / 2)
        result = paced(sampler, pairs, levels, RELEASES, seconds, claim_id="last bits", **options)
        sampler.set_rounding(on=True)
        if result.verdict is not Verdict.REFUTED:
            return None
        named = [pair for pair in pairs if pair.id == result.pair]
        releases = MORE * result.pair_samples
        rounded = paced(sampler, named, levels, releases, seconds, claim_id="last bits, rounded", **options)
    if rounded.verdict is Verdict.REFUTED:
        return rounded, False
    sampler.set_rounding(on=False)
    return result, True
