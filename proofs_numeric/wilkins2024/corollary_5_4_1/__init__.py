"""Corollary 5.4.1: the exact delta lies between the larger of the two deltas and their sum."""
