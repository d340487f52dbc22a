"""The exact delta of the correlated stability histogram, which the paper leaves open (Section 8)."""
