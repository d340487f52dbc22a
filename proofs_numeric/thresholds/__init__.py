"""Statements of this project about what other people's accountants compute: thresholds and calibration."""
