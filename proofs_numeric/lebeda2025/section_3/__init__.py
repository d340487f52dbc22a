"""Section 3 beyond its theorems: how the exact delta stands to its two unmixed pairs."""
