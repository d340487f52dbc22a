r"""The functions r and t of the proof of Corollary 5.4.1: two of its bounds as functions of beta.

Letters: ``beta = p^a_=``, ``r(beta) = 1 - beta + beta f(mu*, epsilon)``, ``t(beta) = f(mu*, epsilon + log beta)``,
``mu* = mu(C_u)``.  The paper proves ``r >= t`` from end points and a second derivative.  Here is a shorter proof, for
every real epsilon: ``e^-epsilon (1 - f(mu, epsilon))`` has the derivative ``-e^-epsilon Phi(epsilon/mu - mu/2) < 0``,
so it is larger at ``epsilon + log beta``, which is ``1 - t > beta (1 - f(mu, epsilon)) = 1 - r`` for ``0 < beta < 1``.
"""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import *

beta, x, y = symbols("beta x y")
r = 1 - beta + beta * profile(epsilon, mu)
t = profile(epsilon + log(beta), mu)
_star = distance(rows=c_u)
_t_at_one = t(mu=_star, beta=1)
_scaled_complement = exp(-epsilon) * profile_complement
_scaled_less = _scaled_complement(epsilon=epsilon - loss) - _scaled_complement


def _r_slope(A: Arithmetic, **at: Number) -> Any:
    return derivative(r, "beta")(A, epsilon=at["epsilon"], mu=_star(A, **at), beta=1)


_slope_printed, _slope_corrected = -1 + delta_infinite, -1 + delta_gaussian
_BETA = Parameter("beta", "p^a_=", unit="probability", upper=1, log=True, open_lower=True)
_RT = Box((EPSILON, BROAD_MU, _BETA))

CLAIMS = (
    stated(
        "pf.cor1.opt", PROOF_OF_541, "r decreases in beta: its maximum is at the largest a_=", None,
        Monotonicity(r, "beta", increasing=False, proof=Slope()), domain=_RT, note="dr/dbeta = -(1 - f) < 0.",
    ),
    refuted(
        "pf.cor1.ends", PROOF_OF_541, "r(1) = t(1) = delta_infinite, as printed", r"r(1)=t(1)=\delta_\infty",
        eq(_t_at_one, delta_infinite), by="pf.cor1.ends.corrected", domain=DOMAIN,
    ),
    own(
        "pf.cor1.ends.corrected", PROOF_OF_541, "r(1) = t(1) = delta_Gaussian", r"r(1)=t(1)=\delta_G",
        eq(_t_at_one, delta_gaussian), proof=Symbolic(), domain=DOMAIN,
    ),
    stated(
        "pf.cor1.ends.zero", PROOF_OF_541, "r(0) = t(0) = 1",
        r"1-e^{\epsilon}\beta\le t(\beta)\le1,\text{ so }t(\beta)\to1=r(0)\ (\beta\to0)", 1 - exp(epsilon) * beta <= t,
        proof=product_of(
            exp(epsilon) * beta, (profile(-epsilon - log(beta), mu), positive(epsilon=-epsilon - log(beta)))
        ),
        domain=_RT,
    ),
    refuted(
        "pf.cor1.dr", PROOF_OF_541, "dr/dbeta = -1 + delta_infinite, as printed", r"dr/d\beta=-1+\delta_\infty",
        Identity(_r_slope, _slope_printed), by="pf.cor1.dr.corrected", domain=DOMAIN,
    ),
    own(
        "pf.cor1.dr.corrected", PROOF_OF_541, "dr/dbeta = -1 + delta_Gaussian", r"dr/d\beta=-1+\delta_G",
        Identity(_r_slope, _slope_corrected, proof=Symbolic()), domain=DOMAIN,
    ),
    stated(
        "pf.cor1.dt", PROOF_OF_541, "First derivative of t",
        r"dt/d\beta=-e^{\epsilon}\Phi(-\mu^*/2-(\epsilon+\ln\beta)/\mu^*)",
        Identity(
            derivative(t, "beta"), -exp(epsilon) * Phi(-mu / 2 - (epsilon + log(beta)) / mu), proof=Symbolic(),
        ),
        domain=_RT,
    ),
    stated(
        "pf.cor1.d0", PROOF_OF_541, "The slopes at beta = 0 compared with delta_infinite",
        r"-e^{\epsilon}<-1+\delta_\infty", -exp(epsilon) < _slope_printed, proof=Sign(), domain=DOMAIN,
        note="True, but the slope of r is -1 + delta_Gaussian: the proof needs wilkins2024.pf.cor1.d0.corrected.",
    ),
    own(
        "pf.cor1.d0.corrected", PROOF_OF_541, "The slopes at beta = 0 compared with delta_Gaussian",
        r"-e^{\epsilon}<-1+\delta_G", -exp(epsilon) < _slope_corrected,
        proof=product_of(exp(epsilon), (profile(-epsilon, _star), positive(epsilon=-epsilon, mu=_star))),
        domain=DOMAIN, note="f > 1 - e^epsilon at every real epsilon.",
    ),
    stated(
        "pf.cor1.phi", PROOF_OF_541, "Tilting the normal density", None,
        eq(exp(y) * phi(x / 2 + y / x), phi(x / 2 - y / x)), proof=Symbolic(),
        domain=(
            Parameter("x", "distance", lower="1e-3", upper=1000, log=True),
            Parameter("y", "level", unit="nats", lower=-700, upper=700),
        ),
    ),
    stated(
        "A.14", PROOF_OF_541, "Second derivative of t",
        r"d^2t/d\beta^2=\phi(\mu^*/2-(\epsilon+\ln\beta)/\mu^*)/(\beta^2\mu^*)>0",
        Identity(
            derivative(t, "beta", "beta"), phi(mu / 2 - (epsilon + log(beta)) / mu) / (beta * beta * mu),
            proof=Symbolic(),
        ),
        equation="(A.14)", domain=_RT,
    ),
    stated(
        "pf.cor1.rt", PROOF_OF_541, "r > t inside (0, 1)", r"r(\beta)>t(\beta),\quad0<\beta<1", t < r,
        proof=Substitute(
            Box((EPSILON, BROAD_MU, Parameter("loss", "-log(beta)", open_lower=True))), {"loss": -log(beta)},
            product_of(exp(epsilon - loss), (_scaled_less, Derivative("loss", "lower"))), profile(epsilon - loss, mu),
            r(beta=exp(-loss)),
        ),
        equation="(A.13)", domain=(EPSILON, BROAD_MU, replace(_BETA, open_upper=True)),
        note="Holds for every real epsilon; the proof is not the paper's (see the module's docstring).",
    ),
)  # fmt: skip
