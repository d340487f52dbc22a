"""Targets of `auditor mechanism` as users write them: a function, a library's measurement, an engine with state."""
