"""The ledger of releases of the Gaussian sparse histogram."""

import itertools
import math

import numpy as np
import pytest

from mechanisms.correlated_stability_histogram import composed_accountant as correlated
from mechanisms.gaussian_sparse_histogram import accountant
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release, adaptive_bounds, composed_delta
from mechanisms.gaussian_sparse_histogram.ledger import Cost, Ledger, Schedule, delta_of_budgets
from mechanisms.unknown_domain.gumbel import accountant as lists
from proofs_numeric.statements.concentrated import BudgetError


@pytest.mark.parametrize("times", [1, 30, 365])
def test_a_year_of_equal_releases_is_covered_and_one_more_is_refused(times):
    """The totals are spent to the last part in 1e9, and together they cost no more than the budget."""
    ledger = Ledger(1.0, 1e-5)
    release = ledger.equal(times, c_u=10)
    for _day in range(times):
        ledger = ledger.spend(release)
    assert 0 <= ledger.loss_left < 1e-9 * ledger.loss
    assert 0 <= ledger.square_left < 1e-9 * ledger.mu**2
    with pytest.raises(BudgetError, match=f"what is left for release {times + 1}, got .*; it needs a larger gap"):
        ledger.spend(release)
    assert delta_of_budgets(1.0, loss=ledger.loss, mu=ledger.mu) <= 1e-5
    assert delta_of_budgets(1.0, loss=ledger.loss, mu=ledger.mu) > 0.999e-5


def test_noise_alone_does_not_buy_a_low_threshold_nor_a_threshold_little_noise():
    """Each budget refuses on its own, and what was refused costs nothing."""
    ledger = Ledger(1.0, 1e-5)
    with pytest.raises(BudgetError, match="larger gap"):
        ledger.spend(Release(1, 100.0, 300.0))
    with pytest.raises(BudgetError, match="more noise"):
        ledger.spend(Release(1, 1.0, 30.0))
    assert ledger.spend(Release(1, 100.0, 600.0)).releases == (Release(1, 100.0, 600.0),)
    assert ledger.releases == ()


def test_what_an_adversary_attains_within_the_budgets_stays_below_delta():
    """Two equal releases that spend a large budget: certified value of the best adversary who sees the first."""
    ledger = Ledger(1.0, 0.02, share=0.5)
    release = ledger.equal(2, c_u=1)
    bounds = adaptive_bounds(1.0, [release] * 2)
    assert accountant.delta(1.0, c_u=2, sigma=release.sigma, gap=release.gap) < bounds.lower < bounds.upper < 0.02


def test_random_streams_are_covered_up_to_their_totals():
    """Releases of all sizes until one is refused: what was covered never exceeds either budget."""
    rng = np.random.default_rng(3)
    ledger, refused = Ledger(0.5, 1e-6), 0
    while refused < 20:
        sigma = float(10 ** rng.uniform(2, 3))
        release = Release(int(rng.integers(1, 6)), sigma, sigma * float(rng.uniform(5, 7)))
        try:
            ledger = ledger.spend(release)
        except BudgetError:
            refused += 1
    loss, square = (math.fsum(r.c_u * part for r, part in ((r, getattr(r, name)) for r in ledger.releases))
                    for name in ("loss", "square"))  # fmt: skip
    assert ledger.releases
    assert delta_of_budgets(0.5, loss=loss, mu=math.sqrt(square)) <= 1e-6


# --- schedules --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_schedule_of_equal_days_is_as_long_as_the_exact_delta_allows():
    """Thirty days of least noise and gap, fixed in advance, and no day more."""
    sigma = accountant.sigma(1.0, 1e-5, c_u=300) * (1 + 1e-6)
    day = Release(10, sigma, accountant.threshold(1e-5, c_u=300, sigma=sigma) * (1 + 1e-6))
    schedule = Schedule(1.0, 1e-5)
    for _day in range(30):
        schedule = schedule.spend(day)
    assert schedule.spent == pytest.approx(accountant.delta(1.0, c_u=300, sigma=day.sigma, gap=day.gap), rel=1e-7)
    with pytest.raises(BudgetError, match=r"expected delta <= 1e-05 of 31 releases together, got .*more noise"):
        schedule.spend(day)
    following = Schedule(1.0, 1e-5, adaptive=True, releases=schedule.releases[:29])
    with pytest.raises(BudgetError, match="of 30 releases"):
        following.spend(day)


