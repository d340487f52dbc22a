"""The auditor audited: null calibration, and broken auditors that it must catch."""
