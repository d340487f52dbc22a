"""A Misra-Gries sketch released by the correlated stability histogram (lebeda2025 Section 4)."""