def test_a_schedule_takes_what_no_split_of_the_ledger_covers():
    """Much noise at a low threshold beside little at a high one, data fixed in advance: refused at every share."""
    new, far = Release(1, 60.0, 249.0), Release(3, 4.0, 60.0)
    together = composed_delta(1.0, [new, far])
    schedule = Schedule(1.0, together * 1.001).spend(new).spend(far)
    assert schedule.spent == pytest.approx(together, rel=1e-7)
    for share in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99):
        with pytest.raises(BudgetError):
            Ledger(1.0, together * 1.001, share=share).spend(new).spend(far)


def test_costs_are_pairs_that_name_the_side_or_are_gaussian():
    """Alone they cost what the budgets say of them; beside rows each takes its part whichever is looked at."""
    rows, cost = Release(2, 20.0, 90.0), Cost(1e-6, 0.01)
    alone = Schedule(1.0, 0.5, releases=(cost, cost))
    assert alone.spent == pytest.approx(delta_of_budgets(1.0, loss=2e-6, mu=math.sqrt(0.02)), rel=1e-9)
    for adaptive in (False, True):
        both = Schedule(1.0, 0.5, adaptive=adaptive, releases=(rows, cost)).spent
        least = max(
            1 - math.exp(-1e-6) * (1 - accountant.delta_infinite(2, 20.0, 90.0)),
            delta_of_budgets(1.0, loss=1e-6, mu=math.sqrt(2 * rows.square + 0.01)),
        )
        most = delta_of_budgets(1.0, loss=1e-6 + 2 * rows.loss, mu=math.sqrt(2 * rows.square + 0.01))
        assert least * (1 - 1e-9) <= both <= most * (1 + 1e-7)
    assert Schedule(1.0, 0.5).spent == 0.0
    assert Schedule(1.0, 0.5, releases=(Cost(1e-3, 0.0),)).spent == pytest.approx(-math.expm1(-1e-3), rel=1e-9)


@pytest.mark.parametrize("loss", [0.0, 1e-4])
def test_who_has_seen_another_mechanism_knows_when_to_bring_new_rows(loss):
    """A Gaussian pair before a row costs what two rows do; after it, hardly more than the maximum rule says."""
    row = Release(1, 2.8284271, 7.649)
    cost = Cost(loss, row.square)
    attained = adaptive_bounds(1.0, [row, row]).lower
    first = Schedule(1.0, 0.5, adaptive=True, releases=(cost, row)).spent
    last = Schedule(1.0, 0.5, adaptive=True, releases=(row, cost)).spent
    assert attained <= first <= 1.002 * attained + loss
    assert last < 0.8 * first + loss


@pytest.mark.parametrize(("beta", "sigma", "deviations"), [(1.5, 2.0, 2.5), (3.0, 4.0, 3.0), (2.0, 1.0, 1.5)])
@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0])
def test_no_adversary_gains_more_from_labels_around_a_histogram(beta, sigma, deviations, epsilon):
    """A pick, a row, a pick, each chosen after those before: its value by dynamic programming on a grid of levels."""
    levels = np.linspace(epsilon - 12, epsilon + 12, 12001)
    x = np.linspace(-7, 7, 401)
    weights = np.exp(-x * x / 2) / np.sum(np.exp(-x * x / 2))
    row = Release(1, sigma, deviations * sigma)

    def at(values, places):
        return np.where(places < levels[0], -np.expm1(places), np.interp(places, levels, values, right=0.0))

    def pick(values):
        shares = np.linspace(0, 1 / beta, 25)
        chances = (math.exp(1 / beta) - np.exp(shares)) / math.expm1(1 / beta)
        return np.max(
            [
                p * at(values, levels - t) + (1 - p) * at(values, levels + 1 / beta - t)
                for t, p in zip(shares, chances, strict=True)
            ],
            axis=0,
        )

    def histogram(values):
        far = sum(w * at(values, levels - row.square / 2 - z / sigma) for w, z in zip(weights, x, strict=True))
        new = -math.expm1(-row.loss) + math.exp(-row.loss) * at(values, levels + row.loss)
        return np.maximum(far, new)

    value = pick(histogram(pick(np.maximum(0, -np.expm1(levels)))))[6000]
    cost = lists.cost(k=1, beta=beta, delta=1e-9)
    spent = Schedule(epsilon, 0.999, adaptive=True, releases=(cost, row, cost)).spent
    assert value * (1 - 1e-4) <= spent <= value * 2


