"""Sample-and-threshold where a neighbour replaces one client's item: the relation the paper defines in Section 2.

The mechanism is that of `mechanism` beside it; two cells change, so pairs and promise differ. The exact delta of a pair
is `bharadwaj2022.tight.replacement`, the largest `bharadwaj2022.tight.replacement.rate`.
"""

from dataclasses import replace

from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as ONE_CLIENT
from mechanisms.sample_and_threshold.mechanism import MECHANISM as ADD_REMOVE
from proofs_numeric.bharadwaj2022.neighbours import ITEMS

MECHANISM = replace(
    ADD_REMOVE, id="sample_and_threshold_replacement",
    title="Sample-and-threshold histogram, neighbours by replacement",
    guarantee_claim="bharadwaj2022.tight.replacement.rate", source="bharadwaj2022, Sections 2 and 3.1", privacy=ITEMS,
)  # fmt: skip

CALIBRATOR = replace(ONE_CLIENT, id=MECHANISM.id, claim=MECHANISM.guarantee_claim)
