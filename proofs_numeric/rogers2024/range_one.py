r"""A pick of range one: its exact rho, and why no order needs more.

With ``a = 1 - e^(-alpha eps)``, ``b = 1 - e^-eps``, ``c = a - b``, ``s = alpha - 1`` and ``q = 1 - theta``,
``(alpha - 1) D_alpha = log(1 - q a) - alpha log(1 - q b)``.

1. Over theta it is largest where ``1 - q a = c/(s b)``: with ``r = (1 - q a) s b/c`` it falls short of that by
   ``alpha log((s + r)/alpha) - log r``, which is least at ``r = 1``.
2. There it is ``s eps + alpha g(alpha eps) - s g(s eps) - g(eps)`` with ``g(x) = log((1 - e^-x)/x)``.  What the bound
   ``s alpha rho`` exceeds it by vanishes at ``s = 0``, and so does its slope.  With ``h(x) = (x g(x))''`` its second
   derivative is ``[2 rho - eps (h(eps) + 1)] + eps [h(eps) + 1 - h(eps + s eps) + h(s eps)]``.
3. The first part is ``e^-l - 1 + l`` with ``l = eps + 2 g(eps)``.
4. The second is ``h(y) - h(0) - h(x + y) + h(x) >= 0``, as ``h'' <= 0``.
"""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.laws import two_point_kl, two_point_renyi
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import *

c, level, m, n, r, s, t, theta, x, y, z = symbols("c level m n r s t theta x y z")
_v = (expm1(epsilon) - epsilon) / epsilon
em_exact_rho = log1p(_v) - _v / (1 + _v)
"""``u - 1 - log u`` with ``u = epsilon/(e^epsilon - 1)``: exact rho of a pick of range one.

As ``log(1 + v) - v/(1 + v)`` with ``v = 1/u - 1``: u is lost beside 1 where epsilon is large, v is not.
"""


def _positive(*names: str) -> Box:
    return Box(tuple(Parameter(name, "", open_lower=True) for name in names))


def _least_at(place: int, name: str) -> Tactic:
    return Split(name, place, Derivative(name, "upper"), Derivative(name, "lower"))


# --- order one: x - 1 - log x at x = u/t, t = 1 - (1 - theta)(1 - e^-eps) ---------------------------------------------

_inverse_u = 1 + (expm1(epsilon) - epsilon) / epsilon
_t = 1 + (1 - theta) * expm1(-epsilon)
_of_factors = log(n) + log(t) + 1 / (n * t) - 1
_KL = Substitute(
    _positive("n", "t"), {"n": _inverse_u, "t": _t},
    Substitute(_positive("y"), {"y": n * t}, _least_at(1, "y"), zero, log(y) + 1 / y - 1), zero, _of_factors,
)  # fmt: skip

# --- 1: over theta ----------------------------------------------------------------------------------------------------

_terms = {
    "s": alpha - 1, "x": theta + (1 - theta) * exp(-alpha * epsilon), "y": theta + (1 - theta) * exp(-epsilon),
    "b": 1 - exp(-epsilon), "c": exp(-epsilon) * (1 - exp(-(alpha - 1) * epsilon)),
}  # fmt: skip
_largest = (log(c / (s * b)) - (1 + s) * log((1 + s) * c * y / (s * (c + b * x)))) / s
_shortfall = (1 + s) * (log(s + r) - log(1 + s)) - log(r)
_ratio = s * b * x / c

_OVER_THETA = Substitute(
    _positive("s", "x", "y", "b", "c"), _terms,
    product_of(
        1 / s,
        (_shortfall(r=_ratio), Substitute(_positive("s", "r"), {"r": _ratio}, _least_at(1, "r"), zero, _shortfall)),
    ),
    (log(x) - (1 + s) * log(y)) / s, _largest, {"c": Derivative("alpha", "lower")},
)  # fmt: skip

# --- 2: the largest, without theta ------------------------------------------------------------------------------------

_c = log(k) - log1p(k) - log1p(m)
_split_logarithms = (
    _c - log(s) - (log(m) - log1p(m)) - (1 + s) * (log1p(s) + _c - log(s) - (log(m + k + m * k) - log1p(m) - log1p(k)))
) / s
"""``m = e^eps - 1``, ``k = e^(s eps) - 1``."""
_joined_logarithms = _largest(
    x=theta + (1 - theta) * (1 / (1 + m)) * (1 / (1 + k)), y=theta + (1 - theta) * (1 / (1 + m)), b=1 - 1 / (1 + m),
    c=1 / (1 + m) * (1 - 1 / (1 + k)),
)  # fmt: skip
_of_order = {"s": alpha - 1, "m": expm1(epsilon), "k": expm1((alpha - 1) * epsilon)}

