"""Code of others: a process of its own, the protocol it is spoken to in, and its limits."""
