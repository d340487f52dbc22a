"""Algorithm 2: the top (k_bar + 1) counts."""

from fractions import Fraction

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.algorithm_1 import THREE_NEW, anything_printed
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_8.statement import new_item_mass

top_audit_mass = new_item_mass(delta_0=3, delta="1/20")
"""Mass of three new items at delta = .05, D_0 = 3."""

CLAIMS = (
    stated(
        "alg2", "Algorithm 2", "Algorithm 2: mass of three new items",
        r"\Pr[\text{some new item is printed}] = 1 - E[\Phi(\sqrt2 z(\delta/\Delta_0) + Z)^{\Delta_0}]",
        Law(
            mechanism="unknown_domain_top",
            settings={"k_bar": 3, "delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": Fraction(1, 20)},
            histogram=THREE_NEW, event=anything_printed, probability=top_audit_mass,
        ),
        quantity=QuantityKind.PROBABILITY,
        note="One threshold noise for all items; padding entries have count 0 and are dropped after the comparison. "
        "Needs a tie order fixed before the data. In print h_(k_bar+1) is defined and h_(k_bar) used.",
    ),
    uncheckable(
        "alg2.letters", "Algorithm 2", "The histogram that is defined is not the one that is used",
        r"h_{(\bar k+1)} \text{ is defined, } h_{(\bar k)} \text{ is padded and released}",
        Editorial(
            printed="Let h_(k_bar+1) be the top-(k_bar+1) items; if h_(k_bar) has fewer than k_bar items",
            corrected="Let h_(k_bar) be the top-k_bar items, and c_(k_bar+1) the next count, 0 where there is none",
            reason="Only k_bar items are padded and noised; with k_bar+1 the next count would compete with itself.",
        ),
    ),
)  # fmt: skip
