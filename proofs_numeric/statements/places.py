"""The place of a claim in its paper's folder, told by its id: theorem 5.4 is in `theorem_5_4`.

The first part of an id names a result: a word and a number. Its place is a module, or a folder with one module a step,
named by the word in full and the number: `thm5.4.lin` in theorem_5_4, `cor5.4.1.ub` in corollary_5_4_1, `lemA.3` in
lemma_a_3. A first part without a number is its own place. Where a step stands under a name of its own, or several
results share a place, the paper says so in the table `PLACES` of its `__init__`.
"""

import re
from collections.abc import Mapping

WORDS = {
    "alg": "algorithm",
    "cor": "corollary",
    "def": "definition",
    "eq": "equation",
    "fig": "figure",
    "intro": "introduction",
    "lem": "lemma",
    "obs": "observation",
    "rem": "remark",
    "sec": "section",
    "tab": "table",
    "thm": "theorem",
}
"""The words that ids abbreviate."""

_HEAD = re.compile(r"(?P<word>[a-z]+)(?P<number>(?:\d+[a-z]?|[A-Z]\d*)(?:\.\d+)*)(?=\.|$)")
"""A word and a number, which ends where a part of the id ends: `sec6.2` of `sec6.2.td`, `sec6` of `sec6.1pct`."""


def place(claim: str, places: Mapping[str, str]) -> str:
    """Name the module or folder, within the paper's, of a claim.

    Args:
        claim: its id, paper first.
        places: the paper's table: beginning of an id, without the paper, up to a dot or the end -> place. The longest
            beginning wins, and any wins over the rule.

    """
    _paper, _dot, result = claim.partition(".")
    parts = result.split(".")
    for length in range(len(parts), 0, -1):
        beginning = ".".join(parts[:length])
        if beginning in places:
            return places[beginning]
    head = _HEAD.match(result)
    if head is None:
        return WORDS.get(parts[0], parts[0])
    return "_".join((WORDS.get(head["word"], head["word"]), head["number"].replace(".", "_").lower()))
