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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from proofs_numeric.statements.neighbours import Direction

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

ADAPTIVE_STAKES = np.concatenate([[0.0], np.geomspace(0.005, 0.99, 15)])
"""Candidates of the adaptive account, as shares of the largest admissible stake; 0 is not to bet."""
FIXED = [15, 13, 11, 9, 6, 1]
STAKES = ADAPTIVE_STAKES[FIXED]
"""Stakes of the accounts that keep one of them for ever, dense where violations are seen from few releases: from next
to all, the best stake on what the other side never shows, of which power is told."""
STAKE_SHARES = np.array([0.4, 0.15, 0.2, 0.1, 0.05, 0.05, 0.05])
"""Initial capital of the account whose stake follows the past, then of the fixed stakes; sum 1."""
IDLE = 0.15
"""Initial capital that is not bet: what is learnt from few releases is often noise, and bets on it lose."""
RENEWED = 0.25
"""Part of it that is bet, too, whenever events are learnt again."""
PRIOR_SHARE = 0.05
"""Share of the weights over new bets that follows the prior alone, not the past."""
PRIOR_POWERS = 1.5, 4.0
"""Prior weight of an event: its pooled frequency and that of its complement, to these powers. Where most releases are
in an event, its complement violates the claim more clearly, in the other direction."""
PSEUDO_COUNT = 0.5
"""Added to a count and to its complement when a frequency is estimated (Krichevsky & Trofimov 1981)."""
CENTRE_STEPS = 6
"""Halvings when a centre is sought, before a secant step: any point of the boundary is valid, and what is left to the
nearest one costs less than a hundred-thousandth of the growth."""


class Mode(StrEnum):
    """Which directions an account bets on."""

    FORWARD = "forward"
    """Left releases likelier than right ones."""
    BACKWARD = "backward"
    """Right releases likelier than left ones."""
    BOTH = "both"
    """Both in the same round, on disjoint events, where the past promises that enough, else the better one alone:
    refutes the pair, names no direction."""


MODES = tuple(Mode)
MODE_SHARES = np.array([0.15, 0.15, 0.7])
"""Initial capital by mode, in the order of MODES, where both directions are claimed."""
TOGETHER = 0.5
"""Least growth promised to bets on both directions, as a share of that of the better one, for which both are bet on."""
NEW_KEY_SHARE = 0.9
"""Initial capital, where one side has keys that the other lacks, of the account that bets the first of STAKES on what
the other side never shows; the rest is shared as ever."""
BOTH_DIRECTIONS = (Direction.FORWARD, Direction.BACKWARD)


@dataclass(frozen=True)
class Hypotheses:
    """H null hypotheses about one pair: the hockey stick at epsilon is at most delta in the tested directions.

    Attributes:
        epsilon: (H,), >= 0.
        forward: (H,), delta claimed for P = left, in [0, 1).
        backward: (H,), delta claimed for P = right, in [0, 1).
        directions: the directions that are claimed at all.
        new_key: the direction in which a key may give itself away that the other side lacks; None: there is none.
    """

    epsilon: Floats
    forward: Floats
    backward: Floats
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS
    new_key: Direction | None = None

    def __post_init__(self) -> None:
        if not self.directions:
            raise ValueError("expected at least one direction, got none")
        if self.new_key is not None and self.new_key not in self.directions:
            raise ValueError(f"expected new_key among {[*self.directions]}, got {self.new_key!r}")
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
        return replace(self, epsilon=self.epsilon[part], forward=self.forward[part], backward=self.backward[part])

    def mode_shares(self) -> Floats:
        """Return the initial capital of each mode, (3,), which all its accounts share: what a new key has is beside.

        Their sum, with that of the new key, lacks what is idle.
        """
        rest = (1.0 - IDLE) * (1.0 if self.new_key is None else 1.0 - NEW_KEY_SHARE)
        if set(self.directions) == set(BOTH_DIRECTIONS):
            return rest * MODE_SHARES
        return rest * np.array(
            [Direction.FORWARD in self.directions, Direction.BACKWARD in self.directions, False], dtype=np.float64
        )

    def shares(self) -> Floats:
        """Return the initial capital of each account, (3, R); the rest of 1 is idle."""
        shares = self.mode_shares()[:, None] * STAKE_SHARES
        if self.new_key is not None:
            shares[MODES.index(Mode(self.new_key.value)), 1] += NEW_KEY_SHARE
        return np.asarray(shares)


