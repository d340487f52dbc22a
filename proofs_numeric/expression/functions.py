"""The named functions of the field, each with its value in every arithmetic, its LaTeX and its derivatives."""

from proofs_numeric.arithmetic.integer_part import floor_of, larger_of
from proofs_numeric.arithmetic.special import (
    gaussian_profile,
    log_normal_cdf,
    normal_cdf,
    normal_pdf,
    normal_quantile,
    normal_quantile_complement,
)
from proofs_numeric.arithmetic.special import mills as mills_ratio
from proofs_numeric.expression.nodes import Function

exp: Function = Function("exp", "A.exp({0})", "", (lambda x: exp(x),))  # noqa: PLW0108 - itself
expm1: Function = Function("expm1", "A.expm1({0})", "", (exp,))
log: Function = Function("log", "A.log({0})", r"\ln({0})", (lambda x: 1 / x,))
log1p: Function = Function("log1p", "A.log1p({0})", "", (lambda x: 1 / (1 + x),))
sqrt: Function = Function("sqrt", "A.sqrt({0})", r"\sqrt{{{0}}}", (lambda x: 1 / (2 * sqrt(x)),))
power: Function = Function(
    "power", "A.power({0}, {1})", "({0})^{{{1}}}", (lambda x, y: y * power(x, y) / x, lambda x, y: log(x) * power(x, y))
)
"""``x ** y`` for ``x > 0`` and real ``y``."""
pi = Function("pi", "A.pi", r"\pi")()

phi: Function = Function("phi", normal_pdf, r"\phi({0})", (lambda x: -x * phi(x),), real=True)
Phi: Function = Function("Phi", normal_cdf, r"\Phi({0})", (phi,), real=True)
log_cdf: Function = Function("log_cdf", log_normal_cdf, r"\ln\Phi({0})", (lambda x: phi(x) / Phi(x),), real=True)
quantile: Function = Function(
    "quantile", normal_quantile, r"\Phi^{{-1}}({0})", (lambda p: 1 / phi(quantile(p)),), real=True
)
quantile_complement: Function = Function(
    "quantile_complement", normal_quantile_complement, r"\Phi^{{-1}}(1 - {0})",
    (lambda q: -1 / phi(quantile_complement(q)),), real=True,
)  # fmt: skip
"""``Phi^-1(1 - q)`` of q in (0, 1)."""
mills: Function = Function(
    "mills", mills_ratio, r"\frac{{\Phi(-{0})}}{{\phi({0})}}", (lambda x: x * mills(x) - 1,), real=True
)
"""Mills ratio ``m(x) = Phi(-x)/phi(x)``."""
profile: Function = Function(
    "f", gaussian_profile, "f({1}, {0})",
    (lambda e, mu: -exp(e) * Phi(-mu / 2 - e / mu), lambda e, mu: phi(mu / 2 - e / mu)), real=True,
)  # fmt: skip
"""Hockey stick ``f(mu, epsilon)`` of two unit normals at distance mu: the arguments are epsilon, then mu."""

floor = Function("floor", floor_of, r"\lfloor {0} \rfloor")
larger = Function("larger", larger_of, r"\max({0}, {1})")
"""The larger of two integers, an integer."""
maximum = Function("maximum", "A.maximum({all})", r"\max({all})")
minimum = Function("minimum", "A.minimum({all})", r"\min({all})")
