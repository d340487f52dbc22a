"""One false-alarm probability for a whole run.

Each family of sampling tests has a fixed share of the run's alpha, split evenly over the family's registered units.
The registry fixes the number of units, so a selection of fewer tests does not raise their levels. Plug-ins have a
separate share. By Bonferroni the probability that sampling refutes any correct subject is at most alpha, for every
dependence between tests.
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
    """Return the level of one unit's test: an even share of the family's share of ``alpha``."""
    if units < 1:
        raise ValueError(f"expected at least one registered unit in family {family!r}, got {units}")
    return alpha * SHARES[family] / units
