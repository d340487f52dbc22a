"""The correlated stability histogram with discrete Gaussian noise (lebeda2025 Theorem 21)."""
