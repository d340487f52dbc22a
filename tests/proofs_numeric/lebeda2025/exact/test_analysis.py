"""The exact delta: certificate, search, and the collapse that is false."""

from fractions import Fraction

import numpy as np
import pytest

from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.lebeda2025.exact.analysis import cells_below_ceilings, exact_delta, largest_pairs
from proofs_numeric.lebeda2025.exact.cover import Bounds, Cell, two_terms
from proofs_numeric.lebeda2025.exact.pair import pair_delta, shared_mu, worst_change
from proofs_numeric.lebeda2025.lemma_22 import lemma_22
from proofs_numeric.lebeda2025.section_3.collapse import event_excess, event_ratio, exceeds, tie, unmixed
from proofs_numeric.lebeda2025.theorem_11 import theorem_11
from proofs_numeric.lebeda2025.theorem_12 import forward_terms, theorem_12

_FIGURE_3 = {
    "epsilon": Fraction("0.349"),
    "k": 51914,
    "sigma": Fraction("1116.683797698"),
    "gap": Fraction("7005.638328965"),
}


def test_the_certificate_proves_the_published_threshold():
    """At k = 51914 the exact delta is certified to be that of the two unmixed pairs."""
    with Ball(128) as A:
        at = {name: A.number(value) if isinstance(value, Fraction) else value for name, value in _FIGURE_3.items()}
        bounds = Bounds(A, **at)
        assert cells_below_ceilings(bounds, bounds.two) is not None
    assert float(evaluate_in(Float64(), exact_delta, _FIGURE_3)) == pytest.approx(1e-5, rel=1e-10)


@pytest.mark.parametrize(
    ("point", "best"),
    [
        (("0.3", 3, "2", "3"), (3, 0, ".266887721236")),
        (("0.3", 4, "1.5", "2"), (4, 0, ".374395872123")),
        (("0.1", 4, "2", "4"), (0, 3, ".203861414739")),
        (("0.5", 6, "2", "3"), (6, 0, ".391224291190")),
    ],
)
def test_the_largest_pair_is_the_published_one(point, best):
    """Maxima over all pairs match the reference list, and exact_delta returns them."""
    k, at = point[1], {"epsilon": float(point[0]), "sigma": float(point[2]), "gap": float(point[3])}
    pairs = [(l, j) for l in range(k + 1) for j in range(k - l + 1) if l or j]
    deltas = {(l, j): float(pair_delta(Float64(), **at, k=k, l=l, j=j, direction="forward")) for l, j in pairs}
    (l, j), delta = max(deltas.items(), key=lambda each: each[1])
    assert (l, j) == best[:2]
    assert delta == pytest.approx(float(best[2]), abs=1e-12)
    exact = {"epsilon": Fraction(point[0]), "k": k, "sigma": Fraction(point[2]), "gap": Fraction(point[3])}
    assert float(evaluate_in(Float64(), exact_delta, exact)) == pytest.approx(delta, rel=1e-12)


@pytest.mark.slow
def test_near_epsilon_zero_the_collapse_is_not_certified():
    """K = 12, sigma = 1e5, tau = 549290: a mixed pair exceeds both unmixed ones by 2.007 percent."""
    point = {"epsilon": Fraction(0), "k": 12, "sigma": Fraction(100000), "gap": Fraction(549290)}
    exact, two = (float(evaluate_in(Float64(), f, point)) for f in (exact_delta, two_terms))
    assert exact / two == pytest.approx(1.02007, abs=1e-5)
    assert exact == pytest.approx(7.9967277e-6, rel=1e-7)


@pytest.mark.slow
def test_counterexamples_are_certified_by_explicit_events():
    """An event alone exceeds both pairs at k = 2, in real balls."""
    assert exceeds((2, "1e-7", "0", "1.03"))
    assert not exceeds((2, "1e-7", "0", "1.05"))


