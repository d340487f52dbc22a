"""Draws of a target: tilted, explored for rare events, and traced to the source lines that make and use them.

Other modules of the audit import from here alone.
"""

from auditor.mechanism_audit.draws.coverage import coverage_of
from auditor.mechanism_audit.draws.explored import EXPLORATION_SHARE, UNPROVED, Explored, explore
from auditor.mechanism_audit.draws.gaussian_value import ASSUMPTION, gaussian_value_test, most_telling
from auditor.mechanism_audit.draws.observed import MORE_RELEASES, RELEASES
from auditor.mechanism_audit.draws.steered import (
    ALPHA_SHARE,
    RARE,
    SMALLEST,
    SteeredTest,
    UnsteeredError,
    result_of_test,
    steered_test,
)
from auditor.mechanism_audit.draws.suspect import Where, began_with, where

__all__ = [
    "ALPHA_SHARE",
    "ASSUMPTION",
    "EXPLORATION_SHARE",
    "MORE_RELEASES",
    "RARE",
    "RELEASES",
    "SMALLEST",
    "UNPROVED",
    "Explored",
    "SteeredTest",
    "UnsteeredError",
    "Where",
    "began_with",
    "coverage_of",
    "explore",
    "gaussian_value_test",
    "most_telling",
    "result_of_test",
    "steered_test",
    "where",
]
