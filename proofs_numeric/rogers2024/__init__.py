"""Rogers 2024, "A Unifying Privacy Analysis Framework for Unknown Domain Algorithms in Differential Privacy".

A numbered result is a module, or a folder: its ``statement``, and the steps and certificates of its ``proof``.
``neighbours`` holds the adjacency and worst cases of the claims about privacy, ``thresholds`` the thresholds that place
them.  ``sharpenings`` is what is sharper than print, ``range_one`` the sharp constant of a pick, ``range_gaussian`` one
pick beside a Gaussian pair, ``bounded_range`` the composition of picks, ``range_pool`` many beside one, ``orders`` what
holds at every Renyi order, ``log_concave`` why truncation adds nothing, ``peeling`` and ``enumeration`` the exact laws
and small cases that finite statements run through.
"""

PLACES = {
    "alg1": "algorithms", "alg2": "algorithms", "alg3": "algorithms", "alg4": "algorithms", "bm": "binary_mechanism",
    "concl": "theorem_5", "def2.1": "definition", "def2.2": "definition", "em_naive": "theorem_5",
    "expnoise": "gumbel_noise", "gumbel": "gumbel_noise", "gumbel.logistic": "theorem_9", "range": "bounded_range",
    "range.gaussian": "range_gaussian", "range.pool": "range_pool", "repair.race": "theorem_9",
    "repair.thm11": "theorem_11", "rnm": "gumbel_noise", "sec421": "section_4_2_1", "sharp": "sharpenings",
    "sharp.em": "range_one",
}  # fmt: skip
"""Beginning of a claim's id -> module or folder, where its word and number do not tell it."""
