"""Algorithm 1 of rogers2024: positive counts above a threshold, with Gaussian or Laplace noise."""