def test_the_collapse_fails_above_epsilon_zero_too():
    """At epsilon = delta/2 an event exceeds both pairs; at epsilon = delta, delta = 1e-20, it does not."""
    delta = Fraction(1, 10**20)
    assert event_ratio(2, delta, delta / 2) > Fraction("1.04")
    assert event_ratio(2, delta, delta) < 1


def limit_ratio(k):
    """max_l [l/k + mu_{k-l}/mu_k] and its l: the limit of ratios at epsilon = 0, delta -> 0 (not proved)."""
    A = Float64()
    distance = [float(shared_mu(A, k=k, sigma=np.float64(1), d=d, j=worst_change(k, d))) for d in range(k + 1)]
    return max((l / k + distance[k - l] / distance[k], l) for l in range(1, k))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "delta", "near"), [(2, "1e-60", 0.05), (5, "1e-100", 2e-3)])
def test_ratios_approach_their_limit_from_below(k, delta, near):
    """Certified ratios at tiny delta stay below max_l [l/k + mu_{k-l}/mu_k] and near it where l = k - 1 is best."""
    limit, l = limit_ratio(k)
    assert l == k - 1
    assert limit * (1 - near) < event_ratio(k, Fraction(delta)) < limit


@pytest.mark.slow
def test_the_largest_limit_is_at_five_counters():
    """1.42151 at k = 5, l = 4, as the claim's note says."""
    (limit, l), k = max((limit_ratio(k), k) for k in range(2, 200))
    assert (k, l) == (5, 4)
    assert limit == pytest.approx(1.42151, abs=5e-6)


def test_the_event_is_a_lower_bound_on_the_pair():
    """The explicit event's excess stays below the enclosure of the pair that it belongs to."""
    with Ball(256) as A:
        delta = Fraction(1, 10**20)
        sigma, gap = map(A.number, tie(2, delta))
        pair = pair_delta(A, epsilon=0, k=2, sigma=sigma, gap=gap, l=1, j=1, direction="forward")
        assert event_excess(A, k=2, delta=delta) / unmixed(A, k=2, delta=delta) < pair / unmixed(A, k=2, delta=delta)


def every_pair(at):
    """Deltas of all forward pairs with new counters and shared ones that change, in doubles."""
    k = at["k"]
    return {
        (l, j): float(pair_delta(Float64(), **at, l=l, j=j, direction="forward"))
        for l in range(1, k)
        for j in range(1, k - l + 1)
    }


@pytest.mark.slow
def test_the_ball_holds_the_largest_of_all_pairs_to_seven_digits():
    """At the tie and epsilon = 0, where it is a mixed one."""
    k = 8
    sigma, gap = tie(k, Fraction(1, 10**5))
    point = {"epsilon": Fraction(0), "k": k, "sigma": sigma, "gap": gap}
    largest = max(every_pair({name: float(x) if name != "k" else x for name, x in point.items()}).values())
    two = float(evaluate_in(Float64(), two_terms, point))
    enclosure = evaluate_in(Ball(64), exact_delta, point)
    assert largest > 1.01 * two
    assert enclosure.rel_accuracy_bits() >= 24
    assert enclosure.lower() <= largest * (1 + 1e-12)
    assert enclosure.upper() >= largest * (1 - 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "delta"), [(6, "1e-3"), (12, "1e-6"), (20, "1e-12"), (28, "1e-5")])
def test_boxes_miss_no_pair(k, delta):
    """Against all pairs in doubles, at a tie, where the largest is a mixed one; epsilon 0 and delta/2."""
    A = Float64()
    sigma, gap = (float(x) for x in tie(k, Fraction(delta)))
    for epsilon in (0.0, float(delta) / 2):
        at = {"epsilon": np.float64(epsilon), "k": k, "sigma": np.float64(sigma), "gap": np.float64(gap)}
        two, found = two_terms(A, **at), largest_pairs(Bounds(A, **at))
        pairs = every_pair(at)
        best = max(pairs, key=pairs.__getitem__)
        assert found.top is None
        assert pairs[best] <= two or best in found.pairs
        assert float(exact_delta(A, **at)) == pytest.approx(max(two, pairs[best]), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "delta"), [(5, "1e-2"), (9, "1e-2")])
