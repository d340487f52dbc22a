"""Algorithm 4 of rogers2024: many top-k queries, paid by what they return."""
