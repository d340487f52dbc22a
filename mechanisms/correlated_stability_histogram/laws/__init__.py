"""Exact laws of neighbours whose counters share noise near the threshold."""
