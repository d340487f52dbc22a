"""A variant of Algorithm 2 of rogers2024 that looks wrong and is not."""

from dataclasses import replace
from functools import partial

from mechanisms.laws.events import one_sided
from mechanisms.unknown_domain.top.mechanism import MECHANISM
from proofs_numeric.expression import lift
from proofs_numeric.statements.neighbours import Neighbours

CONTROLS = (
    MECHANISM.neutral(
        id="unknown_domain_top_without_padding", title="no padding", change=partial(replace, padding=False),
        parameters={"k_bar": 2, "delta_0": 1, "delta_inf": 1, "sigma": 1},
        pair=Neighbours(
            "b1.short", {"a": 50, "b": 1}, {"a": 50}, "a new item in a short top; the shared one is far above T",
        ),
        profile=partial(one_sided, mass=lift("1/20")), epsilon=3,
        proof="Dropping the bottoms is a function of the padded release: post-processing. It stays so only while the "
        "missing next count reads as zero.",
    ),
)  # fmt: skip
