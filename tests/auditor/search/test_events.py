"""Event learners: the right feature, frozen predicates in words, and the smallest event that still refutes."""

import math
from dataclasses import replace

import numpy as np
import pytest

from auditor.search import features
from auditor.search.events import (
    CrossFitted,
    Event,
    Order,
    View,
    coarsen,
    is_odd,
    learn,
    order_of,
    outstanding,
    played_growth,
)
from auditor.search.features import (
    RIDGE,
    Difference,
    FractionalPart,
    LowestBit,
    Score,
    Total,
    Value,
    distinguishing_keys,
    fit_score,
    ridge_step,
    score_inputs,
)
from auditor.search.partitions import Categories, Crossed, OneSided, Thresholds, cut_points
from auditor.search.past import HALVES, PastReleases, take
from auditor.search.shrinking import shrink
from auditor.statistics import forms
from auditor.statistics.betting import hypothesis
from auditor.statistics.sample import Sample, concatenate, sample_of_outputs
from proofs_numeric.statements.neighbours import Direction

CLAIM = hypothesis(1.0, 0.0)


def one_key(values: np.ndarray) -> Sample:
    """Releases of one key."""
    return Sample(("k0",), np.asarray(values, dtype=float)[:, None])


def test_cells_partition_every_release() -> None:
    """Missing, below, between and above: counts add up and each value lands in its interval, closed above."""
    cells = Thresholds(Value("k0"), (0.0, 1.0))
    counts = cells.counts(one_key([np.nan, -1.0, 0.0, 0.5, 1.0, 1.5, 2.0]))
    assert counts.tolist() == [1, 2, 2, 2]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ((1,), "value of k0 <= 0.0"),
        ((2, 3), "value of k0 > 0.0"),
        ((0,), "value of k0 is missing"),
        ((0, 2), "value of k0 is missing or value of k0 > 0.0 and <= 1.0"),
        ((1, 2, 3), "value of k0 is present"),
    ],
)
def test_events_read_as_predicates(members: tuple[int, ...], text: str) -> None:
    """A union of cells is described by its intervals, adjacent ones merged."""
    assert Thresholds(Value("k0"), (0.0, 1.0)).describe(members) == text


def test_category_events_name_the_outputs() -> None:
    """Forms of release are listed; the rest is everything else."""
    cells = Categories(('{"k0":#}', "raised ValueError: no"))
    assert cells.describe((1,)) == "output is raised ValueError: no"
    assert cells.describe((2,)) == 'output is none of {"k0":#}, raised ValueError: no'
    assert cells.describe((0, 2)) == "output is not raised ValueError: no"


def test_a_score_is_named_by_the_weights_that_count_most() -> None:
    """Of many columns the text stays one that can be read; what counts for nothing is not told."""
    few = Score(("a", "b"), (0.0,) * 2, (1.0,) * 2, (0.5, 0.0, -2.0, 0.0, 0.0, 1.0, 0.0))
    assert few.text == "score (-2 z(a) +1 z(b))"
    keys = tuple(f"k{i}" for i in range(64))
    many = Score(keys, (0.0,) * 64, (1.0,) * 64, tuple(np.arange(1 + 3 * 64, dtype=float).tolist()))
    assert many.text.startswith("score (+192 bent(k63) +191 z(k63) +190 [k63 released]")
    assert many.text.endswith(" and 186 smaller terms)")


def test_atoms_get_cells_of_their_own() -> None:
    """A value that many releases share is separated from both neighbours."""
    values = np.concatenate([np.full(50, 3.0), np.random.default_rng(1).normal(3.0, 1.0, 50)])
    cells = Thresholds(Value("k0"), cut_points(np.sort(values), 50))
    atom = int(np.flatnonzero(cells.counts(one_key([3.0])))[0])
    assert cells.counts(one_key(values))[atom] == 50
    assert cells.describe((atom,)) == "value of k0 = 3.0"


