"""TrieHH++ where a neighbour replaces one client's string: two paths of prefixes change from where they part.

The mechanism is that of `trie_heavy_hitters` beside it. Paths that part at the first level change the most cells.
"""

from dataclasses import replace

from mechanisms.sample_and_threshold.trie_heavy_hitters import CALIBRATOR as BY_ADD_REMOVE
from mechanisms.sample_and_threshold.trie_heavy_hitters import MECHANISM as ADD_REMOVE
from proofs_numeric.bharadwaj2022.neighbours import PATHS

MECHANISM = replace(
    ADD_REMOVE, id="trie_heavy_hitters_replacement",
    title="TrieHH++: a fresh sample a level, neighbours by replacement",
    guarantee_claim="bharadwaj2022.lem7.rate.replacement", source="bharadwaj2022, Sections 2 and 4.1, Lemma 7",
    privacy=PATHS,
)  # fmt: skip

CALIBRATOR = replace(BY_ADD_REMOVE, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="levels_replaced")
