"""Algorithm 2 of rogers2024: the largest counts above a noisy threshold."""
