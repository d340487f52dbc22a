"""The second and third term of (5.8) in the loss of the rows at tau, and how they move with the rows above it."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
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
_terms = maximum(second_term, third_term)

CLAIMS = (
    stated(
        "thm5.4.eq", "Proof of Theorem 5.4", "The maximum over a_+ + a_= <= C_u is attained with equality",
        r"\text{second and third terms grow with }a_+\text{ at fixed }a_=", _terms <= _terms(a_plus=a_plus + rows),
        proof=at_loss(
            "rows",
            largest_of(
                (second_value, Through(_second_beyond, product_of(beta, (_second_gains, grows(later))), Symbolic())),
                (third_value, Through(third_beyond, grows(earlier), Symbolic()))
            ),
            maximum(second_value, third_value), maximum(_second_beyond, third_beyond),
        ),
        domain=(
            EPSILON, A_EQUAL, Parameter("a_plus", "rows above the threshold", "rows", 1, 10**6, integer=True, log=True),
            Parameter("rows", "further rows above it", "rows", 0, 10**6, integer=True, log=True), SIGMA, GAP, MU_O,
        ),
        points=points(
            "epsilon a_equal a_plus rows sigma gap mu_o", (1, 1, 1, 1, 2, 3, "1/2"), ("1/2", 0, 2, 3, 10, 30, 0),
        ),
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
