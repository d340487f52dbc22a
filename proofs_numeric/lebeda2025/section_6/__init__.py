"""Section 6: aggregates of released counters, and a lower threshold."""
