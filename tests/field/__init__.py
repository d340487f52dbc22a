"""Bugs that users of privacy libraries reported in public, as small targets of our own, and right mechanisms."""
