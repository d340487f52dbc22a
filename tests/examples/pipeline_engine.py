"""A class in the style of PipelineDP: an engine that holds a budget and aggregates rows of (user, partition).

`auditor mechanism pipeline_engine.py:release --epsilon 1 --delta 0.02`
"""

import math
from collections import Counter
from dataclasses import dataclass


@dataclass
class Budget:
    """A budget that is spent once."""

    epsilon: float
    delta: float
    spent: bool = False

    def spend(self):
        """Return the whole of it; a second time is an error."""
        if self.spent:
            raise RuntimeError("the budget is spent")
        self.spent = True
        return self.epsilon, self.delta


class Engine:
    """Selects partitions by a noisy count and releases another noisy count of each."""

    def __init__(self, budget, rng, *, split=True):
        self.budget, self.rng, self.split = budget, rng, split

    def aggregate(self, rows):
        """Yield (partition, count); half of epsilon is for the selection, half for the count."""
        epsilon, delta = self.budget.spend()
        scale = 2 / epsilon if self.split else 1 / epsilon
        threshold = 1 + scale * math.log(1 / (2 * delta))
        for partition, users in Counter(partition for _user, partition in rows).items():
            if users + self.rng.laplace(0, scale) >= threshold:
                yield partition, round(users + self.rng.laplace(0, scale), 2)


def release(histogram, rng, *, split=True):
    """Adapt the engine: one row for each user of a key, a fresh engine and budget for each release."""
    rows = [(f"{key}-{i}", key) for key, count in histogram.items() for i in range(count)]
    return dict(Engine(Budget(1.0, 0.02), rng, split=split).aggregate(rows))


def release_without_splitting(histogram, rng):
    """The same engine with the whole epsilon spent twice."""
    return release(histogram, rng, split=False)
