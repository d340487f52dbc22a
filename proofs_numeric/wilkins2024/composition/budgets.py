"""What steps within budgets cost, whoever chooses them, and the proof: of one release, of several, of a ledger."""

from __future__ import annotations

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.adaptive import Budgets, Spent
from proofs_numeric.statements.tactics import Part, Product, Sign, Symbolic
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import loss_rate, profile_complement


def filter_bound(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """``1 - e^-loss + e^-loss f(mu, epsilon)``, safe whatever is released within the budgets; any real epsilon."""
    loss = A.number(loss)
    return -A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, A.number(epsilon), A.number(mu))


_COMPLEMENT = Product(
    (
        Part(lambda A, *, loss, **_rest: -A.expm1(-A.number(loss))),
        Part(lambda A, *, epsilon, mu, **_rest: profile_complement(A, epsilon=epsilon, mu=mu)),
    )
)
"""``(1 - e^-loss) (1 - f)``, a sum of positive terms: how far the bound is above f."""

WITHIN_BUDGETS = Spent(
    within=filter_bound,
    fixed=lambda A, *, loss: -A.expm1(-A.number(loss)),
    weight=lambda A, *, loss: A.exp(-A.number(loss)),
    named=Symbolic(),
    apart=Symbolic(),
    weighted=Sign(),
    normals=Symbolic(),
    last=_COMPLEMENT,
    loss=Sign(),
    square=Sign(),
    end=Symbolic(),
)


def budgets_of(rows: Formula) -> Budgets:
    """Of so many rows of ``sigma``, ``gap`` and ``mu_o``."""

    def losses(A: Arithmetic, *, sigma: Number, gap: Number, **at: Any) -> Any:
        return rows(A, **at) * loss_rate(A, sigma=sigma, gap=gap)

    def squares(A: Arithmetic, *, sigma: Number, mu_o: Number, **at: Any) -> Any:
        return rows(A, **at) * (1 / A.number(sigma) ** 2 + A.number(mu_o) ** 2)

    return Budgets(losses, squares)
