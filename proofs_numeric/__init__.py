"""Every claim of every paper as a numeric object, and the arithmetic that decides it."""
