"""Section 6: the case study, its printed numbers and its figures."""
