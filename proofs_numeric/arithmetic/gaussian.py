"""The Gaussian profile ``f(mu, epsilon)`` solved for either argument."""

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile, normal_quantile_complement


def gaussian_epsilon(A: Arithmetic, *, delta: Number, mu: Number) -> Number:
    """Least ``epsilon >= 0`` with ``f(mu, epsilon) <= delta``; delta in (0, 1), ``mu > 0``."""
    delta, mu = A.number(delta), A.number(mu)

    def excess(epsilon: Number, delta: Number, mu: Number) -> Number:
        return A.log(delta) - A.log(gaussian_profile(A, epsilon, mu))

    # f(mu, epsilon) <= Phi(mu/2 - epsilon/mu), which is delta here.
    upper = A.maximum(0, mu * (mu / 2 + normal_quantile_complement(A, delta)))
    return increasing_root(A, excess, A.number(0), upper, delta, mu)


def gaussian_mu(A: Arithmetic, *, epsilon: Number, delta: Number) -> Number:
    """Largest ``mu`` with ``f(mu, epsilon) <= delta``; delta in (0, 1), ``epsilon >= 0``."""
    epsilon, delta = A.number(epsilon), A.number(delta)

    def excess(log_mu: Number, epsilon: Number, delta: Number) -> Number:
        return A.log(gaussian_profile(A, epsilon, A.exp(log_mu))) - A.log(delta)

    # f(mu, epsilon) <= min(mu/2, Phi(mu/2 - epsilon/mu)) bounds mu from below.  Where mu/2 - epsilon/mu = w >= 0.96,
    # f >= 1 - (2 + 1/w^2) Phi(-w), which exceeds delta at Phi(-w) = (1 - delta)/6.
    z = normal_quantile_complement(A, delta)
    w = normal_quantile_complement(A, (1 - delta) / 6)
    lower = A.maximum(2 * delta, 2 * epsilon / (1 + A.maximum(z, -z) + A.sqrt(z * z + 2 * epsilon)))
    upper = w + A.sqrt(w * w + 2 * epsilon)
    return A.exp(increasing_root(A, excess, A.log(lower), A.log(upper), epsilon, delta))
