"""The sparse histogram with discrete Gaussian noise: whole counts in, whole counts out."""
