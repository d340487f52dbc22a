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

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.rogers2024.laws import two_point_kl, two_point_renyi
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import ALPHA, EPSILON, THETA, ours
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import (
    Derivative,
    Part,
    Product,
    Rewrite,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)


def em_exact_rho(A: Arithmetic, *, epsilon: Number) -> Number:
    """``u - 1 - log u`` with ``u = epsilon/(e^epsilon - 1)``: exact rho of a pick of range one.

    As ``log(1 + v) - v/(1 + v)`` with ``v = 1/u - 1``: u is lost beside 1 where epsilon is large, v is not.
    """
    epsilon = A.number(epsilon)
    v = (A.expm1(epsilon) - epsilon) / epsilon
    return A.log1p(v) - v / (1 + v)


def _whatever_theta(A: Arithmetic, *, epsilon: Number, theta: Number) -> Number:
    return em_exact_rho(A, epsilon=epsilon)


def _alpha_rho(A: Arithmetic, *, alpha: Number, epsilon: Number, theta: Number) -> Number:
    return alpha * em_exact_rho(A, epsilon=epsilon)


def _positive(*names: str) -> Box:
    return Box(tuple(Parameter(name, "", open_lower=True) for name in names))


def _least_at_one(name: str) -> Tactic:
    return Split(name, 1, Derivative(name, "upper"), Derivative(name, "lower"))


# --- order one: x - 1 - log x at x = u/t, t = 1 - (1 - theta)(1 - e^-eps) ---------------------------------------------


def _inverse_u(A: Arithmetic, *, epsilon: Number, theta: Number) -> Number:
    return 1 + (A.expm1(epsilon) - epsilon) / epsilon


def _t(A: Arithmetic, *, epsilon: Number, theta: Number) -> Number:
    return 1 + (1 - theta) * A.expm1(-epsilon)


def _of_inverse(A: Arithmetic, *, y: Number) -> Number:
    return A.log(y) + 1 / y - 1


def _of_factors(A: Arithmetic, *, n: Number, t: Number) -> Number:
    return A.log(n) + A.log(t) + 1 / (n * t) - 1


def _kl_gap(A: Arithmetic, **at: Number) -> Number:
    return _of_factors(A, n=_inverse_u(A, **at), t=_t(A, **at))


_KL = Substitute(
    _positive("n", "t"),
    {"n": _inverse_u, "t": _t},
    Substitute(_positive("y"), {"y": lambda _A, *, n, t: n * t}, _least_at_one("y"), zero, _of_inverse),
    zero,
    _of_factors,
)


# --- 1: over theta ----------------------------------------------------------------------------------------------------


def _terms(A: Arithmetic, *, alpha: Number, epsilon: Number, theta: Number) -> dict[str, Number]:
    kept = A.exp(-epsilon)
    return {
        "s": alpha - 1,
        "x": theta + (1 - theta) * A.exp(-alpha * epsilon),
        "y": theta + (1 - theta) * kept,
        "b": 1 - kept,
        "c": kept * (1 - A.exp(-(alpha - 1) * epsilon)),
    }


def _renyi(A: Arithmetic, *, s: Number, x: Number, y: Number, b: Number, c: Number) -> Number:
    return (A.log(x) - (1 + s) * A.log(y)) / s


def _largest(A: Arithmetic, *, s: Number, x: Number, y: Number, b: Number, c: Number) -> Number:
    return (A.log(c / (s * b)) - (1 + s) * A.log((1 + s) * c * y / (s * (c + b * x)))) / s


def _largest_renyi(A: Arithmetic, **at: Number) -> Number:
    return _largest(A, **_terms(A, **at))


def _shortfall(A: Arithmetic, *, s: Number, r: Number) -> Number:
    return (1 + s) * (A.log(s + r) - A.log(1 + s)) - A.log(r)


def _ratio(_A: Arithmetic, *, s: Number, x: Number, b: Number, c: Number, **_rest: Number) -> Number:
    return s * b * x / c


def _term(name: str) -> Formula:
    return lambda A, **at: _terms(A, **at)[name]


