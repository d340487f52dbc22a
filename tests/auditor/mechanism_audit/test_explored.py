"""What is rare: suspected where a tail or a branch shows it, unseen where nothing does, and right twins silent."""

import functools

import pytest

from auditor.mechanism_audit.explored import Explored, UnexploredError, explored, strengths
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Neighbours
from tests.auditor.mechanism_audit import rare

PAIRS = (
    Neighbours("few", {"k0": 20, "k1": 30}, {"k0": 21, "k1": 30}),
    Neighbours("many", {"k0": 20, "k1": 60}, {"k0": 21, "k1": 60}),
    Neighbours("new key", {"k0": 1, "k1": 30}, {"k1": 30}),
    Neighbours("at the threshold", {"k0": 39}, {"k0": 40}),
)
CLAIMS = ((1.0, 1e-6), (1.0, 1e-8), (2.0, 1e-5))


def outcome(mechanism, epsilon: float = 1.0, delta: float = 1e-6, seed: int = 5) -> Explored:
    """What is rare of a mechanism on a few pairs, with power for three times the delta."""
    with as_target(mechanism, "mechanism") as target:
        sampler = Sampler(target, Pace(600.0))
        return explored(sampler, PAIRS, Level(epsilon, delta), 3 * delta, seed, 300.0)


def twin(mechanism):
    """Return the mechanism whose rare branch has more noise."""

    def right(histogram, rng):
        return mechanism(histogram, rng, rare.wider)

    return functools.wraps(mechanism)(right)


@pytest.mark.parametrize(("epsilon", "delta"), CLAIMS)
@pytest.mark.parametrize(
    "mechanism",
    [
        pytest.param(each, marks=() if each in (rare.by_a_coin, rare.of_whole_numbers) else pytest.mark.slow)
        for each in rare.SUSPECTED
    ],
)
def test_what_is_rare_is_suspected(mechanism, epsilon, delta):
    """At every claim: what one neighbour alone shows, and its probability is above what is claimed."""
    found = outcome(mechanism, epsilon, delta)
    assert found.suspicion, found.why
    assert found.power == 1


@pytest.mark.parametrize(
    ("mechanism", "why"),
    [
        pytest.param(each, why, marks=() if each is rare.in_the_middle else pytest.mark.slow)
        for each, why in rare.UNSEEN.items()
    ],
)
def test_what_is_not_seen_is_no_silence(mechanism, why):
    """Draws that nobody tilts, and conditions that hardly ever went one way."""
    found = outcome(mechanism)
    assert found.power == 1
    assert why in found.why or found.suspicion, found


@pytest.mark.parametrize(
    "mechanism", [pytest.param(each, marks=() if each is rare.by_a_coin else pytest.mark.slow) for each in rare.TWINS]
)
def test_the_right_twin_is_silent_with_its_power(mechanism):
    """Its rare branch was taken, and both neighbours look alike there."""
    found = outcome(twin(mechanism))
    assert not found.suspicion
    assert not found.why
    assert found.power == 3e-6
    assert found.pairs == len(PAIRS)


def test_there_is_an_end_to_what_is_tilted():
    """Beyond the strengths that draws are tilted with nothing is said."""
    assert strengths(3e-6, 1.0)[-1] == 64.0
    assert strengths(3e-20, 20.0)[-1] == pytest.approx(65.95, abs=0.1)
    with pytest.raises(UnexploredError, match="further out"):
        strengths(3e-20, 40.0)
