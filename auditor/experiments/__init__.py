"""Experiments of the papers, re-run: populations, curves and measures as data, one file a paper's ``EXPERIMENTS``."""
