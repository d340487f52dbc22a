r"""Lemma 5.3: rows above the lower threshold are a Gaussian mechanism, censored at tau*.

One changed row, without further aggregates: ``N(c, sigma^2)`` with the user against ``N(c - 1, sigma^2)`` without, both
censored below tau*; ``margin = c - tau*`` (counts).  The likelihood ratio grows with the released value, so a best
event is a half-line, with or without the event that nothing is released.

Forward, with values counted from c: the excess of the half-line above ``c`` is
``F(c) = Phi(-c/sigma) - e^eps Phi((-1 - c)/sigma)``.  It rises from ``1 - e^eps`` to ``F(c_0) = f(1/sigma, eps)`` at
``c_0 = sigma^2 eps - 1/2`` and falls to 0 beyond, and withholding is worth ``w = 1 - e^eps - F(-margin)``.  Hence

- ``-margin <= c_0``: ``F(-margin) >= 1 - e^eps``, so w <= 0 and ``H = F(c_0) = f``: the bound is attained;
- ``-margin > c_0``: H is ``F(-margin) <= f`` or, where w > 0, ``1 - e^eps <= f``;
  and ``f - F(-margin) <= Phi(-c_0/sigma) - Phi(margin/sigma) <= Phi(-margin/sigma)``, the chance that it is withheld.

Backward, half-lines below c: ``B(c) = Phi((c + 1)/sigma) - e^eps Phi(c/sigma)`` rises from 0 to ``B(c_1) = f`` at
``c_1 = -sigma^2 eps - 1/2`` and falls to ``1 - e^eps``; withholding is worth ``B(-margin)``.  Hence

- ``-margin <= c_1``: ``B(-margin) > 0`` counts, and ``H = B(c_1) = f``;
- ``-margin > c_1``: ``H = max(0, B(-margin)) <= f``, and ``f <= Phi((c_1 + 1)/sigma) <= Phi((1 - margin)/sigma)``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import gaussian_profile, integral, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import DeltaBound, Editorial, Identity, Inequality
from proofs_numeric.statements.profiles import HalfLine, Shifted
from proofs_numeric.statements.tactics import (
    Both,
    ByClaim,
    Derivative,
    Maximum,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.wilkins2024.parameters import EPSILON, EPSILON_REAL, SIGMA, ours, printed, refuted, uncheckable


def forward_row(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Number:
    """Exact hockey stick of one changed row, user present against absent; any real epsilon."""
    epsilon, sigma, margin = A.number(epsilon), A.number(sigma), A.number(margin)
    ratio = A.exp(epsilon)
    withheld = normal_cdf(A, -margin / sigma) - ratio * normal_cdf(A, (1 - margin) / sigma)
    cut = A.maximum(-margin, sigma * sigma * epsilon - A.number(Fraction(1, 2)))
    released = normal_cdf(A, -cut / sigma) - ratio * normal_cdf(A, (-1 - cut) / sigma)
    return A.maximum(released, withheld + released)


def backward_row(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Number:
    """Exact hockey stick of one changed row, user absent against present; any real epsilon."""
    epsilon, sigma, margin = A.number(epsilon), A.number(sigma), A.number(margin)
    ratio = A.exp(epsilon)
    withheld = normal_cdf(A, (1 - margin) / sigma) - ratio * normal_cdf(A, -margin / sigma)
    cut = A.maximum(-margin, -sigma * sigma * epsilon - A.number(Fraction(1, 2)))
    below = normal_cdf(A, (cut + 1) / sigma) - normal_cdf(A, (1 - margin) / sigma)
    below_with = normal_cdf(A, cut / sigma) - normal_cdf(A, -margin / sigma)
    released = below - ratio * below_with
    return A.maximum(released, withheld + released)


def row_bound(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Any:
    """``f(1/sigma, epsilon)``: the same row without its threshold."""
    return gaussian_profile(A, epsilon, 1 / A.number(sigma))


def _by_definition(A: Arithmetic, epsilon: Number, sigma: Number, margin: Number, left: int, right: int) -> Number:
    """Sum over "nothing" and integral over values above tau* of ``max(0, p - e^epsilon q)``, counts less c as means."""
    epsilon, sigma, margin = A.number(epsilon), A.number(sigma), A.number(margin)
    ratio, zero = A.exp(epsilon), A.number(0)

    def excess(B: Arithmetic, y: Number) -> Number:
        p, q = normal_pdf(B, (y - left) / sigma), normal_pdf(B, (y - right) / sigma)
        return (p - B.exp(epsilon) * q) / sigma

    low, high = -margin, A.maximum(-margin, zero) + 15 * sigma
    inner, outer = low, high
    while outer - inner > A.power(10, -20) * (1 + abs(outer)):  # the excess changes its sign at most once
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if (excess(A, middle) > 0) == (excess(A, low) > 0) else (inner, middle)
    ends = [low + (inner - low) * n / 8 for n in range(9)] + [inner + (high - inner) * n / 16 for n in range(1, 17)]
    pieces = (A.maximum(zero, integral(A, excess, a, b)) for a, b in pairwise(ends) if b > a)
    lower_pieces = [(low - (n + 1) * sigma, low - n * sigma) for n in range(15)]
    silent, silent_other = (
        A.sum(integral(A, partial(_density, mean=mean, sigma=sigma), a, b) for a, b in lower_pieces)
        for mean in (left, right)
    )
    return A.maximum(zero, silent - ratio * silent_other) + A.sum(pieces)


def _density(A: Arithmetic, y: Number, *, mean: int, sigma: Number) -> Number:
    return normal_pdf(A, (y - mean) / sigma) / sigma


def forward_row_by_definition(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Number:
    """``forward_row`` by quadrature of the censored densities."""
    return _by_definition(A, epsilon, sigma, margin, 0, -1)


def backward_row_by_definition(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Number:
    """``backward_row`` by quadrature of the censored densities."""
    return _by_definition(A, epsilon, sigma, margin, -1, 0)


def forward_row_and_censored(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Number:
    """Forward hockey stick plus the chance that the row is withheld, ``Phi(-margin/sigma)``."""
    withheld = normal_cdf(A, -A.number(margin) / A.number(sigma))
    return forward_row(A, epsilon=epsilon, sigma=sigma, margin=margin) + withheld


def backward_row_and_censored(A: Arithmetic, *, epsilon: Number, sigma: Number, margin: Number) -> Number:
    """Backward hockey stick plus the chance that the row is withheld, ``Phi((1 - margin)/sigma)``."""
    withheld = normal_cdf(A, (1 - A.number(margin)) / A.number(sigma))
    return backward_row(A, epsilon=epsilon, sigma=sigma, margin=margin) + withheld


def _above(A: Arithmetic, *, epsilon: Number, sigma: Number, cut: Number) -> Number:
    return normal_cdf(A, -cut / sigma) - A.exp(epsilon) * normal_cdf(A, (-1 - cut) / sigma)


def _below(A: Arithmetic, *, epsilon: Number, sigma: Number, cut: Number) -> Number:
    return normal_cdf(A, (cut + 1) / sigma) - A.exp(epsilon) * normal_cdf(A, cut / sigma)


def _not_far_below(*, epsilon: Value, sigma: Value, margin: Value) -> bool:
    return Fraction(margin) >= -4 * Fraction(sigma)


def _forward_attained(*, epsilon: Any, sigma: Any, margin: Any) -> Any:
    return margin - Fraction(1, 2) + sigma**2 * epsilon >= 0


def _backward_attained(*, epsilon: Any, sigma: Any, margin: Any) -> Any:
    return margin - Fraction(1, 2) - sigma**2 * epsilon >= 0


MARGIN = Parameter(
    "margin", "the row's count with the user, less tau*", unit="counts", lower="-infinity", upper="infinity"
)
_SCALE = replace(SIGMA, lower="0.01", upper=1000)
_FORWARD = Box((EPSILON, _SCALE, MARGIN))
_REAL = Box((EPSILON_REAL, _SCALE, MARGIN))


@dataclass(frozen=True)
class _Order:
    """What the proofs say of one order of the pair, with half-lines from ``shift`` counts above the best one on."""

    row: Formula
    line: Formula
    sign: int
    """Of epsilon in the best cut."""
    mode: int
    """The density that a half-line loses is that of values counted from ``-mode``."""

    def cut(self, epsilon: Number, sigma: Number) -> Number:
        return (2 * self.sign * sigma * sigma * epsilon - 1) / 2

    def best(self, A: Arithmetic, *, epsilon: Number, sigma: Number, **_shift: Number) -> Any:
        return self.line(A, epsilon=epsilon, sigma=sigma, cut=self.cut(epsilon, sigma))

    def at(self, A: Arithmetic, *, epsilon: Number, sigma: Number, shift: Number) -> Any:
        return self.line(A, epsilon=epsilon, sigma=sigma, cut=self.cut(epsilon, sigma) + shift)

    def all(self, A: Arithmetic, *, epsilon: Number, **_rest: Number) -> Any:
        """The half-line of everything."""
        return -A.expm1(epsilon) if self.sign > 0 else A.number(0)

    def without(self, A: Arithmetic, **at: Number) -> Any:
        """The best half-line, withholding taken too."""
        return self.best(A, **at) + self.all(A, **at) - self.at(A, **at)

    def shifted(self, A: Arithmetic, *, epsilon: Number, sigma: Number, shift: Number) -> Any:
        return self.row(A, epsilon=epsilon, sigma=sigma, margin=-self.cut(epsilon, sigma) - shift)

    def withheld(self, A: Arithmetic, *, epsilon: Number, sigma: Number, shift: Number) -> Any:
        return normal_cdf(A, (self.cut(epsilon, sigma) + shift + self.mode) / sigma)

    def slope(self, A: Arithmetic, *, sigma: Number, shift: Number, **_epsilon: Number) -> Any:
        """How a half-line's excess rises with its end below the best one, and falls above."""
        return self.sign * (A.exp(-self.sign * shift / sigma**2) - 1)

    def density(self, A: Arithmetic, *, epsilon: Number, sigma: Number, shift: Number) -> Any:
        return normal_pdf(A, (self.cut(epsilon, sigma) + shift + self.mode) / sigma) / sigma

    def shift_to(self, proof: Tactic, left: Formula, right: Formula, *, attained: bool = False) -> Tactic:
        """Go over to the shift; at most 0 where the bound is attained."""
        shift = Parameter("shift", "tau* less the best cut", lower="-infinity", upper=0 if attained else "infinity")
        new = {"shift": lambda _A, *, epsilon, sigma, margin: -margin - self.cut(epsilon, sigma)}
        return Substitute(Box((EPSILON_REAL, _SCALE, shift)), new, proof, left, right)

    @property
    def below(self) -> Tactic:
        """A row whose threshold is below the best half-line."""
        rises = Derivative("shift", "lower", Product((Part(self.density), Part(self.slope))))
        return Maximum((Part(self.best, Symbolic()), Part(self.without, rises)))

    @property
    def bounded(self) -> Tactic:
        falls = Part(lambda A, **at: -self.slope(A, **at))
        above = Derivative("shift", "lower", Product((Part(self.density), falls)))
        everything = POSITIVE if self.sign < 0 else Product((Part(_ratio), Part(_reflected, _REFLECTED_POSITIVE)))
        proof = Split("shift", 0, self.below, Maximum((Part(self.at, above), Part(self.all, everything))))
        return self.shift_to(proof, self.shifted, self.best)

    @property
    def approached(self) -> Tactic:
        def further(A: Arithmetic, **at: Number) -> Any:
            return (self.at if self.sign > 0 else self.all)(A, **at) + self.withheld(A, **at)

        def right(A: Arithmetic, **at: Number) -> Any:
            return self.shifted(A, **at) + self.withheld(A, **at)

        proof = Split("shift", 0, Sign(), Through(further, Derivative("shift", "lower"), Sign()))
        return self.shift_to(proof, self.best, right)

    @property
    def attained(self) -> Tactic:
        return self.shift_to(Both(self.below, Sign()), self.shifted, self.best, attained=True)


