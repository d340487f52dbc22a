"""Algorithm 1 with one thing wrong: each fault breaks Theorem 5.4 by its exact delta on a named pair."""
