r"""Sparse histograms with pure epsilon: why keys of the data alone are not enough, and the least error over a domain.

Source: Kerschbaum, Lee and Wu (arXiv 2507.17017), whose abstract was read, not the paper: a pure release under
replacement of one of n users' items, over d items, with the optimal order of the largest error. The constants of its
algorithm are not known here. The claims are about what any such release must do, and about the plain one.

**Lower bound.** If n users all have the same item, another item of all is n replacements away. The events that item i
is above n/2 and all others are below exclude each other for d items; a release of error below n/2 with probability
1 - beta has each with probability 1 - beta at its own data, so at least ``e^(-epsilon n) (1 - beta)`` at other data.
So ``(1 - beta)(1 + (d - 1) e^(-epsilon n)) <= 1``: an error of ``log((d-1)(1-beta)/beta)/(2 epsilon)`` is needed.

**Plain release.** One replacement changes two counts by one. Laplace noise of scale ``2/epsilon`` on all d counts has
a largest error below x with probability ``(1 - e^(-epsilon x/2))^d``.
"""

from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.thresholds.integer import some_passing
from proofs_numeric.thresholds.parameters import C_U, own

_HERE = "pure sparse histograms"
epsilon, items, beta = symbols("epsilon items beta")
needed_error = log((items - 1) * (1 - beta) / beta) / (2 * epsilon)
"""Largest error that every pure release exceeds with probability more than beta (counts)."""
plain_error = -2 * log(-expm1(log1p(-beta) / items)) / epsilon
"""Largest error of Laplace noise on all counts, exceeded with probability beta (counts)."""
_BOX = Box(
    (
        Parameter("epsilon", "privacy loss", "nats", "1e-3", 100, log=True),
        Parameter("items", "d: items of the domain", "items", 100, 10**12, integer=True, log=True),
        Parameter("beta", "probability of a larger error", "probability", "1e-12", "1/10", log=True),
    )
)
_AT: dict[str, Any] = {"epsilon": 1, "items": 10**6, "beta": "1/20"}

CLAIMS = (
    own(
        "pure.keys_of_data", _HERE, "A release of keys of the data alone keeps pure epsilon",
        r"1 - (1 - q)^{C_u} \le 0", Inequality(some_passing, lift(0)),
        domain=(
            Parameter("q", "probability of releasing a key of one user", "probability", "1e-30", "1/2", log=True), C_U,
        ),
        expected=Expectation.REFUTED, corrected_by="thresholds.pure.order", quantity=QuantityKind.PROBABILITY,
        note="At every epsilon delta is at least the probability that a new key is released. So a pure release shows "
        "keys that nobody has; the paper's blanket of other items is a way to do so.",
    ),
    own(
        "pure.order", _HERE, "No pure release has less error than needed; Laplace noise on all counts has more",
        r"\tfrac{1}{2\varepsilon}\ln\tfrac{(d-1)(1-\beta)}{\beta} \le -\tfrac{2}{\varepsilon}\ln(1-(1-\beta)^{1/d})",
        needed_error <= plain_error, domain=_BOX, quantity=QuantityKind.NONE, points=(_AT,),
    ),
    own(
        "pure.factor", _HERE, "Laplace noise on all counts has at most 4.1 times the error that is needed",
        r"-\tfrac{2}{\varepsilon}\ln(1-(1-\beta)^{1/d}) \le \tfrac{4.1}{2\varepsilon}\ln\tfrac{(d-1)(1-\beta)}{\beta}",
        plain_error <= lift("4.1") * needed_error, domain=_BOX, quantity=QuantityKind.NONE, points=(_AT,),
        note="The optimal order of the abstract, with a constant, for 100 items or more and beta up to 1/10.",
    ),
    own(
        "pure.plain", _HERE, "Error of Laplace noise over a million items at epsilon 1, at 95 %",
        r"-2\ln(1 - 0.95^{10^{-6}})", Quantity(plain_error(epsilon=1, items=10**6, beta=lift("1/20")), "33.5714"),
        quantity=QuantityKind.NONE,
    ),
)  # fmt: skip