def _ratio(A: Arithmetic, *, epsilon: Number, sigma: Number, shift: Number) -> Number:
    return A.exp(epsilon)


def _reflected(A: Arithmetic, *, epsilon: Number, sigma: Number, shift: Number) -> Any:
    return gaussian_profile(A, -epsilon, 1 / sigma)


def _reciprocal(_A: Arithmetic, *, sigma: Number, **_rest: Any) -> Number:
    return 1 / sigma


POSITIVE = ByClaim("wilkins2024.thm2.2.positive", {"mu": _reciprocal})
_REFLECTED_POSITIVE = ByClaim(
    "wilkins2024.thm2.2.positive", {"epsilon": lambda _A, *, epsilon, **_rest: -epsilon, "mu": _reciprocal}
)
_ORDERS = {"forward": _Order(forward_row, _above, 1, 0), "backward": _Order(backward_row, _below, -1, 1)}
_ONE_ROW = "one changed row whose user is in no other aggregate (a_+ = 1, m = 1); all of it: lem5.3.ub2.any, .ub3.any"


def _bound(where: str, direction: str, order: str, note: str) -> Claim:
    number = where[-1]
    return Claim(
        id=f"wilkins2024.lem5.3.{where}",
        source=printed("Lemma 5.3", "5.7"),
        title=f"A thresholded row is no worse than a Gaussian, {direction}",
        statement=rf"H_{{\varepsilon_{number}}} \le f(\mu(a_+), \varepsilon_{number}),\ a_+ = 1",
        kind=DeltaBound(row_bound, exact=_ORDERS[order].row, proof=_ORDERS[order].bounded),
        domain=_REAL,
        role=Role.UPPER,
        points=({"epsilon": 1, "sigma": 1, "margin": -2}, {"epsilon": "0.1", "sigma": 2, "margin": 1}),
        partial=_ONE_ROW,
        note=note,
    )


