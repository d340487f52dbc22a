"""The parameters that the claims of the paper share, with their domains."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022 import neighbours
from proofs_numeric.bharadwaj2022.cells import NOTATION
from proofs_numeric.expression import claim
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, Source
from proofs_numeric.statements.kinds import Kind
from proofs_numeric.statements.verdict import Expectation

PAPER = "bharadwaj2022"

EPSILON = Parameter(
    "epsilon", "privacy-loss level at which delta is evaluated", unit="nats", lower="1e-4", upper=20, log=True
)
EPSILON_TO_ONE = replace(EPSILON, upper=1)
ALPHA = Parameter(
    "alpha", "sampling rate over its largest value, p = alpha (1 - e^-epsilon)", lower="1e-3", upper=1, log=True
)
TAU = Parameter("tau", "a cell is reported iff its sampled count is >= tau", unit="clients", lower=1, upper=1000,
                integer=True, log=True)  # fmt: skip
TAU_SMALL = replace(TAU, upper=40)
P = Parameter("p", "sampling probability of a client", unit="probability", lower=0, upper=1, open_lower=True,
              open_upper=True)  # fmt: skip
P_S = replace(P, name="p_s", description="sampling probability m / n of a client")
K = Parameter("k", "clients that hold the item", unit="clients", lower=1, upper=400, integer=True, log=True)
K_A = replace(K, name="ka", description="clients that hold the item that loses one", upper=2000)
K_B = replace(K, name="kb", description="clients that hold the item that gains one", lower=0, upper=4000, log=False)
Q = replace(P, name="q", description="rate above which a count is bad, 1 - e^-epsilon (1 - p)")
ANY_K = replace(K, upper="infinity", log=False)
ANY_TAU = replace(TAU, upper="infinity", log=False)

PROBABILITY: dict[str, Any] = {"quantity": QuantityKind.PROBABILITY}
"""What a claim about a probability says beside its formulas."""
DELTA_UPPER: dict[str, Any] = {"quantity": QuantityKind.DELTA, "role": Role.UPPER, "privacy": neighbours.ITEM}
"""What a claim that bounds the delta of one histogram says beside its formula."""
EPSILON_ALPHA = Box((EPSILON, ALPHA))
EPSILON_ALPHA_TAU = Box((EPSILON, ALPHA, TAU))
DEFAULT: dict[str, Value] = {"epsilon": 1, "alpha": "1/6", "tau": 20}
"""The setting of the paper's experiments (P1)."""
VISIBLE: dict[str, Value] = {"epsilon": 1, "alpha": "1/2", "tau": 5}
"""A setting whose delta sampling can see (P2)."""
SETTINGS: tuple[dict[str, Value], ...] = (
    DEFAULT,
    VISIBLE,
    {"epsilon": "1/2", "alpha": 1, "tau": 5},
    {"epsilon": "1/10", "alpha": "1/6", "tau": 20},
)


def printed(locator: str, equation: str = "", *, reconstruction: bool = False) -> Source:
    """A place in the paper; ``reconstruction`` where the text lost the formula."""
    return Source(PAPER, locator, equation, reconstruction=reconstruction)


def ours(locator: str) -> Source:
    """A statement of this project about the paper's mechanism."""
    return Source(PAPER, locator, ours=True)


def stated(row: str, locator: str, title: str, statement: str | None, kind: Kind, **more: Any) -> Claim:
    """A claim of the paper, as printed or as repaired; a ``statement`` of None is printed from the kind's formulas."""
    return claim(f"{PAPER}.{row}", printed(locator), title, statement, kind, notation=NOTATION, **more)


def refuted(row: str, locator: str, title: str, statement: str | None, kind: Kind, *, by: str, **more: Any) -> Claim:
    """A claim that is false as printed; ``by`` is the row that corrects it."""
    more = {"expected": Expectation.REFUTED, "corrected_by": f"{PAPER}.{by}", **more}
    return stated(row, locator, title, statement, kind, **more)


def own(row: str, locator: str, title: str, statement: str | None, kind: Kind, **more: Any) -> Claim:
    """A claim of this project."""
    return claim(f"{PAPER}.{row}", ours(locator), title, statement, kind, notation=NOTATION, **more)


def uncheckable(row: str, locator: str, title: str, statement: str, kind: Kind, **more: Any) -> Claim:
    """A remark or misprint with nothing to evaluate."""
    return stated(row, locator, title, statement, kind, expected=Expectation.NOT_CHECKABLE, **more)


CASES = {"quick": 6, "standard": 9, "deep": 14}
"""Sizes of the finite statements."""
