"""Lemma 5.3: rows above the lower threshold are no worse than a Gaussian mechanism."""
