r"""A filter: releases whose parameters, too, are chosen after those before were seen, within totals fixed in advance.

A release with C rows costs ``C L`` of the loss budget ``Lam`` and ``C k^2`` of the square budget ``M^2``
(``L = -log Phi(gap/sigma)``, ``k^2 = 1/sigma^2 + mu_o^2``), and is refused where a budget does not cover it. It is a
post-processing of the pair that names the side with probability ``1 - e^(-C L)`` and else is Gaussian at ``k sqrt(C)``,
whatever it is (``wilkins2024.composition.adaptive``). With

    B(Lam, M^2; epsilon) = 1 - e^-Lam + e^-Lam f(M, epsilon),

such a pair followed by the best that is left is B again, whatever part of the budgets it takes:

    1 - e^-lam + e^-lam E[B(Lam - lam, M^2 - kap^2; epsilon - loss)] = B(Lam, M^2; epsilon),   loss ~ N(kap^2/2, kap^2),

so by induction over the releases no strategy gains more than B, and B grows with both budgets. Totals that are only
known afterwards are no such budgets: the two must be fixed before the first release.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import gaussian_profile, integral, normal_cdf, normal_pdf
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import DeltaBound, Identity
from proofs_numeric.wilkins2024.composition.adaptive import named_or_gaussian
from proofs_numeric.wilkins2024.parameters import EPSILON, ours


def filter_bound(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """``B(Lam, M^2; epsilon)``, safe whatever is released within the budgets; any real epsilon."""
    loss = A.number(loss)
    return -A.expm1(-loss) + A.exp(-loss) * gaussian_profile(A, A.number(epsilon), A.number(mu))


def by_quadrature(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """The naming pair of all that the budgets cover, its Gaussian loss integrated."""
    return named_or_gaussian(A, epsilon=epsilon, silent=A.exp(-A.number(loss)), mu=mu)


def fixed_in_advance(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """What releases of many rows attain that spend one of the budgets alone."""
    return A.maximum(-A.expm1(-A.number(loss)), gaussian_profile(A, A.number(epsilon), A.number(mu)))


def after_a_release(A: Arithmetic, *, epsilon: Number, loss: Number, mu: Number) -> Any:
    """A third of the losses and a quarter of the squares first, its loss integrated; then the bound on what is left."""
    epsilon, third, kappa = A.number(epsilon), A.number(loss) / 3, A.number(mu) / 2
    left = A.sqrt(A.number(mu) ** 2 - kappa**2)

    def rest(B: Arithmetic, z: Number) -> Any:
        level = epsilon - kappa * kappa / 2 - kappa * z
        upper = normal_cdf(B, left / 2 - level / left) - B.exp(level) * normal_cdf(B, -left / 2 - level / left)
        return normal_pdf(B, z) * (-B.expm1(-2 * third) + B.exp(-2 * third) * upper)

    ends = [A.number(z) for z in range(-14, 15, 2)]
    later = A.sum(integral(A, rest, low, high) for low, high in itertools.pairwise(ends))
    later = A.between(later, later + 2 * normal_cdf(A, -A.number(14)))
    return -A.expm1(-third) + A.exp(-third) * later


def _loss_of_both(A: Arithmetic, *, first: Number, second: Number, x: Number, y: Number) -> Number:
    both = A.sqrt(first**2 + second**2)
    return both * ((first * x + second * y) / both) - both**2 / 2


LOSS = Parameter("loss", "Lam: sum of C L over the releases", "nats", "1e-12", 10, log=True)
MU = Parameter("mu", "M: root of the sum of C k^2 over the releases", "standard deviations", "1e-4", 20, log=True)
_BOX = Box((replace(EPSILON, upper=20), LOSS, MU))
POINTS: tuple[dict[str, Value], ...] = (
    {"epsilon": "1", "loss": "1/100", "mu": "1/2"},
    {"epsilon": "0", "loss": "1/1000", "mu": "1/4"},
    {"epsilon": "1", "loss": "1/100000", "mu": "1/4"},
)

CLAIMS = (
    Claim(
        id="wilkins2024.composition.filter",
        source=ours("Theorem 5.4, several releases"),
        title="Delta of releases whose data and parameters are chosen as one goes, within budgets fixed in advance",
        statement=r"\delta\le1-e^{-\Lambda}+e^{-\Lambda}f(M,\epsilon),\ \sum_tC_tL_t\le\Lambda,\ \sum_tC_tk_t^2\le M^2",
        kind=DeltaBound(
            filter_bound,
            exact=fixed_in_advance,
            oracle=by_quadrature,
            oracle_points=POINTS,
            proof=Derivation(
                (
                    Premise("wilkins2024.composition.adaptive", "a release is dominated by its naming Gaussian pair"),
                    Premise(
                        "wilkins2024.composition.filter.step", "such a pair and the bound on what is left: no more"
                    ),
                    Unchecked(
                        "induction over the releases, of which there are finitely many: the best value with budgets "
                        "left is at most B of them, at every level; B grows with both, so what is not spent is harmless"
                    ),
                )
            ),
        ),
        domain=_BOX,
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        falls=("epsilon",),
        rises=("loss", "mu"),
        moves=moves.slopes("epsilon", "loss", "mu"),
        loose="by less than a factor two: compared with releases that spend one budget alone",
        points=POINTS,
        cost=5,
    ),
    Claim(
        id="wilkins2024.composition.filter.step",
        source=ours("Theorem 5.4, several releases"),
        title="A release and the bound on the budgets that it leaves are the bound on all of them",
        statement=r"1-e^{-\lambda}+e^{-\lambda}E[B(\Lambda-\lambda,M^2-\kappa^2;\epsilon-\text{loss})]"
        r"=B(\Lambda,M^2;\epsilon)",
        kind=Identity(
            after_a_release,
            filter_bound,
            proof=Derivation(
                (
                    SymbolicIdentity(
                        "probabilities of silence multiply, whatever f is at the level that the loss leaves",
                        lambda A, *, part, rest, f: (
                            (1 - A.exp(-part)) + A.exp(-part) * ((1 - A.exp(-rest)) + A.exp(-rest) * f)
                        ),
                        lambda A, *, part, rest, f: (1 - A.exp(-(part + rest))) + A.exp(-(part + rest)) * f,
                        ("part", "rest", "f"),
                    ),
                    SymbolicIdentity(
                        "losses of Gaussian pairs at kap and kap' add up to that of one at their root mean square M",
                        lambda _A, *, first, second, x, y: first * x - first**2 / 2 + second * y - second**2 / 2,
                        _loss_of_both,
                        ("first", "second", "x", "y"),
                        ("first", "second"),
                        "of u = (kap x + kap' y)/M, which is standard normal where x and y are",
                    ),
                    Unchecked(
                        "E[f(sqrt(M^2 - kap^2), epsilon - loss)] is the hockey stick of both pairs together, taken "
                        "first over y given x: that of a law whose loss is a Gaussian pair's at M, so f(M, epsilon)"
                    ),
                )
            ),
        ),
        domain=Box((replace(EPSILON, upper=5), replace(LOSS, lower="1e-6"), replace(MU, lower="1/10", upper=3))),
        points=POINTS,
        cost=40,
    ),
)