def _row(where: str, direction: str, oracle: Any, epsilon: Parameter, fourth: Value) -> Claim:
    order = _ORDERS[where]
    without, with_user = ((lambda A, **_at: -A.number(1)), zero)
    return Claim(
        id=f"wilkins2024.lem5.3.row.{where}",
        source=ours("Lemma 5.3"),
        title=f"Exact hockey stick of one thresholded row, {direction}",
        statement=r"H_\varepsilon(\text{censored } N(c, \sigma^2), \text{censored } N(c-1, \sigma^2))",
        kind=DeltaBound(
            order.row,
            oracle=oracle,
            oracle_points=(
                {"epsilon": "-1/2", "sigma": 1, "margin": 1},
                {"epsilon": "-3/10", "sigma": "1.5", "margin": "1/2"},
                {"epsilon": "-1/10", "sigma": 3, "margin": 4},
                {"epsilon": fourth, "sigma": 2, "margin": -3},
            ),
            pairs=Shifted(
                with_user if order.sign > 0 else without,
                without if order.sign > 0 else with_user,
                parameter_named("sigma"),
                lambda A, *, margin, **_rest: -A.number(margin),
            ),
            proof=HalfLine(
                lambda A, *, epsilon, sigma, **_rest: order.cut(A.number(epsilon), A.number(sigma)),
                above=order.sign > 0,
            ),
        ),
        domain=Box((epsilon, _SCALE, MARGIN), _not_far_below, "margin >= -4 sigma"),
        note="Further below almost everything is withheld and both laws agree to many digits.",
    )


