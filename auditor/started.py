"""When this process began to import the suite: what is written to its files later is not what the process runs."""

import time

STARTED = time.time()
"""Seconds since the epoch."""
