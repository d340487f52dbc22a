"""What is rare: suspected where a tail or a branch shows it, unseen where nothing does, and right twins silent."""

import functools
import math
import re
import shlex
import types

import numpy as np
import pytest

from auditor.mechanism_audit import audit as audit_module
from auditor.mechanism_audit.draws import explored as explored_module
from auditor.mechanism_audit.draws.explored import Explored, UnexploredError, explore, strengths
from auditor.mechanism_audit.options import read_blocks
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.request import NOTHING_CLAIMED
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit import rare
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

PAIRS = (
    Neighbours("few", {"k0": 20, "k1": 30}, {"k0": 21, "k1": 30}),
    Neighbours("many", {"k0": 20, "k1": 60}, {"k0": 21, "k1": 60}),
    Neighbours("new key", {"k0": 1, "k1": 30}, {"k1": 30}),
    Neighbours("at the threshold", {"k0": 39}, {"k0": 40}),
)


SHOWN = {
    rare.by_a_coin: PAIRS,
    rare.without_a_threshold: PAIRS[2:3],
    **dict.fromkeys(
        (rare.scale_of_zero, rare.scale_by_arithmetic, rare.small_scale, rare.of_another_key, rare.of_whole_numbers),
        PAIRS[3:],
    ),
}
"""Where that is not the pair of many: by what one neighbour alone shows, on the pair that shows it."""
SILENT = {rare.by_a_coin: PAIRS, rare.by_a_normal: PAIRS[1:3], rare.after_another_draw: PAIRS[1:3]}
"""Where a right twin is looked at, where that is not the pair of many: what is likely is not suspected of a new key."""
MORE = (rare.by_an_integer, rare.after_another_draw)
"""Of these a third of the releases shows too little."""


@pytest.fixture
def few(mechanism, monkeypatch):
    """Look at a third of the releases, and at as many fresh ones: that shows it too."""
    monkeypatch.setattr(explored_module, "FRESH", 1)
    if mechanism not in MORE:
        monkeypatch.setattr(explored_module, "EACH", 16)


def outcome(mechanism, epsilon: float = 1.0, delta: float = 1e-6, pairs=PAIRS) -> Explored:
    """What is rare of a mechanism on a few pairs, with power for three times the delta."""
    with as_target(mechanism, "mechanism") as target:
        sampler = Sampler(target, Pace(600.0))
        return explore(sampler, pairs, Level(epsilon, delta), 3 * delta, 5, 300.0)


def twin(mechanism):
    """Return the mechanism whose rare branch has more noise."""

    def right(histogram, rng):
        return mechanism(histogram, rng, rare.wider)

    return functools.wraps(mechanism)(right)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    "mechanism",
    [pytest.param(each, marks=() if each is rare.by_a_coin else pytest.mark.slow) for each in rare.SUSPECTED],
)
def test_what_is_rare_is_suspected(mechanism):
    """What one neighbour alone shows, and its probability is above what is claimed."""
    found = outcome(mechanism, 2.0, 1e-5, SHOWN.get(mechanism, PAIRS[1:2]))
    assert found.suspicion, found.why
    assert found.least == 1


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("mechanism", [rare.by_a_coin])
def test_of_less_delta_more_is_suspected(mechanism):
    """The draws are those of larger deltas, and less has to be seen of them."""
    assert outcome(mechanism, delta=1e-8, pairs=PAIRS[1:2]).suspicion
    assert strengths(3e-8, 1.0) == strengths(3e-6, 1.0) == strengths(3e-5, 2.0)


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("mechanism", rare.UNSEEN)
def test_what_is_not_seen_is_no_silence(mechanism):
    """Draws that nobody tilts, and conditions that hardly ever went one way: on one pair, which no other makes good."""
    found = outcome(mechanism, pairs=PAIRS if mechanism is rare.in_the_middle else PAIRS[:1])
    assert found.least == 1
    assert re.search(rare.UNSEEN[mechanism], found.why) or found.suspicion, found


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("mechanism", rare.TWINS)
def test_the_right_twin_is_silent_with_its_power(mechanism):
    """Its rare branch was taken, and both neighbours look alike there: on one pair, and some on more."""
    pairs = SILENT.get(mechanism, PAIRS[1:2])
    found = outcome(twin(mechanism), pairs=pairs)
    assert not found.suspicion
    assert not found.why
    assert found.least == 3e-6
    assert found.pairs == len(pairs)


