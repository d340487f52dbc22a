"""The Gaussian sparse histogram mechanism (wilkins2024 Algorithm 1)."""
