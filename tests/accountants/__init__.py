"""Tests of the accountant audit."""
