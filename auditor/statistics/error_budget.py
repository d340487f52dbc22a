"""One false-alarm probability for a whole run.

Each family of sampling tests owns a fixed share of the run's alpha, split evenly over the family's registered units.
The number of units is the registry's, not the selection's: running less never makes a test more eager, and plug-ins
draw on a share of their own.  By Bonferroni the probability that any correct subject is refuted by sampling is at
most alpha, whatever the dependence between tests.
"""

from collections.abc import Mapping
from fractions import Fraction

SHARES: Mapping[str, Fraction] = {
    "mechanisms": Fraction(35, 100),
    "controls": Fraction(25, 100),
    "faults": Fraction(15, 100),
    "laws": Fraction(10, 100),
    "accountants": Fraction(5, 100),
    "plugins": Fraction(10, 100),
}


def level(alpha: Fraction, family: str, units: int) -> Fraction:
    """Level of one unit's test: its even share of the family's share of ``alpha``."""
    if units < 1:
        raise ValueError(f"expected at least one registered unit in family {family!r}, got {units}")
    return alpha * SHARES[family] / units
