"""Theorem 5.4 solved for one parameter: least epsilon, least gap, least sigma."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.statements.neighbours import Privacy
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM, sparse_histogram_at
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.profile_roots import largest_distance, least_epsilon_at
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

value, other, root = symbols("value other root")
least_gap = sigma * quantile_complement(-expm1(log1p(-delta) / c_u))
"""Gap at which ``delta_infinite = delta``: ``sigma Phi^-1((1 - delta)^(1/C_u))``, stable for tiny delta."""
_distance = distance(rows=c_u)
epsilon_of_delta = algorithm(gaussian_epsilon)(mu=_distance)
"""Least ``epsilon >= 0`` with ``delta_exact <= delta``, where ``delta >= delta_infinite``; else infinite."""
_largest_distance = algorithm(gaussian_mu)()
least_sigma = 1 / sqrt(_largest_distance * _largest_distance / c_u - mu_o * mu_o)
"""Least ``sigma`` for which some gap meets ``(epsilon, delta)``: that of the Gaussian mechanism.

``1/sigma^2 = mu^2/C_u - mu_o^2`` with ``f(mu, epsilon) = delta``; infinite where the other aggregates alone
exceed delta.
"""


def infinite_unless(answered: Callable[..., bool], reason: str) -> Callable[..., SpecialValue | None]:
    """Return the special value of a calibration: infinite, with the reason, where there is no answer."""
    return lambda **parameters: None if answered(**parameters) else SpecialValue("infinity", reason)


def answers(nowhere: Callable[..., SpecialValue | None], **formulas: Expression | int) -> Privacy:
    """Return the neighbours of Algorithm 1 at what a calibration answers, by name, and where it fixes a number.

    They raise a ValueError, with the reason, where it has no number.
    """

    def complete(*, mu_o: Value = 0, **parameters: Value) -> Mapping[str, Value]:
        at = {**parameters, "mu_o": mu_o}
        if (value := nowhere(**at)) is not None:
            raise ValueError(f"expected parameters with a finite answer, got {value.value}: {value.reason}")
        return {
            name: one if isinstance(one, int) else Fraction(float(evaluate_in(Float64(), one, at)))
            for name, one in formulas.items()
        }

    return sparse_histogram_at(complete)


def larger_is_delta(noise: Expression, below: Tactic = Hypothesis()) -> Both:  # noqa: B008 - frozen
    """That ``max(delta, noise) = delta``, as the delta of the noise is at most delta: ``below``."""
    return Both(largest_of((delta, Symbolic()), (noise, below)), Sign())


_NOISE_SUFFICES = at_most(delta_gaussian, delta)
_GAUSSIAN_INFEASIBLE = infinite_unless(
    _NOISE_SUFFICES,
    "delta is below delta_Gaussian: the noise alone exceeds it at every threshold; raise sigma or delta",
)
_THRESHOLD_SUFFICES = at_most(delta_infinite, delta)
_BY_RANGE = derived(
    Unchecked(
        "range of the calibration", "infinite below the least gap that suffices; above it the noise alone decides"
    )
)
_exact_at_other = delta_exact(epsilon=other)
_aggregates_alone = sqrt(c_u) * mu_o
"""Distance of the other aggregates, without the counts."""
_AGGREGATES_SUFFICE = at_most(_aggregates_alone, _largest_distance, strict=True)
_AGGREGATES_INFEASIBLE = infinite_unless(
    lambda **at: at["mu_o"] == 0 or _AGGREGATES_SUFFICE(**at),
    "the other aggregates alone reach delta: no noise on the counts suffices; add noise to the aggregates",
)
_noise_of_root = profile(epsilon, exp(root))
_room, _conjugate = exp(root) / sqrt(c_u) - mu_o, exp(root) / sqrt(c_u) + mu_o
"""What the other aggregates leave of a row's distance, and its conjugate."""
_LEFT_FOR_COUNTS = product_of(
    (_room, product_of(1 / sqrt(c_u), (exp(root) - _aggregates_alone, Hypothesis()))), _conjugate
)
"""Of ``mu^2/C_u - mu_o^2``, where ``sqrt(C_u) mu_o < mu``: it is positive."""

