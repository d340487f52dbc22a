"""Picks of bounded range: the programme against choices tried one by one, and against queries with exact laws."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.unknown_domain.gumbel import accountant
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.rogers2024.bounded_range import (
    _contenders,
    adaptive_picks,
    bound_on_picks,
    independent_picks,
    one_pick,
)
from proofs_numeric.rogers2024.range_gaussian import pick_mu

A = Float64()


def _best(value, low, high):
    """The largest of a function with one bump, by golden section."""
    part = (math.sqrt(5) - 1) / 2
    for _step in range(60):
        one, two = high - part * (high - low), low + part * (high - low)
        low, high = (low, two) if value(one) > value(two) else (one, high)
    return value((low + high) / 2)


def _by_choices(epsilon, k, step):
    """V_k by its definition: the larger loss t of each pick is sought anew after every outcome."""
    if k == 0:
        return max(0.0, -math.expm1(epsilon))

    def chosen(t):
        p = (math.exp(step) - math.exp(t)) / math.expm1(step)
        return p * _by_choices(epsilon - t, k - 1, step) + (1 - p) * _by_choices(epsilon + step - t, k - 1, step)

    return max(_best(chosen, 0.0, step), chosen(0.0), chosen(step))


@pytest.mark.parametrize(("epsilon", "k", "beta"), [(0.3, 1, 1.0), (0.0, 2, 1.0), (0.7, 2, 2.0)])
def test_the_value_of_the_adversary_lies_between_the_ends_of_the_programme(epsilon, k, beta):
    """By its definition, choice by choice; the ends come closer with the square of the cells."""
    value = _by_choices(epsilon, k, 1 / beta)
    at = {"epsilon": np.float64(epsilon), "k": k, "beta": np.float64(beta)}
    wide, close = ([each(A, **at, cells=cells) for each in (adaptive_picks, bound_on_picks)] for cells in (8, 32))
    for below, above in (wide, close):
        assert below <= value * (1 + 1e-12) <= above * (1 + 2e-12)
    assert close[1] - close[0] <= (wide[1] - wide[0]) / 8 + 1e-15


def _by_losses(epsilon, k, step, places=200):
    """V_k by its definition, each pick's larger loss one of so many: below V_k by about their distance squared."""
    levels = epsilon + np.arange(-k * places, k * places + 1) * (step / places)
    values = np.maximum(0, -np.expm1(levels))
    for _pick in range(k):
        best = np.zeros(len(values) - 2 * places)
        for i in range(places + 1):
            p = math.expm1(step - i * step / places) / math.expm1(step) * math.exp(i * step / places)
            lost, won = (values[start : start + len(best)] for start in (places - i, 2 * places - i))
            best = np.maximum(best, p * lost + (1 - p) * won)
        values = best
    return float(values[0])


@pytest.mark.parametrize(("epsilon", "k", "beta"), [(0.2, 3, 3.0), (0.64, 10, 10.0), (7.7, 10, 1.0), (1.3, 12, 2.0)])
def test_the_bound_is_the_definition_s_value_and_the_grid_s_width_squared(epsilon, k, beta):
    """A dozen picks: never below it; by a third above it at eight cells, at most, where delta is tiny, by 1 % at 48."""
    value = _by_losses(epsilon, k, 1 / beta)
    at = {"epsilon": np.float64(epsilon), "k": k, "beta": np.float64(beta)}
    wide, close = (bound_on_picks(A, **at, cells=cells) for cells in (8, 48))
    assert value <= close * (1 + 1e-12)
    assert close <= wide <= value * 4 / 3
    assert close - value <= (wide - value) / 30


def test_balls_of_the_programme_are_narrow_and_hold_the_doubles():
    """Ten picks: 30 digits in balls; doubles agree to 11."""
    with Ball(128) as ball:
        for each in (adaptive_picks, bound_on_picks):
            value = each(ball, epsilon=Fraction(2, 5), k=10, beta=10)
            double = each(A, epsilon=np.float64(0.4), k=10, beta=np.float64(10))
            assert value.rel_accuracy_bits() > 100
            assert float(value.mid()) == pytest.approx(double, rel=1e-11)


@pytest.mark.slow
@given(st.integers(2, 12), st.floats(0, 1), st.floats(1, 2000))
def test_the_cells_that_balls_leave_out_hold_no_highest_chord(k, part, beta):
    """Doubles try every cell; near the largest loss they lose digits, never more than a part in a million."""
    epsilon = part * k / beta
    with Ball(128) as ball:
        value = bound_on_picks(ball, epsilon=Fraction(epsilon), k=k, beta=Fraction(beta))
    double = bound_on_picks(A, epsilon=np.float64(epsilon), k=k, beta=np.float64(beta))
    assert float(value.mid()) == pytest.approx(float(double), rel=1e-6, abs=1e-25)


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=33, max_size=33), st.floats(0.001, 3))
def test_no_cell_is_left_out_whose_chord_is_the_highest(falls, step):
    """Values that fall in any way, convex or not: chords from points inside the cells of level 0."""
    cells, parts = 16, np.linspace(0, 1, 9)
    values = np.cumsum(falls[::-1])[::-1]
    with Ball(128) as ball:
        kept = _contenders(step, np.array([ball.number(Fraction(each)) for each in values]), np.array([0]), cells)[0]
    highest = []
    for j in range(cells):
        first, last = np.exp(step * (np.array([j, j + 1]) / cells - 1))
        share = (first + parts * (last - first) - math.exp(-step)) * math.exp(step) / math.expm1(step)
        share /= first + parts * (last - first)
        w, v = (values[at] + (values[at + 1] - values[at]) * parts for at in (j, j + cells))
        highest.append(max(share * w + (1 - share) * v))
    assert max(highest) <= max(np.array(highest)[kept]) * (1 + 1e-12)


