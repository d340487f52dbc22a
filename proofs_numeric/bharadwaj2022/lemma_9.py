"""Lemma 9: quantiles by a hierarchical histogram."""

from dataclasses import replace

from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.cells import epsilon, tau
from proofs_numeric.bharadwaj2022.lemma_7.composition import BASIC
from proofs_numeric.bharadwaj2022.parameters import EPSILON_TO_ONE, TAU, own, refuted
from proofs_numeric.expression import at_most, product_of, sqrt, symbols
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.tactics import Through

N = Parameter("n", "clients", "clients", 1000, 10**12, integer=True, log=True)
LEVELS = Parameter("levels", "depth of the trie", "levels", 1, 30, integer=True)

n, levels = symbols("n levels")
printed_error = (levels * tau) ** 2 / (epsilon * n)
"""``(L tau)^2/(epsilon n)`` (Lemma 9)."""
printed_sample = epsilon * n / (levels * tau)
"""``m``, the setting behind Lemma 9."""
node_deviation = sqrt((1 - printed_sample / n) / (2 * printed_sample))
"""Standard deviation of the sampled weight of one node that holds half of the clients, over m."""
_rate = epsilon / (levels * tau)
"""``m/n``."""
_deviation = 1 / sqrt(printed_sample)
corrected_error = printed_error + _deviation
"""Pruning and one standard deviation of sampling."""
_SAMPLED = at_most(levels * tau, epsilon * n)
_LEMMA_9 = Box((N, LEVELS, replace(TAU, upper=100), EPSILON_TO_ONE), _SAMPLED, "epsilon n >= levels tau")

CLAIMS = (
    refuted(
        "lem9.stmt", "Lemma 9", "The rank error is (L tau)^2/(epsilon n): one node's standard deviation is below it",
        r"\phi\pm O((L\tau)^2/\epsilon n)", node_deviation <= printed_error, by="lem9.stmt.corrected", domain=_LEMMA_9,
        partial="the deviation of one node of the trie; the error of the quantile that its levels give is left out; "
        "privacy is bharadwaj2022.lem9.rate",
        note="The sampling error is missing and dominates for large n; the resolution is beta^-L.",
    ),
    own(
        "lem9.stmt.corrected", "Lemma 9", "With the sampling term one standard deviation is covered",
        r"\phi\pm O((L\tau)^2/\epsilon n+\sqrt{1/m})", node_deviation <= corrected_error,
        proof=Through(_deviation, product_of(_deviation, (1 + _rate) / (2 + sqrt(2 * (1 - _rate))))), domain=_LEMMA_9,
        partial="the deviation of one node of the trie; the error of the quantile that its levels give is left out",
    ),
    own(
        "lem9.rate", "Lemma 9",
        "A hierarchical histogram of L levels at total epsilon: L times the exact delta of a level at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)", assumptions=("a fresh independent sample at each level",),
        privacy=neighbours.VALUE,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one bucket of a level.", **BASIC,
    ),
)  # fmt: skip
