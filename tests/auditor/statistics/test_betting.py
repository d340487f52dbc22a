"""The e-process: valid by exact enumeration, monotone in what it is held against, and as fast as theory allows."""

import math
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from auditor.statistics import betting, confidence
from auditor.statistics.betting import Hypotheses, hypothesis
from auditor.statistics.e_process import EProcess, Period, Trajectory, initial_accounts, stack
from proofs_numeric.statements.neighbours import Direction

FORWARD = (Direction.FORWARD,)


def expected_wealth(process: EProcess, n: int, left: list[float], right: list[float]) -> float:
    """Exact mean of the wealth factor of the next n releases per dataset over two cells, by enumeration."""
    start = process.log_wealth
    total = 0.0
    for x in range(n + 1):
        for y in range(n + 1):
            after = copy(process)
            after.update(np.array([[x, y], [n - x, n - y]]))
            probability = binom.pmf(x, n, left[0]) * binom.pmf(y, n, right[0])
            total += float(probability) * math.exp(after.log_wealth - start)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "delta", "q"), [(1.0, 0.0, 0.2), (1.0, 0.01, 0.0), (0.0, 0.1, 0.5), (0.3, 1e-3, 0.7), (2.0, 0.0, 0.01)]
)
@pytest.mark.parametrize("past", [[[30, 2], [10, 38]], [[1, 5], [9, 5]], [[0, 0], [8, 8]]])
def test_wealth_does_not_grow_at_the_claim(epsilon: float, delta: float, q: float, past: list) -> None:
    """On the boundary P(S) = e^eps Q(S) + delta the mean factor of a block is at most 1, whatever the past."""
    process = EProcess(hypothesis(epsilon, delta))
    process.freeze(np.array(past))
    p = min(1.0, math.exp(epsilon) * q + delta)
    backward = (1 - q) - math.exp(epsilon) * (1 - p)
    if backward > delta + 1e-12:
        process = EProcess(hypothesis(epsilon, delta, FORWARD))
        process.freeze(np.array(past))
    assert expected_wealth(process, 6, [p, 1 - p], [q, 1 - q]) <= 1.0 + 1e-9


def test_wealth_grows_in_the_mean_beyond_the_claim() -> None:
    """A law beyond the claim, and a past that shows it, make the mean factor exceed 1."""
    process = EProcess(hypothesis(1.0, 0.0))
    process.freeze(np.array([[30, 2], [10, 38]]))
    assert expected_wealth(process, 6, [0.75, 0.25], [0.05, 0.95]) > 1.25


def test_centre_lies_on_the_boundary_and_no_other_point_is_nearer() -> None:
    """The centre satisfies p0 = e^eps q0 + delta and minimises the divergence from (p, q) along it."""
    p, q, e, delta = np.array(0.4), np.array(0.05), np.array(math.e), np.array(0.01)
    p0, q0 = betting.boundary_centre(p, q, e, delta)

    def divergence(q1: float) -> float:
        p1 = math.e * q1 + 0.01
        terms = ((0.4, p1), (0.6, 1 - p1), (0.05, q1), (0.95, 1 - q1))
        return math.fsum(a * math.log(a / b) for a, b in terms)

    assert math.isclose(float(p0), math.e * float(q0) + 0.01, rel_tol=1e-12)
    assert divergence(float(q0)) <= min(divergence(float(q0) * 1.01), divergence(float(q0) * 0.99))


def trajectory(seed: int, left: list[float], right: list[float], blocks: int, n: int) -> Trajectory:
    """A trajectory over cells of these probabilities."""
    rng = np.random.default_rng(seed)
    path = Trajectory()
    draws = [np.stack([rng.multinomial(n, left), rng.multinomial(n, right)], axis=1) for _ in range(blocks + 1)]
    path.periods.append(Period(draws[0], draws[1:]))
    return path


HALF_NOISE = ([0.69, 0.25, 0.06], [0.06, 0.25, 0.69])


def held_against(path: Trajectory, claim: Hypotheses, epsilon: float, delta: float) -> float:
    """Log-wealth of the bets against `claim`, held against (epsilon, delta)."""
    return confidence.log_wealth_against(stack(path.play(claim)), claim, hypothesis(epsilon, delta))


@pytest.mark.slow
def test_wealth_decreases_in_epsilon_and_in_delta() -> None:
    """The same bets are worth less against every weaker claim, so rejected claims form a lower set."""
    claim, path = hypothesis(1.0, 0.0), trajectory(3, *HALF_NOISE, 10, 30)
    grid = np.linspace(0.0, 0.9, 40)
    by_delta = np.array([held_against(path, claim, 1.0, delta) for delta in grid])
    by_epsilon = np.array([held_against(path, claim, 5 * epsilon, 0.0) for epsilon in grid])
    assert np.all(np.diff(by_delta[np.isfinite(by_delta)]) <= 1e-12)
    assert np.all(np.diff(by_epsilon[np.isfinite(by_epsilon)]) <= 1e-12)
    assert by_delta[0] > 3


