"""Betting against (epsilon, delta): an e-process for two streams of releases, valid at every time.

Null hypothesis H0(epsilon, delta): for every event S of the tested class P(S) <= e^epsilon Q(S) + delta, with X_t ~ P
and Y_t ~ Q independent. The textbook bet is 1 + lambda g_t, g_t = phi(X_t) - e^epsilon phi(Y_t) - delta in [-(e^epsilon
+ delta), 1 - delta] (Waudby-Smith & Ramdas 2024; Shekhar & Ramdas 2023). Here the two halves of that bet are multiplied
instead of averaged:

    E_t = u(X_t) v(Y_t),  u = 1 + lambda (phi(X_t) - p0),  v = 1 - lambda e^epsilon (phi(Y_t) - q0),

with p0 = e^epsilon q0 + delta.

1. (u + v) / 2 = 1 + (lambda / 2) g_t has mean at most 1 under H0: it is the textbook bet of stake lambda / 2.
2. E[E_t] = E[u] E[v] <= ((E[u] + E[v]) / 2)^2 <= 1, as X_t and Y_t are independent and both factors are non-negative.

The product attains the growth rate KL_inf restricted to the event, and its logarithm is a sum over each side: a block
enters only through its counts, so no pairing of X with Y has to be kept, wealth at other (epsilon, delta) can be
computed later from the same counts, and level and power are exact finite sums.

Both directions may be bet on in the same round with disjoint events F (likelier on the left) and B (likelier on the
right):

    u(x) = 1 + lambda (a_F (1_F(x) - p_F) - a_B e^epsilon (1_B(x) - q_B)),
    v(y) = 1 + lambda (a_B (1_B(y) - p_B) - a_F e^epsilon (1_F(y) - q_F)),

valid by the same two steps where both directions hold. Events, centres and stakes of a block are functions of earlier
blocks only and constant within a block. By Ville's inequality sup_t W_t >= 1 / alpha has probability at most alpha
under H0. All wealths are natural logarithms.

The same bets, held against (epsilon', delta') instead of the claim with e^epsilon q0 kept, have factors that decrease
in both: u = 1 + lambda (phi - e^epsilon q0 - delta'), v = 1 - lambda (e^epsilon' phi - e^epsilon q0). So the rejected
claims are a lower set at any time: the verdict and the lower bounds on delta and on epsilon are one nested family and
share one alpha.

Counts of a block are (K, 2) integers: releases of the left and of the right histogram in each of K cells, the cells
ordered from most left-like to most right-like. The candidate events are the first j cells (forward) and the last j
cells (backward).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from mechanisms.pair import Direction

if TYPE_CHECKING:
    from collections.abc import Callable

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

STAKES = np.array([0.3, 0.15, 0.07, 0.03, 0.012, 0.005])
"""Stakes of the accounts that keep one stake for ever, as shares of the largest admissible one."""
ADAPTIVE_STAKES = np.concatenate([[0.0], np.geomspace(0.01, 0.97, 15)])
"""Candidates of the adaptive account, as shares of the largest admissible stake; 0 is not to bet."""
STAKE_SHARES = np.array([0.08, 0.16, 0.3, 0.16, 0.1, 0.1, 0.1])
"""Initial capital of the account whose stake follows the past, then of the fixed stakes; sum 1."""
PRIOR_SHARE = 0.05
"""Share of the weights over new events that follows the prior alone, not the past."""
PRIOR_POWER = 1.0
"""Prior weight of an event: its pooled frequency times that of its complement, to this power."""
PSEUDO_COUNT = 0.5
"""Added to a count and to its complement when a frequency is estimated (Krichevsky & Trofimov 1981)."""
CENTRE_STEPS = 28
"""Halvings when a centre is sought: any point of the boundary is valid, and 2^-28 is below what a stake can feel."""


class Mode(StrEnum):
    """Which directions an account bets on."""

    FORWARD = "forward"
    """Left releases likelier than right ones."""
    BACKWARD = "backward"
    """Right releases likelier than left ones."""
    BOTH = "both"
    """Both in the same round, on disjoint events: refutes the pair, names no direction."""


MODES = tuple(Mode)
MODE_SHARES = np.array([0.05, 0.05, 0.9])
"""Initial capital by mode, in the order of MODES, where both directions are claimed."""
BOTH_DIRECTIONS = (Direction.FORWARD, Direction.BACKWARD)


@dataclass(frozen=True)
class Hypotheses:
    """H null hypotheses about one pair: the hockey stick at epsilon is at most delta in the tested directions.

    Attributes:
        epsilon: (H,), >= 0.
        forward: (H,), delta claimed for P = left, in [0, 1).
        backward: (H,), delta claimed for P = right, in [0, 1).
        directions: the directions that are claimed at all.

    """

    epsilon: Floats
    forward: Floats
    backward: Floats
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS

    def __post_init__(self) -> None:
        if not self.directions:
            raise ValueError("expected at least one direction, got none")
        for name, values, top in (
            ("epsilon", self.epsilon, np.inf),
            ("delta", self.forward, 1.0),
            ("delta", self.backward, 1.0),
        ):
            if values.shape != self.epsilon.shape or not np.all((values >= 0) & (values < top)):
                raise ValueError(f"expected 0 <= {name} < {top:g} for each hypothesis, got {values.tolist()}")

    def __len__(self) -> int:
        return len(self.epsilon)

    def at(self, place: int) -> Hypotheses:
        """Return one of the hypotheses."""
        part = slice(place, place + 1)
        return Hypotheses(self.epsilon[part], self.forward[part], self.backward[part], self.directions)

    def mode_shares(self) -> Floats:
        """Return the initial capital of each mode."""
        if set(self.directions) == set(BOTH_DIRECTIONS):
            return MODE_SHARES
        return np.array(
            [Direction.FORWARD in self.directions, Direction.BACKWARD in self.directions, False], dtype=np.float64
        )


def hypothesis(epsilon: float, delta: float, directions: tuple[Direction, ...] = BOTH_DIRECTIONS) -> Hypotheses:
    """Return the single hypothesis (epsilon, delta) with the same delta in each direction."""
    return Hypotheses(np.array([epsilon]), np.array([delta]), np.array([delta]), directions)


def boundary_centre(p: Floats, q: Floats, e_epsilon: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Return the point (p0, q0) of the boundary p0 = e^epsilon q0 + delta nearest to (p, q) in divergence.

    It minimises kl(p, p0) + kl(q, q0), a convex function of q0, by bisection of its derivative. Any point of the
    boundary would be a valid centre; this one is the growth-optimal one. Arrays broadcast; p and q in (0, 1).
    """
    p, q, e_epsilon, delta = np.broadcast_arrays(p, q, e_epsilon, delta)
    low = np.full(p.shape, 1e-15)
    high = (1.0 - delta) / e_epsilon * (1.0 - 1e-12)
    for _ in range(CENTRE_STEPS):
        q0 = 0.5 * (low + high)
        p0 = e_epsilon * q0 + delta
        # The derivative times p0 (1 - p0) q0 (1 - q0), which has its sign.
        rising = e_epsilon * (p0 - p) * (q0 * (1 - q0)) + (q0 - q) * (p0 * (1 - p0)) > 0
        high = np.where(rising, q0, high)
        low = np.where(rising, low, q0)
    q0 = 0.5 * (low + high)
    return e_epsilon * q0 + delta, q0


