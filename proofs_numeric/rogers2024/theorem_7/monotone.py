"""The exact delta of Algorithm 1 with Gaussian noise moves one way in each parameter but the noise."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.rogers2024.parameters import ours
from proofs_numeric.rogers2024.theorem_7.exact_profile import GAUSSIAN_BOX, gaussian_exact
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import Monotonicity
from proofs_numeric.statements.tactics import Maximum, Part, Slope
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_gaussian, delta_infinite


def _new_items(A: Arithmetic, *, delta_0: int, delta_inf: Number, sigma: Number, T: Number, epsilon: Number) -> Number:
    return delta_infinite(A, c_u=delta_0, sigma=A.number(sigma), gap=A.number(T) - delta_inf)


def _shared_items(A: Arithmetic, *, delta_0: int, delta_inf: Number, sigma: Number, T: Number, epsilon: Number) -> Any:
    return A.number(
        delta_gaussian(A, epsilon=epsilon, c_u=delta_0, sigma=A.number(sigma) / A.number(delta_inf), mu_o=0)
    )


def threshold_in_deviations(
    A: Arithmetic, *, delta_0: int, delta_inf: Number, sigma: Number, z: Number, epsilon: Number
) -> Number:
    """The exact delta at ``T = Delta_inf + z sigma``."""
    T = A.number(delta_inf) + A.number(z) * sigma
    return gaussian_exact(A, epsilon=epsilon, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, T=T)


def _new_in_deviations(
    A: Arithmetic, *, delta_0: int, delta_inf: Number, sigma: Number, z: Number, epsilon: Number
) -> Number:
    return delta_infinite(A, c_u=delta_0, sigma=A.number(1), gap=A.number(z))


def _shared_in_deviations(
    A: Arithmetic, *, delta_0: int, delta_inf: Number, sigma: Number, z: Number, epsilon: Number
) -> Any:
    return _shared_items(A, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, T=z, epsilon=epsilon)


_Z = Parameter("z", "the threshold above Delta_inf in deviations of the noise", lower=-100, upper=100)
_MORE_NOISE_HURTS: tuple[dict[str, Value], ...] = (
    {"epsilon": 1, "delta_0": 10, "delta_inf": 1, "sigma": 4, "sigma_2": 8, "T": 11},
)


_LARGER: dict[str, Value] = {"epsilon": 2, "delta_0": 5, "delta_inf": 3, "sigma": 25, "T": 60}


def _pair(parameter: str) -> dict[str, Value]:
    """Two values of the parameter between which the delta moves."""
    at: dict[str, Value] = {"epsilon": 1, "delta_0": 4, "delta_inf": 2, "sigma": 20 if parameter == "T" else 4, "T": 40}
    return {**at, f"{parameter}_2": _LARGER[parameter]}


def _moves(parameter: str, title: str, *, rises: bool, **more: Any) -> Claim:
    more = {"points": (_pair(parameter),), **more}
    sign = r"\le" if rises else r"\ge"
    expected = more.get("expected", Expectation.HOLDS)
    proof = Maximum((Part(_new_items, Slope()), Part(_shared_items, Slope())))
    letter = {"delta_0": r"\Delta_0", "delta_inf": r"\Delta_\infty", "epsilon": r"\varepsilon"}.get(
        parameter, rf"\{parameter}" if len(parameter) > 1 else parameter
    )
    return Claim(
        id=f"rogers2024.thm7.gaussian.exact.mono.{parameter}",
        source=ours("Algorithm 1 and Theorem 7"),
        title=title,
        statement=rf"{letter} < {letter}' \Rightarrow \delta({letter}) {sign} \delta({letter}')",
        kind=Monotonicity(
            gaussian_exact,
            parameter,
            increasing=rises,
            strict=False,
            proof=proof if expected is Expectation.HOLDS else None,
        ),
        domain=GAUSSIAN_BOX,
        quantity=QuantityKind.PROBABILITY,
        **more,
    )


CLAIMS: tuple[Claim, ...] = (
    _moves("epsilon", "The exact delta of Algorithm 1 never grows with epsilon", rises=False),
    _moves("T", "The exact delta of Algorithm 1 never grows with the threshold", rises=False),
    _moves("delta_0", "The exact delta of Algorithm 1 never falls with the number of labels of a user", rises=True),
    _moves("delta_inf", "The exact delta of Algorithm 1 never falls with what one count changes by", rises=True),
    _moves(
        "sigma",
        "At the same threshold the exact delta of Algorithm 1 never grows with the noise",
        rises=False,
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm7.gaussian.exact.mono.sigma.corrected",
        points=_MORE_NOISE_HURTS,
        note="More noise carries new items over the threshold.",
    ),
    Claim(
        id="rogers2024.thm7.gaussian.exact.mono.sigma.corrected",
        source=ours("Algorithm 1 and Theorem 7"),
        title="With the threshold a fixed number of deviations above Delta_inf it never grows with the noise",
        statement=r"\sigma < \sigma' \Rightarrow \delta(\sigma, \Delta_\infty + z\sigma) \ge "
        r"\delta(\sigma', \Delta_\infty + z\sigma')",
        kind=Monotonicity(
            threshold_in_deviations,
            "sigma",
            increasing=False,
            strict=False,
            proof=Maximum((Part(_new_in_deviations, Slope()), Part(_shared_in_deviations, Slope()))),
        ),
        domain=Box((*GAUSSIAN_BOX.parameters[:-1], _Z)),
        quantity=QuantityKind.PROBABILITY,
    ),
)
