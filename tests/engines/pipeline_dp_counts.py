"""PipelineDP's aggregations with private partition selection, as they are, on this machine; the noise is its own."""

import pipeline_dp as p


def released(rows, metric, contributions, delta=1e-2):
    """Aggregate at epsilon = 1 with a fresh budget; partitions come in the order of the rows."""
    accountant = p.NaiveBudgetAccountant(total_epsilon=1, total_delta=delta)
    engine = p.DPEngine(accountant, p.LocalBackend())
    bounds = {"max_partitions_contributed": 1, "max_contributions_per_partition": contributions}
    params = p.AggregateParams([metric], p.NoiseKind.LAPLACE, **bounds)
    user, key, value = (lambda row, i=i: row[i] for i in range(3))
    found = engine.aggregate(rows, params, p.DataExtractors(user, key, value))
    accountant.compute_budgets()
    return {partition: result[0] for partition, result in found}


def users_in_order_of_rows(rows, rng):
    """Count the users of each partition."""
    return released(rows, p.Metrics.PRIVACY_ID_COUNT, 1)


def users(rows, rng):
    """The same, sorted by partition."""
    return dict(sorted(released(rows, p.Metrics.PRIVACY_ID_COUNT, 1).items()))


def users_at_small_delta(rows, rng):
    """The same, at delta = 1e-5."""
    return dict(sorted(released(rows, p.Metrics.PRIVACY_ID_COUNT, 1, 1e-5).items()))


def visits(rows, rng):
    """Count rows, at most two of a user."""
    return dict(sorted(released(rows, p.Metrics.COUNT, 2).items()))
