"""What steps within budgets cost, whoever chooses them, and the proof: of one release, of several, of a ledger."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adaptive import Budgets, Spent
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import loss, loss_rate, profile_complement

_lost = -expm1(-loss)
filter_bound = _lost + exp(-loss) * profile(epsilon, mu)
"""``1 - e^-loss + e^-loss f(mu, epsilon)``, safe whatever is released within the budgets; any real epsilon."""
_COMPLEMENT = product_of(_lost, profile_complement)
"""``(1 - e^-loss) (1 - f)``, a sum of positive terms: how far the bound is above f."""

WITHIN_BUDGETS = Spent(
    within=filter_bound, fixed=_lost, weight=exp(-loss), naming=Symbolic(), apart=Symbolic(), weighted=Sign(),
    normals=Symbolic(), last=_COMPLEMENT, loss=Sign(), square=Sign(), end=Symbolic(),
)  # fmt: skip


def budgets_of(rows: Expression) -> Budgets:
    """Of so many rows of ``sigma``, ``gap`` and ``mu_o``."""
    return Budgets(rows * loss_rate, rows * (1 / sigma**2 + mu_o**2))
