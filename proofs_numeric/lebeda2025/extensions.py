"""Releasing the (k+1)-th count too (Section 4), aggregates (Section 6), and the numbers behind Figure 3."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Exact
from proofs_numeric.arithmetic.special import gaussian_profile, normal_quantile_complement
from proofs_numeric.lebeda2025.correlated_gaussian import delta_gauss
from proofs_numeric.lebeda2025.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.parameters import K, ours, printed
from proofs_numeric.lebeda2025.theorem_11 import lemma_22
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Definition, Identity, Inequality, Quantity, Relation
from proofs_numeric.statements.proof import Proof, SymbolicIdentity
from proofs_numeric.statements.verdict import Expectation

EPSILON, DELTA = Fraction(349, 1000), Fraction(1, 10**5)
"""The privacy parameters of Figure 3."""


def _budget(A: Arithmetic, *, k: int, **_scale: Any) -> Any:
    """``4 sigma^2 mu^2`` after k -> k + 1 in delta_gauss, sqrt(k) kept."""
    return k + 1 + A.sqrt(A.number(k))


def independent_release(A: Arithmetic, *, k: int, scale: Any) -> Any:
    """``4 sigma^2 mu^2`` when the (k+1)-th count gets its own noise of deviation ``scale sigma``."""
    return k + A.sqrt(A.number(k)) + 4 / (A.number(scale) * scale)


def _independent_at_sigma(A: Arithmetic, *, k: int) -> Any:
    return independent_release(A, k=k, scale=A.number(1))


def _independent_at_two_sigma(A: Arithmetic, *, k: int) -> Any:
    return independent_release(A, k=k, scale=A.number(2))


def shared_release(A: Arithmetic, *, k: int, sign: int, j: int) -> Any:
    """``4 sigma^2 mu^2`` when c + Z_c + sign Z is released too, j counters going one way and c the other."""
    root = A.sqrt(A.number(k))
    total = j - sign  # the change along (1, ..., 1, sign): shared noise sees v.u = j - sign
    return 4 * (j + 1 - A.number(total * total) / (k + 1 + root))


def _same_sign(A: Arithmetic, *, k: int, j: int) -> Any:
    return shared_release(A, k=k, sign=1, j=j)


def _opposite_sign(A: Arithmetic, *, k: int, j: int) -> Any:
    return shared_release(A, k=k, sign=-1, j=j)


def _budget_of_pair(A: Arithmetic, *, k: int, j: int) -> Any:
    return _budget(A, k=k)


def aggregates_mu_squared(A: Arithmetic, *, j: Any, d: Any, gamma: Any, mu_o: Any) -> Any:
    """``sigma^2 mu^2`` with aggregates of the j changed counters: ``j - j^2/(d + gamma) + j m^2``, m = sigma mu_o."""
    return j - j * j / (d + gamma) + j * mu_o * mu_o


def _aggregates_square(A: Arithmetic, *, j: Any, d: Any, gamma: Any, mu_o: Any) -> Any:
    s = d + gamma
    top = s * (1 + mu_o * mu_o) / 2
    return s * (1 + mu_o * mu_o) ** 2 / 4 - (j - top) ** 2 / s


def _recentred(_A: Arithmetic, *, lower: Any, width: Any) -> Any:
    return lower + width - (lower + lower + width) / 2


def _half_width(_A: Arithmetic, *, lower: Any, width: Any) -> Any:
    return width / 2


def gsh_threshold(A: Arithmetic, *, sigma: Any, k: int) -> Any:
    """Least tau of the uncorrelated mechanism for its new counters: ``sigma Phi^{-1}((1 - delta)^{1/k})``."""
    return sigma * normal_quantile_complement(A, -A.expm1(A.log1p(-A.number(DELTA)) / k))


_FIGURE_3: dict[int, tuple[Exact, Exact]] = {
    # k: (sigma near the minimum of Theorem 11's threshold, a lower bound on the uncorrelated mechanism's least sigma)
    10: (Fraction("18.31"), Fraction("30.929")),
    51: (Fraction("38.6"), Fraction("69.84")),
    51914: (Fraction("1139.7"), Fraction("2228.48")),
}


def _theorem_11_threshold(A: Arithmetic, *, k: int) -> Any:
    sigma = A.number(_FIGURE_3[k][0])
    return lemma_22(A, epsilon=A.number(EPSILON), delta=DELTA, k=k, sigma=sigma)


def _uncorrelated_threshold(A: Arithmetic, *, k: int) -> Any:
    return gsh_threshold(A, sigma=A.number(_FIGURE_3[k][1]), k=k)


def _gsh_gauss(A: Arithmetic, *, k: int) -> Any:
    return gaussian_profile(A, A.number(EPSILON), A.sqrt(A.number(k)) / A.number(_FIGURE_3[k][1]))


def _target(A: Arithmetic, **_k: Any) -> Any:
    return A.number(DELTA)


def _tie(sigma: str, gap: str, k: int) -> Any:
    def formula(A: Arithmetic) -> Any:
        return delta_infinite(A, k=k, sigma=A.number(Fraction(sigma)), gap=A.number(Fraction(gap))) / A.number(DELTA)

    return formula


def _gauss_ratio(sigma: str, k: int) -> Any:
    def formula(A: Arithmetic) -> Any:
        return delta_gauss(A, epsilon=A.number(EPSILON), k=k, sigma=A.number(Fraction(sigma))) / A.number(DELTA)

    return formula


def _sigma_ratio_squared(A: Arithmetic, *, k: int) -> Any:
    """Squared ratio of total deviations, correlated over uncorrelated, at equal mu."""
    root = A.sqrt(A.number(k))
    return ((root + 1) / (2 * root)) ** 2


def _half_and_vanishing(A: Arithmetic, *, k: int) -> Any:
    return A.number(Fraction(1, 4)) + 1 / A.sqrt(A.number(k))


def _approximates(case: tuple[Fraction, tuple[tuple[Fraction, Fraction], ...]]) -> bool:
    """rho-zCDP of a divergence given as (alpha, D_alpha) pairs."""
    rho, divergences = case
    return all(alpha > 1 and divergence <= rho * alpha for alpha, divergence in divergences)


_K_SMALL = replace(K, upper=1000)
_J = Parameter("j", "top-k counters that fall while c rises", "counters", lower=0, upper=1000, integer=True)


def _within(*, k: int, j: int) -> bool:
    return j <= k


CLAIMS = (
    Claim(
        id="lebeda2025.def16",
        source=printed("Definition 16"),
        title="zero-concentrated differential privacy",
        statement=r"D_\alpha(M(D) \| M(D')) \le \rho \alpha \text{ for all } \alpha > 1",
        kind=Definition(
            accepts=_approximates,
            members=((Fraction(1, 2), ((Fraction(2), Fraction(1)), (Fraction(3), Fraction(3, 2)))),),
            non_members=((Fraction(1, 2), ((Fraction(2), Fraction(9, 8)),)),),
        ),
    ),
    Claim(
        id="lebeda2025.sec4.bias",
        source=printed("Section 4", reconstruction=True),
        title="releasing the (k+1)-th count with noise sigma costs k -> k + 1",
        statement=r"k + \sqrt{k} + 4\sigma^2/s^2 \le k + 1 + \sqrt{k} \text{ at } s = \sigma",
        kind=Inequality(left=_independent_at_sigma, right=_budget),
        domain=Box((K,)),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.sec4.bias.corrected",
        note="the text names no noise; with s = sigma, k + 4 is needed",
    ),
    Claim(
        id="lebeda2025.sec4.bias.corrected",
        source=ours("Section 4"),
        title="k -> k + 1 is right for independent noise of deviation 2 sigma",
        statement=r"k + \sqrt{k} + 4\sigma^2/s^2 = k + 1 + \sqrt{k} \text{ at } s = 2\sigma",
        kind=Identity(left=_independent_at_two_sigma, right=_budget),
        domain=Box((K,)),
    ),
    Claim(
        id="lebeda2025.sec4.bias.same_sign",
        source=ours("Section 4"),
        title="releasing c + Z + Z_c with the shared noise",
        statement=r"4\sigma^2\mu^2 \le k + 1 + \sqrt{k} \text{ for } c + Z + Z_c",
        kind=Inequality(left=_same_sign, right=_budget_of_pair),
        domain=Box((_K_SMALL, _J), _within, "j <= k"),
        expected=Expectation.REFUTED,
        corrected_by="lebeda2025.sec4.bias.opposite_sign",
        note="c moves opposite to the counters, so the shared noise hides nothing; about k + 9 is needed",
    ),
    Claim(
        id="lebeda2025.sec4.bias.opposite_sign",
        source=ours("Section 4"),
        title="releasing c - Z + Z_c",
        statement=r"4\sigma^2\mu^2 \le k + 1 + \sqrt{k} \text{ for } c - Z + Z_c",
        kind=Inequality(left=_opposite_sign, right=_budget_of_pair),
        domain=Box((_K_SMALL, _J), _within, "j <= k"),
    ),
    Claim(
        id="lebeda2025.sec6.agg",
        source=printed("Section 6", reconstruction=True),
        title="aggregates of the changed counters",
        statement=r"\sigma^2\mu^2 = j - j^2/(d+\gamma) + j \sigma^2 \mu_o^2,"
        r" \text{ worst at } j = (d+\gamma)(1 + \sigma^2\mu_o^2)/2",
        kind=Identity(
            left=aggregates_mu_squared,
            right=_aggregates_square,
            proof=Proof(
                (
                    SymbolicIdentity(
                        "the square is completed",
                        aggregates_mu_squared,
                        _aggregates_square,
                        ("j", "d", "gamma", "mu_o"),
                        ("j", "d", "gamma", "mu_o"),
                    ),
                    SymbolicIdentity(
                        "recentring [L, U] leaves (U - L)/2", _recentred, _half_width, ("lower", "width"), ("width",)
                    ),
                )
            ),
        ),
        domain=Box(
            tuple(
                Parameter(name, text, lower="0.01", upper=1000, log=True)
                for name, text in (
                    ("j", "changed counters"),
                    ("d", "counters"),
                    ("gamma", "ratio"),
                    ("mu_o", "sigma mu_o"),
                )
            )
        ),
        note="the worst j moves up from (d + gamma)/2, and is capped at d",
    ),
    Claim(
        id="lebeda2025.thm1.informal",
        source=printed("Theorem 1"),
        title="half the noise, in the limit of large k",
        statement=r"(\sqrt{k} + 1)/(2\sqrt{k}) = 1/2 + o(1)",
        kind=Inequality(left=_sigma_ratio_squared, right=_half_and_vanishing),
        domain=Box((K,)),
        note="for the threshold the ratio tends to 1/2 slowly: .563 (Theorem 11) and .502 (exact) at k = 51914",
    ),
    Claim(
        id="lebeda2025.fig3",
        source=printed("Section 5, Figure 3"),
        title="Theorem 11 beats the exact uncorrelated analysis at k = 10, 51 and 51914",
        statement=r"\min_\sigma \tau_{\text{Theorem 11}} < \min_\sigma \tau_{\text{GSHM}}, (.349, 10^{-5})",
        kind=Inequality(left=_theorem_11_threshold, right=_uncorrelated_threshold, relation=Relation.LESS),
        domain=Box(
            (Parameter("k", "sparsity bound", "counters", lower=10, upper=51914, integer=True),),
            lambda *, k: k in _FIGURE_3,
            "k in {10, 51, 51914}",
        ),
        points=tuple({"k": k} for k in _FIGURE_3),
        note="the right side is at most the uncorrelated minimum: its sigma is below the least one (fig3.sigma)",
    ),
    Claim(
        id="lebeda2025.fig3.sigma",
        source=ours("Section 5, Figure 3"),
        title="the uncorrelated mechanism needs more than the sigmas used",
        statement=r"f(\sqrt{k}/\sigma, .349) > 10^{-5}",
        kind=Inequality(left=_target, right=_gsh_gauss, relation=Relation.LESS),
        domain=Box(
            (Parameter("k", "sparsity bound", "counters", lower=10, upper=51914, integer=True),),
            lambda *, k: k in _FIGURE_3,
            "k in {10, 51, 51914}",
        ),
        points=tuple({"k": k} for k in _FIGURE_3),
    ),
    *(
        Claim(
            id=f"lebeda2025.sec2.{name}",
            source=ours("Section 5, Figure 3"),
            title=title,
            statement=r"\delta / 10^{-5} = 1",
            kind=Quantity(formula=formula, printed="1.00000000"),
        )
        for name, title, formula in (
            ("gap.10", "exact tau at the least sigma, k = 10", _tie("17.741998401", "96.753015889", 10)),
            ("gap.51914", "exact tau at the least sigma, k = 51914", _tie("1116.683797698", "7005.638328965", 51914)),
            ("sigma.10", "least sigma of Theorem 11, k = 10", _gauss_ratio("17.741998401", 10)),
            ("sigma.51914", "least sigma of Theorem 11, k = 51914", _gauss_ratio("1116.683797698", 51914)),
        )
    ),
)
