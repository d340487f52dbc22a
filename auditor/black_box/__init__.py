"""The black-box auditor: bets on releases of neighbours, on events learnt from earlier releases.

It combines `statistics` (tests and bounds) with `search` (events); every audit builds on it.
"""
