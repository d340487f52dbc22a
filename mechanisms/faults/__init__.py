"""Planted faults, one a module: code that breaks a stated claim, with its exact delta on a named pair.

Every module has a constant `FAULT`. A fault whose exact delta does not exceed the claim at its own point, nor its
Renyi divergence the promised rho, is no fault: it belongs in `mechanisms.controls`, with the proof that it is neutral.
"""
