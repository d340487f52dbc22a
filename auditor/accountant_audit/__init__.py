"""Audit of accountants: points to call, the judge of answers, and adapters of libraries."""
