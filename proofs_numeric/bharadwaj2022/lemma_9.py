"""Lemma 9: quantiles by a hierarchical histogram."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.lemma_7.composition import BASIC
from proofs_numeric.bharadwaj2022.parameters import EPSILON_TO_ONE, TAU, own, refuted
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import Part, Product, Through

N = Parameter("n", "clients", unit="clients", lower=1000, upper=10**12, integer=True, log=True)
LEVELS = Parameter("levels", "depth of the trie", unit="levels", lower=1, upper=30, integer=True)


def printed_error(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Number) -> Number:
    """``(L tau)^2/(epsilon n)`` (Lemma 9)."""
    del A
    return (levels * tau) ** 2 / (epsilon * n)


def printed_sample(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Number) -> Number:
    """``m = epsilon n/(L tau)``: the setting behind Lemma 9."""
    del A
    return epsilon * n / (levels * tau)


def node_deviation(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Number) -> Number:
    """Standard deviation of the sampled weight of one node that holds half of the clients, over m."""
    m = printed_sample(A, n=n, levels=levels, tau=tau, epsilon=epsilon)
    return A.sqrt((1 - m / n) / (2 * m))


def _rate(*, levels: int, tau: int, epsilon: Number, **_n: Any) -> Any:
    """``m/n``."""
    return epsilon / (levels * tau)


def corrected_error(A: Arithmetic, *, n: int, levels: int, tau: int, epsilon: Number) -> Number:
    """``(L tau)^2/(epsilon n) + sqrt(L tau/(epsilon n))``: pruning and one standard deviation of sampling."""
    point: dict[str, Any] = {"n": n, "levels": levels, "tau": tau, "epsilon": epsilon}
    return printed_error(A, **point) + 1 / A.sqrt(printed_sample(A, **point))


def _sample_exists(*, n: Number, levels: Number, tau: Number, epsilon: Number) -> bool:
    return bool(epsilon * n >= levels * tau)


_LEMMA_9 = Box((N, LEVELS, replace(TAU, upper=100), EPSILON_TO_ONE), _sample_exists, "epsilon n >= levels tau")

CLAIMS = (
    refuted(
        "lem9.stmt",
        "Lemma 9",
        "The rank error is (L tau)^2/(epsilon n): one node's standard deviation is below it",
        r"\phi\pm O((L\tau)^2/\epsilon n)",
        Inequality(node_deviation, printed_error),
        by="lem9.stmt.corrected",
        domain=_LEMMA_9,
        partial="the deviation of one node of the trie; the error of the quantile that its levels give is left out; "
        "privacy is bharadwaj2022.lem9.rate",
        note="The sampling error is missing and dominates for large n; the resolution is beta^-L.",
    ),
    own(
        "lem9.stmt.corrected",
        "Lemma 9",
        "With the sampling term one standard deviation is covered",
        r"\phi\pm O((L\tau)^2/\epsilon n+\sqrt{1/m})",
        Inequality(
            node_deviation,
            corrected_error,
            proof=Through(
                lambda A, **point: 1 / A.sqrt(printed_sample(A, **point)),
                Product(
                    (
                        Part(lambda A, **point: 1 / A.sqrt(printed_sample(A, **point))),
                        Part(lambda A, **point: (1 + _rate(**point)) / (2 + A.sqrt(2 * (1 - _rate(**point))))),
                    )
                ),
            ),
        ),
        domain=_LEMMA_9,
        partial="the deviation of one node of the trie; the error of the quantile that its levels give is left out",
    ),
    own(
        "lem9.rate",
        "Lemma 9",
        "A hierarchical histogram of L levels at total epsilon: L times the exact delta of a level at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)",
        assumptions=("a fresh independent sample at each level",),
        privacy=neighbours.VALUE,
        note="bharadwaj2022.lem7.rate for clients with numbers in [0, 1): each is in one bucket of a level.",
        **BASIC,
    ),
)
