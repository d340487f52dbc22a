"""Many picks beside one Gaussian pair: against what adversaries attain, alone and before another Gaussian pair."""

import math

import numpy as np
import pytest

from mechanisms.gaussian_sparse_histogram.ledger import Ledger, Schedule
from mechanisms.unknown_domain.gumbel import accountant
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.rogers2024.bounded_range import adaptive_picks, one_pick
from proofs_numeric.rogers2024.range_gaussian import pick_mu
from proofs_numeric.rogers2024.range_pool import pool_mu
from proofs_numeric.statements.concentrated import BudgetError

A = Float64()


@pytest.mark.parametrize(("n", "most"), [(2, 1.123), (5, 1.062), (10, 1.038), (16, 1.028)])
@pytest.mark.parametrize("beta", [1.0, 20.0, 1000.0])
def test_no_adversary_attains_more_than_the_pair_of_a_pool(n, most, beta):
    """At levels up to the end of the range; and the distance is near the deviation of the loss, from above."""
    mu = float(pool_mu(A, n=n, beta=np.float64(beta)))
    assert math.sqrt(n) / (2 * beta) < mu < most * math.sqrt(n) / (2 * beta)
    for part in (-0.3, 0.0, 0.03, 0.1, 0.3, 0.7):
        level = np.float64(part * n / beta)
        attained = adaptive_picks(A, epsilon=level, k=n, beta=np.float64(beta), cells=24)
        assert attained <= gaussian_profile(A, level, mu) + 1e-30


def test_a_little_less_than_the_pair_of_two_picks_is_too_little():
    """The bound on V_2 is a part in 200 above what is attained."""
    mu = pool_mu(A, n=2, beta=np.float64(1))
    assert adaptive_picks(A, epsilon=np.float64(0), k=2, beta=1.0, cells=24) > gaussian_profile(A, 0.0, 0.98 * mu)


def test_two_pools_are_no_better_than_thirty_two_picks():
    """What pools add up to is above what an adversary attains who sees every pick before the next."""
    mu = math.sqrt(2) * float(pool_mu(A, n=16, beta=np.float64(30)))
    for level in (0.0, 0.1, 0.4):
        attained = adaptive_picks(A, epsilon=np.float64(level), k=32, beta=np.float64(30), cells=12)
        assert 0.5 * gaussian_profile(A, level, mu) < attained <= gaussian_profile(A, level, mu)


@pytest.mark.parametrize("seed", range(3))
def test_picks_around_a_gaussian_release_cost_no_more_than_both_at_once(seed):
    """A pick, a Gaussian pair, a pick chosen after both: by its definition on a grid of losses and of shares."""
    rng = np.random.default_rng(seed)
    step, mu, level = rng.uniform(0.3, 1), rng.uniform(0.3, 1), rng.uniform(0, 0.8)
    x, width = np.linspace(-9, 9, 1201, retstep=True)
    weights = np.exp(-x * x / 2) * width / math.sqrt(2 * math.pi)

    def last(epsilon):
        return one_pick(A, np.exp(epsilon), step)

    def between(epsilon):
        return float(weights @ last(epsilon - mu * mu / 2 - mu * x))

    shares = np.linspace(0, step, 81)
    chances = (math.exp(step) - np.exp(shares)) / math.expm1(step)
    attained = max(
        p * between(level - t) + (1 - p) * between(level + step - t) for t, p in zip(shares, chances, strict=True)
    )
    together = math.hypot(mu, float(pool_mu(A, n=2, beta=np.float64(1 / step))))
    assert attained <= gaussian_profile(A, level, together)
    assert attained > gaussian_profile(A, level, 0.97 * together)


def test_lists_in_a_ledger_take_a_sixth_less_noise_than_pick_by_pick():
    """Ten labels; a stream of ten queries costs the same but for new items; what is not covered is refused."""
    cost = accountant.cost(k=10, beta=20.0, delta=1e-8)
    assert math.sqrt(cost.square) < 0.84 * math.sqrt(10) * float(pick_mu(A, beta=np.float64(20)))
    stream = accountant.stream_cost(l_star=10, k_star=10, beta=20.0, delta=1e-8)
    assert stream.square == cost.square
    assert stream.loss == pytest.approx(10 * cost.loss, rel=1e-6)
    ledger = Ledger(1.0, 1e-5)
    while ledger.square_left >= cost.square:
        ledger = ledger.spend(cost)
    with pytest.raises(BudgetError, match="more noise"):
        ledger.spend(cost)
    ten_thousand = accountant.cost(k=10, beta=1000.0, delta=1e-10)
    assert Schedule(1.0, 1e-4, adaptive=True, releases=(ten_thousand,) * 10_000).spent < 1e-5
