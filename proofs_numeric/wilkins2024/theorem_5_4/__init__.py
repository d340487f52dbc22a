"""Theorem 5.4: the exact delta, its value in constant time, its shape, and its calibrations."""