def test_the_ball_holds_the_largest_pair_where_boxes_add_counters(k, delta):
    """Boxes ask for pairs with other than k - l shared counters: of few, that are likely to be shown."""
    sigma, gap = tie(k, Fraction(delta))
    point = {"epsilon": Fraction(0), "k": k, "sigma": sigma, "gap": gap}
    enclosure = evaluate_in(Ball(96), exact_delta, point)
    two = float(evaluate_in(Float64(), two_terms, point))
    largest = max(two, *every_pair({name: float(x) if name != "k" else x for name, x in point.items()}).values())
    assert enclosure.rel_accuracy_bits() >= 40
    assert float(enclosure.mid()) == pytest.approx(largest, rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("l", "d", "j0", "j1"), [(3, 20, 2, 18), (10, 20, 3, 17), (5, 12, 1, 12)])
def test_a_pair_between_two_is_above_both_by_no_more_than_the_chord_allows(l, d, j0, j1):
    """Of ten times as much distance, too; some pair is above both."""
    A = Float64()
    for sigma, gap in ((98658.0, 533833.0), (2.0, 6.0)):
        point = {"epsilon": np.float64(0), "k": 32, "sigma": np.float64(sigma), "gap": gap}
        deltas = [float(pair_delta(A, **point, l=l, d=d, j=j, direction="forward")) for j in range(j0, j1 + 1)]
        bounds = Bounds(A, **point)
        allowed = float(bounds.between(Cell(32 - d, l, j0, j1)))
        above = max(deltas) - max(deltas[0], deltas[-1])
        assert 0 < above <= allowed
        assert bounds.between(Cell(32 - d, l, j0, j0 + 1)) == 0


@pytest.mark.parametrize("k", [1, 2, 10, 1000, 10**6])
def test_bounds_are_ordered(k):
    """Exact <= first three terms of Theorem 12 <= Theorem 11."""
    point = {"epsilon": Fraction("0.349"), "k": k, "sigma": Fraction(2 * k + 10), "gap": Fraction(10 * k + 40)}
    exact, three, eleven = (float(evaluate_in(Float64(), f, point)) for f in (exact_delta, forward_terms, theorem_11))
    assert exact <= three * (1 + 1e-9)
    assert three <= eleven * (1 + 1e-9)


def test_the_fourth_term_can_exceed_theorem_11():
    """Epsilon = 3, k = 2, sigma = 7.739, tau = 69.496: 6.70 times the whole of Theorem 11."""
    point = {"epsilon": Fraction(3), "k": 2, "sigma": Fraction("7.739"), "gap": Fraction("69.496")}
    twelve, eleven = (float(evaluate_in(Float64(), f, point)) for f in (theorem_12, theorem_11))
    assert twelve / eleven == pytest.approx(6.70, abs=0.01)


def test_lemma_22_inverts_theorem_11():
    """K = 10 at total deviation 21.0064: tau = 142.1385."""
    sigma = 21.0064 / (1 + 10**-0.5) ** 0.5
    tau = float(lemma_22(Float64(), epsilon=0.349, delta=1e-5, k=10, sigma=sigma))
    assert tau == pytest.approx(142.138524, abs=1e-4)
    assert float(theorem_11(Float64(), epsilon=0.349, k=10, sigma=sigma, gap=tau)) == pytest.approx(1e-5, rel=1e-9)


def test_noise_far_below_one_count_has_delta_one_in_few_bits():
    """Sigma = 1e-12, gap = -1000: a new counter is certain to be released."""
    with Ball(64) as A:
        point = {"epsilon": "53/2000000", "sigma": "1e-12", "gap": "-1000"}
        assert abs(exact_delta(A, k=1000, **{name: A.number(x) for name, x in point.items()}) - 1) < 1e-15
