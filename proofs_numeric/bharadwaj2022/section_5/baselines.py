"""Section 5: exact privacy of the baselines, each run on a Poisson sample of the clients (p = 1: on all of them).

With rate p a client's own law P is mixed with the law R that ignores the client, (1 - p) R + p P, and
H_(e^epsilon)((1 - p) R + p P || R) = p H_(1 + (e^epsilon - 1)/p)(P || R): amplification by sampling, an equality.
"""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic.finite_laws import Masses, image, joint, stick
from proofs_numeric.arithmetic.roots import peak_value
from proofs_numeric.arithmetic.special import integral
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements import moves

BASE = Parameter("epsilon_0", "epsilon of the mechanism on the sample", "nats", "1/100", "19/2", log=True)
RATE = replace(P, open_upper=False, open_lower=False, lower="1/100", log=True)
SCALE = Parameter("b", "scale of the Laplace noise", "counts", "1/100", 1000, log=True)
CLIENTS = Parameter("m", "clients who add coins", "clients", 1, 10**5, integer=True, log=True, searched=(1, 1000))
FLIP = Parameter("f", "probability of a coin", "probability", "1/100", "1/2", log=True)

epsilon_0, b = symbols("epsilon_0 b")
_grown, _small = exp(epsilon), exp(-epsilon_0 / 2)
_rest = maximum(0, 1 - _grown * (1 - p))
laplace_forward = maximum(0, p - sqrt(p * (p + expm1(epsilon))) * _small)
"""Delta of one client against none, Laplace noise of scale 1/epsilon_0 on a Poisson sample, epsilon >= 0.

``p (1 - exp((t - epsilon_0)/2))`` with ``e^t = 1 + (e^epsilon - 1)/p``, where it is positive.
"""
laplace_backward = maximum(0, _rest - sqrt(_rest * _grown * p) * _small)
"""The reverse, ``c (1 - exp((s - epsilon_0)/2))`` with ``c = 1 - e^epsilon (1 - p)``, ``e^s = e^epsilon p/c``."""
laplace = maximum(laplace_forward, laplace_backward)
"""Add/remove delta of the same: one client against none is worst, others only mix shifted copies."""


def laplace_by_events(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, p: Number) -> Number:
    """The same from the definition: the best half-line, found by golden section on the tails of the two laws."""
    factor = A.exp(A.number(epsilon))

    def tail(t: Number) -> tuple[Any, Any]:
        """Upper tails at 0 <= t <= 1 of the shifted and the centred law."""
        return 1 - A.exp(epsilon_0 * (t - 1)) / 2, A.exp(-epsilon_0 * t) / 2

    def above(t: Number) -> Any:
        shifted, centred = tail(t)
        return (1 - p) * centred + p * shifted - factor * centred

    def below(t: Number) -> Any:
        shifted, centred = tail(t)
        return 1 - centred - factor * ((1 - p) * (1 - centred) + p * (1 - shifted))

    return A.maximum(0, *(peak_value(A, gain, A.number(0), A.number(1)) for gain in (above, below)))


_left = maximum(0, 1 / b - epsilon / 2)
laplace_replacement = -expm1(-_left) - exp(-_left) * _left / 2
"""Replacement delta of Laplace noise of scale b on every count: ``1 - e^-u (1 + u/2)``, u = (1/b - epsilon/2)_+."""


def laplace_replacement_by_quadrature(A: Arithmetic, *, epsilon: Number, b: Number) -> Number:
    """The same as an average over the first cell's loss: 1/2 at a = 1/b, density e^((l - a)/2)/4 below, atom at -a."""
    a = 1 / A.number(b)
    if epsilon >= 2 * a:
        return A.number(0)

    def second(loss: Number) -> Number:
        return 1 - A.exp((epsilon - loss - a) / 2)

    spread = integral(A, lambda A, loss: A.exp((loss - a) / 2) / 4 * second(loss), epsilon - a, a)
    return second(a) / 2 + spread


_keep = (1 - p) / 2 + p / (1 + exp(-epsilon_0))
hadamard = maximum(0, _keep - exp(epsilon) * (1 - _keep)) / 2
"""Replacement delta of one Hadamard response when a client answers truly with probability p, else uniformly.

A +1 index has probability keep = (1 - p)/2 + p e^epsilon_0/(1 + e^epsilon_0) in all; two rows differ in half of
their signs: (keep - e^epsilon (1 - keep))_+/2, for epsilon >= 0.
"""


def hadamard_by_index(A: Arithmetic, *, epsilon: Number, epsilon_0: Number, p: Number) -> Any:
    """The same from the laws of rows 1 and 3 over four indices."""
    truth = A.exp(epsilon_0) / (1 + A.exp(epsilon_0))

    def law(*plus: int) -> Masses:
        return {i: (1 - p) / A.number(4) + p * (truth if i in plus else 1 - truth) / 2 for i in range(4)}

    return stick(law(0, 2), law(0, 3), A.exp(epsilon))


