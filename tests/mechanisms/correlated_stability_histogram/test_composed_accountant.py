"""Several releases of the correlated stability histogram, and a ledger that other mechanisms share."""

import math

import numpy as np
import pytest

from mechanisms.correlated_stability_histogram import accountant
from mechanisms.correlated_stability_histogram import composed_accountant as composed
from mechanisms.gaussian_sparse_histogram.ledger import Cost, Ledger
from mechanisms.unknown_domain.gumbel import accountant as lists
from mechanisms.unknown_domain.histogram.accountant import release
from proofs_numeric.statements.concentrated import BudgetError

MONTH = {"releases": 30, "k": 10, "sigma": 47.0, "gap": 300.0}


def test_one_release_is_the_exact_delta():
    """Where the certificate holds, both accountants of one release say what the exact one does, or more."""
    at = {"k": 10, "sigma": 8.0, "gap": 45.0}
    exact = accountant.delta(1.0, **at)
    assert composed.repeated_delta(1.0, releases=1, **at) == pytest.approx(exact, rel=1e-10)
    assert exact < composed.adaptive_delta(1.0, releases=1, **at) < 2 * exact


@pytest.mark.slow
def test_releases_by_draws_of_their_thresholds():
    """All counters new, 5 releases, 2e5 draws: some counter passes in some release, within six deviations."""
    k, sigma, gap, n = 4, 2.0, 7.0, 200_000
    rng = np.random.default_rng(16)
    shared = rng.normal(0, sigma / k**0.25, (n, 5, 1))
    passed = np.mean(np.any(shared + rng.normal(0, sigma, (n, 5, k)) > gap, axis=(1, 2)))
    said = composed.repeated_delta(20.0, releases=5, k=k, sigma=sigma, gap=gap)
    assert said == pytest.approx(passed, abs=6 * math.sqrt(said / n))


def test_data_chosen_as_one_goes_costs_more_and_never_twice_as_much():
    """A month of releases, epsilon = 1."""
    same, chosen = composed.repeated_delta(1.0, **MONTH), composed.adaptive_delta(1.0, **MONTH)
    assert same < chosen < 2 * same


def test_a_ledger_covers_what_three_mechanisms_release_and_refuses_the_next():
    """(1, 1e-5): Algorithm 1 of the survey, the correlated histogram twice, and a list of five labels."""
    ledger = Ledger(epsilon=1.0, delta=1e-5)
    for spent in (
        release(delta_0=3, delta_inf=2, sigma=40.0, T=240.0),
        composed.cost(k=10, sigma=20.0, gap=130.0),
        composed.cost(k=10, sigma=20.0, gap=130.0),
        lists.cost(k=5, beta=20.0, delta=1e-7),
    ):
        before, ledger = ledger, ledger.spend(spent)
        assert ledger.loss_left < before.loss_left
        assert ledger.square_left < before.square_left
    with pytest.raises(BudgetError, match="left for release 5"):
        ledger.spend(composed.cost(k=10, sigma=8.0, gap=130.0))


def test_a_stream_of_lists_costs_what_its_lists_cost_together():
    """Algorithm 4 with twelve labels over at most five queries; queries that show nothing new cost no more."""
    at = {"beta": 20.0, "delta": 1e-7}
    stream, one = lists.stream_cost(l_star=5, k_star=12, **at), lists.cost(k=12, **at)
    assert (stream.square, stream.loss) == (pytest.approx(one.square), pytest.approx(5 * one.loss))
    assert lists.stream_cost(l_star=500, k_star=12, **at).loss == pytest.approx(12 * one.loss)
    said = lists.stream_ledger_delta(1.0, l_star=5, k_star=12, **at)
    assert lists.stream_delta(1.0, l_star=5, k_star=12, **at) < said < 1e-2
    with pytest.raises(ValueError, match="k_star"):
        lists.stream_cost(l_star=5, k_star=0, **at)


