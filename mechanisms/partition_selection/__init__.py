"""Partition selection: keys are released with the largest private probabilities of their numbers of users."""
