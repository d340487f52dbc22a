"""Tests and bounds that hold at every sample size; no other package spends false-alarm probability."""
