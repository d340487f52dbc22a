"""The exact delta moves one way in epsilon, the gap, C_u and mu_o, and in sigma only where the gap grows with it."""

from typing import Any

from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.expression import symbol
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.tactics import Slope, Tactic
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.parameters import own, sigma
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import DOMAIN, PARAMETERS, delta_exact

_in_deviations = {"gap": symbol("z") * sigma}
gap_in_deviations = delta_exact(**_in_deviations)
"""Exact delta with the gap ``z sigma``: z standard deviations of the noise."""


def _moves(
    parameter: str,
    words: str,
    statement: str,
    *,
    rises: bool,
    formula: Formula = delta_exact,
    domain: Box = DOMAIN,
    proof: Tactic | None = Slope(),  # noqa: B008 - frozen
    **more: Any,
) -> Claim:
    return own(
        f"thm5.4.mono.{parameter}", "Theorem 5.4", words, statement,
        Monotonicity(formula, parameter.partition(".")[0], increasing=rises, strict=False, proof=proof), domain=domain,
        quantity=QuantityKind.PROBABILITY, **more,
    )  # fmt: skip


_MORE_NOISE_HURTS: tuple[dict[str, Value], ...] = tuple(
    {"epsilon": 1, "c_u": 10, "sigma": 4, "sigma_2": sigma, "gap": 10, "mu_o": 0} for sigma in (5, 8)
)
_Z = Parameter("z", "the gap in standard deviations of the noise", lower="-infinity", upper="infinity")

CLAIMS = (
    _moves(
        "epsilon", "The exact delta never grows with epsilon",
        r"\epsilon_1<\epsilon_2\Rightarrow\delta(\epsilon_1)\ge\delta(\epsilon_2)", rises=False,
    ),
    _moves(
        "gap", "The exact delta never grows with the gap of the thresholds",
        r"g_1<g_2\Rightarrow\delta(g_1)\ge\delta(g_2),\ g=\tau^*-\tau", rises=False,
    ),
    _moves("c_u", "The exact delta never falls with C_u", r"\delta(C_u)\le\delta(C_u+1)", rises=True),
    _moves(
        "mu_o", "The exact delta never falls with the other aggregates' sensitivity",
        r"\mu_{o,1}<\mu_{o,2}\Rightarrow\delta(\mu_{o,1})\le\delta(\mu_{o,2})", rises=True,
    ),
    _moves(
        "sigma", "At the same thresholds the exact delta never grows with the noise",
        r"\sigma_1<\sigma_2\Rightarrow\delta(\sigma_1,g)\ge\delta(\sigma_2,g)", rises=False, proof=None,
        expected=Expectation.REFUTED, corrected_by="wilkins2024.thm5.4.mono.sigma.corrected", points=_MORE_NOISE_HURTS,
        note="A natural belief: more noise carries new rows over the threshold. At C_u = 10, gap 10, epsilon 1 the "
        "delta is 0.0606 at sigma = 4, and 0.2056 at 5. A bisection for the least sigma at fixed thresholds is "
        "unsound.",
    ),
    _moves(
        "sigma.corrected",
        "With the gap a fixed number of standard deviations the exact delta never grows with the noise",
        r"\sigma_1<\sigma_2\Rightarrow\delta(\sigma_1,z\sigma_1)\ge\delta(\sigma_2,z\sigma_2)", rises=False,
        formula=gap_in_deviations, domain=Box(tuple(_Z if each.name == "gap" else each for each in PARAMETERS)),
    ),
)  # fmt: skip