class OnAGrid:
    """The right mechanism, without the low bits of doubles; of arrays, so that counting takes no time."""

    def release_many(self, histogram, n, rng):
        values = np.array([*histogram.values()]) + rng.laplace(size=(n, len(histogram)))
        return tuple(histogram), np.where(values >= rare.THRESHOLD, np.round(64 * values) / 64, np.nan)


@pytest.mark.slow
def test_an_audit_of_a_rare_fault_is_no_silence_and_its_twin_is_one(monkeypatch):
    """Told nothing but two numbers: undecided or refuted, and silent with what each method would show.

    Of the right one no more releases are counted than a silence takes: those that are tilted are as many.
    """
    monkeypatch.setattr(explored_module, "EACH", 32)  # on each of a score of pairs
    wrong = audit_mechanism(rare.by_a_coin, epsilon="1", delta="1e-6", samples=2000)
    assert wrong.verdict in (Verdict.REFUTED, Verdict.UNDECIDED)
    assert wrong.to_json()["rare"]["suspicion"]
    right = audit_mechanism(OnAGrid(), epsilon="1", delta="1e-6", samples=2_000_000)
    assert right.verdict is Verdict.CONSISTENT, right.detail
    assert "in a tail of the first numbers of each line that draws (1) or behind a branch" in right.detail
    assert right.to_json()["rare"]["least"] == "3e-06"


def total(histogram, rng):
    """Gaussian noise of scale 1, on a grid."""
    return [round(64 * (sum(histogram.values()) + rng.normal(0, 1))) / 64]


@pytest.mark.slow
def test_a_claim_of_a_curve_is_silent_only_at_all_levels():
    """Few releases show enough at the levels of large deltas alone: the one told lacks power."""
    audit = audit_mechanism(total, mu="1", samples=20_000, pair={"left": {"k0": 2}, "right": {"k0": 1}})
    assert audit.verdict is Verdict.UNDECIDED, audit.detail
    assert float(audit.to_json()["power"]) > audit.detect


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("mechanism", [types.FunctionType(total.__code__, {**globals()})], ids=["total"])
def test_what_is_loaded_twice_is_watched_wherever_it_is(mechanism):
    """A function whose names are not those of the module of its file."""
    assert not outcome(mechanism, pairs=PAIRS[:1]).why


@pytest.mark.parametrize(
    ("why", "release_seconds", "planned", "hopeless"),
    [
        ("a draw is not tilted", 1e-4, None, True),
        ("a draw is not tilted", 1e-6, None, False),
        ("", 1e-4, None, False),
        ("a draw is not tilted", 1e-6, (1, 9), True),
        ("a draw is not tilted", 1e-4, (0, 9), False),
    ],
    ids=["too slow", "fast", "shown by steered draws", "a replay of too slow", "a replay of fast"],
)
def test_counting_that_there_is_no_time_for_ends_early(why, release_seconds, planned, hopeless):
    """3e-6 at level .05 takes a million releases per dataset: 200 CPU seconds, or 2, where 100 are left."""
    rare = Explored(1, 100, 1, 1.0 if why else 3e-6, why, "", PAIRS[0])
    with as_target(total, "mechanism") as target:
        sampler = Sampler(target, Pace(100.0, planned), release_count=1000)
        sampler.pace.computed = 1000 * release_seconds
        enough = audit_module._enough(sampler, rare, 3e-6, 3e-6, 0.05)
    assert enough == (NOTHING_CLAIMED if hopeless else 3e-6)
    assert sampler.pace.blocks == [int(hopeless)]


