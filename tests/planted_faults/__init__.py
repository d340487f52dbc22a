"""Mechanisms as plain files, right as they stand, each with lines that make it wrong."""
