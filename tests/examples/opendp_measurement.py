"""An OpenDP measurement: `auditor mechanism opendp_measurement.py:release --epsilon 1 --delta 0.0049`."""

import opendp.prelude as dp

dp.enable_features("contrib")
space = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)), dp.l01inf_distance(dp.absolute_distance(T=int))
measurement = dp.m.make_laplace_threshold(*space, scale=1.0, threshold=5)


def release(histogram, rng):
    """One release; OpenDP draws its own noise, and the report says that rng is ignored."""
    return measurement(histogram)