def test_the_informative_key_is_found_among_noise() -> None:
    """Of six keys only one differs; the learnt event looks at it."""
    rng = np.random.default_rng(2)
    left, right = np.rint(rng.normal(0, 5, (2, 400, 6)))
    left[:, 3] = rng.laplace(4.0, 0.5, 400).round(1)
    right[:, 3] = rng.laplace(0.0, 0.5, 400).round(1)
    keys = tuple(f"k{i}" for i in range(6))
    view = learn(Sample(keys, left), Sample(keys, right), CLAIM).view
    assert "k3" in view.event(Direction.FORWARD, 1).text


def test_of_many_keys_the_most_telling_ones_are_told() -> None:
    """By their values and by how often they are released; of few all, in their order."""
    rng = np.random.default_rng(2)
    left, right = rng.normal(size=(2, 400, 6))
    left[:, 3] += 1.0
    right[200:, 5] = np.nan
    keys = tuple("abcdef")
    assert distinguishing_keys(Sample(keys, left), Sample(keys, right), 2) == ("f", "d")
    assert distinguishing_keys(Sample(keys, left), Sample(keys, right), 6) == keys


def test_cancelling_noise_is_found_by_the_difference() -> None:
    """Noise shared by two keys leaves their difference exact."""
    noise = np.random.default_rng(3).normal(0, 50, (2, 200, 1))
    keys = ("a", "b")
    left, right = Sample(keys, noise[0] + np.array([5, 2])), Sample(keys, noise[1] + np.array([4, 2]))
    view = learn(left, right, CLAIM).view
    assert isinstance(view.partition, Thresholds)
    assert view.partition.feature == Difference("a", "b")


def test_lowest_bits_and_fractional_parts_are_exact() -> None:
    """The exponent of the lowest set bit and the distance above the integers, on values where they are known."""
    values = one_key([1.0, 0.75, 6.0, 0.0, -0.5, np.nan])
    np.testing.assert_array_equal(LowestBit("k0").column(values), [0.0, -2.0, 1.0, -1100.0, -1.0, np.nan])
    np.testing.assert_array_equal(FractionalPart("k0").column(values), [0.0, 0.75, 0.0, 0.0, 0.5, np.nan])


def test_the_classifier_orders_vectors_by_likelihood_ratio() -> None:
    """For shifted Gaussian vectors the fitted score is nearly the sum of the coordinates."""
    rng = np.random.default_rng(4)
    keys = ("a", "b", "c")
    left, right = Sample(keys, rng.normal(1, 1, (2000, 3))), Sample(keys, rng.normal(0, 1, (2000, 3)))
    score = fit_score(left, right, left.keys)
    correlation = np.corrcoef(score.column(left), Total().column(left))[0, 1]
    assert isinstance(score, Score)
    assert correlation > 0.95
    assert "z(a)" in score.text


def test_a_frozen_event_counts_any_sample() -> None:
    """Events apply to releases with other columns: a key that is absent is missing."""
    event = Event(Thresholds(Value("k0"), (0.0,)), (2,), Direction.FORWARD)
    counts = event.counts(one_key([1.0, 2.0, -1.0]), Sample(("other",), np.ones((4, 1))))
    assert counts.tolist() == [[2, 0], [1, 4]]
    assert Event(event.partition, (2,), Direction.BACKWARD).counts(
        one_key([1.0, 2.0, -1.0]), Sample(("other",), np.ones((4, 1)))
    ).tolist() == [[1, 4], [2, 0]]


def test_shrinking_returns_a_half_line_in_few_digits() -> None:
    """A union of many intervals that says `small` shrinks to one threshold with a short number, and still violates."""
    rng = np.random.default_rng(5)
    left, right = one_key(rng.laplace(0.0, 0.5, 4000)), one_key(rng.laplace(1.0, 0.5, 4000))
    cuts = tuple(np.linspace(-2, 3, 23) + 0.0123456)
    view = View(Thresholds(Value("k0"), cuts), tuple(range(24 + 1)))
    small = shrink(view.event(Direction.FORWARD, 10), left, right, CLAIM)
    counts = small.counts(left, right)
    assert small.text.count("value of k0") == 1
    assert len(small.text) < len("value of k0 <= 0.123")
    assert counts[0, 0] > math.e * counts[0, 1]


