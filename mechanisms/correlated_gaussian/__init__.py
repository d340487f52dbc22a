"""Correlated Gaussian noise on k counters that are all released (lebeda2025 Lemma 8)."""
