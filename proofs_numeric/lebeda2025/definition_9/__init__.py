"""Definition 9: k-sparse monotonic histograms, and sketches that are."""