@pytest.mark.parametrize("directions", [betting.BOTH_DIRECTIONS, FORWARD])
def test_wealth_against_the_claim_itself_is_the_wealth_of_the_process(directions: tuple[Direction, ...]) -> None:
    """Replaying a trajectory, its blocks in one piece, gives the wealth that was seen live."""
    path = trajectory(4, *HALF_NOISE, 6, 20)
    claim = hypothesis(1.0, 0.01, directions)
    process = EProcess(claim)
    process.freeze(path.periods[0].past)
    bet_blocks = [process.update(block) for block in path.periods[0].blocks]
    assert len(stack(bet_blocks)) == 1
    assert math.isclose(held_against(path, claim, 1.0, 0.01), process.log_wealth, rel_tol=1e-12)


def bounded(lower, path: Trajectory, claim: Hypotheses, alpha: float) -> float:
    """A lower bound from the bets against one claim on one pair."""
    return lower([stack(path.play(claim))], [claim], [0.0], alpha).value


def test_bounds_approach_the_truth_from_below() -> None:
    """With many samples the lower bounds on delta and epsilon come near the true values and stay below them."""
    path = trajectory(5, *HALF_NOISE, 30, 3000)
    true_delta, true_epsilon = 0.69 - math.e * 0.06, math.log(0.69 / 0.06)
    delta = bounded(confidence.delta_lower, path, hypothesis(1.0, 0.3), 1e-6)
    epsilon = bounded(confidence.epsilon_lower, path, hypothesis(2.0, 0.0), 1e-6)
    assert 0.9 * true_delta < delta < true_delta
    assert 0.9 * true_epsilon < epsilon < true_epsilon


def test_profile_bounds_hold_together_and_decrease() -> None:
    """Bounds over a grid of epsilons are non-increasing and below the true profile."""
    path = trajectory(6, *HALF_NOISE, 20, 2000)
    grid = np.array([0.0, 0.5, 1.0, 2.0])
    claims = Hypotheses(grid, np.full(4, 0.01), np.full(4, 0.01))
    bounds = np.array([bound.value for bound in confidence.profile_lower([path], claims, [0.0], 1e-6)])
    truth = 0.69 - np.exp(grid) * 0.06
    truth[0] = 0.63
    assert np.all(np.diff(bounds) <= 0)
    assert np.all(bounds < truth)
    assert np.all(bounds[:3] > 0.7 * truth[:3])


def test_bets_against_several_claims_at_once_are_those_against_each() -> None:
    """To the last bit: stakes, spreads and so the bounds of a profile do not depend on what else is asked for."""
    path, grid = trajectory(7, *HALF_NOISE, 6, 40), np.array([0.0, 1.0, 4.0])
    claims = Hypotheses(grid, np.full(3, 0.01), np.full(3, 0.02))
    together = path.play(claims)
    for place in range(3):
        one, alone = (stack(p) for p in ([b.against(place) for b in together], path.play(claims.at(place))))
        for ours, theirs in zip(one, alone, strict=True):
            assert np.array_equal(ours.spread, theirs.spread)
            assert np.array_equal(ours.counts, theirs.counts)
            assert np.array_equal(ours.bets.stakes, theirs.bets.stakes)
            assert np.array_equal(ours.bets.mass_f, theirs.bets.mass_f)
            assert np.array_equal(ours.bets.mass_b, theirs.bets.mass_b)


def test_a_coarse_trajectory_keeps_every_release_in_blocks_that_double() -> None:
    """Nothing is lost or moved over a period's end; the wealth is that of the merged blocks."""
    path = trajectory(6, *HALF_NOISE, 20, 2000)
    coarse = path.coarse()
    period, before = coarse.periods[0], int(path.periods[0].past.sum())
    assert np.array_equal(sum(period.blocks), sum(path.periods[0].blocks))
    assert len(period.blocks) < len(path.periods[0].blocks) / 2
    for block in period.blocks[:-1]:
        assert block.sum() >= before
        before += int(block.sum())


def test_nothing_is_rejected_when_both_sides_are_alike() -> None:
    """Equal laws leave both lower bounds at zero."""
    path, claim = trajectory(7, [0.5, 0.5], [0.5, 0.5], 20, 500), hypothesis(0.5, 0.0)
    assert bounded(confidence.delta_lower, path, claim, 0.01) == 0.0
    assert bounded(confidence.epsilon_lower, path, claim, 0.01) == 0.0


