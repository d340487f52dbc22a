"""Reference mechanisms: what is audited, and what others compare against.

A family is a folder: `mechanism.py` holds the code and a `MECHANISM` constant, `law.py` its exact law, `accountant.py`
its float64 accountant, `faults.py` ways of getting it wrong and `controls.py` changes that look wrong and are not. A
fault whose exact delta does not exceed the claim at its own point, nor its Renyi divergence the promised rho, is no
fault but a control. Importing any of them registers nothing: discovery walks the package and reads the constants.
"""
