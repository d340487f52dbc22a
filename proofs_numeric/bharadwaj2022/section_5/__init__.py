"""Section 5: what can be decided of the experiments without running them."""
