"""Section 7: Theorem 7.1, the comparison with f-DP composition."""