def test_picks_of_one_kind_are_pooled_over_lists():
    """Thirty lists of one label are no worse than one of thirty; at two noises only where data is fixed in advance."""
    one, other = lists.cost(k=1, beta=12.0, delta=1e-8), lists.cost(k=1, beta=13.0, delta=1e-8)
    for adaptive in (False, True):
        thirty = Schedule(1.0, 1e-3, adaptive=adaptive, releases=(one,) * 30).spent
        assert thirty == pytest.approx(
            delta_of_budgets(1.0, loss=30 * one.loss, mu=math.sqrt(lists.cost(k=30, beta=12.0, delta=1e-8).square)),
            rel=1e-6,
        )
        assert thirty < 0.2 * delta_of_budgets(1.0, loss=30 * one.loss, mu=math.sqrt(30 * one.square))
    fixed, adaptive = (Schedule(1.0, 1e-3, adaptive=way, releases=(one, other) * 15).spent for way in (False, True))
    assert fixed < 0.3 * adaptive


def test_of_correlated_histograms_fixed_in_advance_the_worst_pairs_count():
    """Every number of new counters of each of two, beside every number of new rows of a third release."""
    cost, rows = correlated.cost(k=4, sigma=9.0, gap=63.0), Release(2, 20.0, 120.0)
    spent = Schedule(1.0, 0.5, releases=(cost, rows, cost)).spent
    pairs = [*itertools.product(cost.pairs, cost.pairs, range(rows.c_u + 1))]
    deltas = [
        delta_of_budgets(
            1.0,
            loss=first[0] + second[0] + new * rows.loss or 1e-300,
            mu=math.sqrt(first[1] + second[1] + (rows.c_u - new) * rows.square) or 1e-9,
        )
        for first, second, new in pairs
    ]
    assert len(deltas) == 75
    assert max(deltas) * (1 - 1e-9) <= spent <= max(deltas) * 1.01
    assert spent < 0.8 * Schedule(1.0, 0.5, adaptive=True, releases=(cost, rows, cost)).spent


@pytest.mark.parametrize(
    ("cost", "exact"),
    [
        (
            correlated.cost(k=10, sigma=47.0, gap=330.0),
            correlated.repeated_delta(1.0, releases=30, k=10, sigma=47.0, gap=330.0),
        ),
        (
            correlated.few_counters_cost(k=10, m=3, sigma=40.0, gamma=10.0, gap=225.0, mu_o=1 / 400),
            correlated.few_counters_delta(1.0, releases=30, k=10, m=3, sigma=40.0, gamma=10.0, gap=225.0, mu_o=1 / 400),
        ),
    ],
    ids=["correlated", "few counters"],
)
def test_a_month_of_correlated_histograms_costs_what_the_same_data_every_day_does(cost, exact):
    """Where no mixed pair is above both ends; the ledger's pair of both at once costs more."""
    assert Schedule(1.0, 0.5, releases=(cost,) * 30).spent == pytest.approx(exact, rel=1e-7)
    assert delta_of_budgets(1.0, loss=30 * cost.loss, mu=math.sqrt(30 * cost.square)) > 1.02 * exact


@pytest.mark.parametrize("books", [Ledger(1.0, 1e-5), Schedule(1.0, 1e-5)], ids=["ledger", "schedule"])
def test_what_has_no_cost_is_refused(books):
    """Parameters are neither a release nor a cost."""
    with pytest.raises(TypeError, match="expected a Release of a sparse histogram with Gaussian noise, or the Cost"):
        books.spend({"c_u": 1, "sigma": 20, "threshold": 90})
    with pytest.raises(ValueError, match="expected pairs within"):
        Cost(1e-6, 0.01, ((2e-6, 0.0),))


@pytest.mark.parametrize("wrong", [{"epsilon": -1.0}, {"delta": 0.0}, {"delta": 1.0}, {"share": 1.0}])
def test_it_refuses_what_is_no_budget(wrong):
    """One line: what, value, allowed."""
    with pytest.raises(ValueError, match="expected"):
        Ledger(**{"epsilon": 1.0, "delta": 1e-5, **wrong})
    if "share" not in wrong:
        with pytest.raises(ValueError, match="expected"):
            Schedule(**{"epsilon": 1.0, "delta": 1e-5, **wrong})
