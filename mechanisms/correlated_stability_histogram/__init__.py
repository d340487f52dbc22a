"""The correlated stability histogram (lebeda2025 Algorithm 2), plain and with aggregates."""
