"""Weighted Gaussian set union: users spread the weight 1/sqrt(t) over their t keys."""