def tilted(histogram, rng):
    """Laplace noise of scale 1, on a grid."""
    return [round(64 * (sum(histogram.values()) + rng.laplace(0, 1))) / 64]


def untilted(histogram, rng):
    """The same beside noise of a law that is not tilted."""
    return [round(64 * (sum(histogram.values()) + rng.laplace(0, 1) + rng.gamma(2.0))) / 64]


@pytest.mark.slow
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("mechanism", "ended"), [(untilted, 1), (tilted, 0)], ids=["hopeless", "shown"])
def test_an_audit_of_rare_events_is_replayed_by_the_blocks_that_it_prints(mechanism, ended):
    """What was explored, and whether counting was given up, are those of the first time."""
    pair = {"left": {"k0": 2}, "right": {"k0": 1}}
    options = {"epsilon": "1", "delta": "1e-10", "pair": pair, "budget": 20.0}
    first = audit_mechanism(mechanism, **options)
    words = shlex.split(first.reproduce)
    blocks = read_blocks(words[words.index("--blocks") + 1])
    assert first.verdict is (Verdict.UNDECIDED if ended else Verdict.CONSISTENT), first.detail
    assert blocks[5] == ended
    again = audit_mechanism(mechanism, **options, blocks=blocks)
    assert again.to_json() == first.to_json()


def test_there_is_an_end_to_what_is_tilted():
    """Beyond the strengths that draws are tilted with nothing is said."""
    assert strengths(3e-6, 1.0)[-1] == 64.0
    assert strengths(3e-20, 20.0)[-1] == pytest.approx(65.95, abs=0.1)
    with pytest.raises(UnexploredError, match="beyond the largest tilt"):
        strengths(3e-20, 40.0)


@pytest.mark.slow
@pytest.mark.parametrize(("computed", "each"), [(1e9, 48), (0.0, 10**12)], ids=["a pair", "its tilted releases"])
def test_what_takes_longer_than_there_is_time_is_not_begun(computed, each, monkeypatch):
    """By what a release took so far; a replay would draw as many."""
    monkeypatch.setattr(explored_module, "EACH", each)
    with as_target(total, "mechanism") as target:
        sampler = Sampler(target, Pace(600.0), release_count=1)
        sampler.pace.computed = computed
        result = explore(sampler, PAIRS, Level(1.0, 1e-6), 3e-6, 5, 300.0)
    assert (result.pairs, result.releases, result.least) == (0, 0, 1.0)
    assert result.why.startswith(f"the time sufficed for 0 of {len(PAIRS)} pairs")
    assert sampler.pace.blocks == [0]


@pytest.mark.slow
def test_what_is_seldom_hides_nothing_gross():
    """One-sided noise shows a new key at twice the claim, which few releases only suspect, and much else at once."""

    def one_sided(histogram, rng):
        noisy = {key: count + rng.exponential(1.0) for key, count in histogram.items()}
        return {key: value for key, value in noisy.items() if value > 1 + math.log(0.5e5)}

    audit = audit_mechanism(one_sided, epsilon="1", delta="1e-5")
    assert audit.verdict is Verdict.REFUTED, audit.detail
    assert audit.result.samples < 1 << 15


def test_an_outcome_that_looks_hidden_by_chance_is_looked_for_again():
    """A few hundred tilted releases may leave a gap just before a threshold."""

    def threshold(histogram, rng):
        values = {key: count + rng.laplace() for key, count in histogram.items()}
        return {key: round(value) for key, value in values.items() if value >= 1 - math.log(2e-5)}

    found = outcome(threshold, 1.0, 1e-5, [Neighbours(f"drawn {n}", {"k0": 2}, {"k0": 1}) for n in range(16)])
    assert (found.why, found.suspicion) == ("", "")
