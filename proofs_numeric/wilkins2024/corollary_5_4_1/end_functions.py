r"""The functions r and t of the proof of Corollary 5.4.1: two of its bounds as functions of beta.

Letters: ``beta = p^a_=``, ``r(beta) = 1 - beta + beta f(mu*, epsilon)``, ``t(beta) = f(mu*, epsilon + log beta)``,
``mu* = mu(C_u)``.  The paper proves ``r >= t`` from end points and a second derivative.  Here is a shorter proof, for
every real epsilon: ``e^-epsilon (1 - f(mu, epsilon))`` has the derivative ``-e^-epsilon Phi(epsilon/mu - mu/2) < 0``,
so it is larger at ``epsilon + log beta``, which is ``1 - t > beta (1 - f(mu, epsilon)) = 1 - r`` for ``0 < beta < 1``.
"""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Identity, Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import ByClaim, Derivative, Part, Product, Sign, Slope, Substitute, Symbolic
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.parameters import BROAD_MU, EPSILON, PROOF_OF_541, ours, printed
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    DOMAIN,
    delta_gaussian,
    delta_infinite,
    distance,
    profile_complement,
)


def r(A: Arithmetic, *, epsilon: Number, mu: Number, beta: Number) -> Any:
    """``1 - beta + beta f(mu, epsilon)``."""
    beta = A.number(beta)
    return 1 - beta + beta * gaussian_profile(A, A.number(epsilon), A.number(mu))


def t(A: Arithmetic, *, epsilon: Number, mu: Number, beta: Number) -> Any:
    """``f(mu, epsilon + log beta)``, ``0 < beta``."""
    return gaussian_profile(A, A.number(epsilon) + A.log(A.number(beta)), A.number(mu))


def _r_of_loss(A: Arithmetic, *, epsilon: Number, mu: Number, loss: Number) -> Any:
    return r(A, epsilon=epsilon, mu=mu, beta=A.exp(-loss))


def _t_of_loss(A: Arithmetic, *, epsilon: Number, mu: Number, loss: Number) -> Any:
    return gaussian_profile(A, epsilon - loss, mu)