def test_a_bound_from_an_event_that_one_side_never_shows_stays_finite() -> None:
    """Zero hits on one side bound epsilon by what the sample can tell, not by infinity."""
    path = trajectory(8, [0.4, 0.6], [0.0, 1.0], 10, 10)
    bound = bounded(confidence.epsilon_lower, path, hypothesis(1.0, 0.0), 0.05)
    assert 1.0 < bound < math.log(0.4 * 110 / math.log(20))


def test_partners_are_disjoint_from_their_events() -> None:
    """In the mode BOTH the two events of a bet never share a cell."""
    counts = np.array([[9, 1], [5, 2], [3, 3], [2, 5], [1, 9]])
    partner = betting.partners(counts)
    assert all(size + partner[size - 1] + 1 <= len(counts) for size in range(1, len(counts)))


@pytest.mark.parametrize(
    ("epsilon", "delta", "message"),
    [(-1.0, 0.0, "expected 0 <= epsilon < inf"), (1.0, 1.0, "expected 0 <= delta < 1"), (math.nan, 0.0, "epsilon")],
)
def test_claims_out_of_range_are_refused(epsilon: float, delta: float, message: str) -> None:
    """A claim that no mechanism could violate, or that makes no sense, is named with its bounds."""
    with pytest.raises(ValueError, match=message):
        hypothesis(epsilon, delta)


def test_one_cell_is_no_event() -> None:
    """Candidate events need at least two cells."""
    with pytest.raises(ValueError, match="K >= 2"):
        EProcess(hypothesis(1.0, 0.0)).freeze(np.array([[5, 5]]))


def test_nothing_is_lost_before_anything_telling_was_seen() -> None:
    """Both sides have shown one outcome only: a bet that it is likelier on the left could never be won."""
    process = EProcess(hypothesis(1.0, 0.005, FORWARD))
    process.freeze(np.array([[16, 16], [0, 0]]))
    process.update(np.array([[2000, 2000], [0, 0]]))
    assert math.isclose(process.log_wealth, 0.0, abs_tol=1e-12)


def test_what_is_idle_is_not_lost() -> None:
    """Bets learnt from noise lose nearly all they stake; every account keeps what it did not bet."""
    process = EProcess(hypothesis(1.0, 0.0))
    process.freeze(np.array([[15, 1], [1, 15]]))
    process.update(np.array([[500, 500], [500, 500]]))
    assert np.all(process.accounts > np.log(betting.STAKE_SHARES * betting.IDLE) - 1e-9)
    assert process.accounts[0, 1] < math.log(betting.STAKE_SHARES[1] * betting.IDLE) + 1e-9
    assert np.all(process.idle <= 0.0)


@pytest.mark.parametrize("directions", [betting.BOTH_DIRECTIONS, FORWARD])
def test_capital_on_a_new_key_is_part_of_the_whole(directions: tuple[Direction, ...]) -> None:
    """With what is idle the shares sum to 1; that of what the neighbour never shows is the largest."""
    claim = replace(hypothesis(1.0, 0.01, directions), new_key=Direction.FORWARD)
    shares = claim.shares()
    accounts, idle = initial_accounts(claim)
    assert math.isclose(np.exp(accounts).sum(), 1.0)
    assert math.isclose(shares.sum(), 1.0 - betting.IDLE * (1.0 - betting.NEW_KEY_SHARE))
    assert np.allclose(shares.sum(axis=0), np.exp(accounts) * (1.0 - np.exp(idle)))
    assert shares[0, 1] == shares.max() > betting.NEW_KEY_SHARE
    assert np.array_equal(claim.at(0).shares(), shares)
    with pytest.raises(ValueError, match="expected new_key among"):
        replace(claim, directions=FORWARD, new_key=Direction.BACKWARD)


def test_capital_on_a_new_key_does_not_grow_at_the_claim() -> None:
    """A key is released with probability delta, and never by the neighbour."""
    process = EProcess(replace(hypothesis(1.0, 0.05), new_key=Direction.FORWARD))
    process.freeze(np.array([[3, 0], [37, 40]]))
    assert expected_wealth(process, 6, [0.05, 0.95], [0.0, 1.0]) <= 1.0 + 1e-9


@pytest.mark.parametrize(
    ("past", "place"),
    [([[30, 20], [0, 10]], 1), ([[10, 0], [20, 30]], 0), ([[20, 2], [8, 8], [2, 20]], 4)],
    ids=["backward", "forward", "both"],
)
def test_bets_on_both_directions_leave_out_the_one_that_promises_nothing(past: list, place: int) -> None:
    """What one side alone shows violates the claim in one direction; what each shows more often, in both."""
    process = EProcess(hypothesis(1.0, 0.0))
    process.freeze(np.array(past))
    chosen = process.update(np.zeros(np.shape(past), dtype=np.int64)).bets.chosen
    assert chosen[0, 0, 0] == place
