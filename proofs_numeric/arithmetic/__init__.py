"""The number systems in which every formula is evaluated.

``Float64`` is NumPy (vectorised; curves and searches), ``MpReal`` is mpmath (the value shown to people), ``Ball`` is
Arb (a rigorous enclosure; the only arithmetic verdicts rest on), ``Rational`` is Python's fractions.  SymPy
(``symbolic``) and mpmath's intervals (``interval``) are imported where they are used: both are slow to load.
"""

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Exact, Infinity, Number, exact
from proofs_numeric.arithmetic.ball import Ball, ComplexBall
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.mpreal import MpReal
from proofs_numeric.arithmetic.rational import IrrationalError, Rational

__all__ = [
    "Arithmetic", "Ball", "ComplexBall", "Exact", "Float64", "Infinity", "IrrationalError", "MpReal", "Number",
    "Rational", "exact",
]  # fmt: skip
