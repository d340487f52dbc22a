"""Algorithm 3 of rogers2024: top k by Gumbel noise over the k_bar largest counts."""