def test_an_event_of_presence_alone_has_no_cut_to_shrink() -> None:
    """A feature that is there or not: one interval, and nothing smaller."""
    left, right = one_key(np.ones(400)), Sample(("other",), np.ones((400, 1)))
    event = Event(Thresholds(Value("k0"), ()), (1,), Direction.FORWARD)
    assert shrink(event, left, right, CLAIM).members == (1,)


def test_shrinking_drops_categories_that_do_not_matter() -> None:
    """Of the categories of an event only the telling one is kept."""
    rng = np.random.default_rng(6)
    names = ("common", "rare", "telling")
    index = [rng.choice(3, 3000, p=p) for p in ([0.89, 0.01, 0.1], [0.985, 0.01, 0.005])]
    left, right = (Sample((), np.zeros((3000, 0)), names, i) for i in index)
    event = Event(Categories(names), (1, 2), Direction.FORWARD)
    assert shrink(event, left, right, CLAIM).text == "output is telling"


def test_the_likelihood_ratio_by_histogram_finds_what_no_threshold_shows() -> None:
    """Twice the noise around the same value: the event is both tails, cells that no order by size puts together."""
    rng = np.random.default_rng(11)
    left, right = (Sample(("k0",), rng.laplace(0.0, scale, (20_000, 1))) for scale in (2.0, 1.0))
    view = learn(left, right, hypothesis(0.2, 0.0)).view
    assert view.order not in {tuple(range(len(view.order))), tuple(range(len(view.order) - 1, -1, -1))}
    best = max(
        (event.count(left) - np.exp(0.2) * event.count(right), event.text)
        for event in (view.event(Direction.FORWARD, size) for size in range(1, len(view.order)))
    )
    one_tail = max((left.values > cut).sum() - np.exp(0.2) * (right.values > cut).sum() for cut in np.arange(0, 9, 0.5))
    assert best[0] > 1.5 * one_tail
    assert "<" in best[1]
    assert ">" in best[1]


def test_a_change_of_scale_alone_is_ordered_from_the_middle_outwards():
    """No cut of the values separates much; both tails together do, and which side has them is learnt."""
    rng = np.random.default_rng(11)
    narrow, wide = (Sample(("a",), rng.laplace(5.0, scale, (256, 1))) for scale in (0.5, 1.0))
    for left, right in ((narrow, wide), (wide, narrow)):
        choice = learn(left, right, hypothesis(0.1, 0.0))
        ends = {0, choice.view.partition.cells - 1}
        tails = set(choice.view.order[-4:] if left is narrow else choice.view.order[:4])
        assert len(ends & tails) >= 1
        low, high = sorted(choice.view.order[:3] if left is narrow else choice.view.order[-3:])[::2]
        assert 0 < low <= high < choice.view.partition.cells - 1
    counts = np.array([[0, 0], [1, 9], [8, 2], [2, 8]])
    assert order_of(Order.OUTWARD, counts)[-1] == 2 == order_of(Order.INWARD, counts)[0]
    assert sorted(order_of(Order.INWARD, counts)) == list(range(4))


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1, 2, 5, 40])
def test_scores_are_what_was_fitted(columns):
    """Scored in blocks and column by column, fitted as a design matrix: the same numbers, in whatever block."""
    rng = np.random.default_rng(columns)
    values = np.where(rng.random((40_000, columns)) < 0.2, np.nan, 9.0 * rng.standard_normal((40_000, columns)))
    keys = tuple(f"k{i}" for i in range(columns))
    centre, scale, weights = (
        rng.standard_normal(columns),
        rng.random(columns) + 0.5,
        rng.standard_normal(1 + 3 * columns),
    )
    score = Score(keys, tuple(centre.tolist()), tuple(scale.tolist()), tuple(weights.tolist()))
    scored = score.column(Sample(keys, values))
    np.testing.assert_allclose(scored, score_inputs(values, centre, scale) @ weights, rtol=0, atol=2e-9)
    assert np.array_equal(score.column(Sample(keys, values[777:30_777])), scored[777:30_777])
    shuffled = Sample(keys[::-1], values[:, ::-1])
    assert np.array_equal(score.column(shuffled), scored)