CLAIMS = (
    own(
        "thm5.4.epsilon", "Theorem 5.4", "Least epsilon at a given delta",
        r"\epsilon(\delta)=\inf\{\epsilon\ge0: f(\mu(C_u),\epsilon)\le\delta\}\text{ if "
        r"}\delta\ge\delta_\infty,\text{ else }\infty",
        Calibration(
            formula=epsilon_of_delta, achieved=delta_exact(epsilon=value),
            by=Achieved("wilkins2024.thm5.4", {"epsilon": value}, lower=0), tight=False, answered=_THRESHOLD_SUFFICES,
            proof=least_epsilon_at(
                _distance, largest_of((delta_infinite, Hypothesis()), (delta_gaussian(epsilon=root), Hypothesis()))
            ),
        ),
        domain=(DELTA, C_U, SIGMA, GAP, MU_O), assumptions=(INTEGER_TAU,), quantity=QuantityKind.EPSILON,
        falls=("delta", "gap"), rises=("c_u", "mu_o"), moves={"gap": _BY_RANGE}, privacy=SPARSE_HISTOGRAM,
        special_value=infinite_unless(
            _THRESHOLD_SUFFICES,
            "delta is below delta_infinite: infinite privacy loss is likelier than that; raise the gap or delta",
        ),
        note="Equality holds where epsilon > 0; at epsilon = 0 the achieved delta may be smaller. Proved of the exact "
        "delta in O(1), which is wilkins2024.thm5.4.collapse.",
        points=points("delta c_u sigma gap mu_o", ("1e-5", 51914, 2228, 14000, 0), ("1e-300", 1, 1, 40, 0)),
    ),
    own(
        "thm5.4.epsilon.least", "Theorem 5.4", "No smaller epsilon meets the delta",
        r"\delta(e)\le\delta\Rightarrow\epsilon(\delta)\le e", epsilon_of_delta <= other,
        proof=replace(
            least_epsilon_at(_distance, Hypothesis()), above=None,
            at_most=(other, Through(_exact_at_other, second=Hypothesis())),
        ),
        domain=Box(
            (DELTA, C_U, SIGMA, GAP, MU_O, replace(EPSILON, name="other", description="an epsilon that meets delta")),
            at_most(_exact_at_other, delta), "the exact delta at other <= delta",
        ),
        points=points(
            "delta c_u sigma gap mu_o other", ("1e-5", 51914, 2228, 14000, 0, "0.35"), ("1e-3", 10, 3, 12, "0.25", 6),
        ),
    ),
    own(
        "thm5.4.gap", "Theorem 5.4", "Least threshold gap at a given (epsilon, delta)",
        r"\tau^*-\tau=\sigma\Phi^{-1}((1-\delta)^{1/C_u})\text{ for }\delta\ge\delta_G,\text{ else }\infty",
        Calibration(
            formula=least_gap, achieved=delta_exact(gap=value), by=Achieved("wilkins2024.thm5.4", {"gap": value}),
            answered=_NOISE_SUFFICES,
            proof=Rewrite(larger_is_delta(delta_gaussian), left=maximum(delta, delta_gaussian)),
        ),
        note="Proved of the exact delta in O(1), which is wilkins2024.thm5.4.collapse.",
        domain=(EPSILON, DELTA, C_U, SIGMA, MU_O), assumptions=(INTEGER_TAU,), falls=("delta",), rises=("c_u",),
        privacy=answers(_GAUSSIAN_INFEASIBLE, gap=least_gap), special_value=_GAUSSIAN_INFEASIBLE,
        points=points(
            "epsilon delta c_u sigma mu_o", ("0.349", "1e-5", 51914, 2400, 0), (1, "1e-17", 1, 10, 0),
            (1, "1e-300", 10**9, 10**6, 0),
        ),
    ),
    own(
        "thm5.4.sigma", "Theorem 5.4", "Least sigma at a given (epsilon, delta), the gap chosen with it",
        r"\sigma^{-2}=\mu^2/C_u-\mu_o^2,\ f(\mu,\epsilon)=\delta,\ \tau^*-\tau=\sigma\Phi^{-1}((1-\delta)^{1/C_u})",
        Calibration(
            formula=least_sigma, achieved=delta_exact(sigma=value, gap=least_gap(sigma=value)),
            by=Achieved(
                "wilkins2024.thm5.4", {"sigma": value, "gap": least_gap(sigma=value)}, lower=0, open_lower=True
            ),
            answered=_AGGREGATES_SUFFICE,
            proof=replace(
                largest_distance(Rewrite(larger_is_delta(_noise_of_root), left=maximum(delta, _noise_of_root))),
                defined=(_LEFT_FOR_COUNTS,),
            ),
        ),
        note="Proved of the exact delta in O(1), which is wilkins2024.thm5.4.collapse.",
        domain=(EPSILON, DELTA, C_U, MU_O), assumptions=(INTEGER_TAU,), quantity=QuantityKind.SCALE,
        falls=("epsilon", "delta"), rises=("c_u", "mu_o"), special_value=_AGGREGATES_INFEASIBLE,
        privacy=answers(_AGGREGATES_INFEASIBLE, sigma=least_sigma, gap=least_gap(sigma=least_sigma)),
        points=points("epsilon delta c_u mu_o", ("0.349", "1e-5", 51914, 0), (700, "1e-300", 10**9, 0)),
    ),
)  # fmt: skip
