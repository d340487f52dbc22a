"""Lemma 19: the discrete correlated mechanism is zCDP."""
