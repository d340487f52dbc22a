"""Statements of this project about what other people's accountants compute: thresholds and calibration."""

PLACES = {
    "gaussian.integer": "integer", "gaussian.integer.pair": "integer_releases",
    "gaussian.integer.profile": "integer_profile", "gaussian.integer.releases": "integer_releases",
    "gaussian.integer.sums": "integer_sums", "gaussian.integer.two_ends": "integer_profile",
    "gaussian.integer.two_ends.grid": "two_ends", "gaussian.integer.two_ends.wide": "two_ends",
    "gaussian.real": "integer",
}  # fmt: skip
"""Beginning of a claim's id -> its place in this folder, where the rule of `statements.places` says another."""
