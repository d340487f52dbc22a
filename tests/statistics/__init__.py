"""Shared mechanisms for the tests of the statistics, and those tests."""
