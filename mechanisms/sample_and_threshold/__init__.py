"""Sample-and-threshold (bharadwaj2022): one histogram, contacts, replacement, and what is built from several levels."""
