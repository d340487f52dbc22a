"""Google's partition selection through python-dp, as it is, at epsilon = 1; the noise is its own."""

from pydp.algorithms.partition_selection import create_partition_strategy


def noisy(name, delta=1e-2):
    """Return the noisy counts that decided."""
    strategy = create_partition_strategy(name, 1.0, delta, 1)
    keep = strategy.noised_value_if_should_keep
    return lambda histogram, _rng: {k: kept for k, n in histogram.items() if (kept := keep(n)) is not None}


laplace, gaussian, laplace_at_small_delta = noisy("laplace"), noisy("gaussian"), noisy("laplace", 1e-5)
coin = create_partition_strategy("truncated_geometric", 1.0, 1e-2, 1)


def geometric(histogram, rng):
    """Return the keys that are kept."""
    return [key for key, users in histogram.items() if coin.should_keep(users)]
