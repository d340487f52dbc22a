"""The second and third term of (5.8) in the loss of the rows at tau, and how they move with the rows above it."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Maximum,
    Part,
    Product,
    Substitute,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.wilkins2024.parameters import A_EQUAL, EPSILON, GAP, MU_O, SIGMA, printed
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    distance,
    loss_rate,
    second_term,
    second_value,
    third_term,
    third_value,
)

_AT_LOSS = Box(
    (
        Parameter("epsilon", "level", lower="-infinity"),
        Parameter("loss", "a_= L"),
        Parameter("mu", "mu(a_+)", open_lower=True),
        Parameter("rise", "what more rows add to mu"),
    )
)


def at_loss(rows: str, proof: Tactic, left: Formula, right: Formula, box: Box = _AT_LOSS) -> Tactic:
    """Go over to the level, the loss a_= L, the distance mu of the rows above, and its rise with ``rows`` more.

    A box with ``rest`` has the loss ``a_+ L`` of the rows above too.
    """

    def loss(A: Arithmetic, *, a_equal: Number, sigma: Number, gap: Number, **_rest: Any) -> Number:
        return A.number(a_equal) * loss_rate(A, sigma=sigma, gap=gap)

    def mu(A: Arithmetic, *, a_plus: Number, sigma: Number, mu_o: Number, **_rest: Any) -> Number:
        return distance(A, rows=a_plus, sigma=sigma, mu_o=mu_o)

    def rise(A: Arithmetic, *, a_plus: Number, **at: Any) -> Number:
        return mu(A, a_plus=a_plus + at[rows], **at) - mu(A, a_plus=a_plus, **at)

    def rest(A: Arithmetic, *, a_plus: Number, sigma: Number, gap: Number, **_rest: Any) -> Number:
        return A.number(a_plus) * loss_rate(A, sigma=sigma, gap=gap)

    new: dict[str, Formula] = {"loss": loss, "mu": mu, "rise": rise, "rest": rest}
    return Substitute(
        box,
        {name: new[name] for name in new if name in box.names},
        proof,
        left,
        right,
        {"rise": Derivative(rows, "lower")},
    )


def second(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    """``1 - beta + beta f(mu, epsilon + loss)``, ``beta = e^-loss``."""
    return second_value(A, epsilon=epsilon, loss=loss, mu=mu)


def third(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    """``f(mu, epsilon - loss)``."""
    return third_value(A, epsilon=epsilon, loss=loss, mu=mu)


def third_beyond(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    """``third`` with the rows more."""
    return third_value(A, epsilon=epsilon, loss=loss, mu=mu + rise)


def _second_beyond(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number, rise: Number) -> Any:
    return second_value(A, epsilon=epsilon, loss=loss, mu=mu + rise)


def beta(A: Arithmetic, *, loss: Number, **_rest: Any) -> Number:
    """``e^-loss``, the chance that no row at tau appears."""
    return A.exp(-loss)


def earlier(A: Arithmetic, *, epsilon: Number, loss: Number, **_rest: Any) -> Number:
    """``epsilon - loss``, the third term's level."""
    return epsilon - loss


def later(A: Arithmetic, *, epsilon: Number, loss: Number, **_rest: Any) -> Number:
    """``epsilon + loss``, the second term's level."""
    return epsilon + loss


def grows(level: Formula) -> ByClaim:
    """``f(mu, level) <= f(mu + rise, level)``."""
    return ByClaim(
        "wilkins2024.thm2.2.mono",
        {"mu": lambda A, *, mu, **_rest: mu, "mu_2": lambda A, *, mu, rise, **_rest: mu + rise, "epsilon": level},
    )


def _second_gains(A: Arithmetic, *, mu: Number, rise: Number, **at: Any) -> Any:
    level = later(A, **at)
    return gaussian_profile(A, level, mu + rise) - gaussian_profile(A, level, mu)


def _more_rows(
    A: Arithmetic,
    *,
    epsilon: Number,
    a_equal: Number,
    a_plus: Number,
    rows: Number,
    sigma: Number,
    gap: Number,
    mu_o: Number,
) -> Number:
    rest = {"epsilon": epsilon, "a_equal": a_equal, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    return A.maximum(second_term(A, a_plus=a_plus + rows, **rest), third_term(A, a_plus=a_plus + rows, **rest))


def _fewer_rows(A: Arithmetic, *, rows: Number, **parameters: Any) -> Number:
    return _more_rows(A, rows=0, **parameters)


CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.eq",
        source=printed("Proof of Theorem 5.4"),
        title="The maximum over a_+ + a_= <= C_u is attained with equality",
        statement=r"\text{second and third terms grow with }a_+\text{ at fixed }a_=",
        kind=Inequality(
            _fewer_rows,
            _more_rows,
            proof=at_loss(
                "rows",
                Maximum(
                    (
                        Part(
                            second,
                            Through(
                                _second_beyond, Product((Part(beta), Part(_second_gains, grows(later)))), Symbolic()
                            ),
                        ),
                        Part(third, Through(third_beyond, grows(earlier), Symbolic())),
                    )
                ),
                lambda A, **at: A.maximum(second(A, **at), third(A, **at)),
                lambda A, **at: A.maximum(_second_beyond(A, **at), third_beyond(A, **at)),
            ),
        ),
        domain=Box(
            (
                EPSILON,
                A_EQUAL,
                Parameter(
                    "a_plus", "rows above the threshold", unit="rows", lower=1, upper=10**6, integer=True, log=True
                ),
                Parameter("rows", "further rows above it", unit="rows", lower=0, upper=10**6, integer=True, log=True),
                SIGMA,
                GAP,
                MU_O,
            )
        ),
        points=(
            {"epsilon": 1, "a_equal": 1, "a_plus": 1, "rows": 1, "sigma": 2, "gap": 3, "mu_o": "1/2"},
            {"epsilon": "1/2", "a_equal": 0, "a_plus": 2, "rows": 3, "sigma": 10, "gap": 30, "mu_o": 0},
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)
