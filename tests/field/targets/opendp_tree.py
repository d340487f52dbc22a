"""OpenDP's own b-ary tree of counts, with its own discrete Laplace noise. Its map promises epsilon 1."""

import opendp.prelude as dp

dp.enable_features("contrib")
LEAVES = ("q1", "q2")


def noisy_tree(kind):
    """Build the measurement: tree of two leaves, noise of scale 2."""
    counts = dp.vector_domain(dp.atom_domain(T=kind), size=len(LEAVES))
    tree = dp.t.make_b_ary_tree(counts, dp.l1_distance(T=kind), leaf_count=len(LEAVES), branching_factor=2)
    return tree >> dp.m.make_laplace(tree.output_domain, tree.output_metric, scale=2.0)


IN_32_BITS, IN_64_BITS = noisy_tree("i32"), noisy_tree("i64")


def wrong(histogram, rng):
    """Count in 32 bits: leaves saturate, inner nodes wrap around."""
    return IN_32_BITS([min(histogram.get(leaf, 0), 2**31 - 1) for leaf in LEAVES])


def right(histogram, rng):
    """Count in 64 bits, with leaves far from their end."""
    return IN_64_BITS([min(histogram.get(leaf, 0), 2**40) for leaf in LEAVES])