def test_costs_of_releases_add_up_to_the_adaptive_accountant():
    """What the ledger says of the sum is the delta of releases chosen as one goes."""
    from mechanisms.gaussian_sparse_histogram.ledger import delta_of_budgets

    one = composed.cost(k=10, sigma=47.0, gap=300.0)
    value = delta_of_budgets(1.0, loss=30 * one.loss, mu=math.sqrt(30 * one.square))
    assert value == pytest.approx(composed.adaptive_delta(1.0, **MONTH), rel=1e-8)


def test_few_counters_at_the_papers_ratio_are_the_papers_releases():
    """All k counters and gamma = sqrt(k): both accountants say the same, up to the rounding of that root."""
    same = composed.few_counters_delta(1.0, **MONTH, m=10, gamma=math.sqrt(10))
    assert same == pytest.approx(composed.repeated_delta(1.0, **MONTH), rel=1e-9)
    chosen = composed.few_counters_adaptive_delta(1.0, **MONTH, m=10, gamma=math.sqrt(10))
    assert chosen == pytest.approx(composed.adaptive_delta(1.0, **MONTH), rel=1e-9)


@pytest.mark.slow
def test_few_counters_and_sums_by_draws():
    """3 of 6 counters change with their sums, two releases, 4e5 draws: the excess of likely losses, six deviations."""
    k, m, sigma, gamma, mu_o, n, epsilon = 6, 3, 3.0, 4.0, 0.3, 400_000, 0.4
    rng = np.random.default_rng(7)
    covariance = sigma**2 * (np.eye(k) + np.full((k, k), 1 / gamma))
    change = np.concatenate([(np.arange(k) < m) * 1.0] * 2)
    inverse = np.kron(np.eye(2), np.linalg.inv(covariance))
    noise = rng.multivariate_normal(np.zeros(k), covariance, (n, 2)).reshape(n, -1)
    columns = rng.normal(size=(n, 2 * m))
    loss = noise @ inverse @ change + change @ inverse @ change / 2
    loss += mu_o * columns.sum(axis=1) + mu_o**2 * m
    excess = np.maximum(-np.expm1(epsilon - loss), 0)
    said = composed.few_counters_delta(epsilon, releases=2, k=k, m=m, sigma=sigma, gamma=gamma, gap=80.0, mu_o=mu_o)
    assert said == pytest.approx(excess.mean(), abs=6 * excess.std() / math.sqrt(n))


def test_a_ledger_covers_releases_with_sums():
    """Thirty releases for users of 3 of 10 counters cost what the adaptive accountant says."""
    from mechanisms.gaussian_sparse_histogram.ledger import delta_of_budgets

    at = {"k": 10, "m": 3, "sigma": 40.0, "gamma": 10.0, "gap": 225.0, "mu_o": 1 / 400}
    one = composed.few_counters_cost(**at)
    value = delta_of_budgets(1.0, loss=30 * one.loss, mu=math.sqrt(30 * one.square))
    assert value == pytest.approx(composed.few_counters_adaptive_delta(1.0, releases=30, **at), rel=1e-8)
    assert one.square > composed.few_counters_cost(**at | {"mu_o": 0.0}).square


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (lambda: composed.repeated_delta(1.0, releases=0, k=2, sigma=1.0, gap=3.0), "integer releases"),
        (lambda: composed.adaptive_delta(-1.0, releases=1, k=2, sigma=1.0, gap=3.0), "epsilon"),
        (lambda: composed.cost(k=2, sigma=1.0, gap=-100.0), "silence has a probability"),
        (lambda: composed.few_counters_delta(1.0, **MONTH, m=11, gamma=1.0), "m"),
        (lambda: composed.few_counters_delta(1.0, **MONTH, m=3, gamma=1.0, mu_o=math.nan), "mu_o"),
        (lambda: composed.few_counters_cost(k=2, m=1, sigma=1.0, gamma=1.0, gap=-100.0), "silence has a probability"),
        (lambda: Cost(math.nan, 1.0), "0 <= loss"),
        (lambda: Cost(0.0, math.inf), "0 <= square"),
    ],
)
def test_what_is_out_of_range_is_refused_with_its_value(call, wrong):
    """One line: what was expected."""
    with pytest.raises(ValueError, match=wrong):
        call()
