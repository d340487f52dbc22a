"""Lemma 3: the bound whatever epsilon, the steps of its proof, and Lemma 3' for larger rates."""
