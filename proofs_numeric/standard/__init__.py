"""Statements of this project about the mechanisms that every library accounts for, one release and many.

Sensitivity is 1 unless it is a parameter. A delta here is the largest of both orders of the neighbours.
"""

PLACES = {
    "discrete_laplace": "one_release", "discrete_laplace.composition": "integer_composition",
    "discrete_gaussian": "one_release", "discrete_gaussian.composition": "integer_composition",
    "randomized_response": "one_release", "bounded_range": "one_release", "permute_and_flip": "one_release",
    "bounded_range.composition": "range_composition", "subsampled_gaussian": "one_release",
    "subsampled_gaussian.composition": "subsampled_composition", "composition.mixed": "mixed_composition",
    "zcdp": "composition", "gaussian": "composition", "central_limit": "subsampled_composition",
    "tree_aggregation": "prefix_sums", "banded_matrix": "prefix_sums", "laplace": "laplace_composition", "rdp": "renyi",
    "power": "trade_off", "power.laplace.composition": "trade_off_of_profile",
    "power.discrete_laplace.composition": "trade_off_of_profile",
    "power.discrete_gaussian.composition": "trade_off_of_profile", "power.composition": "trade_off_of_profile",
    "power.partition_selection": "trade_off_of_profile", "power.subsampled_gaussian": "trade_off_of_profile",
    "power.bounded_range.composition": "trade_off_of_profile", "advantage": "trade_off",
    "random_allocation.upper": "allocation_bracket",
}  # fmt: skip
"""Beginning of a claim's id -> its place in this folder, where the rule of `statements.places` says another."""
