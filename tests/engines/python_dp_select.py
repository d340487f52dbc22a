"""Google's Laplace partition selection with the count that decided, through python-dp, as it is."""

from pydp.algorithms import partition_selection

strategy = partition_selection.create_laplace_partition_strategy(1.0, 1e-2, 1)


def release(histogram, rng):
    """Release the noisy counts of partitions that are kept; it draws its own noise."""
    noisy = {key: strategy.noised_value_if_should_keep(count) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value is not None}
