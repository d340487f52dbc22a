"""Betting against (epsilon, delta): an e-process for two streams of releases, valid at every time.

Null hypothesis H0(epsilon, delta): for every event S of the tested class P(S) <= e^epsilon Q(S) + delta, with X_t ~ P
and Y_t ~ Q independent. The textbook bet is 1 + lambda g_t, g_t = phi(X_t) - e^epsilon phi(Y_t) - delta in [-(e^epsilon
+ delta), 1 - delta] (Waudby-Smith & Ramdas 2024; Shekhar & Ramdas 2023). Here the two halves of that bet are multiplied
instead of averaged:

    E_t = u(X_t) v(Y_t),  u = 1 + lambda (phi(X_t) - p0),  v = 1 - lambda e^epsilon (phi(Y_t) - q0),

with p0 = e^epsilon q0 + delta.

1. (u + v) / 2 = 1 + (lambda / 2) g_t has mean at most 1 under H0: it is the textbook bet of stake lambda / 2.
2. E[E_t] = E[u] E[v] <= ((E[u] + E[v]) / 2)^2 <= 1, as X_t and Y_t are independent and both factors are non-negative.

The product attains the growth rate KL_inf restricted to the event. Its logarithm is a sum over each side, so a block
enters only through its counts: no pairing of X with Y is stored, the wealth at another (epsilon, delta) follows later
from the same counts, and level and power are exact finite sums.

One round may bet on both directions, with disjoint events F (likelier on the left) and B (likelier on the right):

    u(x) = 1 + lambda (a_F (1_F(x) - p_F) - a_B e^epsilon (1_B(x) - q_B)),
    v(y) = 1 + lambda (a_B (1_B(y) - p_B) - a_F e^epsilon (1_F(y) - q_F)),

valid by steps 1 and 2 if both directions hold. Events, centres and stakes of a block depend on earlier blocks only and
are constant within a block. By Ville's inequality sup_t W_t >= 1 / alpha has probability at most alpha under H0. All
wealths are natural logarithms.

The bets can be evaluated against (epsilon', delta') instead of the claim, with e^epsilon q0 unchanged. Their factors
decrease in both: u = 1 + lambda (phi - e^epsilon q0 - delta'), v = 1 - lambda (e^epsilon' phi - e^epsilon q0). So the
rejected claims are a lower set at any time. The verdict and the lower bounds on delta and on epsilon are one nested
family and share one alpha.

Counts of a block are (K, 2) integers: releases of the left and of the right histogram in each of K cells. The cells are
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
"""Candidate stakes of the adaptive account, as shares of the largest admissible stake; 0 places no bet."""
FIXED = [15, 13, 11, 9, 6, 1]
STAKES = ADAPTIVE_STAKES[FIXED]
"""Stakes of the accounts with a constant stake, as shares of the largest admissible one. They are dense where few
releases reveal a violation. The first is best for an event that is impossible on the other side, as in the power."""
STAKE_SHARES = np.array([0.4, 0.15, 0.2, 0.1, 0.05, 0.05, 0.05])
"""Initial capital of the adaptive account, then of the accounts with constant stakes; sum 1."""
IDLE = 0.15
"""Share of the initial capital in reserve: events learnt from few releases are often noise, and bets on them lose."""
RENEWED = 0.25
"""Share of the reserve that is released whenever events are learnt again."""
PRIOR_SHARE = 0.05
"""Share of the weights over new bets that follows the prior alone, not the past."""
PRIOR_POWERS = 1.5, 4.0
"""Powers of the pooled frequencies of an event and of its complement in the event's prior weight. If an event holds
most releases, its complement violates the claim more clearly, in the other direction."""
PSEUDO_COUNT = 0.5
"""Added to a count and to its complement when a frequency is estimated (Krichevsky & Trofimov 1981)."""
CENTRE_STEPS = 6
"""Bisections before the secant step that locates a centre. Any point of the boundary is valid; the remaining error
costs less than a hundred-thousandth of the growth."""


class Mode(StrEnum):
    """Which directions an account bets on."""

    FORWARD = "forward"
    """Left releases likelier than right ones."""
    BACKWARD = "backward"
    """Right releases likelier than left ones."""
    BOTH = "both"
    """Both directions in one round, on disjoint events, if the past predicts enough growth; otherwise the better one
    alone. A refutation names no direction."""


MODES = tuple(Mode)
MODE_SHARES = np.array([0.15, 0.15, 0.7])
"""Initial capital by mode, in the order of MODES, if both directions are claimed."""
MIN_JOINT_GROWTH = 0.5
"""Least predicted growth of a bet on both directions, as a share of the growth of the better single direction."""
NEW_KEY_SHARE = 0.9
"""Initial capital, if one side has keys that the other lacks, of the account that bets the first of STAKES on events
impossible on the other side; the rest is split as usual."""
BOTH_DIRECTIONS = (Direction.FORWARD, Direction.BACKWARD)


@dataclass(frozen=True)
class Hypotheses:
    """H null hypotheses about one pair: the hockey stick at epsilon is at most delta in the tested directions.

    Attributes:
        epsilon: (H,), >= 0.
        forward: (H,), delta claimed for P = left, in [0, 1).
        backward: (H,), delta claimed for P = right, in [0, 1).
        directions: the directions that the claim covers.
        new_key: the direction whose first side has a key that the other side lacks; None if neither has one.
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
        """Return the hypothesis at an index, as H = 1."""
        part = slice(place, place + 1)
        return replace(self, epsilon=self.epsilon[part], forward=self.forward[part], backward=self.backward[part])

    def mode_shares(self) -> Floats:
        """Return the initial capital of each mode, (3,), without the capital of the new key and the reserve."""
        rest = (1.0 - IDLE) * (1.0 if self.new_key is None else 1.0 - NEW_KEY_SHARE)
        if set(self.directions) == set(BOTH_DIRECTIONS):
            return rest * MODE_SHARES
        return rest * np.array(
            [Direction.FORWARD in self.directions, Direction.BACKWARD in self.directions, False], dtype=np.float64
        )

    def shares(self) -> Floats:
        """Return the initial capital of each account, (3, R); the rest of 1 is the reserve."""
        shares = self.mode_shares()[:, None] * STAKE_SHARES
        if self.new_key is not None:
            shares[MODES.index(Mode(self.new_key.value)), 1] += NEW_KEY_SHARE
        return np.asarray(shares)


