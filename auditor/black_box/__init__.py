"""The black-box auditor: bets on releases of neighbours, with events that are learnt on the way.

Above `statistics` (tests and bounds) and `search` (where to look), which it joins; below whatever audits with it.
"""
