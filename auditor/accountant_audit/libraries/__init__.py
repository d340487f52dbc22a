"""Accountants of ours and of others as audit targets, one library a module."""