def shuffle(A: Arithmetic, *, epsilon: Number, m: int, f: Number, p: Number) -> Any:
    """Replacement delta of two cells that get Bin(m, f) coins each, the client's item counted with probability p.

    Both other cells' sampled counts only mix shifted copies, so none is worst.  With c the law of the coins and
    ``s(x) = 1 - p + p c(x - 1)/c(x)``, which rises, the outcome (x, y) has the chances ``s(x) c(x) c(y)`` and
    ``c(x) s(y) c(y)``: beside x the first y count, as many as have ``s(y) <= e^-epsilon s(x)``.  So m steps are enough.
    epsilon >= 0.
    """
    f, p, level = A.number(f), A.number(p), A.exp(A.number(epsilon))
    coins = cells.binomial_law(A, m, f)
    rises = [1 - p + p * x * (1 - f) / ((m - x + 1) * f) for x in range(m + 1)]
    moved = [rise * mass for rise, mass in zip(rises, coins, strict=True)]
    total = p * coins[m]  # all outcomes with one more than m, which the other law lacks
    first = second = A.number(0)
    sure = 0
    for rise, mass, with_client in zip(rises, coins, moved, strict=True):
        while sure <= m and rise >= level * rises[sure]:
            first, second, sure = first + coins[sure], second + moved[sure], sure + 1
        total += with_client * first - level * mass * second
        for y in range(sure, m + 1):  # ties, which balls do not decide
            if rise <= level * rises[y]:
                break
            total += A.maximum(0, with_client * coins[y] - level * mass * moved[y])
    return total


def shuffle_coin_by_coin(A: Arithmetic, *, epsilon: Number, m: int, f: Number, p: Number) -> Any:
    """The same with the joint law of both cells built one coin at a time."""

    def law(item: tuple[int, int]) -> Masses:
        counts = {(0, 0): 1 - p, item: p}
        for one in [(1, 0), (0, 1)] * m:
            coin = {(0, 0): 1 - f, one: f}
            counts = image(joint((counts, coin)), lambda both: tuple(map(sum, zip(*both, strict=True))))
        return counts

    return stick(law((1, 0)), law((0, 1)), A.exp(epsilon))


CLAIMS = (
    own(
        "base.laplace", "Section 5", "Exact add/remove delta of central Laplace noise on a Poisson sample",
        r"\max\left(p(1-e^{(t-\epsilon_0)/2}),\,c(1-e^{(s-\epsilon_0)/2}),\,0\right)",
        DeltaBound(
            laplace, laplace_by_events,
            points("epsilon epsilon_0 p", ("1/10", 2, "3/10"), ("1/2", 1, 1), (0, 3, "9/10")),
        ),
        domain=(LEVEL, BASE, RATE), falls=("epsilon",), rises=("epsilon_0", "p"), moves={"p": moves.MIXED},
        privacy=neighbours.LAPLACE,
        note="Zero from epsilon = ln(1 + p (e^epsilon_0 - 1)) on: the amplified epsilon of rem.fair.corrected.",
    ),
    own(
        "base.laplace.replacement", "Section 5", "Exact replacement delta of central Laplace noise of scale b",
        r"1-e^{-u}(1+u/2),\ u=(1/b-\epsilon/2)_+",
        DeltaBound(
            laplace_replacement, laplace_replacement_by_quadrature,
            points("epsilon b", (1, 1), ("1/10", 10), (0, "1/2")),
        ),
        domain=(LEVEL, SCALE), falls=("epsilon", "b"), moves={"b": moves.LAPLACE_ADDED},
        privacy=neighbours.LAPLACE_REPLACEMENT,
        note="Scale 1/epsilon is enough for add/remove only: 0.2418 at epsilon = 1 under replacement.",
    ),
    own(
        "base.hadamard", "Section 5", "Exact replacement delta of one Hadamard response on a hidden sample",
        r"(k-e^\epsilon(1-k))_+/2,\ k=\tfrac{1-p}2+\tfrac{p}{1+e^{-\epsilon_0}}",
        DeltaBound(hadamard, hadamard_by_index, points("epsilon epsilon_0 p", ("1/2", 1, 1), ("1/10", 2, "1/2"))),
        domain=(LEVEL, BASE, RATE), falls=("epsilon",), rises=("epsilon_0", "p"), privacy=neighbours.HADAMARD,
        note="The sample must be hidden: who is not in it sends a uniform index. A visible absence has delta = p.",
    ),
    own(
        "base.shuffle", "Section 5", "Exact replacement delta of shuffled Bernoulli coins on a Poisson sample",
        r"H_{e^\epsilon}(B+N,N'\|N,B+N'),\ B\sim\mathrm{Ber}(p),\ N,N'\sim\mathrm{Bin}(m,f)",
        DeltaBound(
            shuffle, shuffle_coin_by_coin, points("epsilon m f p", ("1/2", 4, "1/4", 1), ("1/10", 6, "1/2", "3/10")),
        ),
        domain=(LEVEL, CLIENTS, FLIP, RATE), falls=("epsilon", "m"), rises=("p",),
        moves={"p": moves.MIXED, "m": moves.by_channel("one more client adds independent coins to both counts")},
        privacy=neighbours.SHUFFLE, cost=3, note="All m clients add coins, sampled or not.",
    ),
)  # fmt: skip
