"""The report: one model, one renderer a format. JSON is the report, everything else a view of it."""