def _scaled_complement(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return A.exp(-epsilon) * profile_complement(A, epsilon=epsilon, mu=mu)


def _scaled_less(A: Arithmetic, *, epsilon: Number, mu: Number, loss: Number) -> Number:
    earlier = _scaled_complement(A, epsilon=epsilon - loss, mu=mu)
    return earlier - _scaled_complement(A, epsilon=epsilon, mu=mu)


_SCALE = Part(lambda A, *, epsilon, mu, loss: A.exp(epsilon - loss))


def _both_at_one(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Any:
    return t(A, epsilon=epsilon, mu=distance(A, rows=c_u, sigma=sigma, mu_o=mu_o), beta=1)


def _delta_infinite_of(
    A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number
) -> Number:
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)


def _delta_gaussian_of(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Any:
    return delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)


def _r_slope(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Any:
    mu = distance(A, rows=c_u, sigma=sigma, mu_o=mu_o)
    return derivative(r, "beta")(A, epsilon=epsilon, mu=mu, beta=1)


def _slope_printed(A: Arithmetic, **parameters: Any) -> Number:
    return -1 + _delta_infinite_of(A, **parameters)


def _slope_corrected(A: Arithmetic, **parameters: Any) -> Any:
    return -1 + _delta_gaussian_of(A, **parameters)


def _minus_exp(A: Arithmetic, *, epsilon: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    return -A.exp(A.number(epsilon))


def _t_slope(A: Arithmetic, *, epsilon: Number, mu: Number, beta: Number) -> Number:
    epsilon, mu = A.number(epsilon), A.number(mu)
    return -A.exp(epsilon) * normal_cdf(A, -mu / 2 - (epsilon + A.log(A.number(beta))) / mu)


def _t_curvature(A: Arithmetic, *, epsilon: Number, mu: Number, beta: Number) -> Number:
    epsilon, mu, beta = A.number(epsilon), A.number(mu), A.number(beta)
    return normal_pdf(A, mu / 2 - (epsilon + A.log(beta)) / mu) / (beta * beta * mu)


def _t_near_zero(A: Arithmetic, *, epsilon: Number, mu: Number, beta: Number) -> Number:
    return 1 - A.exp(A.number(epsilon)) * A.number(beta)


def _density_left(A: Arithmetic, *, x: Number, y: Number) -> Number:
    x, y = A.number(x), A.number(y)
    return A.exp(y) * normal_pdf(A, x / 2 + y / x)


def _density_right(A: Arithmetic, *, x: Number, y: Number) -> Number:
    x, y = A.number(x), A.number(y)
    return normal_pdf(A, x / 2 - y / x)


_BETA = Parameter("beta", "p^a_=", unit="probability", upper=1, log=True, open_lower=True)

_INNER_BETA = Parameter("beta", "p^a_=", unit="probability", upper=1, log=True, open_lower=True, open_upper=True)

_RT = Box((EPSILON, BROAD_MU, _BETA))

CLAIMS = (
    Claim(
        id="wilkins2024.pf.cor1.opt",
        source=printed(PROOF_OF_541),
        title="r decreases in beta: its maximum is at the largest a_=",
        statement=r"r(\beta)=1-\beta+\beta f(\mu^*,\epsilon)\text{ is decreasing}",
        kind=Monotonicity(r, "beta", increasing=False, proof=Slope()),
        domain=_RT,
        note="dr/dbeta = -(1 - f) < 0.",
    ),
    Claim(
        id="wilkins2024.pf.cor1.ends",
        source=printed(PROOF_OF_541),
        title="r(1) = t(1) = delta_infinite, as printed",
        statement=r"r(1)=t(1)=\delta_\infty",
        kind=Identity(_both_at_one, _delta_infinite_of),
        domain=DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.pf.cor1.ends.corrected",
    ),
    Claim(
        id="wilkins2024.pf.cor1.ends.corrected",
        source=ours(PROOF_OF_541),
        title="r(1) = t(1) = delta_Gaussian",
        statement=r"r(1)=t(1)=\delta_G",
        kind=Identity(_both_at_one, _delta_gaussian_of, proof=Symbolic()),
        domain=DOMAIN,
    ),
    Claim(
        id="wilkins2024.pf.cor1.ends.zero",
        source=printed(PROOF_OF_541),
        title="r(0) = t(0) = 1",
        statement=r"1-e^{\epsilon}\beta\le t(\beta)\le1,\text{ so }t(\beta)\to1=r(0)\ (\beta\to0)",
        kind=Inequality(
            _t_near_zero,
            t,
            proof=Product(
                (
                    Part(lambda A, *, epsilon, mu, beta: A.exp(epsilon) * beta),
                    Part(
                        lambda A, *, epsilon, mu, beta: gaussian_profile(A, -epsilon - A.log(beta), mu),
                        ByClaim(
                            "wilkins2024.thm2.2.positive",
                            {"epsilon": lambda A, *, epsilon, beta, **_rest: -epsilon - A.log(beta)},
                        ),
                    ),
                )
            ),
        ),
        domain=_RT,
    ),
    Claim(
        id="wilkins2024.pf.cor1.dr",
        source=printed(PROOF_OF_541),
        title="dr/dbeta = -1 + delta_infinite, as printed",
        statement=r"dr/d\beta=-1+\delta_\infty",
        kind=Identity(_r_slope, _slope_printed),
        domain=DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.pf.cor1.dr.corrected",
    ),
    Claim(
        id="wilkins2024.pf.cor1.dr.corrected",
        source=ours(PROOF_OF_541),
        title="dr/dbeta = -1 + delta_Gaussian",
        statement=r"dr/d\beta=-1+\delta_G",
        kind=Identity(_r_slope, _slope_corrected, proof=Symbolic()),
        domain=DOMAIN,
    ),
    Claim(
        id="wilkins2024.pf.cor1.dt",
        source=printed(PROOF_OF_541),
        title="First derivative of t",
        statement=r"dt/d\beta=-e^{\epsilon}\Phi(-\mu^*/2-(\epsilon+\ln\beta)/\mu^*)",
        kind=Identity(derivative(t, "beta"), _t_slope, proof=Symbolic()),
        domain=_RT,
    ),
    Claim(
        id="wilkins2024.pf.cor1.d0",
        source=printed(PROOF_OF_541),
        title="The slopes at beta = 0 compared with delta_infinite",
        statement=r"-e^{\epsilon}<-1+\delta_\infty",
        kind=Inequality(_minus_exp, _slope_printed, Relation.LESS, proof=Sign()),
        domain=DOMAIN,
        note="True, but the slope of r is -1 + delta_Gaussian: the proof needs wilkins2024.pf.cor1.d0.corrected.",
    ),
    Claim(
        id="wilkins2024.pf.cor1.d0.corrected",
        source=ours(PROOF_OF_541),
        title="The slopes at beta = 0 compared with delta_Gaussian",
        statement=r"-e^{\epsilon}<-1+\delta_G",
        kind=Inequality(
            _minus_exp,
            _slope_corrected,
            Relation.LESS,
            proof=Product(
                (
                    Part(lambda A, *, epsilon, **_rest: A.exp(epsilon)),
                    Part(
                        lambda A, *, epsilon, c_u, sigma, gap, mu_o: gaussian_profile(
                            A, -epsilon, distance(A, rows=c_u, sigma=sigma, mu_o=mu_o)
                        ),
                        ByClaim(
                            "wilkins2024.thm2.2.positive",
                            {
                                "epsilon": lambda A, *, epsilon, **_rest: -epsilon,
                                "mu": lambda A, *, c_u, sigma, mu_o, **_rest: distance(
                                    A, rows=c_u, sigma=sigma, mu_o=mu_o
                                ),
                            },
                        ),
                    ),
                )
            ),
        ),
        domain=DOMAIN,
        note="f > 1 - e^epsilon at every real epsilon.",
    ),
    Claim(
        id="wilkins2024.pf.cor1.phi",
        source=printed(PROOF_OF_541),
        title="Tilting the normal density",
        statement=r"e^y\phi(x/2+y/x)=\phi(x/2-y/x)",
        kind=Identity(_density_left, _density_right, proof=Symbolic()),
        domain=Box(
            (
                Parameter("x", "distance", lower="1e-3", upper=1000, log=True),
                Parameter("y", "level", unit="nats", lower=-700, upper=700),
            )
        ),
    ),
    Claim(
        id="wilkins2024.A.14",
        source=printed(PROOF_OF_541, "(A.14)"),
        title="Second derivative of t",
        statement=r"d^2t/d\beta^2=\phi(\mu^*/2-(\epsilon+\ln\beta)/\mu^*)/(\beta^2\mu^*)>0",
        kind=Identity(derivative(t, "beta", "beta"), _t_curvature, proof=Symbolic()),
        domain=_RT,
    ),
    Claim(
        id="wilkins2024.pf.cor1.rt",
        source=printed(PROOF_OF_541, "(A.13)"),
        title="r > t inside (0, 1)",
        statement=r"r(\beta)>t(\beta),\quad0<\beta<1",
        kind=Inequality(
            t,
            r,
            Relation.LESS,
            proof=Substitute(
                Box((EPSILON, BROAD_MU, Parameter("loss", "-log(beta)", open_lower=True))),
                {"loss": lambda A, *, beta, **_rest: -A.log(A.number(beta))},
                Product((_SCALE, Part(_scaled_less, Derivative("loss", "lower")))),
                _t_of_loss,
                _r_of_loss,
            ),
        ),
        domain=Box((EPSILON, BROAD_MU, _INNER_BETA)),
        note="Holds for every real epsilon; the proof is not the paper's (see the module's docstring).",
    ),
)