def hypothesis(
    epsilon: float | Sequence[float],
    delta: float | Sequence[float],
    directions: tuple[Direction, ...] = BOTH_DIRECTIONS,
) -> Hypotheses:
    """Return the hypotheses (epsilon, delta), one or several, with one delta for each direction."""
    levels = np.atleast_1d(np.asarray(delta, dtype=np.float64))
    return Hypotheses(np.atleast_1d(np.asarray(epsilon, dtype=np.float64)), levels, levels, directions)


def boundary_centre(p: Floats, q: Floats, e_epsilon: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Return the point (p0, q0) of the boundary p0 = e^epsilon q0 + delta nearest to (p, q) in divergence.

    The point minimises kl(p, p0) + kl(q, q0), a convex function of q0, by bisection of its derivative. Any point of the
    boundary is a valid centre; this one is growth-optimal. Arrays broadcast; p and q in (0, 1).
    """
    highest = (1.0 - delta) / e_epsilon * (1.0 - 1e-12)

    def slope(q0: Floats) -> Floats:
        """Return the derivative times p0 (1 - p0) q0 (1 - q0) > 0."""
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
    """Return log(sum(exp(values))) over some axes; -inf if all values are -inf.

    On few values it takes a tenth of the time of SciPy's function.
    """
    top = np.maximum.reduce(values, axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total = np.log(np.add.reduce(np.exp(values - top), axis=axis, keepdims=True)) + top
    return np.asarray(total.squeeze(axis=axis))


def event_counts(counts: Counts, partner: NDArray[np.int64]) -> Floats:
    """Return six counts of each candidate: releases in F, in neither, in B, on the left and then on the right.

    Args:
        counts: (K, 2).
        partner: (K - 1,): index of the backward event that is paired with each forward event in the mode BOTH.

    Returns: (6, 3, K - 1): statistic, mode, event.
    """
    first, last = counts.cumsum(axis=0), counts[::-1].cumsum(axis=0)
    return statistics_of(first[:-1].T, last[:-1].T, partner, first[-1])


def statistics_of(
    first: Floats | Counts, last: Floats | Counts, partner: NDArray[np.int64], totals: NDArray[np.int64]
) -> Floats:
    """Return the six counts, (6, 3, J), of forward events with `first` and backward events with `last` hits, (2, J)."""
    cells = np.zeros((2, 3, len(MODES), len(partner)))
    cells[:, 0, 0] = cells[:, 0, 2] = first
    cells[:, 2, 1] = last
    cells[:, 2, 2] = last[:, partner]
    cells[:, 1] = totals[:, None, None] - cells[:, 0] - cells[:, 2]
    return cells.reshape(6, len(MODES), len(partner))


def event_rates(counts: Counts) -> tuple[Floats, Floats]:
    """Return the shares (p, q) of releases in each candidate event, (2, K - 1) each.

    Args:
        counts: (K, 2), left and right releases in ordered cells.

    Returns: first the events of the first 1..K - 1 cells, with p on the left and q on the right; then the events of the
        last 1..K - 1 cells, with p on the right and q on the left.
    """
    n = np.maximum(1, counts.sum(axis=0))
    first = np.cumsum(counts, axis=0)[:-1] / n
    last = np.cumsum(counts[::-1, ::-1], axis=0)[:-1] / n[::-1]
    p, q = np.stack([first, last]).transpose(2, 0, 1)
    return p, q


def partners(counts: Counts) -> NDArray[np.int64]:
    """Return for each forward event the disjoint backward event of nearest frequency, (K - 1,).

    The last forward event takes the first backward one: together they are the whole space.
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
    """The bets of one block on J candidate events: stakes and centres, independent of the hypothesis they test.

    Attributes:
        stakes: (H, 3, R, J): lambda by mode, account and event.
        mass_f: (H, 3, J): e^epsilon q_F, 0 in the mode BACKWARD.
        mass_b: (H, 3, J): e^epsilon q_B, 0 in the mode FORWARD.
        growth: (H, 3, J): predicted growth of the adaptive account for one release of each side.
        chosen: (H, R, J): index, among 3 J, of the mode and event that the mode BOTH bets on.
    """

    stakes: Floats
    mass_f: Floats
    mass_b: Floats
    growth: Floats
    chosen: NDArray[np.int64]

    def log_gains(self, counts: Floats, e_epsilon: Floats, delta_f: Floats, delta_b: Floats) -> Floats:
        """Return the log-wealth that the bets gain on one table of counts, (H, 3, R, J); see `log_gains_on`."""
        return self.log_gains_on([counts], e_epsilon, delta_f, delta_b)[0]

    def log_gains_on(
        self, tables: Sequence[Floats], e_epsilon: Floats, delta_f: Floats, delta_b: Floats
    ) -> list[Floats]:
        """Return the log-wealth that the bets gain on each of several tables, (H, 3, R, J) each.

        Args:
            tables: (H, 6, 3, J) each, the six counts of `event_counts`.
            e_epsilon: e^epsilon of the tested hypothesis; broadcasts against the leading axis of the bets.
            delta_f: its delta in the forward direction; broadcasts likewise.
            delta_b: its delta in the backward direction; broadcasts likewise.

        Returns: -inf for a bet with a factor that could be negative: the bet is invalid against this hypothesis and
            counts as lost for every outcome.
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
        past: (6, 3, J), the six counts of earlier releases; the events of several views may be concatenated.
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
    predicted = np.stack([best, *growth[FIXED]], axis=2)
    f, b, both = predicted[:, 0], predicted[:, 1, :, partner].transpose(1, 2, 0), predicted[:, 2]
    events = np.arange(len(partner))
    alone = np.where(f < b, len(events) + partner, events)
    chosen = np.where(both < MIN_JOINT_GROWTH * np.maximum(f, b), alone, 2 * len(events) + events)
    return Bets(stakes, mass_f, mass_b, best, chosen)


def hopeless(hypotheses: Hypotheses, past: Floats) -> NDArray[np.bool_]:
    """Return the modes, (H, 3), in which no event could violate the claim.

    By past frequencies, every event of such a mode is too frequent on the other side. This is so before the first
    informative release.

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
    """Return the growth that the past predicts for bets on events of one direction, (J,), per release of each side.

    Args:
        hypotheses: one null.
        inside: (2, J), earlier left and right releases in each event.
        totals: (2,), earlier releases.
        direction: the tested direction.
    """
    alone = np.arange(inside.shape[1])
    past = statistics_of(inside, inside, alone, totals)
    growth = place_bets(hypotheses, past, alone).growth
    return np.asarray(growth[0, MODES.index(Mode(direction.value))])
