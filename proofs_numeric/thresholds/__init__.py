"""Statements of this project about the pieces that other people's accountants compute: thresholds with discrete noise, Gaussian calibration."""