_OVER_THETA = Substitute(
    _positive("s", "x", "y", "b", "c"),
    {name: _term(name) for name in ("s", "x", "y", "b", "c")},
    Product(
        (
            Part(lambda _A, *, s, **_rest: 1 / s),
            Part(
                lambda A, *, s, **at: _shortfall(A, s=s, r=_ratio(A, s=s, **at)),
                Substitute(_positive("s", "r"), {"r": _ratio}, _least_at_one("r"), zero, _shortfall),
            ),
        )
    ),
    _renyi,
    _largest,
    {"c": Derivative("alpha", "lower")},
)


# --- 2: the largest, without theta ------------------------------------------------------------------------------------


def _split_logarithms(A: Arithmetic, *, s: Number, m: Number, k: Number, theta: Number) -> Number:
    """``m = e^eps - 1``, ``k = e^(s eps) - 1``."""
    grown, further = A.log1p(m), A.log1p(k)
    c = A.log(k) - further - grown
    b, a = A.log(m) - grown, A.log(m + k + m * k) - grown - further
    return (c - A.log(s) - b - (1 + s) * (A.log1p(s) + c - A.log(s) - a)) / s


def _joined_logarithms(A: Arithmetic, *, s: Number, m: Number, k: Number, theta: Number) -> Number:
    kept, further = 1 / (1 + m), 1 / (1 + k)
    x, y = theta + (1 - theta) * kept * further, theta + (1 - theta) * kept
    return _largest(A, s=s, x=x, y=y, b=1 - kept, c=kept * (1 - further))


def _step(_A: Arithmetic, *, alpha: Number, **_rest: Number) -> Number:
    return alpha - 1


def _grown(A: Arithmetic, *, epsilon: Number, **_rest: Number) -> Number:
    return A.expm1(epsilon)


def _grown_further(A: Arithmetic, *, alpha: Number, epsilon: Number, **_rest: Number) -> Number:
    return A.expm1((alpha - 1) * epsilon)


def _without_theta(A: Arithmetic, *, theta: Number, **at: Number) -> Number:
    return _split_logarithms(A, s=_step(A, **at), m=_grown(A, **at), k=_grown_further(A, **at), theta=theta)


_THETA_CANCELS = Substitute(
    Box((*_positive("s", "m", "k").parameters, THETA)),
    {"s": _step, "m": _grown, "k": _grown_further},
    Symbolic(),
    _joined_logarithms,
    _split_logarithms,
)


def _g(A: Arithmetic, x: Number) -> Any:
    return A.log(-A.expm1(-x)) - A.log(x)


def _h(A: Arithmetic, x: Number) -> Any:
    """``(x g(x))''``."""
    grown = A.expm1(x)
    return 2 / grown - 1 / x - x * A.exp(x) / grown**2


def _rho(A: Arithmetic, epsilon: Number) -> Any:
    return epsilon + _g(A, epsilon) + epsilon / A.expm1(epsilon) - 1


def _excess(A: Arithmetic, *, s: Number, epsilon: Number) -> Any:
    largest = s * epsilon + (1 + s) * _g(A, (1 + s) * epsilon) - s * _g(A, s * epsilon) - _g(A, epsilon)
    return s * (s + 1) * _rho(A, epsilon) - largest


# --- 3: 2 rho - eps (h(eps) + 1) --------------------------------------------------------------------------------------


def _least_at_zero(A: Arithmetic, *, level: Number) -> Number:
    return A.exp(-level) - 1 + level


def _level(A: Arithmetic, *, epsilon: Number, **_s: Number) -> Any:
    return epsilon + 2 * _g(A, epsilon)


def _first_bend(A: Arithmetic, *, epsilon: Number, **_s: Number) -> Any:
    return _least_at_zero(A, level=_level(A, epsilon=epsilon))


_FIRST = Substitute(
    Box((Parameter("level", "eps + 2 g(eps)", lower="-infinity"),)),
    {"level": _level},
    Split("level", 0, Derivative("level", "upper"), Derivative("level", "lower")),
    zero,
    _least_at_zero,
)


# --- 4: h(y) + 1 - h(x + y) + h(x) ------------------------------------------------------------------------------------


def _second_difference(A: Arithmetic, *, x: Number, y: Number) -> Any:
    return _h(A, y) + 1 - _h(A, x + y) + _h(A, x)


def _second_bend(A: Arithmetic, *, s: Number, epsilon: Number) -> Any:
    return _second_difference(A, x=s * epsilon, y=epsilon)


