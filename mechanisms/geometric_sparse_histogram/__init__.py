"""The sparse histogram with discrete Laplace (two-sided geometric) noise: whole counts in, whole counts out."""