def test_the_past_of_a_fitted_score_does_not_flatter() -> None:
    """Of two samples of one law a score of many keys tells apart those it was fitted to; the past handed on not."""
    rng = np.random.default_rng(7)
    keys = tuple(f"k{i}" for i in range(40))
    left, right = (Sample(keys, rng.normal(0.0, 1.0, (400, 40))) for _ in range(2))
    fitted = CrossFitted(PastReleases(left, right), keys)
    even, odd = ([take(side, half) for side in (left, right)] for half in HALVES)
    flattered, honest = (
        np.diff([np.mean(fitted.scores[0].column(side)) for side in half[::-1]])[0] for half in (odd, even)
    )
    assert flattered > 5 * abs(honest)
    past = fitted.counted((0.0,)).counts
    above = past[-1] / past.sum(axis=0)
    assert past.sum() == 800
    assert abs(above[0] - above[1]) < 0.1


def test_coarsening_keeps_the_events_that_violate_most_clearly() -> None:
    """A rare event that violates outlives frequent ones that do not; no release is lost."""
    rng = np.random.default_rng(8)
    left, right = (one_key(rng.laplace(shift, 0.5, 20_000).round(6)) for shift in (1.0, 0.0))
    fine = learn(left, right, hypothesis(1.9, 0.0))
    coarse = coarsen(fine, hypothesis(1.9, 0.0), 2)
    assert coarse.past.tolist() == coarse.view.counts(left, right).tolist()
    assert len(coarse.past) < len(fine.past) / 2
    excess = [max((first - math.exp(1.9) * last).max() for first, last in ends(each.past)) for each in (fine, coarse)]
    assert excess[1] > 0.9 * excess[0] > 0


def ends(past: np.ndarray) -> list[np.ndarray]:
    """How many left and right releases the first cells hold, and how many right and left ones the last cells do."""
    return [np.cumsum(past, axis=0)[:-1].T, np.cumsum(past[::-1, ::-1], axis=0)[:-1].T]


def test_played_bets_gain_on_a_violation_and_hardly_lose_without_one() -> None:
    """Bets chosen on one half are played on the other: at the truth they gain nothing, below it what it is worth."""
    law = hypothesis(1.0, 0.0)
    train, judge = np.array([[731, 269], [269, 731]]), np.array([[735, 265], [268, 732]])
    assert played_growth(law, train, judge)[0] < 1.0
    assert played_growth(hypothesis(0.5, 0.0), train, judge)[0] > 20.0


def test_noise_with_holes_is_seen_by_its_values():
    """A thousand values on each side, none of them on both, none of them often."""
    rng = np.random.default_rng(4)
    left, right = (Sample(("k",), np.sqrt(rng.integers(1000, size=(3000, 1)) + side)) for side in (0.0, 0.5))
    choice = learn(left, right, hypothesis(1.0, 1e-5))
    assert isinstance(choice.view.partition, OneSided)
    assert choice.past[0, 0] > 1000
    assert choice.past[0, 1] == 0
    event = choice.view.event(Direction.FORWARD, 1)
    assert event.text.startswith("value of k is one of the ")
    fresh = Sample(("k",), np.sqrt(rng.integers(1000, size=(500, 1)) + 0.5))
    assert event.count(fresh) == 0


@pytest.mark.slow
def test_bits_of_a_text_are_one_score():
    """Four bits of sixteen, each likelier by a factor of three: no text comes twice, each bit alone keeps 1.1."""
    rng = np.random.default_rng(4)

    def texts(bit):
        bits = rng.random((4000, 16)) < np.where(np.arange(16) < 4, 0.75 if bit else 0.25, 0.25)
        return sample_of_outputs(["".join("01"[b] for b in row) for row in bits.astype(int)])

    both = concatenate([texts(1), texts(0)])
    left, right = take(both, slice(0, 4000)), take(both, slice(4000, None))
    claim = hypothesis(1.1, 0.0)
    choice = learn(left, right, claim)
    fresh = choice.view.counts(texts(1), texts(0))
    assert played_growth(claim, choice.past, fresh)[0] > 20


LONG_OUTPUTS = {
    "list": lambda rng: rng.integers(0, 2, 200).astype(bool).tolist(),
    "text": lambda rng: "".join("ab cd"[letter] for letter in rng.integers(0, 5, 300)),
    "nested": lambda rng: {str(key): {str(place): True for place in rng.integers(0, 9, 3)} for key in rng.random(3)},
}
"""Outputs of which hardly two are equal."""


