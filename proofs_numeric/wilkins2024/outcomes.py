"""Hockey sticks over any number of outcomes, and of rows at tau: what the lemmas say of them at every size.

``ratio`` is e^epsilon; of each outcome the steps are given its probabilities, so that sums over laws of mass one are
among those over any numbers.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from proofs_numeric.expression.vocabulary import *

RATIO = Parameter("ratio", "e^epsilon", open_lower=True, log=True)
SILENT = Parameter("silent", "probability that no row at tau appears", "probability", upper=1, open_lower=True)
ratio, silent, direct, other, hidden, hidden_q, appears = symbols("ratio silent direct other hidden hidden_q appears")
p, q, r, s, u, released, p_1, q_1, p_2, q_2, q_alone = symbols("p q r s u released p_1 q_1 p_2 q_2 q_alone")
whole, done, block, block_q, new = symbols("whole done block block_q new")


def excess(p: Expression | int, q: Expression | int, ratio: Expression = ratio) -> Expression:
    """``(p - ratio q)_+``: what an outcome adds to a hockey stick."""
    return maximum(0, p - ratio * q)


def _mass(*names: str, positive: bool = False) -> Box:
    return Box(tuple(Parameter(name, "of an outcome", "probability", open_lower=positive) for name in names))


def _state(*names: str) -> Box:
    return Box(tuple(Parameter(name, name, "probability", lower="-infinity") for name in names))


_less, _more = direct - other, other - direct


def equal_sums(masses: Box, first: Expression, second: Expression) -> Recurrence:
    """Two sums over outcomes are equal: neither is above the other."""
    step = {"direct": direct + first, "other": other + second}
    return Recurrence(_state("direct", "other"), masses, dict.fromkeys(step, zero), step, maximum(_less, _more), zero)


def of_sums(
    at: Mapping[str, Fraction], steps: Iterable[Mapping[str, Fraction]], first: Fraction, second: Fraction
) -> Instance:
    """Return a case whose two sums are these, as an instance of `equal_sums`."""
    apart, numbers = abs(first - second), {name: lift(value) for name, value in at.items()}
    return Instance(numbers, tuple(steps), apart, Fraction(0), {"direct": first, "other": second})


EQUAL = largest_of((_less, Steps()), (_more, Steps()))

# --- rows at tau ------------------------------------------------------------------------------------------------------


def _rows(apart: Expression, after: Expression) -> Recurrence:
    return Recurrence(
        state=Box((Parameter("silent", "no row appears", upper=1), *_state("appears").parameters)),
        inputs=Box((Parameter("hidden", "probability that a row does not appear", upper=1),)),
        start={"silent": one, "appears": zero}, step={"silent": silent * hidden, "appears": after},
        left=maximum(apart, -apart), right=zero,
    )  # fmt: skip


_appears_now = silent * (1 - hidden)
_forward = appears + excess(silent, 1) - (1 - silent)
"""What appears has infinite loss; silence has the probability ``silent`` with the user, one without."""
ROWS_FORWARD = _rows(_forward, appears + _appears_now)
"""Of any number of rows at tau, each hidden with a probability of its own: the hockey stick is ``1 - silent``."""
BY_ROWS_FORWARD = largest_of(
    (_forward, Steps(invariant=(appears, 1 - silent))), (-_forward, Steps(invariant=(1 - silent, appears)))
)  # fmt: skip
_backward = excess(lift(1), silent)
_both = appears + _backward - _backward
ROWS_BACKWARD = _rows(_both, appears + excess(0, _appears_now))
"""Without the user all is silence: what appears with the user adds nothing to ``(1 - ratio silent)_+``."""
BY_ROWS_BACKWARD = largest_of((_both, Steps()), (-_both, Steps()))

# --- rows at tau beside others ----------------------------------------------------------------------------------------

_MIXED = _mass("p", "q", "released")
MIXED_FORWARD = equal_sums(
    _MIXED,
    excess(silent * p, q) + excess(released, 0),
    (silent * p + released) - silent * p + silent * excess(p, q, ratio / silent),
)
"""P has ``silent p`` of an outcome of the rows above given silence, and ``released`` of one with a row at tau; Q has q.

The masses ``silent p + released`` add up to 1 and p does: ``1 - silent`` is what is left of them.
"""
MIXED_BACKWARD = equal_sums(_MIXED, excess(q, silent * p) + excess(0, released), excess(q, p, ratio * silent))
"""The same with P and Q exchanged."""

# --- products, withheld and merged outcomes ---------------------------------------------------------------------------

PRODUCT = equal_sums(
    Box((*_mass("p_1", positive=True).parameters, *_mass("q_1", "p_2", "q_2", "q_alone").parameters)),
    excess(p_1 * p_2, q_1 * q_2) + excess(0, q_alone * q_2),
    p_1 * excess(p_2, q_2, ratio * q_1 / p_1),
)
"""Pairs of outcomes, each with its probabilities, and ``q_alone`` of a first one that P_1 does not have."""

UNTOUCHED = equal_sums(
    Box((*_mass("p", "q").parameters, *_mass("u", positive=True).parameters)), excess(p * u, q * u), u * excess(p, q)
)
"""Pairs of an outcome and one, of probability u on both sides, of rows with one law: these add up to 1."""

WITHHELD = Recurrence(
    state=Box((*_state("direct", "released").parameters, *_mass("hidden", "hidden_q").parameters)),
    inputs=_mass("p", "q", "r", "s"), start=dict.fromkeys(("direct", "released", "hidden", "hidden_q"), zero),
    step={
        "direct": direct + (excess(p, q) + excess(r, s)), "released": released + excess(p, q), "hidden": hidden + r,
        "hidden_q": hidden_q + s,
    },
    left=direct - hidden - released - excess(hidden, hidden_q), right=zero,
)  # fmt: skip
"""Outcomes that stay, with p and q, and those of R, with r and s, shown as one symbol."""
BY_WITHHELD = Steps(invariant=(direct - released, hidden))

MERGED = Recurrence(
    state=Box((*_state("whole", "done").parameters, *_mass("block", "block_q").parameters)),
    inputs=Box((*_mass("p", "q").parameters, Parameter("new", "whether a block begins", upper=1, integer=True))),
    start=dict.fromkeys(("whole", "done", "block", "block_q"), zero),
    step={
        "whole": whole + excess(p, q), "done": done + new * excess(block, block_q), "block": (1 - new) * block + p,
        "block_q": (1 - new) * block_q + q,
    },
    left=done + excess(block, block_q) - whole, right=zero,
)  # fmt: skip
"""Outcomes block by block, each block merged into one."""
BY_MERGED = Steps(proof=Split("new", 0, Sign(), Sign()))
