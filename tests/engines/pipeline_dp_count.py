"""PipelineDP's count of users with private partition selection, as it is, on this machine."""

import pipeline_dp as p


def release(rows, rng):
    """Count users at epsilon = 1, delta = 0.01; it draws its own noise."""
    accountant = p.NaiveBudgetAccountant(total_epsilon=1, total_delta=1e-2)
    engine = p.DPEngine(accountant, p.LocalBackend())
    metrics, noise = [p.Metrics.PRIVACY_ID_COUNT], p.NoiseKind.LAPLACE
    params = p.AggregateParams(metrics, noise, max_partitions_contributed=1, max_contributions_per_partition=1)
    user, key, value = (lambda row, i=i: row[i] for i in range(3))
    found = engine.aggregate(rows, params, p.DataExtractors(user, key, value))
    accountant.compute_budgets()
    return {partition: result.privacy_id_count for partition, result in found}
