"""What a statement is: claims and their kinds, domains, neighbours, guarantees and verdicts."""
