"""Notebooks as data, one story a file; each module lists its ``NOTEBOOKS``."""
