"""Theorem 8: threshold, mass of new items and privacy profile of Algorithm 2."""

from dataclasses import replace

from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf, normal_quantile_complement
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.conversion import converted, converted_moves
from proofs_numeric.rogers2024.laws import above_any, normal_average
from proofs_numeric.rogers2024.neighbours import TOP
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_7.statement import GAUSSIAN
from proofs_numeric.rogers2024.theorem_8.proof import TOPS
from proofs_numeric.rogers2024.thresholds import top_threshold
from proofs_numeric.statements.profiles import Promised


def mass_above_noisy_threshold(A: Arithmetic, *, items: Number, margin: Number) -> Number:
    """``1 - E[Phi(margin + Z)^items]``: some of ``items`` equal counts beats one shared noisy threshold.

    ``margin`` is the threshold's lead in noise standard deviations; item and threshold noise are N(0, 1).
    """
    return normal_average(A, lambda B, u: above_any(B, items, normal_cdf(B, -(margin + u))), margin / A.sqrt(2))


beats = algorithm(mass_above_noisy_threshold)
value = symbol("value")
_quantile = quantile_complement(delta / delta_0)  # T^ is sqrt(2) sigma times that
top_new_mass = beats(items=delta_0, margin=(value - delta_inf) * epsilon / delta_inf)
"""Exact Pr[not E] of Algorithm 2 at the threshold ``value``: D_0 new items of count c_(k_bar+1) + D_inf."""
new_item_mass = beats(items=delta_0, margin=sqrt(2) * _quantile)
"""Exact Pr[not E] of Algorithm 2 at its own threshold: ``1 - E[Phi(sqrt(2) z(delta/D_0) + Z)^{D_0}]``."""
tied_new_mass = beats(items=2, margin=sqrt(2) * quantile_complement(delta) + epsilon)
"""Exact Pr[not E] when ties are broken otherwise on either side: five equal counts, one falls, k_bar = 2.

Of {a, b} and {c, d} both items are new on either side though Delta_0 = 1; their counts are the threshold's.
"""


def new_item_mass_from_maximum(A: Arithmetic, *, delta_0: Number, delta: Number) -> Number:
    """The same mass from the density of the largest of D_0 noises: ``integral n phi Phi^(n-1) Phi(x - sqrt(2) z)``."""
    margin = A.sqrt(2) * normal_quantile_complement(A, A.number(delta) / delta_0)

    def density(B: Arithmetic, x: Number) -> Number:
        return delta_0 * normal_pdf(B, x) * normal_cdf(B, x) ** (delta_0 - 1) * normal_cdf(B, x - margin)

    return A.sum(integral(A, density, i, i + 4) for i in range(-14, 30, 4))


CLAIMS = (
    stated(
        "thm8.T", "Theorem 8", "Threshold of Algorithm 2",
        r"T = \Delta_\infty + \frac{\sqrt2\Delta_\infty}{\varepsilon}\Phi^{-1}(1-\delta/\Delta_0)",
        Calibration(
            top_threshold, top_new_mass, tight=False,
            proof=derived(
                Premise(
                    "rogers2024.thm8.sum",
                    "some of Delta_0 items beats the threshold with at most Delta_0 times the probability of one, "
                    "though they share the threshold's noise",
                )
            ),
        ),
        domain=(replace(DELTA_0, upper=10**6), DELTA_INF, EPSILON, DELTA), falls=("delta",), rises=("delta_0",),
        privacy=TOP, points=({"delta_0": 1, "delta_inf": 1, "epsilon": 1, "delta": "1e-6"},), cost=7,
        loose="min(Delta_0, k_bar) may replace Delta_0; the union bound costs 1.3 per cent of delta at Delta_0 = 20, "
        "delta = 1e-6, and more at larger delta",
        note="Needs delta < Delta_0.",
    ),
    own(
        "thm8.new_item_mass", "Theorem 8", "Exact mass of new items under Algorithm 2",
        r"\Pr[\neg E] = 1 - E[\Phi(\sqrt2 z(\delta/\Delta_0) + Z)^{\Delta_0}]",
        DeltaBound(
            new_item_mass, oracle=new_item_mass_from_maximum,
            oracle_points=({"delta_0": 3, "delta": "1/20"}, {"delta_0": 20, "delta": "1e-3"}),
        ),
        domain=(replace(DELTA_0, upper=10**6), DELTA), quantity=QuantityKind.PROBABILITY,
        points=({"delta_0": 2, "delta": "1e-6"},), cost=7,
    ),
    refuted(
        "thm8.T.ties", "Algorithm 2", "The new items' mass stays below delta however ties are broken",
        r"1 - E[\Phi(\sqrt2 z(\delta) + \varepsilon + Z)^2] \le \delta", tied_new_mass <= delta,
        equation="breaking ties arbitrarily", by="thm8.T", domain=(EPSILON, DELTA), quantity=QuantityKind.PROBABILITY,
        points=({"epsilon": "0.1", "delta": "1e-6"},), cost=7,
        note="1.4033e-6 at delta = 1e-6, epsilon = 0.1; the order of labels must be fixed before the data "
        "(rogers2024.thm8.lem5.2).",
    ),
    own(
        "thm8.profile", "Theorem 8 and its best conversion", "Privacy profile that Theorem 8 promises",
        r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = \Delta_0\Delta_\infty^2/(2\sigma^2)",
        DeltaBound(
            # Of D_0 shared high counts that each move by D_inf (pair B3).
            GAUSSIAN.profile, exact=profile(epsilon, sqrt(delta_0) * delta_inf / sigma),
            pairs=Promised(TOPS, {"epsilon": delta_inf / sigma}),
            proof=converted(ByClaim("rogers2024.thm8.rho"), GAUSSIAN),
        ),
        domain=(LEVEL, replace(DELTA_0, upper=10**4), DELTA_INF, SIGMA, DELTA), role=Role.UPPER,
        falls=("epsilon", "sigma"), rises=("delta_0", "delta_inf", "delta"), privacy=TOP, promise=GAUSSIAN,
        moves=converted_moves("sigma", "delta_0", "delta_inf", "delta"),
    ),
    stated(
        "thm8.sum", "Theorem 8, proof item 1", "Union bound over new items",
        r"\Delta_0 (1 - \Phi(\hat T/(\sqrt2\sigma))) = \delta",
        eq(delta_0 * Phi(-(sqrt(2) * _quantile / sqrt(2))), delta), proof=Symbolic(), domain=(DELTA_0, DELTA),
    ),
    refuted(
        "thm8.sum.as_printed", "Theorem 8, proof item 1", "The root drawn over sigma",
        r"\Delta_0 (1 - \Phi(\hat T/\sqrt{2\sigma})) = \delta",
        eq(delta_0 * Phi(-(sqrt(2) * sigma * _quantile / sqrt(2 * sigma))), delta), by="thm8.sum",
        domain=(DELTA_0, DELTA, SIGMA),
    ),
)  # fmt: skip
