"""Tests and bounds that hold at every sample size: the only part that spends false-alarm probability."""
