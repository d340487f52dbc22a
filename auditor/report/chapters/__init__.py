"""Chapters of the report beyond its findings, one file per subject; each module lists its ``SECTIONS``."""