def event_counts(counts: Counts, partner: NDArray[np.int64]) -> Floats:
    """Return the six counts of each candidate: releases in F, in neither, in B, on the left and then on the right.

    Args:
        counts: (K, 2).
        partner: (K - 1,): the backward event (by its place) that goes with each forward event in the mode BOTH.

    Returns: (6, 3, K - 1): statistic, mode, event.

    """
    totals = counts.sum(axis=0).astype(np.float64)
    first = np.cumsum(counts, axis=0)[:-1].astype(np.float64)
    last = np.cumsum(counts[::-1], axis=0)[:-1].astype(np.float64)
    nothing = np.zeros(len(first))
    sides = []
    for side in (0, 1):
        in_f = np.stack([first[:, side], nothing, first[:, side]])
        in_b = np.stack([nothing, last[:, side], last[partner, side]])
        sides += [in_f, totals[side] - in_f - in_b, in_b]
    return np.stack(sides)


def partners(counts: Counts) -> NDArray[np.int64]:
    """Return for each forward event the disjoint backward event of nearest frequency, (K - 1,).

    The last forward event takes the first backward one: together they are everything.
    """
    n_left, n_right = np.maximum(counts.sum(axis=0), 1)
    forward = np.cumsum(counts[:, 0])[:-1] / n_left
    backward = np.cumsum(counts[::-1, 1])[:-1] / n_right
    size = np.arange(1, len(counts))
    overlapping = size[:, None] + size[None, :] > len(counts)
    return np.asarray(
        np.argmin(np.abs(forward[:, None] - backward[None, :]) + 2.0 * overlapping, axis=1), dtype=np.int64
    )