def test_two_queries_of_one_pick_each_beat_every_pair_fixed_in_advance():
    """Exact laws of Algorithm 4: thirty equal counts far above T of which a user moves 11, then 19 or 5; e^step = 3.

    Bottom weighs a ten-millionth of a count. Outcomes are told apart by whether a count that moved was picked.
    """
    base, items, bottom = 3, 30, Fraction(1, 10**7)

    def query(moved):
        here, there = moved * base + items - moved + bottom, items + bottom
        return {
            "moved": (moved * base / here, moved / there),
            "stayed": ((items - moved) / here, (items - moved) / there),
            "bottom": (bottom / here, bottom / there),
        }

    second = {"moved": query(19), "stayed": query(5), "bottom": query(5)}
    attained = sum(
        max(Fraction(0), p * p2 - q * q2) for shown, (p, q) in query(11).items() for p2, q2 in second[shown].values()
    )
    with Ball(128) as ball:
        step = ball.log(ball.number(base))
        fixed = independent_picks(ball, epsilon=ball.number(0), k=2, step=step)
    assert fixed < float(attained) < float(bound_on_picks(A, epsilon=np.float64(0), k=2, beta=1 / np.log(3)))


def test_independent_picks_at_the_candidates_are_the_worst_of_a_fine_grid():
    """The k candidates of Dong, Durfee and Rogers against two thousand values of t."""
    for epsilon, k, step in ((0.5, 3, 1.0), (0.0, 2, 1.0), (0.5, 10, 0.1)):
        best = independent_picks(A, epsilon=np.float64(epsilon), k=k, step=np.float64(step))
        for t in np.linspace(0, step, 2001):
            p = (math.exp(step) - math.exp(t)) / math.expm1(step)
            at = sum(
                math.comb(k, i) * p ** (k - i) * (1 - p) ** i * max(0.0, -math.expm1(epsilon - k * t + i * step))
                for i in range(k + 1)
            )
            assert at <= best * (1 + 1e-12)


@pytest.mark.parametrize("beta", [0.1, 1.0, 30.0])
def test_a_pick_is_no_worse_than_its_gaussian_and_worse_than_any_closer_one(beta):
    """Over the range: equality at 0, where 1 % less distance is too little."""
    mu, step = pick_mu(A, beta=np.float64(beta)), 1 / beta
    levels = np.linspace(-step, step, 401)
    pick, gaussian = one_pick(A, np.exp(levels), step), gaussian_profile(A, levels, mu)
    assert np.all(pick <= gaussian * (1 + 1e-12))
    assert pick[200] == pytest.approx(gaussian[200], rel=1e-12)
    assert one_pick(A, np.float64(1), step) > gaussian_profile(A, np.float64(0), 0.99 * mu)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "beta", "epsilon", "of_theorem_3"), [(10, 10, 0.635, 0.844), (20, 10, 0.934, 1.200), (10, 2, 3.585, 4.468)]
)
def test_the_epsilon_of_picks_is_a_quarter_less_than_by_rho(k, beta, epsilon, of_theorem_3):
    """Delta = 1e-6 for new items and as much for the picks."""
    rho = k / 8 / beta**2
    assert rho + 2 * math.sqrt(rho * math.log(1e6)) == pytest.approx(of_theorem_3, abs=5e-4)
    assert accountant.least_epsilon(2e-6, k=k, beta=beta, delta=1e-6) == pytest.approx(epsilon, abs=5e-4)


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"epsilon": -1}, "epsilon >= 0"),
        ({"k_star": 101}, "k_star <= 100"),
        ({"l_star": 1.5}, "integer l_star"),
        ({"beta": 0.5}, "1 <= beta"),
        ({"delta": math.nan}, "0 < delta < 1"),
    ],
)
def test_a_parameter_out_of_range_is_refused_with_its_value(changed, wrong):
    """One line: what was expected."""
    at = {"epsilon": 1.0, "l_star": 2, "k_star": 2, "beta": 2.0, "delta": 1e-6, **changed}
    with pytest.raises(ValueError, match=wrong):
        accountant.stream_delta(at.pop("epsilon"), **at)


def law_of_a_step(s, j, share, cells):
    """Ratios and chances of one step of the bound on picks: a range s from x in cell j, each end on the levels."""
    r = [math.exp(i * s / cells) for i in (j, j + 1, j + cells, j + cells + 1)]
    low, high = ((1 - share) * r[i] + share * r[i + 1] for i in (0, 2))
    below = (high - 1) / (high - low)
    return r, [below * (1 - share), below * share, (1 - below) * (1 - share), (1 - below) * share]


@pytest.mark.slow
@given(
    st.floats(0.001, 1), st.floats(1.0001, 3), st.integers(2, 12), st.integers(0, 10), st.floats(0, 1)
)  # fmt: skip
def test_a_step_of_a_longer_range_is_the_more_spread(s, longer, cells, back, share):
    """Why the bound falls with beta: at every level the mean excess over it is no less (convex order)."""
    j = -1 - back % cells
    laws = law_of_a_step(s, j, share, cells), law_of_a_step(s * longer, j, share, cells)
    for r, chances in laws:
        assert math.fsum(x * p for x, p in zip(r, chances, strict=True)) == pytest.approx(1, rel=1e-12)
    for level in (*laws[0][0], *laws[1][0]):
        short, long = (math.fsum(p * max(0, x - level) for x, p in zip(*law, strict=True)) for law in laws)
        assert short <= long + 1e-12 * max(1, long)
