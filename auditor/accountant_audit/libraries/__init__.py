"""Accountants as audit targets: ours, a mechanism a module, and those of others."""