@dataclass(frozen=True)
class Bets:
    """The bets of one block on J candidate events: what u and v are made of, whatever they are held against.

    Attributes:
        stakes: (H, 3, R, J): lambda by mode, account and event.
        mass_f: (H, 3, J): e^epsilon q_F, 0 in the mode BACKWARD.
        mass_b: (H, 3, J): e^epsilon q_B, 0 in the mode FORWARD.
        growth: (H, 3, J): predicted growth of the adaptive account for one release of each side.

    """

    stakes: Floats
    mass_f: Floats
    mass_b: Floats
    growth: Floats

    def log_factors(self, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
        """Return the logarithms of the factors, (H, 6, 3, R, J): for a release in F, neither, B; left, then right.

        Args:
            e_epsilon: what the bets are held against; these three broadcast against the leading axis of the bets.
            delta_f: delta of the forward direction.
            delta_b: delta of the backward direction.

        Returns: -inf for all six factors of a bet of which any could be negative: it is no bet against this hypothesis
            and counts as lost, whatever comes out.

        """
        change = (
            self.stakes[:, None]
            * factor_slopes(self.mass_f, self.mass_b, e_epsilon, delta_f, delta_b)[:, :, :, None, :]
        )
        admissible = change.min(axis=1, keepdims=True) > -1.0
        return np.where(admissible, np.log1p(np.where(admissible, change, 0.0)), -np.inf)


ON_F = np.array([1.0, 0.0, 1.0])[:, None]
ON_B = np.array([0.0, 1.0, 1.0])[:, None]


def factor_slopes(mass_f: Floats, mass_b: Floats, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
    """Return d factor / d stake, (H, 6, 3, J), for bets centred at e^epsilon q = mass; see `Bets.log_factors`."""
    e, tau_f, tau_b = (value[:, None, None] for value in (e_epsilon, delta_f, delta_b))
    base_left = ON_B * mass_b - ON_F * (mass_f + tau_f)
    base_right = ON_F * mass_f - ON_B * (mass_b + tau_b)
    slopes = (base_left + ON_F, base_left, base_left - ON_B * e, base_right - ON_F * e, base_right, base_right + ON_B)
    return np.stack(slopes, axis=1)


def place_bets(hypotheses: Hypotheses, past: Counts, partner: NDArray[np.int64]) -> Bets:
    """Choose centres and stakes from the counts of the past, for every hypothesis, mode, account and event."""
    n_left, n_right = past.sum(axis=0) + 2 * PSEUDO_COUNT
    left_f, _, left_b, right_f, _, right_b = event_counts(past, partner) + PSEUDO_COUNT
    e = np.exp(hypotheses.epsilon)
    likelier = np.stack([left_f[0] / n_left, right_b[1] / n_right])[:, None, :]
    rarer = np.stack([right_f[0] / n_right, left_b[1] / n_left])[:, None, :]
    deltas = np.stack([hypotheses.forward, hypotheses.backward])[:, :, None]
    _, (q_f0, q_b0) = boundary_centre(likelier, rarer, e[:, None], deltas)
    mass_f = ON_F * (e[:, None] * q_f0)[:, None, :]
    backward = (e[:, None] * q_b0)[:, None, :]
    mass_b = ON_B * np.concatenate([backward, backward, backward[:, :, partner]], axis=1)
    slopes = factor_slopes(mass_f, mass_b, e, hypotheses.forward, hypotheses.backward)
    largest = 1.0 / np.maximum(-slopes.min(axis=1), 1e-9)
    sizes = np.array([n_left, n_right])[:, None, None]
    in_f, in_b = ON_F * np.stack([left_f, right_f]) / sizes, ON_B * np.stack([left_b, right_b]) / sizes
    law = np.stack([in_f, np.maximum(0.0, 1.0 - in_f - in_b), in_b], axis=1).reshape(6, len(MODES), -1)
    candidates = np.log1p(ADAPTIVE_STAKES[:, None, None, None, None] * (largest[:, None] * slopes))
    growth = (law * candidates).sum(axis=2)
    adaptive = ADAPTIVE_STAKES[growth.argmax(axis=0)][:, :, None, :]
    fixed = np.broadcast_to(STAKES[:, None], (len(hypotheses), len(MODES), len(STAKES), len(partner)))
    stakes = np.concatenate([adaptive, fixed], axis=2) * largest[:, :, None, :]
    return Bets(stakes, mass_f, mass_b, growth.max(axis=0))


@dataclass(frozen=True)
class Played:
    """A block that was bet on.

    Attributes:
        bets: its bets, H = 1.
        spread: (3, R, J): logarithm of each event's share of its account before the block.
        counts: (6, 3, J): what came out, by `event_counts`.

    """

    bets: Bets
    spread: Floats
    counts: Floats


class EProcess:
    """Wealth of the mixture over modes, stakes and events against one claim about one pair.

    The capital 1 is split over accounts (mode, stake). An account spreads its capital over the candidate events; the
    spread is renewed from the past whenever the candidates are (`freeze`), and follows the wealth of each event in
    between (`update`).
    """

    def __init__(self, claim: Hypotheses) -> None:
        if len(claim) != 1:
            raise ValueError(f"expected one hypothesis, got {len(claim)}")
        self.claim = claim
        with np.errstate(divide="ignore"):
            self.accounts: Floats = np.log(claim.mode_shares()[:, None] * STAKE_SHARES)
        """(3, R): logarithm of the capital of each account."""
        self.spread: Floats = np.zeros((len(MODES), len(STAKE_SHARES), 0))
        """(3, R, J): logarithm of each event's share of its account."""
        self.past: Counts = np.zeros((0, 2), dtype=np.int64)
        self.partner: NDArray[np.int64] = np.zeros(0, dtype=np.int64)

    def freeze(self, past: Counts) -> None:
        """Take new candidate events: `past` are all earlier releases counted in the new cells, (K, 2) with K >= 2."""
        if past.ndim != 2 or past.shape[1] != 2 or len(past) < 2:
            raise ValueError(f"expected counts of shape (K, 2) with K >= 2, got {past.shape}")
        self.past, self.partner = past.copy(), partners(past)
        pooled = np.cumsum(past.sum(axis=1))[:-1] / max(1, past.sum())
        size = np.maximum(pooled * (1.0 - pooled), 1e-6) ** PRIOR_POWER
        prior = np.stack([size, size[::-1], size])[:, None, :]
        prior = np.log(prior / prior.sum(axis=-1, keepdims=True))
        informed = self._gains(self._bets(), event_counts(past, self.partner)) + prior
        informed = informed - logsumexp(informed, axis=-1, keepdims=True)
        self.spread = np.logaddexp(informed + np.log1p(-PRIOR_SHARE), prior + np.log(PRIOR_SHARE))

    def update(self, block: Counts) -> Played:
        """Bet on a block of fresh releases, (K, 2), as the past alone suggests; then make it part of the past."""
        bets, counts, spread = self._bets(), event_counts(block, self.partner), self.spread
        outcome = spread + self._gains(bets, counts)
        gain = logsumexp(outcome, axis=-1)
        self.accounts = self.accounts + gain
        self.spread = outcome - gain[..., None]
        self.past = self.past + block
        return Played(bets, spread, counts)

    def _bets(self) -> Bets:
        return place_bets(self.claim, self.past, self.partner)

    def _gains(self, bets: Bets, counts: Floats) -> Floats:
        """Return the log-wealth each (mode, account, event) gains on a block."""
        claim = self.claim
        factors = bets.log_factors(np.exp(claim.epsilon), claim.forward, claim.backward)[0]
        return np.asarray(np.einsum("amj,amrj->mrj", counts, factors))

    @property
    def log_wealth(self) -> float:
        """Logarithm of the mixture's wealth."""
        return float(logsumexp(self.accounts))

    def richest_sizes(self, number: int) -> list[int]:
        """Return the numbers of first cells at which the richest forward and backward events end."""
        money = logsumexp(self.accounts[:, :, None] + self.spread, axis=1)
        cells = len(self.past)
        backward = money[1].copy()
        np.logaddexp.at(backward, self.partner, money[2])
        forward = np.logaddexp(money[0], money[2])
        sizes = {int(event) + 1 for event in np.argsort(-forward, kind="stable")[:number]}
        return sorted(sizes | {cells - 1 - int(event) for event in np.argsort(-backward, kind="stable")[:number]})

    def nearest_event(self) -> tuple[Direction, int]:
        """Return direction and number of cells of the event whose past frequencies violate the claim most nearly."""
        first = np.cumsum(self.past, axis=0)[:-1] / np.maximum(1, self.past.sum(axis=0))
        last = np.cumsum(self.past[::-1], axis=0)[:-1] / np.maximum(1, self.past.sum(axis=0))
        e = np.exp(self.claim.epsilon[0])
        excess = {
            Direction.FORWARD: first[:, 0] - e * first[:, 1] - self.claim.forward[0],
            Direction.BACKWARD: last[:, 1] - e * last[:, 0] - self.claim.backward[0],
        }
        direction = max(self.claim.directions, key=lambda way: float(excess[way].max()))
        return direction, int(np.argmax(excess[direction])) + 1

    def richest_event(self) -> tuple[Direction, int]:
        """Return direction and number of cells of the event with the most money.

        In the mode BOTH the money is held by two events: the one of larger predicted growth is named.
        """
        money = logsumexp(self.accounts[:, :, None] + self.spread, axis=1)
        mode, event = divmod(int(np.argmax(money)), money.shape[1])
        forward = backward = event
        if MODES[mode] is Mode.BOTH:
            backward = int(self.partner[forward])
            growth = self._bets().growth[0]
            mode = 0 if growth[0, forward] >= growth[1, backward] else 1
        if MODES[mode] is Mode.FORWARD:
            return Direction.FORWARD, forward + 1
        return Direction.BACKWARD, backward + 1


@dataclass(frozen=True)
class Period:
    """A stretch of blocks with the same candidate events.

    Attributes:
        past: (K, 2), earlier releases by the cells of this period: they choose the first bets and are never bet on
            here.
        blocks: (K, 2) each, the releases that are bet on, in order.

    """

    past: Counts
    blocks: list[Counts] = field(default_factory=list)


@dataclass
class Trajectory:
    """The counts that were bet on, in order: the wealth against any claim can be computed from them afterwards."""

    periods: list[Period] = field(default_factory=list)

    def play(self, claim: Hypotheses) -> list[Played]:
        """Return every block as it is bet on against `claim`."""
        process = EProcess(claim)
        played = []
        for period in self.periods:
            process.freeze(period.past)
            played += [process.update(block) for block in period.blocks]
        return played


def log_wealth_against(played: list[Played], claim: Hypotheses, probe: Hypotheses) -> Floats:
    """Return the log-wealth, (H,), that the bets placed against `claim` have against each hypothesis of `probe`."""
    accounts = np.log(np.maximum(claim.mode_shares()[:, None] * STAKE_SHARES, 1e-300))
    total = np.broadcast_to(accounts, (len(probe), *accounts.shape)).copy()
    for block in played:
        factors = block.bets.log_factors(np.exp(probe.epsilon), probe.forward, probe.backward)
        with np.errstate(invalid="ignore"):
            gains = np.where(block.counts[:, :, None, :] > 0, block.counts[:, :, None, :] * factors, 0.0).sum(axis=1)
        total += logsumexp(block.spread + gains, axis=-1)
    return np.asarray(logsumexp(total, axis=(1, 2)))


PROBES = 16
PROBE_ROUNDS = 4


def largest_rejected(
    plays: list[list[Played]],
    claims: list[Hypotheses],
    probe: Callable[[Hypotheses, Floats], Hypotheses],
    low: float,
    high: float,
    alpha: float,
) -> float:
    """Return the largest value on [low, high] whose hypothesis is rejected at alpha, rounded down; `low` where none is.

    Args:
        plays: one list of blocks for each pair; wealth is averaged over pairs.
        claims: for each pair what its bets were placed against.
        probe: (claim, values) -> nested hypotheses, weaker for larger values.
        low: start of the search.
        high: end of the search.
        alpha: error probability.

    """
    start = low
    for _ in range(PROBE_ROUNDS):
        grid = np.linspace(low, high, PROBES)
        each = [
            log_wealth_against(played, claim, probe(claim, grid)) for played, claim in zip(plays, claims, strict=True)
        ]
        wealth = logsumexp(each, axis=0) - np.log(len(plays))
        ahead = int(np.count_nonzero(np.logical_and.accumulate(wealth >= -np.log(alpha))))
        if ahead == 0:
            return start
        low, high = float(grid[ahead - 1]), float(grid[min(ahead, PROBES - 1)])
        start = low
    return start


LARGEST_EPSILON = 50.0
SMALLEST_DELTA = 1e-12


def delta_lower(trajectories: list[Trajectory], claims: list[Hypotheses], alpha: float) -> float:
    """Return a lower bound on the largest delta(epsilon) over pairs and directions, valid at any time.

    Args:
        trajectories: one for each pair.
        claims: for each pair the one hypothesis that its bets are placed against; all at the same epsilon.
        alpha: probability that the bound fails; shared with the verdict on the claims.

    Returns: 0 where nothing is rejected.

    """
    plays = [trajectory.play(claim) for trajectory, claim in zip(trajectories, claims, strict=True)]

    def probe(claim: Hypotheses, values: Floats) -> Hypotheses:
        deltas = np.exp(values)
        return Hypotheses(np.full(len(values), claim.epsilon[0]), deltas, deltas, claim.directions)

    low, high = np.log(SMALLEST_DELTA), np.log1p(-1e-6)
    found = largest_rejected(plays, claims, probe, low, high, alpha)
    return float(np.exp(found)) if found > low else 0.0


def epsilon_lower(trajectories: list[Trajectory], claims: list[Hypotheses], alpha: float) -> float:
    """Return a lower bound on the largest epsilon(delta) over pairs and directions; see `delta_lower`."""
    plays = [trajectory.play(claim) for trajectory, claim in zip(trajectories, claims, strict=True)]

    def probe(claim: Hypotheses, values: Floats) -> Hypotheses:
        ones = np.ones(len(values))
        return Hypotheses(values, claim.forward[0] * ones, claim.backward[0] * ones, claim.directions)

    return largest_rejected(plays, claims, probe, 0.0, max(LARGEST_EPSILON, 2 * float(claims[0].epsilon[0])), alpha)


def profile_lower(trajectories: list[Trajectory], claims: Hypotheses, alpha: float) -> Floats:
    """Return lower bounds on delta at every epsilon of `claims`, (H,), simultaneous at level alpha at any time.

    Each epsilon owns the share alpha / H; a bound at a larger epsilon also bounds delta at every smaller one.
    """
    bounds = np.array(
        [
            delta_lower(trajectories, [claims.at(place)] * len(trajectories), alpha / len(claims))
            for place in range(len(claims))
        ]
    )
    order = np.argsort(-claims.epsilon)
    bounds[order] = np.maximum.accumulate(bounds[order])
    return bounds
