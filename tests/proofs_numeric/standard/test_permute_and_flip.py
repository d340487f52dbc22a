"""No scores of several candidates are worse than two candidates, by the definition of permute-and-flip."""

import itertools
import math
import random

import pytest

from auditor.engine.registry import registry
from proofs_numeric.standard.one_release import permute_and_flip
from tests.proofs_numeric.value import value


def law(scores, rate):
    """Probabilities of the candidates: in each order, the first whose coin shows heads wins."""
    best, orders = max(scores), list(itertools.permutations(range(len(scores))))
    heads = [math.exp(rate * (score - best)) for score in scores]
    wins = [0.0] * len(scores)
    for order in orders:
        left = 1 / len(orders)
        for one in order:
            wins[one] += left * heads[one]
            left *= 1 - heads[one]
    return wins


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize(("epsilon", "epsilon_0"), [("0", "1"), ("0.5", "2"), ("1", "4")])
def test_no_scores_are_worse(count, epsilon, epsilon_0):
    """Random scores, each moved by at most 1: delta is at most the formula, which two candidates attain."""
    generator = random.Random(5)  # noqa: S311
    most = float(value(permute_and_flip, epsilon=epsilon, epsilon_0=epsilon_0).upper)
    rate, factor, found = float(epsilon_0) / 2, math.exp(float(epsilon)), 0.0
    for _ in range(400):
        scores = [generator.uniform(-3, 3) for _ in range(count)]
        moved = [score + generator.choice([-1, 1]) for score in scores]
        pairs = zip(law(moved, rate), law(scores, rate), strict=True)
        found = max(found, sum(max(0.0, p - factor * q) for p, q in pairs))
    assert 0 < found <= most + 1e-12
    if count == 2:
        lead = -1 - float(epsilon) / float(epsilon_0)
        pairs = zip(law([lead + 1, -1], rate), law([lead, 0], rate), strict=True)
        assert sum(max(0.0, p - factor * q) for p, q in pairs) == pytest.approx(most, rel=1e-12)


def test_it_loses_less_than_its_pure_bound():
    """Randomised response at the same epsilon_0 has the largest delta of all; one exponential mechanism has less."""
    claims, at = registry().claims, {"epsilon": "1", "epsilon_0": "2"}
    here = value(permute_and_flip, **at)
    response = value(claims["standard.randomized_response"].formula, **at, categories=2)
    exponential = value(claims["standard.bounded_range"].formula, epsilon="1", eta="2")
    assert exponential.upper < here.lower
    assert here.upper < response.lower


@pytest.mark.parametrize("epsilon_0", ["0.1", "1", "4", "20"])
def test_its_rho_is_between_two_candidates_and_laplace_noise(epsilon_0):
    """The lower bound is attained by two scores; random scores of several candidates stay below the upper one."""
    kind = registry().claims["standard.rho.permute_and_flip"].kind
    most = float(value(kind.formula, epsilon_0=epsilon_0).lower)
    least = float(value(kind.exact, epsilon_0=epsilon_0).upper)
    epsilon = float(epsilon_0)
    lead = math.log1p(epsilon / 2) * 2 / epsilon - 2

    def rho(moved, scores):
        pairs = [*zip(law(moved, epsilon / 2), law(scores, epsilon / 2), strict=True)]
        orders = [math.log(sum(p**a * q ** (1 - a) for p, q in pairs)) / (a * (a - 1)) for a in (1.1, 2, 5)]
        return max(sum(p * math.log(p / q) for p, q in pairs), *orders)

    assert rho([lead + 1, -1], [lead, 0]) == pytest.approx(least, rel=1e-9)
    assert 0.844 * most < least < most
    generator = random.Random(7)  # noqa: S311
    for _ in range(100):
        scores = [generator.uniform(-2, 2) for _ in range(generator.choice([2, 3, 4]))]
        assert rho([score + generator.choice([-1, 1]) for score in scores], scores) < most * (1 + 1e-9)