def _power_series(A: Arithmetic, *, z: Number) -> Number:
    """``(e^(z/2) - e^(-z/2))^4 z^3`` times ``-h''(z)``: ``z^8/24`` and positive terms."""
    even, odd = A.exp(z) + A.exp(-z), A.exp(z) - A.exp(-z)
    return 2 * (A.exp(2 * z) + A.exp(-2 * z)) - 8 * even + 12 - 4 * z**3 * odd + z**4 * even + 4 * z**4


def _scale(A: Arithmetic, *, z: Number) -> Number:
    return 1 / (z**3 * (A.exp(z / 2) - A.exp(-z / 2)) ** 4)


def _minus_bend(A: Arithmetic, *, z: Number) -> Number:
    return _scale(A, z=z) * _power_series(A, z=z)


def _eight_times() -> Tactic:
    proof: Tactic = Sign()
    for _time in range(8):
        proof = Derivative("z", "lower", proof)
    return Substitute(Box((Parameter("z", ""),)), {}, proof, zero, _power_series)


_BENDS_DOWN = Substitute(
    _positive("z"),
    {"z": lambda _A, *, x, y: x + y},
    Product((Part(_scale), Part(_power_series, _eight_times()))),
    zero,
    _minus_bend,
)
_SECOND = Product(
    (
        Part(lambda _A, *, s, epsilon: epsilon),
        Part(
            _second_bend,
            Substitute(
                _positive("x", "y"),
                {"x": lambda _A, *, s, epsilon: s * epsilon, "y": lambda _A, *, s, epsilon: epsilon},
                Derivative(
                    "x",
                    "lower",
                    Derivative("y", "lower", Sum((Part(lambda A, *, x, y: _minus_bend(A, z=x + y), _BENDS_DOWN),))),
                ),
                zero,
                _second_difference,
            ),
        ),
    )
)

_VANISHES = Rewrite(Sign(), right=zero)
_BENDS_UP = Sum(
    (Part(_first_bend, _FIRST), Part(lambda A, *, s, epsilon: epsilon * _second_bend(A, s=s, epsilon=epsilon), _SECOND))
)
_EVERY_ORDER = Through(
    _largest_renyi,
    _OVER_THETA,
    Rewrite(
        Sum(
            (
                Part(
                    lambda A, *, alpha, epsilon, theta: _excess(A, s=alpha - 1, epsilon=epsilon) / (alpha - 1),
                    Product(
                        (
                            Part(lambda _A, *, alpha, epsilon, theta: 1 / (alpha - 1)),
                            Part(
                                lambda A, *, alpha, epsilon, theta: _excess(A, s=alpha - 1, epsilon=epsilon),
                                Substitute(
                                    _positive("s", "epsilon"),
                                    {"s": _step},
                                    Derivative("s", "lower", Derivative("s", "lower", _BENDS_UP, _VANISHES), _VANISHES),
                                    zero,
                                    _excess,
                                ),
                            ),
                        )
                    ),
                ),
            )
        ),
        left=_without_theta,
        equal=_THETA_CANCELS,
    ),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.sharp.em",
        source=ours("Theorem 5"),
        title="A pick of range one costs u - 1 - log u",
        statement=r"D_\alpha \le \alpha(u - 1 - \log u),\ u = \varepsilon/(e^\varepsilon - 1)",
        kind=Inequality(two_point_renyi, _alpha_rho, proof=_EVERY_ORDER),
        domain=Box((ALPHA, EPSILON, THETA)),
        quantity=QuantityKind.RHO,
        privacy=SELECTION,
        points=tuple(  # where it is nearly attained: orders next to 1, theta 1 - (1 - u)/(1 - e^-epsilon)
            {"alpha": "1.001", "epsilon": epsilon, "theta": theta}
            for epsilon, theta in (("0.1", "0.483"), ("1", "0.339"), ("5", "0.0274"), ("10", "0.0004"))
        ),
        evaluates=lambda A, **p: em_exact_rho(A, epsilon=p["epsilon"]),
    ),
    Claim(
        id="rogers2024.sharp.em.kl",
        source=ours("Theorem 5"),
        title="... and its Kullback-Leibler divergence is at most that",
        statement=r"D_1 \le u - 1 - \log u",
        kind=Inequality(two_point_kl, _whatever_theta, proof=Sum((Part(_kl_gap, _KL),))),
        domain=Box((EPSILON, THETA)),
    ),
)
