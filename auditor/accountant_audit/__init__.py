"""Audit of somebody's accountant: points to call it at, the judge of its answers, and libraries that are audited."""
