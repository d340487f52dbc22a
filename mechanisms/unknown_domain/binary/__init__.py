"""Algorithm 5 of rogers2024: running counts of a stream over an unknown domain."""
