"""Lemma 17: from zero-concentrated to approximate differential privacy."""

from proofs_numeric.expression import exp, largest_of, maximum, profile, sqrt, symbol
from proofs_numeric.lebeda2025.parameters import EPSILON, epsilon, stated
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.profiles import AtOrder, Concentrated
from proofs_numeric.statements.tactics import Symbolic

rho = symbol("rho")
_beyond = maximum(0, epsilon - rho)
zcdp_delta = exp(-_beyond * _beyond / (4 * rho))
"""Lemma 17 solved for delta: ``exp(-(epsilon - rho)^2/(4 rho))`` for epsilon >= rho, else 1."""

RHO = Parameter("rho", "concentrated-privacy parameter", "nats", "1e-9", 100, log=True)

_EITHER = largest_of((zero, Symbolic()), (epsilon - rho, Symbolic()), inside=True)


# ``alpha - 1`` of the best order is ``(epsilon + rho)/(2 rho) - 1``; below rho no order is of use.
CLAIMS = (
    stated(
        "lem17", "Lemma 17", "rho-zCDP gives approximate DP", r"\epsilon = \rho + 2\sqrt{\rho \ln(1/\delta)}",
        DeltaBound(
            zcdp_delta, exact=profile(epsilon, sqrt(2 * rho)), pairs=Concentrated(rho),
            proof=AtOrder(_beyond / (2 * rho), _EITHER),
        ),
        domain=(EPSILON, RHO), falls=("epsilon",), rises=("rho",), role=Role.UPPER,
        note="compared with the Gaussian mechanism, which is rho-zCDP with equality; the same as rogers2024.thm3",
    ),
)  # fmt: skip
