"""Lemma 7: histograms in a row, with fresh samples."""
