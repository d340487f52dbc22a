"""The second and third term of (5.8) in the loss of the rows at tau, and how they move with the rows above it."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

_AT_LOSS = Box(
    (
        Parameter("epsilon", "level", lower="-infinity"), Parameter("loss", "a_= L"),
        Parameter("mu", "mu(a_+)", open_lower=True), Parameter("rise", "what more rows add to mu"),
    )
)  # fmt: skip


def at_loss(rows: str, proof: Tactic, left: Formula, right: Formula, box: Box = _AT_LOSS) -> Tactic:
    """Go over to the level, the loss a_= L, the distance mu of the rows above, and its rise with ``rows`` more.

    A box with ``rest`` has the loss ``a_+ L`` of the rows above too.
    """
    moved = distance(rows=a_plus)
    new = {
        "loss": a_equal * loss_rate, "mu": moved, "rise": moved(a_plus=a_plus + symbol(rows)) - moved,
        "rest": a_plus * loss_rate,
    }  # fmt: skip
    return Substitute(
        box, {name: new[name] for name in new if name in box.names}, proof, left, right,
        {"rise": Derivative(rows, "lower")},
    )  # fmt: skip


rise = symbol("rise")
third_beyond, _second_beyond = third_value(mu=mu + rise), second_value(mu=mu + rise)
"""Third and second term with the rows more."""
beta = exp(-loss)
"""``e^-loss``, the chance that no row at tau appears."""
earlier, later = epsilon - loss, epsilon + loss
"""Levels of the third and the second term."""


def grows(level: Expression) -> ByClaim:
    """``f(mu, level) <= f(mu + rise, level)``."""
    return ByClaim("wilkins2024.thm2.2.mono", {"mu": mu, "mu_2": mu + rise, "epsilon": level})


_second_gains = profile(later, mu + rise) - profile(later, mu)
_fewer_rows = maximum(second_term, third_term)
_more_rows = _fewer_rows(a_plus=a_plus + symbol("rows"))

CLAIMS = (
    stated(
        "thm5.4.eq", "Proof of Theorem 5.4", "The maximum over a_+ + a_= <= C_u is attained with equality",
        r"\text{second and third terms grow with }a_+\text{ at fixed }a_=", _fewer_rows <= _more_rows,
        proof=at_loss(
            "rows",
            largest_of(
                (second_value, Through(_second_beyond, product_of(beta, (_second_gains, grows(later))), Symbolic())),
                (third_value, Through(third_beyond, grows(earlier), Symbolic()))
            ),
            maximum(second_value, third_value), maximum(_second_beyond, third_beyond),
        ),
        domain=(
            EPSILON, A_EQUAL,
            Parameter("a_plus", "rows above the threshold", unit="rows", lower=1, upper=10**6, integer=True, log=True),
            Parameter("rows", "further rows above it", unit="rows", lower=0, upper=10**6, integer=True, log=True),
            SIGMA, GAP, MU_O,
        ),
        points=(
            {"epsilon": 1, "a_equal": 1, "a_plus": 1, "rows": 1, "sigma": 2, "gap": 3, "mu_o": "1/2"},
            {"epsilon": "1/2", "a_equal": 0, "a_plus": 2, "rows": 3, "sigma": 10, "gap": 30, "mu_o": 0},
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
