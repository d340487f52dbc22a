"""Second test of an audit: whether the last bits of released doubles, or the order of keys, depend on the input.

The first test concerns the mechanism over real numbers, and mappings without an order. It rounds released numbers to a
grid far finer than their noise (`Sampler.grid`) and sorts the keys of dictionaries, so that last bits and order have no
effect. This is the same function on both sides. A violation that it leaves is therefore a violation of the mechanism
over real numbers. Numbers of few decimals or binary digits need no second test: the grid keeps them distinct.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from auditor.mechanism_audit.stages import paced
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.promise import Level
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.mechanism_audit.sampler import Sampler
    from proofs_numeric.statements.neighbours import Neighbours

SHARE = 0.1
"""Share of alpha, and of the time for counting, that is left for this test."""
RELEASES, SECONDS = 1 << 14, 6.0
"""Limits of this test: releases per dataset over all pairs, and CPU seconds at the default budget."""
MORE = 4
"""Multiple of the releases of a refutation in which the pair must not be refuted without a detail to blame it alone."""


@dataclass(frozen=True)
class Detail:
    """A detail of releases that the mechanism over real numbers does not have.

    Attributes:
        name: begins the verdict if this detail alone refutes the claim.
        remedy: what was not refuted, and how to repair the target.
    """

    name: str
    remedy: str


LAST_BITS = Detail(
    "floating point",
    "the mechanism over real numbers was not refuted. Round after the noise, `round(value + noise, 2)`, or draw "
    "discrete noise, `count + rng.geometric(p) - rng.geometric(p)` with p = 1 - exp(-epsilon / sensitivity); "
    "--floating-point ignore skips this test",
)
ORDER = Detail(
    "order of keys",
    "the same releases with sorted keys were not refuted. Return `dict(sorted(release.items()))`; --key-order ignore "
    "skips this test",
)


def share(request: MechanismRequest) -> float:
    """Return the share of alpha of this test: none if the caller ignores both details."""
    return 0.0 if request.floating_point == request.key_order == "ignore" else SHARE


def details(sampler: Sampler, request: MechanismRequest) -> list[Detail]:
    """Return the details to test that the releases have: fractions with last bits, and keys in several orders."""
    bits = request.floating_point == "report" and sampler.has_last_bits
    order = request.key_order == "report" and sampler.target.order.varies
    return [detail for detail, has in ((LAST_BITS, bits), (ORDER, order)) if has]


def details_test(
    sampler: Sampler, pairs: Sequence[Neighbours], levels: Sequence[Level], tested: Sequence[Detail], **options: Any
) -> tuple[BlackBoxResult, Detail | None] | None:
    """Return the refutation by releases with their details, and the detail that alone refutes; None if not refuted.

    The first test may have had too few releases for an event that depends on no detail, such as an exception. If the
    pair is refuted without the details too, that result counts.

    Args:
        sampler: source of the releases; it keeps the detail that alone refutes.
        pairs: neighbouring pairs to test.
        levels: claimed levels.
        tested: the details.
        options: alpha, seed, directions and profile of the test.
    """

    def keep(details: Sequence[Detail]) -> None:
        sampler.set_rounding(on=LAST_BITS not in details)
        sampler.target.order.is_released = ORDER in details

    if not tested:
        return None
    with sampler.doing("testing last bits and the order of keys"):
        seconds = min(sampler.pace.share_of(SECONDS), sampler.pace.seconds() / 2)
        keep(tested)
        result = paced(sampler, pairs, levels, RELEASES, seconds, claim_id="details", **options)
        pairs_of_result, releases = [pair for pair in pairs if pair.id == result.pair], MORE * result.pair_samples
        for details in ([], [ORDER]) if result.verdict is Verdict.REFUTED else ():
            if {*details} <= {*tested} != {*details}:
                keep(details)
                again = paced(
                    sampler, pairs_of_result, levels, releases, seconds, claim_id=f"details {len(details)}", **options
                )
                if again.verdict is Verdict.REFUTED:
                    return again, details[0] if details else None
        keep([])
    if result.verdict is not Verdict.REFUTED:
        return None
    keep(tested[:1])
    return result, tested[0]
