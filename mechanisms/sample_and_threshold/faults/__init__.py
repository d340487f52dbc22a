"""Faults of the family: what is shown, whom the sample tells of, levels that share something, accountants."""