@pytest.mark.parametrize("kind", LONG_OUTPUTS)
def test_learning_reads_each_of_many_distinct_outputs_a_few_times(kind: str, monkeypatch) -> None:
    """The number of parts does not multiply the number of outputs that are read."""
    rng, read = np.random.default_rng(9), []
    releases = sample_of_outputs([LONG_OUTPUTS[kind](rng) for _ in range(600)])
    for module in (forms, features):
        monkeypatch.setattr(
            module, "parts_of", lambda form, parts_of=forms.parts_of: read.append(form) or parts_of(form)
        )
    learn(take(releases, slice(0, 300)), take(releases, slice(300, None)), CLAIM)
    assert 600 <= len(read) <= 3 * 600


def test_an_outstanding_pair_is_one_whose_halves_agree():
    """Exact counts stand out; equal laws do not."""
    rng = np.random.default_rng(4)
    leak = (Sample(("k",), np.full((32, 1), value)) for value in (1.0, 2.0))
    same = (Sample(("k",), rng.random((32, 1))) for _ in range(2))
    claim = hypothesis(1.0, 0.0)
    assert outstanding(*leak, claim) > 0
    assert outstanding(*same, claim) < 1


def test_one_release_a_side_is_learnt_from() -> None:
    """All that a few releases in all leave to a pair: half of them is none."""
    one = Sample(("k0", "k1"), np.array([[1.0, 2.0]]))
    assert learn(one, one, CLAIM).past.sum() == 2


def test_noise_of_a_coarser_grid_than_its_sum_is_seen_by_value_and_bits_together():
    """Each number alone keeps the claim: its bits have one law for both counts, and the noise is Laplace's."""
    rng = np.random.default_rng(4)
    left, right = (
        Sample(("k",), side + rng.laplace(size=(4000, 1)).astype(np.float32).astype(float)) for side in (1, 0)
    )
    claim = hypothesis(1.0, 0.0)
    choice = learn(left, right, claim)
    assert isinstance(choice.view.partition, Crossed)
    assert is_odd(choice.view.partition)
    table = choice.view.counts(left, right)
    np.testing.assert_array_equal(table.sum(axis=0), [4000, 4000])
    fresh = (Sample(("k",), side + rng.laplace(size=(4000, 1)).astype(np.float32).astype(float)) for side in (1, 0))
    assert played_growth(claim, choice.past, choice.view.counts(*fresh))[0] > 20.0
    text = choice.view.event(Direction.FORWARD, 1).text
    assert text.startswith("(value of k ")
    assert ") and (exponent of the lowest set bit of k " in text


def test_an_event_of_crossed_cells_is_told_once_for_all_that_are_alike():
    """What goes with the same values of the other feature, and nothing of the other where all of it belongs."""
    cells = Crossed(Thresholds(Value("k0"), (1.0, 2.0)), Thresholds(Value("s0"), (5.0,)))
    told = cells.describe([1, 4, 6, 7, 8])
    assert told == (
        "(value of k0 is missing or value of k0 <= 1.0) and (value of s0 <= 5.0) or (value of k0 > 1.0 and <= 2.0)"
    )


@pytest.mark.parametrize("rows", [3, 40])
def test_a_newton_step_is_the_same_whichever_dimension_it_is_solved_in(rows: int) -> None:
    """Of few rows in theirs, of many in that of the weights."""
    rng = np.random.default_rng(5)
    whole, slope = rng.normal(size=(rows, 9)), rng.normal(size=9)
    expected = np.linalg.solve(RIDGE * np.eye(9) + whole.T @ whole, slope)
    assert np.allclose(ridge_step([whole[:2], whole[2:]], slope), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("direction", Direction)
def test_what_neither_side_has_shown_may_speak_for_the_side_with_a_key_of_its_own(direction: Direction) -> None:
    """Bets are placed on the key before its first release."""
    silent = one_key(np.full(16, np.nan))
    view = learn(silent, silent, replace(CLAIM, new_key=direction)).view
    output = one_key([1.0])
    assert any(view.event(direction, size).count(output) for size in range(1, view.partition.cells))