def _approached(where: str, direction: str, right: Any, order: str, dropped: str, domain: Box) -> Claim:
    return Claim(
        id=f"wilkins2024.lem5.3.tight{where}",
        source=printed("Lemma 5.3"),
        title=f"The bound is the supremum over counts, {direction}",
        statement=rf"f(1/\sigma, \varepsilon) - H_\varepsilon(c) \le \Phi({dropped}) \to 0 \text{{ as }} c \to \infty",
        kind=Inequality(row_bound, right, proof=_ORDERS[order].approached),
        domain=domain,
        note="Tight as a supremum over unbounded counts, with equal sensitivity of the rows.",
    )


def _attained(where: str, condition: Any, text: str) -> Claim:
    return Claim(
        id=f"wilkins2024.lem5.3.tight.{where}",
        source=ours("Lemma 5.3"),
        title=f"One row attains the bound at finite counts, {where}",
        statement=rf"H_\varepsilon = f(1/\sigma, \varepsilon), \ {text}".replace(
            "sigma^2 epsilon", r"\sigma^2\varepsilon"
        ),
        kind=Identity(_ORDERS[where].row, row_bound, _ORDERS[where].attained),
        domain=Box((EPSILON_REAL, _SCALE, MARGIN), condition, text),
        note="Only for one row and m = 1: with two rows or another column the withheld values lose information.",
    )


CLAIMS = (
    _row("forward", "user present against absent", forward_row_by_definition, EPSILON_REAL, 1),
    _row("backward", "user absent against present", backward_row_by_definition, replace(EPSILON_REAL, upper=0), "-1/5"),
    _bound("ub2", "user present against absent", "forward", "The paper needs eps_2 >= 0."),
    _bound("ub3", "user absent against present", "backward", "eps_3 of either sign."),
    _approached("", "user present against absent", forward_row_and_censored, "forward", r"-(c - \tau^*)/\sigma", _REAL),
    _approached(
        ".reverse",
        "user absent against present",
        backward_row_and_censored,
        "backward",
        r"-(c - 1 - \tau^*)/\sigma",
        Box((EPSILON_REAL, _SCALE, replace(MARGIN, lower=0))),
    ),
    _attained("forward", _forward_attained, "margin - 1/2 + sigma^2 epsilon >= 0"),
    _attained("backward", _backward_attained, "margin - 1/2 - sigma^2 epsilon >= 0"),
    refuted(
        "lem5.3.tight.every", "Lemma 5.3, proof", "The Gaussian expressions hold for every count",
        r"H_\varepsilon(c) = f(1/\sigma, \varepsilon) \text{ for every } c", Identity(forward_row, row_bound),
        by="lem5.3.tight", domain=_FORWARD,
        note="Read with equality at any finite count, tightness fails; it holds as a supremum.",
    ),
    uncheckable(
        "lem5.3.tight.sentence", "Lemma 5.3, proof", "The last sentence of the proof",
        r"\sup_c H_\varepsilon(c) = f(\mu(a_+), \varepsilon)",
        Editorial(
            printed="there exists a pair of neighboring datasets such that the PLRV expressions from the Gaussian "
            "mechanism on these rows.",
            corrected="there are pairs whose expressions come arbitrarily close to the Gaussian mechanism's",
            reason="the verb is missing, and with a_+ >= 2 no pair attains the supremum",
        ),
    ),
)  # fmt: skip
"""Claims of Lemma 5.3: bounds, tightness, and the exact law of one row."""
