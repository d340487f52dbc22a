r"""A filter: releases whose parameters, too, are chosen after those before were seen, within totals fixed in advance.

A release with C rows costs ``C L`` of the loss budget ``Lam`` and ``C k^2`` of the square budget ``M^2``
(``L = -log Phi(gap/sigma)``, ``k^2 = 1/sigma^2 + mu_o^2``), and is refused where a budget does not cover it. Whatever
they cover costs no more than ``1 - e^-Lam + e^-Lam f(M, epsilon)``. Totals that are only known afterwards are no such
budgets: the two must be fixed before the first release.
"""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adaptive import Budgets
from proofs_numeric.statements.box import points
from proofs_numeric.statements.concentrated import approximate_delta_upper
from proofs_numeric.wilkins2024.composition.adaptive import named_or_gaussian
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS, filter_bound
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_infinite, loss, loss_rate

by_quadrature = algorithm(named_or_gaussian)(silent=exp(-loss))
"""The naming pair of all that the budgets cover, its Gaussian loss integrated."""
fixed_in_advance = maximum(-expm1(-loss), profile(epsilon, mu))
"""What releases of many rows attain that spend one of the budgets alone."""
_by_budgets = filter_bound(epsilon=1, loss=300 * loss_rate, mu=sqrt(300) / sigma)(sigma="65.73", gap=371)
"""Ten keys a user, thirty times, by the ledger at (1, 1e-5)."""
_rho, _chance = lift(300) / (2 * lift("65.73") ** 2), delta_infinite(c_u=300, sigma="65.73", gap=371)
_by_rho = algorithm(approximate_delta_upper)(rho=_rho, delta=_chance, epsilon=1)
"""What is used where parameters are chosen as one goes: rho added up and converted, beside the chance of a name."""
LOSS = Parameter("loss", "Lam: sum of C L over the releases", "nats", "1e-12", 10, log=True)
MU = Parameter("mu", "M: root of the sum of C k^2 over the releases", "standard deviations", "1e-4", 20, log=True)
POINTS = points("epsilon loss mu", (1, "1e-2", "1/2"), (0, "1e-3", "1/4"), (1, "1e-5", "1/4"))

CLAIMS = (
    own(
        "composition.filter", "Theorem 5.4, several releases",
        "Delta of releases whose data and parameters are chosen as one goes, within budgets fixed in advance",
        r"\delta\le1-e^{-\Lambda}+e^{-\Lambda}f(M,\epsilon),\ \sum_tC_tL_t\le\Lambda,\ \sum_tC_tk_t^2\le M^2",
        DeltaBound(
            filter_bound, exact=fixed_in_advance, oracle=by_quadrature, oracle_points=POINTS,
            budgets=Budgets(loss, mu**2), proof=WITHIN_BUDGETS,
        ),
        domain=(replace(EPSILON, upper=20), LOSS, MU), role=Role.UPPER, falls=("epsilon",), rises=("loss", "mu"),
        loose="by less than a factor two: compared with releases that spend one budget alone", points=POINTS, cost=5,
        note="Whatever is dominated at every real level by a pair that names the side or is Gaussian spends them too.",
    ),
    own(
        "composition.filter.gain", "Theorem 5.4, several releases",
        "The bound by budgets is less than a third of the bound by adding up rho",
        r"3\,(1-e^{-\Lambda}+e^{-\Lambda}f(M,1))<1-e^{-\Lambda}+e^{-\Lambda}\delta_{\mathrm{CDP}}(M^2/2,1)",
        3 * _by_budgets < _by_rho, quantity=QuantityKind.RATIO,
        note="Ten keys a user, thirty times, sigma = 65.73, tau* - tau = 371, epsilon = 1: "
        "composition.filter.gain.budgets and composition.filter.gain.rho.",
    ),
    own(
        "composition.filter.gain.budgets", "Theorem 5.4, several releases", "Thirty releases by budgets",
        r"1-e^{-\Lambda}+e^{-\Lambda}f(M,1)=9.9863\cdot10^{-6}", Quantity(_by_budgets, "9.9863e-6"),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "composition.filter.gain.rho", "Theorem 5.4, several releases", "Thirty releases by adding up rho",
        r"1-e^{-\Lambda}+e^{-\Lambda}\delta_{\mathrm{CDP}}(M^2/2,1)=3.2644\cdot10^{-5}",
        Quantity(_by_rho, "3.2644e-5"), quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
