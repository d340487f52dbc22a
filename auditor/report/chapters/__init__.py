"""Chapters of the report beyond its findings, one file a subject; each module lists its ``SECTIONS``."""