def hypothesis(epsilon: float, delta: float, directions: tuple[Direction, ...] = BOTH_DIRECTIONS) -> Hypotheses:
    """Return the single hypothesis (epsilon, delta) with the same delta in each direction."""
    return Hypotheses(np.array([epsilon]), np.array([delta]), np.array([delta]), directions)


def boundary_centre(p: Floats, q: Floats, e_epsilon: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Return the point (p0, q0) of the boundary p0 = e^epsilon q0 + delta nearest to (p, q) in divergence.

    It minimises kl(p, p0) + kl(q, q0), a convex function of q0, by bisection of its derivative. Any point of the
    boundary would be a valid centre; this one is the growth-optimal one. Arrays broadcast; p and q in (0, 1).
    """
    highest = (1.0 - delta) / e_epsilon * (1.0 - 1e-12)

    def slope(q0: Floats) -> Floats:
        """The derivative times p0 (1 - p0) q0 (1 - q0), which has its sign."""
        p0 = e_epsilon * q0 + delta
        return np.asarray(e_epsilon * (p0 - p) * (q0 * (1 - q0)) + (q0 - q) * (p0 * (1 - p0)))

    # The derivative changes its sign between the points of the boundary above (., q) and beside (p, .).
    beside = (p - delta) / e_epsilon
    low = np.minimum(np.maximum(np.minimum(q, beside), 1e-15), highest)
    high = np.minimum(np.maximum(np.maximum(q, beside), 1e-15), highest)
    for _ in range(CENTRE_STEPS):
        middle = 0.5 * (low + high)
        rising = slope(middle) > 0
        high = np.where(rising, middle, high)
        low = np.where(rising, low, middle)
    below, above = slope(low), slope(high)
    secant = low - below * (high - low) / np.maximum(above - below, 1e-300)
    q0 = np.minimum(np.maximum(secant, low), high)
    return e_epsilon * q0 + delta, q0


def log_sum_exp(values: Floats, axis: int | tuple[int, ...] | None = None) -> Floats:
    """Return log(sum(exp(values))) over some axes; -inf where all are.

    On few values it takes a tenth of the time of SciPy's.
    """
    top = np.maximum.reduce(values, axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total = np.log(np.add.reduce(np.exp(values - top), axis=axis, keepdims=True)) + top
    return np.asarray(total.squeeze(axis=axis))


def event_counts(counts: Counts, partner: NDArray[np.int64]) -> Floats:
    """Return the six counts of each candidate: releases in F, in neither, in B, on the left and then on the right.

    Args:
        counts: (K, 2).
        partner: (K - 1,): the backward event (by its place) that goes with each forward event in the mode BOTH.

    Returns: (6, 3, K - 1): statistic, mode, event.
    """
    first, last = counts.cumsum(axis=0), counts[::-1].cumsum(axis=0)
    return statistics_of(first[:-1].T, last[:-1].T, partner, first[-1])


def statistics_of(
    first: Floats | Counts, last: Floats | Counts, partner: NDArray[np.int64], totals: NDArray[np.int64]
) -> Floats:
    """Return the six counts, (6, 3, J), of forward events with `first` and backward events with `last` hits, (2, J)."""
    found = np.zeros((2, 3, len(MODES), len(partner)))
    found[:, 0, 0] = found[:, 0, 2] = first
    found[:, 2, 1] = last
    found[:, 2, 2] = last[:, partner]
    found[:, 1] = totals[:, None, None] - found[:, 0] - found[:, 2]
    return found.reshape(6, len(MODES), len(partner))


def event_rates(counts: Counts) -> tuple[Floats, Floats]:
    """Return the shares (p, q) of releases in each candidate event, (2, K - 1) each.

    Args:
        counts: (K, 2), left and right releases in ordered cells.

    Returns: of the first 1..K - 1 cells, p on the left and q on the right; then of the last 1..K - 1, p on the right.
    """
    n = np.maximum(1, counts.sum(axis=0))
    first = np.cumsum(counts, axis=0)[:-1] / n
    last = np.cumsum(counts[::-1, ::-1], axis=0)[:-1] / n[::-1]
    p, q = np.stack([first, last]).transpose(2, 0, 1)
    return p, q


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
        chosen: (H, R, J): what the mode BOTH bets on: place of the mode and event, among 3 J.
    """

    stakes: Floats
    mass_f: Floats
    mass_b: Floats
    growth: Floats
    chosen: NDArray[np.int64]

    def log_gains(self, counts: Floats, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
        """Return the log-wealth that the bets gain on what came out, (H, 3, R, J); as `log_gains_on`, of one table."""
        return self.log_gains_on([counts], e_epsilon, delta_f, delta_b)[0]

    def log_gains_on(
        self, tables: Sequence[Floats], e_epsilon: Floats, delta_f: Floats, delta_b: Floats
    ) -> list[Floats]:
        """Return the log-wealth that the bets gain on each of several tables, (H, 3, R, J) each.

        Args:
            tables: (H, 6, 3, J) each, the six counts of `event_counts`.
            e_epsilon: what the bets are held against; these three broadcast against the leading axis of the bets.
            delta_f: delta of the forward direction.
            delta_b: delta of the backward direction.

        Returns: -inf for a bet of which any factor could be negative: it is no bet against this hypothesis and counts
            as lost, whatever comes out.
        """
        slopes = factor_slopes(self.mass_f, self.mass_b, e_epsilon, delta_f, delta_b)
        admissible = self.stakes * slopes.min(axis=1)[:, :, None, :] > -1.0
        stakes = np.where(admissible, self.stakes, 0.0)
        gains: list[Floats] = [np.zeros(stakes.shape) for _ in tables]
        for place in range(slopes.shape[1]):
            factor = np.log1p(stakes * slopes[:, place, :, None, :])
            for each, counts in enumerate(tables):
                gains[each] += counts[:, place, :, None, :] * factor
        for gained in gains:
            gained[~admissible] = -np.inf
            by_account = gained.swapaxes(1, 2).reshape(len(gained), gained.shape[2], -1)
            gained[:, -1] = np.take_along_axis(by_account, self.chosen, axis=-1)
        return gains


ON_F = np.array([1.0, 0.0, 1.0])[:, None]
ON_B = np.array([0.0, 1.0, 1.0])[:, None]


def factor_slopes(mass_f: Floats, mass_b: Floats, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
    """Return d factor / d stake, (H, 6, 3, J), for bets centred at e^epsilon q = mass; see `Bets.log_gains`."""
    e, tau_f, tau_b = (value[:, None, None] for value in (e_epsilon, delta_f, delta_b))
    base_left = ON_B * mass_b - ON_F * (mass_f + tau_f)
    base_right = ON_F * mass_f - ON_B * (mass_b + tau_b)
    slopes = np.empty((len(base_left), 6, *base_left.shape[1:]))
    slopes[:, :3] = base_left[:, None]
    slopes[:, 3:] = base_right[:, None]
    slopes[:, 0] += ON_F
    slopes[:, 2] -= ON_B * e
    slopes[:, 3] -= ON_F * e
    slopes[:, 5] += ON_B
    return slopes


def place_bets(hypotheses: Hypotheses, past: Floats, partner: NDArray[np.int64]) -> Bets:
    """Choose centres and stakes from the past, for every hypothesis, mode, account and event.

    Args:
        hypotheses: H nulls.
        past: (6, 3, J), the six counts of earlier releases; events of several views may stand one after another.
        partner: (J,), as in `event_counts`.
    """
    sizes = past.reshape(2, 3, *past.shape[1:])[:, :, 0].sum(axis=1) + 2 * PSEUDO_COUNT
    n_left, n_right = sizes
    left_f, _, left_b, right_f, _, right_b = past + PSEUDO_COUNT
    e = np.exp(hypotheses.epsilon)
    likelier = np.array([left_f[0] / n_left, right_b[1] / n_right])[:, None, :]
    rarer = np.array([right_f[0] / n_right, left_b[1] / n_left])[:, None, :]
    deltas = np.array([hypotheses.forward, hypotheses.backward])[:, :, None]
    _, (q_f0, q_b0) = boundary_centre(likelier, rarer, e[:, None], deltas)
    mass_f = ON_F * (e[:, None] * q_f0)[:, None, :]
    backward = (e[:, None] * q_b0)[:, None, :]
    mass_b = ON_B * np.concatenate([backward, backward, backward[:, :, partner]], axis=1)
    slopes = factor_slopes(mass_f, mass_b, e, hypotheses.forward, hypotheses.backward)
    largest = 1.0 / np.maximum(-slopes.min(axis=1), 1e-9)
    sizes = sizes[:, None, :]
    law = np.empty((2, 3, len(MODES), len(partner)))
    law[:, 0] = ON_F * np.array([left_f, right_f]) / sizes
    law[:, 2] = ON_B * np.array([left_b, right_b]) / sizes
    law[:, 1] = np.maximum(0.0, 1.0 - law[:, 0] - law[:, 2])
    candidates = ADAPTIVE_STAKES[:, None, None, None, None] * (largest[:, None] * slopes)
    growth = np.einsum("amj,shamj->shmj", law.reshape(6, len(MODES), -1), np.log1p(candidates, out=candidates))
    adaptive = ADAPTIVE_STAKES[growth.argmax(axis=0)][:, :, None, :]
    fixed = np.broadcast_to(STAKES[:, None], (len(hypotheses), len(MODES), len(STAKES), len(partner)))
    stakes = np.concatenate([adaptive, fixed], axis=2) * largest[:, :, None, :]
    best = growth.max(axis=0)
    promised = np.stack([best, *growth[FIXED]], axis=2)
    f, b, both = promised[:, 0], promised[:, 1, :, partner].transpose(1, 2, 0), promised[:, 2]
    events = np.arange(len(partner))
    alone = np.where(f < b, len(events) + partner, events)
    chosen = np.where(both < TOGETHER * np.maximum(f, b), alone, 2 * len(events) + events)
    return Bets(stakes, mass_f, mass_b, best, chosen)


def hopeless(hypotheses: Hypotheses, past: Floats) -> NDArray[np.bool_]:
    """Return in which modes, (H, 3), each event is so frequent on the other side that none could violate the claim.

    By past frequencies: so it is before anything telling was seen.

    Args:
        hypotheses: H nulls.
        past: (6, 3, J), the six counts of earlier releases.
    """
    e = np.exp(hypotheses.epsilon)[:, None, None]
    right_f, left_b = past[3] / np.maximum(1, past[3:].sum(axis=0)), past[2] / np.maximum(1, past[:3].sum(axis=0))
    forward = ON_F * (e * right_f + hypotheses.forward[:, None, None])
    backward = ON_B * (e * left_b + hypotheses.backward[:, None, None])
    return np.asarray((np.maximum(forward, backward) >= 1.0).all(axis=-1))


def predicted_growth(hypotheses: Hypotheses, inside: Floats, totals: NDArray[np.int64], direction: Direction) -> Floats:
    """Return the growth for one release of each side, (J,), that the past promises to bets on events of one direction.

    Args:
        hypotheses: one null.
        inside: (2, J), earlier left and right releases in each event.
        totals: (2,), earlier releases.
        direction: which side the events speak for.
    """
    alone = np.arange(inside.shape[1])
    past = statistics_of(inside, inside, alone, totals)
    growth = place_bets(hypotheses, past, alone).growth
    return np.asarray(growth[0, MODES.index(Mode(direction.value))])
