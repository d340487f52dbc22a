"""A variant of Algorithm 3 of rogers2024 that looks wrong and is not."""

from dataclasses import replace
from functools import partial

from mechanisms.unknown_domain.gumbel.mechanism import MECHANISM

CONTROLS = (
    MECHANISM.neutral(
        id="unknown_domain_gumbel_without_bottom", title="bottom is not printed", change=partial(replace, bottom=False),
        pair="c1", epsilon=2,
        proof="Whether bottom ends the list follows from its length: nothing is lost or added. Inside Algorithm 4 the "
        "same change is a fault, as bottoms must be paid for.",
    ),
)  # fmt: skip