_THETA_CANCELS = Substitute(
    Box((*_positive("s", "m", "k").parameters, THETA)), _of_order, Symbolic(), _joined_logarithms, _split_logarithms
)
_g = log(-expm1(-x)) - log(x)
_h = 2 / expm1(x) - 1 / x - x * exp(x) / expm1(x) ** 2
"""``(x g(x))''``."""
_rho = epsilon + _g(x=epsilon) + epsilon / expm1(epsilon) - 1
_excess = s * (s + 1) * _rho - (s * epsilon + (1 + s) * _g(x=(1 + s) * epsilon) - s * _g(x=s * epsilon) - _g(x=epsilon))

# --- 3: 2 rho - eps (h(eps) + 1) --------------------------------------------------------------------------------------

_least_at_zero = exp(-level) - 1 + level
_level = epsilon + 2 * _g(x=epsilon)
_FIRST = Substitute(
    Box((Parameter("level", "eps + 2 g(eps)", lower="-infinity"),)), {"level": _level}, _least_at(0, "level"), zero,
    _least_at_zero,
)  # fmt: skip

# --- 4: h(y) + 1 - h(x + y) + h(x) ------------------------------------------------------------------------------------

_second_difference = _h(x=y) + 1 - _h(x=x + y) + _h
_second_bend = _second_difference(x=s * epsilon, y=epsilon)
_even, _odd = exp(z) + exp(-z), exp(z) - exp(-z)
_power_series = 2 * (exp(2 * z) + exp(-2 * z)) - 8 * _even + 12 - 4 * z**3 * _odd + z**4 * _even + 4 * z**4
"""``(e^(z/2) - e^(-z/2))^4 z^3`` times ``-h''(z)``: ``z^8/24`` and positive terms."""
_scale = 1 / (z**3 * (exp(z / 2) - exp(-z / 2)) ** 4)
_minus_bend = _scale * _power_series


_eight_times: Tactic = Sign()
for _time in range(8):
    _eight_times = Derivative("z", "lower", _eight_times)
_POSITIVE_SERIES = Substitute(Box((Parameter("z", ""),)), {}, _eight_times, zero, _power_series)
_BENDS_DOWN = Substitute(
    _positive("z"), {"z": x + y}, product_of(_scale, (_power_series, _POSITIVE_SERIES)), zero, _minus_bend
)
_SECOND = product_of(
    epsilon,
    (
        _second_bend,
        Substitute(
            _positive("x", "y"), {"x": s * epsilon, "y": epsilon},
            Derivative("x", "lower", Derivative("y", "lower", sum_of((_minus_bend(z=x + y), _BENDS_DOWN)))), zero,
            _second_difference,
        ),
    ),
)  # fmt: skip

_VANISHES = Rewrite(Sign(), right=zero)
_BENDS_UP = sum_of((_least_at_zero(level=_level), _FIRST), (epsilon * _second_bend, _SECOND))
_EVERY_ORDER = Through(
    _largest(**_terms), _OVER_THETA,
    Rewrite(
        sum_of(
            factors(
                1 / (alpha - 1),
                (
                    _excess(s=alpha - 1),
                    Substitute(
                        _positive("s", "epsilon"), {"s": alpha - 1},
                        Derivative("s", "lower", Derivative("s", "lower", _BENDS_UP, _VANISHES), _VANISHES), zero,
                        _excess,
                    ),
                ),
            )
        ),
        left=_split_logarithms(**_of_order), equal=_THETA_CANCELS,
    ),
)  # fmt: skip

CLAIMS = (
    own(
        "sharp.em", "Theorem 5", "A pick of range one costs u - 1 - log u",
        r"D_\alpha \le \alpha(u - 1 - \log u),\ u = \varepsilon/(e^\varepsilon - 1)",
        two_point_renyi <= alpha * em_exact_rho, proof=_EVERY_ORDER, domain=(ALPHA, EPSILON, THETA),
        quantity=QuantityKind.RHO, privacy=SELECTION,
        # Where it is nearly attained: orders next to 1, theta 1 - (1 - u)/(1 - e^-epsilon).
        points=tuple(
            {"alpha": "1.001", "epsilon": epsilon, "theta": theta}
            for epsilon, theta in (("0.1", "0.483"), ("1", "0.339"), ("5", "0.0274"), ("10", "0.0004"))
        ),
        evaluates=em_exact_rho, float64_lost="1e-15",
    ),
    own(
        "sharp.em.kl", "Theorem 5", "... and its Kullback-Leibler divergence is at most that",
        r"D_1 \le u - 1 - \log u", two_point_kl <= em_exact_rho, proof=sum_of((_of_factors(n=_inverse_u, t=_t), _KL)),
        domain=(EPSILON, THETA),
    ),
)  # fmt: skip
