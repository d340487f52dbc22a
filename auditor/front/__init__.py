"""Doors to the auditor: the command line and its verbs, the Python API, notebooks."""
