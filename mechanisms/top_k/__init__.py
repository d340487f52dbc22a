"""The k largest counters released by the correlated stability histogram (lebeda2025 Algorithm 3)."""
