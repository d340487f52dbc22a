"""The law on two histograms: profile and loss agree, are those of the pair (l, j), and are unknown elsewhere."""

import math

import pytest

from mechanisms.correlated_stability_histogram.law import law
from mechanisms.correlated_stability_histogram.mechanism import MECHANISM
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import pair_delta
from proofs_numeric.lebeda2025.neighbours import counters, far_count
from proofs_numeric.statements.neighbours import Direction, Neighbours

PARAMETERS = {"k": 6, "sigma": 2, "gap": 3}
PAIRS = {pair.id: pair for pair in MECHANISM.pairs(PARAMETERS)}


@pytest.mark.parametrize("epsilon", [0.01, 0.3])
@pytest.mark.parametrize("direction", list(Direction))
def test_all_new_counters_have_one_finite_loss(direction, epsilon):
    """Hockey stick of N1: the infinite loss has the left's release probability; on the right the atom is -log of it."""
    loss = PAIRS["n1"].loss(direction)
    infinite = -math.expm1(loss.log_finite)
    stick = infinite + math.exp(loss.log_finite) * max(0.0, -math.expm1(epsilon - loss.tilted_mean(0.0)))
    assert stick == pytest.approx(float(PAIRS["n1"].profile(Float64(), epsilon, direction)), rel=1e-10)


@pytest.mark.parametrize("direction", list(Direction))
def test_shared_counters_have_the_loss_of_one_normal(direction):
    """Hockey stick of N2 from the loss's own distance."""
    loss, A = PAIRS["n2"].loss(direction), Float64()
    expected = float(PAIRS["n2"].profile(A, 0.7, direction))
    assert float(gaussian_profile(A, A.number(0.7), loss.mu)) == pytest.approx(expected, rel=1e-10)


@pytest.mark.slow
def test_every_pair_has_a_profile_and_a_loss():
    """N1 to N6 can be held against tilted losses and releases, in both directions."""
    assert list(PAIRS) == ["n1", "n2", "n2.all", "n3", "n4", "n5", "n6"]
    for pair in PAIRS.values():
        assert pair.profile is not None
        for direction in Direction:
            assert 0 <= float(pair.profile(Float64(), 0.3, direction)) <= 1
            assert pair.loss(direction).log_finite <= 0


FAR = far_count(threshold=1 + PARAMETERS["gap"], sigma=PARAMETERS["sigma"])


@pytest.mark.parametrize("tau", [1, 3])
@pytest.mark.parametrize(("l", "j"), [(0, 1), (0, 6), (1, 0), (2, 3), (4, 2), (5, 0), (6, 0)])
def test_l_new_and_j_changed_counters_have_the_law_of_that_pair(l, j, tau):
    """Whatever the counts are, and whatever is below the lower threshold on both sides."""
    shared = tuple(FAR + tau + 7 * i for i in range(6 - l))
    pair = counters("any", "", {**PARAMETERS, "tau": tau}, new=l, shared=shared, changed=j)
    below = {"x": tau - 1} if tau > 1 else {}
    found = law(Neighbours("any", {**pair.left, **below}, {**pair.right, **below}), {**PARAMETERS, "tau": tau})
    A = Float64()
    for direction, word in ((Direction.FORWARD, "forward"), (Direction.BACKWARD, "reverse")):
        expected = pair_delta(A, epsilon=0.3, **PARAMETERS, l=l, j=j, direction=word)
        assert float(found.profile(A, 0.3, direction)) == float(expected)
        assert found.loss(direction).log_finite <= 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"a": 1}, {}),
        (dict.fromkeys("abcdef", FAR + 2), dict.fromkeys("abcdef", FAR)),
        (dict.fromkeys("abcdef", FAR), dict.fromkeys("abcdef", FAR + 1)),
        ({**dict.fromkeys("abcde", FAR), "f": 3}, {**dict.fromkeys("abcde", FAR), "f": 1}),
        ({**dict.fromkeys("abcd", 4), "e": 1}, dict.fromkeys("abcd", 4)),
        (dict.fromkeys("abcdef", 5), {**dict.fromkeys("abcd", 4), "e": 3, "f": 4}),
    ],
    ids=["too few", "by two", "downwards", "near by two", "new beside near", "several near"],
)
def test_other_histograms_have_no_known_law(left, right):
    """Nothing is guessed: neither a profile nor a loss."""
    assert law(Neighbours("other", left, right), PARAMETERS) == ExactLaw()


@pytest.mark.parametrize("epsilon", [-1.0, 0.0, 0.3])
def test_equal_histograms_have_the_law_of_no_difference(epsilon):
    """What a reduction makes of neighbours may be the same: then only a negative epsilon is not kept."""
    found = law(Neighbours("equal", {"a": 1}, {"a": 1}), PARAMETERS)
    for direction in Direction:
        assert float(found.profile(Float64(), epsilon, direction)) == pytest.approx(max(0.0, 1 - math.exp(epsilon)))
