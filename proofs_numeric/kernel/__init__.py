"""From a claim's own statement, by tactics, to closed goals: no other room says PROVED."""
