"""Theorem 2: the printed bound, the exact delta under both relations."""
