"""Reference mechanisms: what is audited, and what others compare against.

A mechanism is one module with one stem: `mechanisms/<stem>.py` holds the code, its worst-case pairs and a `MECHANISM`
constant; `<stem>_accountant.py` holds its float64 accountant; `faults/<name>.py` holds one way of getting it wrong and
`controls/<name>.py` one change that looks wrong and is not. Importing any of them registers nothing: discovery walks
the package and reads the constants.
"""
