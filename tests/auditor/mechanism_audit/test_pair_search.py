"""Leaks are found among all neighbours and shown on the smallest pair; mechanisms at their claim stay unrefuted."""

import time

import numpy as np
import pytest

from auditor.inputs.data import related
from auditor.mechanism_audit import stages
from auditor.mechanism_audit.input_search import affordable_pairs
from auditor.mechanism_audit.pair_search import (
    MOST_SEARCHED_PAIRS,
    ROUNDS,
    both_ways,
    common_turn,
    draw_pairs,
    drawing_places,
    drawing_turns,
    families,
    searched,
    suspects,
    turning_points,
)
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.statistics.betting import hypothesis
from auditor.target.target import as_target
from proofs_numeric.statements.adjacency import AddRemoveUser, ReplaceUser
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism
from tests.auditor.target import leaky

pytestmark = pytest.mark.usefixtures("verdict_alone")


def audit(release, **options):
    """Audit at (1, 1e-3) with pairs searched, by so many releases that the clock does not matter."""
    arguments = {
        "epsilon": "1",
        "delta": "1e-3",
        "detect": "0.9",
        "budget": 200.0,
        "samples": 60_000,
        "seed": 5,
        **options,
    }
    return audit_mechanism(release, **arguments)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "smallest"),
    [
        (leaky.rare_key, ({"k0": 1}, {})),
        (leaky.emptiness, ({"k0": 1}, {})),
        (leaky.number_of_keys, ({"k0": 1}, {})),
        (leaky.off_by_one, ({"k0": 1}, {})),
        (leaky.threshold_without_noise, ({"k0": 10}, {"k0": 9})),
        (leaky.exactly_seven, ({"k0": 7}, {"k0": 6})),
        (leaky.raises_at_five, ({"k0": 5}, {"k0": 4})),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_leak_of_one_key_is_shown_on_that_key_alone(release, smallest):
    """Whatever pair it was found on, the one that is left has one key with the count that matters, of whatever name."""
    result = audit(release)
    assert result.verdict is Verdict.REFUTED, result.detail
    (name,) = result.pair.left
    sides = [
        {key.replace(name, "k0"): count for key, count in side.items()}
        for side in (result.pair.left, result.pair.right)
    ]
    assert tuple(sides) == smallest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "counts", "options"),
    [
        (leaky.all_counts_equal, [1, 1, 1], {}),
        (leaky.large_counts_equal, [3, 3], {}),
        (leaky.number_of_keys_from_four_on, [1, 1, 1, 1], {}),
        (leaky.burst_of_new_keys, [1, 1, 1], {"c_u": 5}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_leak_of_several_keys_is_shown_on_as_many_with_the_least_counts(release, counts, options):
    """Ties, a number of keys, a user who adds many at once: nothing is left that the leak does not need."""
    result = audit(release, **options)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert sorted(result.pair.left.values()) == counts


@pytest.mark.slow
@pytest.mark.parametrize("release", [leaky.ties_by_input, leaky.threshold_from_the_largest], ids=lambda f: f.__name__)
def test_a_leak_between_two_keys_is_shown_on_two(release, monkeypatch):
    """How small their counts may be depends on the noise: on two keys, with counts far below those that found it."""
    monkeypatch.setattr(stages, "MOST_TRIED", 90)  # they are as far below by then
    result = audit(release)
    assert result.verdict is Verdict.REFUTED, result.detail
    assert len(result.pair.left) == 2
    assert max(result.pair.left.values()) <= 24


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "delta"),
    [
        (leaky.right_threshold, "1e-3"),
        (leaky.right_order, "1e-3"),
        (leaky.right_and_sometimes_raises, "1e-3"),
        (leaky.right_total, "0"),
        (leaky.right_universe, "0"),
        (leaky.right_choice, "0"),
        (leaky.right_answer_to_whether_empty, "0"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_mechanism_at_its_claim_is_not_refuted(release, delta):
    """However many pairs were looked at; whether so few releases are enough for a silence is another question."""
    result = audit(release, delta=delta, samples=1500)
    assert result.verdict is not Verdict.REFUTED, result.detail
    assert result.result.samples == 1500


def sampler_of(release, stack):
    """A sampler without a clock."""
    return Sampler(stack.enter_context(as_target(release, "mechanism")), Pace(np.inf))


@pytest.mark.slow
def test_no_suspect_is_looked_at_that_would_take_longer_than_there_is():
    """By what a release has taken so far: of wide ones a look takes longer than a small budget."""
    from contextlib import ExitStack

    pairs = [Neighbours(f"p{i}", {"a": 20 + i}, {"a": 19 + i}) for i in range(3)]
    with ExitStack() as stack:
        sampler = sampler_of(leaky.exactly_seven, stack)
        sampler.release_count, sampler.pace.computed = 10, 1.0
        assert suspects(sampler, pairs, hypothesis(1.0, 1e-3), 3, 2 * ROUNDS[0][1] * 0.1) == pairs
        assert sampler.pace.blocks == [0]
        assert sampler.release_count == 10
        suspects(sampler, pairs, hypothesis(1.0, 1e-3), 3, 1000.0)
        assert sampler.release_count > 10


@pytest.mark.slow
def test_suspects_are_looked_at_in_rounds():
    """A pair that leaks comes out first of those looked at, and the number of looks is on record for a replay."""
    from contextlib import ExitStack

    leak = Neighbours("leak", {"a": 7}, {"a": 6})
    plain = [Neighbours(f"p{i}", {"a": 20 + i}, {"a": 19 + i}) for i in range(9)]
    with ExitStack() as stack:
        sampler = sampler_of(leaky.exactly_seven, stack)
        leaks = suspects(sampler, [*plain, leak], hypothesis(1.0, 1e-3), 3, 1000.0)
        assert leaks[0] is leak
        assert sampler.pace.blocks == [10 + 10 + ROUNDS[2][0]]
        sampler.pace = Pace(np.inf, (4,))
        assert suspects(sampler, [*plain, leak], hypothesis(1.0, 1e-3), 3, 1000.0) == [*plain, leak]
        assert sampler.pace.blocks == [4]
        sampler.pace = Pace(np.inf, (4,))
        cut_short = suspects(sampler, [*plain[:2], leak, *plain[2:]], hypothesis(1.0, 1e-3), 3, 1000.0)
        assert cut_short == [leak, *plain]


@pytest.mark.slow
def test_the_families_come_first_and_few_suspects_join_them():
    """A new key leads; what the search found has the last places."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        sampler = sampler_of(leaky.right_total, stack)
        sampler.pace = Pace(np.inf, (1000, 1000, 1000, 0))
        pairs = searched(sampler, AddRemoveUser(c_u=1), hypothesis(1.0, 0.0), 3, 0.0, hunt=True)
    assert (dict(pairs[0].left), dict(pairs[0].right)) == ({"k0": 1}, {})
    assert [pair.id.startswith("drawn") for pair in pairs[-MOST_SEARCHED_PAIRS - 1 :]] == [
        False,
        *[True] * MOST_SEARCHED_PAIRS,
    ]
    assert len({pair.id for pair in pairs}) == len(pairs)


def exact_as_pairs(histogram, rng):
    """Release [key, value] where the exact count is large."""
    return [[key, count + rng.laplace()] for key, count in histogram.items() if count >= 30]


def exact_as_names(histogram, _rng):
    """Release names where the exact count is large, in order."""
    return sorted(key for key, count in histogram.items() if count >= 30)


def exact_or_null(histogram, rng):
    """Release every key, and a number where the exact count is large."""
    return {key: [count + rng.laplace()] if count >= 30 else None for key, count in histogram.items()}


@pytest.mark.slow
@pytest.mark.parametrize("release", [exact_as_pairs, exact_as_names, exact_or_null])
def test_the_threshold_is_found_whatever_a_release_looks_like(release):
    """A pair at it is among the neighbours: a list of pairs holds the key as a dictionary does."""
    hypotheses = hypothesis(1.0, 1e-5, ("forward", "backward"))
    with as_target(release, "mechanism") as target:
        pairs = searched(Sampler(target, Pace(60.0)), AddRemoveUser(1), hypotheses, 1, 60.0, hunt=False)
    (at_it,) = (pair for pair in pairs if pair.id == "key at the threshold")
    assert at_it.left == {"k0": 30}
    assert at_it.right == {"k0": 29}


@pytest.mark.slow
def test_a_key_in_a_list_is_a_release_of_it():
    """The one-sample test counts it: of a list it counted none, and told of a power that it did not have."""
    pair = {"left": {"a": 40}, "right": {}}
    options = {"epsilon": "1", "delta": "1e-3", "pair": pair, "only_input_keys": True, "samples": 2000}
    audit = audit_mechanism(exact_as_names, **options)
    assert audit.verdict is Verdict.REFUTED
    assert audit.result.event == "releases a"


def refuses_few(histogram, rng):
    """Raise at a count; beyond it release a number."""
    if sum(histogram.values()) < 300:
        raise ValueError("too few")
    return round(sum(histogram.values()) + rng.laplace())


def at_seven(histogram, rng):
    """Release a label at one count alone."""
    return "seven" if sum(histogram.values()) == 7 else "other"


def rounds_first(histogram, rng):
    """Round before noise: a number jumps at 5 and at 15, and nothing else shows."""
    return [10 * round(sum(histogram.values()) / 10 + 1e-9) + rng.laplace()]


def noise_below(histogram, rng):
    """Large counts have no noise: no form tells."""
    count = sum(histogram.values())
    return count if count >= 2000 else round(count + rng.laplace())


def two_digits_first(histogram, rng):
    """Round to two significant digits before the noise: exact up to 104, and then jumps of ten."""
    return float(f"{sum(histogram.values()):.2g}") + rng.laplace()


def as_wide_as_the_count(histogram, rng):
    """Pad all numbers to the digits of the count: a text that is another one at each, and wider at 10 and at 1000."""
    count = sum(histogram.values())
    width = len(str(count))
    return f"{max(0, count + round(rng.laplace())):{width}d} visits, {max(0, round(rng.laplace())):{width}d} returns"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "count"),
    [
        (as_wide_as_the_count, 10),
        (as_wide_as_the_count, 1000),
        (refuses_few, 300),
        (at_seven, 7),
        (at_seven, 8),
        (rounds_first, 15),
        (two_digits_first, 115),
        (noise_below, 2000),
    ],
)
def test_counts_at_which_releases_turn_are_found(release, count):
    """By the same randomness on both sides of a count: an exception, a label, a jump, numbers that no longer vary."""
    with as_target(release, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        assert count in turning_points(lambda n: sampler.batch({"k0": n}, 16, 1), 10**4)


@pytest.mark.slow
@pytest.mark.parametrize("form", [float, "{} visits".format])
def test_plain_noise_turns_nowhere(form):
    """A number that moves as its count does is no news; of texts that all differ the words are compared."""
    with as_target(lambda histogram, rng: form(sum(histogram.values()) + rng.laplace()), "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        assert turning_points(lambda n: sampler.batch({"k0": n}, 16, 1), 10**4) == ()


def rarely_shown_above(bar):
    """Noise is drawn for counts from the bar on, and nearly none shows; something else is drawn for every user."""

    def release(histogram, rng):
        for count in histogram.values():
            rng.random(min(count, 9))
        noisy = {key: count + rng.laplace(0, 2) for key, count in histogram.items() if count >= bar}
        return [key for key, value in noisy.items() if value > bar + 8]

    return release


@pytest.mark.slow
@pytest.mark.parametrize("bar", [2, 5, 700])
def test_a_count_from_which_on_something_is_drawn_is_found(bar):
    """However rarely it shows; that more is drawn at the same place for more users is no news."""
    with as_target(rarely_shown_above(bar), "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        assert drawing_turns(lambda n: drawing_places(sampler, {"k0": n}, 1), 10**4) == (bar,)


def test_where_draws_cannot_be_seen_nothing_is_said_of_them():
    """As of a target that has randomness of its own."""
    with as_target(lambda histogram, _rng: time.time_ns(), "mechanism") as target:
        sampler = Sampler(target, Pace(60.0), ignores_rng=True)
        assert drawing_turns(lambda n: drawing_places(sampler, {"k0": n}, 1), 10**4) == ()


@pytest.mark.slow
def test_a_threshold_on_the_true_count_behind_rare_releases_is_refuted():
    """A count of 5 is released with probability e^-4 / 2 = 0.0092, one of 4 never: told nothing but the promise."""
    result = audit(rarely_shown_above(5), delta="1e-5")
    assert result.verdict is Verdict.REFUTED, result.detail
    assert (result.pair.left, result.pair.right) == ({"k0": 5}, {"k0": 4})
    assert result.result.delta_lower < 0.0092


def over_a_common_bar(histogram, rng):
    """Yes or no of each key, against a bar with a noise of its own."""
    bar = 9 + rng.laplace()
    return [bool(count >= bar) for _, count in sorted(histogram.items())]


@pytest.mark.parametrize(("release", "counts"), [(over_a_common_bar, range(8, 12)), (exact_as_names, [30])])
def test_the_count_at_which_many_keys_turn_together_is_found(release, counts):
    """The middle of what noise smears, and beyond the small counts one by doubling; noise alone turns nowhere."""
    with as_target(release, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        (count,) = common_turn(lambda n: sampler.batch(dict.fromkeys("abcd", n), 16, 1), 10**4)
    assert count in counts


def leads(histogram, rng):
    """Name the first where its lead over the second is 4 at least, by the true counts."""
    first, second = sorted(histogram.get(key, 0) for key in "ab")[::-1]
    return "abstains" if first - second < 4 else str(rng.integers(2))


@pytest.mark.slow
def test_where_nobody_leaves_the_user_at_a_turn_moves():
    """One user of four in a key is in another: what turns at that count is seen under that relation too."""
    hypotheses = hypothesis(1.0, 0.0, ("forward", "backward"))
    with as_target(leads, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0), keys=("a", "b"))
        pairs = searched(sampler, ReplaceUser(1), hypotheses, 1, 60.0, hunt=True)
    assert ({"a": 4}, {"a": 3, "b": 1}) in [(pair.left, pair.right) for pair in pairs]


def waits(histogram, rng):
    """Ten releases a second, of which it computes none."""
    time.sleep(0.1)
    return dict(histogram)


@pytest.mark.slow
def test_of_a_target_that_waits_next_to_no_pairs_are_drawn():
    """Each look takes what betting needs; a tenth of the waiting counts as if it were computing."""
    with as_target(waits, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        pairs = searched(sampler, AddRemoveUser(1), hypothesis(1.0, 1e-3), 1, 0.5, hunt=True)
    assert pairs[0].left == {"k0": 1}
    assert len([pair for pair in pairs if pair.id.startswith("drawn")]) <= 1
    assert sampler.pace.of_target >= 0.1 * sampler.release_count / 10


def test_a_heavy_user_is_met_at_the_threshold():
    """Where names alone are released, keys far above say nothing: all of his keys hang on his being there."""
    keys = ("k0", "k1", "k2")
    counts = [(dict(pair.left), dict(pair.right)) for pair in families(3, 1, 12)]
    assert (dict.fromkeys(keys, 12), dict.fromkeys(keys, 11)) in counts


def test_half_of_the_keys_move_each_way():
    """By one, about the count; a key of count 0 is not there."""
    assert both_ways("at 7", 5, 7).left == {"k0": 7, "k1": 7, "s0": 6, "s1": 6}
    assert both_ways("at 1", 2, 1).right == {"s0": 1}


def own_keys(histogram, rng):
    """Release the counts of its own keys: all it looks at."""
    known = "north" in histogram
    return [histogram["north"] if known else 0, histogram.get("south", 0)]


@pytest.mark.parametrize("release", [own_keys, lambda histogram, rng: [histogram["north"], histogram["south"]]])
def test_keys_that_a_target_asks_for_are_found_by_listening(release):
    """One after another, where a missing one raises; neighbours have them, and others after them."""
    with as_target(release, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        (note,) = sampler.listen(1)
        assert "north, south" in note
        assert sampler.accepted(Neighbours("p", {"k0": 2, "k1": 1, "s0": 5}, {})).left == {
            "north": 2,
            "south": 1,
            "k0": 5,
        }


def refuses_the_empty_key(histogram, rng):
    """Release the items of a histogram without the empty key."""
    if "" in histogram:
        raise ValueError("expected keys that are non-empty strings")
    return sorted(histogram.items())


@pytest.mark.parametrize("release", [refuses_the_empty_key, lambda histogram, rng: sorted(histogram.items())])
def test_a_target_that_walks_through_its_input_asks_for_nothing(release):
    """Its keys are whatever it is given; the empty key is asked for to refuse it."""
    with as_target(release, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        assert sampler.listen(1) == []
        assert sampler.looked_up == ()


@pytest.mark.slow
def test_neighbours_move_both_ways_where_that_is_what_neighbours_do():
    """One user for another: drawn pairs have counts that rise and counts that fall."""
    both = [pair for pair in draw_pairs(4, 1, 60, 3, moves=True) if related(ReplaceUser(2), pair.left, pair.right)]
    assert len(both) > 5
    assert not any(related(ReplaceUser(2), pair.left, pair.right) for pair in draw_pairs(4, 1, 60, 3))


@pytest.mark.slow
def test_bounded_noise_of_labels_is_looked_at_where_it_ends():
    """No count turns all releases at once; beyond ten the other label never wins."""

    def winner(histogram, rng):
        return "one" if histogram.get("k0", 0) + rng.uniform(-5, 5) > rng.uniform(-5, 5) else "another"

    with as_target(winner, "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        (turn,) = turning_points(lambda n: sampler.batch({"k0": n}, 96, 1), 10**4)
    assert 6 <= turn <= 10


def of_rows(name, rows):
    """Neighbours of so many keys and one fewer."""
    left = {f"{name}{i}": 1 for i in range(rows)}
    return Neighbours(name, left, dict(list(left.items())[1:]))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (1e-6, ["own", "little", "rare", "other own", "alike"]),
        (1.5e-3, ["own", "little", "rare", "alike"]),  # 7.5 s each for large data, of 60 s
        (1.0, ["own", "little", "alike"]),  # two pairs in any case
    ],
)
def test_pairs_that_get_no_releases_in_time_are_left_out_alike_and_large_ones_first(seconds, expected):
    """The first pair of the user's data stays, and one pair of each estimated loss as long as there is time."""
    losses = {"own": 1.0, "other own": 1.02, "alike": 0.99, "little": 0.6, "rare": 0.0}
    pairs = [of_rows(name, 2 if name in ("alike", "little") else 50) for name in losses]
    large = {pair.id: seconds * (len(pair.left) > 2) for pair in pairs}

    def chosen(planned):
        pace = Pace(60.0, planned)
        sampler = Sampler(as_target(leaky.rare_key, "mechanism"), pace, pair_seconds=large)
        found = affordable_pairs(sampler, pairs, losses, "own", 5000.0)
        return [pair.id for pair in found], tuple(pace.blocks)

    names, drawn = chosen(None)
    assert sorted(names) == sorted(expected)
    assert chosen(drawn) == (names, drawn)


def mostly_one_output(histogram, rng):
    """The data change the probability of a rare output only."""
    return bool(rng.random() < (0.011 if histogram.get("k0") else 0.01))


def of_no_data(histogram, rng):
    """The data change nothing."""
    return bool(rng.random() < 0.01)


@pytest.mark.parametrize(("release", "ignores"), [(mostly_one_output, False), (of_no_data, True)])
def test_a_target_that_seems_to_ignore_its_input_is_compared_again(release, ignores):
    """A few releases with equal randomness may all be equal; many show a rare difference."""
    result = audit_mechanism(release, epsilon="1", detect="0.5", samples=10_000, seed=5, keys=("k0", "k1"))
    assert ("seems to ignore its input" in result.detail) is ignores, result.detail
    assert result.verdict is (Verdict.UNDECIDED if ignores else Verdict.CONSISTENT)
