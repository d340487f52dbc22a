"""Unknown-domain algorithms (rogers2024), one folder an algorithm."""
