"""Claims of bharadwaj2022 (Bharadwaj and Cormode, sample-and-threshold differential privacy), by topic."""
