"""Speed of the unknown-domain algorithms and of their exact laws."""

import math
import statistics
import time
import tracemalloc

import gmpy2
import numpy as np

from mechanisms.baselines import binary_mechanism
from mechanisms.unknown_domain.gumbel import mechanism as unknown_domain_gumbel
from proofs_numeric.rogers2024.peeling import peel
from proofs_numeric.rogers2024.theorem_8.proof import l2_is_bounded, top_cases


def test_exact_peeling_law_of_six_picks_among_twelve(benchmark):
    """773,000 lists with exact rational probabilities: under one second on an idle core."""
    weights = {f"k{i}": gmpy2.mpq(3, 2) ** (i % 4) for i in range(12)}
    law = benchmark.pedantic(peel, args=(weights, gmpy2.mpq(500), 6), rounds=3)
    assert sum(law.values()) == 1
    assert len(law) == sum(math.perm(12, j) for j in range(7))


def test_every_small_pair_of_the_top_algorithm(benchmark):
    """The l2 lemma on every neighbouring pair of four labels with counts up to 5: under sixty seconds."""
    cases = benchmark.pedantic(lambda: sum(map(l2_is_bounded, top_cases(4))), rounds=1)
    assert cases > 150_000


def test_gumbel_lists_from_a_million_items():
    """At least half the throughput of NumPy's own Gumbel draws; medians taken alternately."""
    items = 10**6
    mechanism = unknown_domain_gumbel.build(k_bar=items, k=10, beta=1, delta="1e-6")
    counts = np.arange(items, dtype=np.float64) / 1e5
    rng, places = np.random.default_rng(0), np.full(1, 10)
    ours, theirs = [], []
    for _repeat in range(7):
        start = time.perf_counter()
        mechanism.ranks(counts, 0, places, rng)
        middle = time.perf_counter()
        rng.gumbel(size=items)
        ours.append(middle - start)
        theirs.append(time.perf_counter() - middle)
    assert statistics.median(theirs) / statistics.median(ours) >= 0.5


def test_a_hundred_thousand_rounds_of_a_thousand_items():
    """Under sixty seconds, and memory flat in the number of rounds."""
    rounds, items = 100_000, 1000
    mechanism = binary_mechanism.build(L=rounds, delta_0=items, sigma=1)
    run, increments = mechanism.start(np.random.default_rng(0)), np.ones(items)
    tracemalloc.start()
    start = time.perf_counter()
    for _round in range(rounds):
        run.step(increments)
    seconds = time.perf_counter() - start
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * (rounds.bit_length() + 8) * items * 8
    assert seconds < 60
