"""OpenDP's thresholds on counts of users, as they are, of integers and of reals; the noise is its own."""

import opendp.prelude as dp

dp.enable_features("contrib")


def space(metric, number):
    """Describe counts by key, of one type."""
    kind = {} if number is int else {"nan": False}
    return dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=number, **kind)), metric(
        dp.absolute_distance(T=number)
    )


def releases(make, metric, number, threshold=4):
    """Return the mechanism at scale 1."""
    measurement = make(*space(metric, number), scale=1.0, threshold=number(threshold))
    return lambda histogram, _rng: measurement({key: number(count) for key, count in histogram.items()})


laplace_integers = releases(dp.m.make_laplace_threshold, dp.l01inf_distance, int)
laplace_reals = releases(dp.m.make_laplace_threshold, dp.l01inf_distance, float)
gaussian_integers = releases(dp.m.make_gaussian_threshold, dp.l02inf_distance, int)
gaussian_reals = releases(dp.m.make_gaussian_threshold, dp.l02inf_distance, float)
high_integers = releases(dp.m.make_laplace_threshold, dp.l01inf_distance, int, 12)
high_reals = releases(dp.m.make_laplace_threshold, dp.l01inf_distance, float, 11.9)
