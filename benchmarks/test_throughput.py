"""What the statistics leave of a mechanism's own sampling speed, as shares of processor time within one run.

The speed is that of a long audit, whose events are learnt and whose blocks are full.
"""

import math
import time
from collections.abc import Callable

import numpy as np
import pytest

from auditor.black_box.pair_audit import PairAudit, histogram_sampler
from auditor.engine.registry import registry
from auditor.statistics.betting import hypothesis
from auditor.statistics.seeds import block_generator
from auditor.target.worker import sample
from tests.auditor.statistics.mechanisms_under_audit import Neighbours, gaussian

LEARNT = 140_000
"""Releases a side after which nothing more is learnt."""
ATTEMPTS = 5
SECONDS = 0.3
"""Most processor time of one measured block."""


def seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of a few calls."""
    times = []
    for _ in range(ATTEMPTS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def share_of_sampling(mechanism, pair) -> float:
    """Return the share of an audit's time that is the mechanism's own.

    The pair is audited at a level that no mechanism breaks, so that nothing is decided.
    """
    run = PairAudit(pair, histogram_sampler(mechanism), hypothesis(8.0, 0.5), 1, "speed", 3.0)
    while run.n < LEARNT:
        run.step(run.next_block())
    one = seconds(lambda: mechanism.release_many(pair.left, 2000, np.random.default_rng(0))) / 2000
    size = int(min(run.largest_block, max(2000, SECONDS / one)))

    def bare() -> None:
        for histogram in (pair.left, pair.right):
            mechanism.release_many(histogram, size, block_generator(1, "bare"))

    return seconds(bare) / seconds(lambda: run.step(size))


@pytest.mark.parametrize("keys", [1, 4])
def test_plain_noise(keys: int, benchmark) -> None:
    """Nothing but NumPy's normals and their rounding: at least 60 per cent."""
    pair = Neighbours("many", {f"k{i}": 1 for i in range(keys)}, {f"k{i}": 0 for i in range(keys)})
    share = benchmark.pedantic(share_of_sampling, args=(gaussian(40.0 * math.sqrt(keys)), pair), rounds=1)
    benchmark.extra_info["share"] = round(share, 2)
    assert share >= 0.6


@pytest.mark.parametrize("identifier", sorted(registry().mechanisms))
def test_every_registered_mechanism(identifier: str, benchmark) -> None:
    """At its default parameters, on the first of its worst-case pairs: at least 60 per cent."""
    spec = registry().mechanisms[identifier]
    mechanism, pair = spec.build(**spec.parameters), spec.pairs(spec.parameters)[0]
    share = benchmark.pedantic(share_of_sampling, args=(mechanism, pair), rounds=1)
    benchmark.extra_info["share"] = round(share, 2)
    assert share >= 0.6


def plain_function(histogram, rng):
    """Add noise and threshold, as a user would write it: microseconds a release."""
    noisy = {key: count + rng.normal(0, 2) for key, count in histogram.items() if count >= 1}
    return {key: value for key, value in noisy.items() if value >= 4}


def deliberate(histogram, rng):
    """Take twenty microseconds or more, as library calls do."""
    return {key: float(np.round(rng.normal(count, 2.0, 8).mean(), 3)) for key, count in histogram.items()}


@pytest.mark.parametrize(("release", "least"), [(plain_function, 0.4), (deliberate, 0.6)])
def test_releases_drawn_one_by_one(release, least: float, benchmark) -> None:
    """What recording each output leaves of a Python function's speed: about a microsecond a release is spent."""
    n, histogram = 20_000, {"k0": 6, "k1": 3}

    def bare() -> None:
        rng = np.random.default_rng(1)
        for _ in range(n):
            release(dict(histogram), rng)

    request = {"histogram": histogram, "n": n, "seed": "1", "spawn_key": [], "plan": None}

    def share() -> float:
        return seconds(bare) / seconds(lambda: sample(release, "Generator", request, lambda: None))

    benchmark.extra_info["share"] = round(found := benchmark.pedantic(share, rounds=1), 2)
    assert found >= least
