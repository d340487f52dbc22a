"""Findings and evidence: the results of checks and audits, and the content of reports."""
