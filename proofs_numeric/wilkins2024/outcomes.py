"""Hockey sticks over any number of outcomes, and of rows at tau: what the lemmas say of them at every size.

``ratio`` is e^epsilon; of each outcome the steps are given its probabilities, so that sums over laws of mass one are
among those over any numbers.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.expression import lift
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import Instance, Recurrence
from proofs_numeric.statements.tactics import Maximum, Part, Sign, Split, Steps

RATIO = Parameter("ratio", "e^epsilon", open_lower=True, log=True)
SILENT = Parameter("silent", "probability that no row at tau appears", "probability", upper=1, open_lower=True)


def excess(A: Arithmetic, p: Number, q: Number, ratio: Number) -> Any:
    """``(p - ratio q)_+``: what an outcome adds to a hockey stick."""
    return A.maximum(0, A.number(p) - A.number(ratio) * q)


def _mass(*names: str, positive: bool = False) -> Box:
    return Box(tuple(Parameter(name, "of an outcome", "probability", open_lower=positive) for name in names))


def _state(*names: str) -> Box:
    return Box(tuple(Parameter(name, name, "probability", lower="-infinity") for name in names))


def _added(name: str, term: Formula) -> Formula:
    return lambda A, **at: A.number(at[name]) + term(A, **at)


def _less(A: Arithmetic, *, direct: Number, other: Number, **_rest: Number) -> Any:
    return A.number(direct) - other


def _more(A: Arithmetic, *, direct: Number, other: Number, **_rest: Number) -> Any:
    return A.number(other) - direct


def _apart(A: Arithmetic, **at: Number) -> Any:
    return A.maximum(_less(A, **at), _more(A, **at))


def equal_sums(given: Box, direct: Formula, other: Formula) -> Recurrence:
    """Two sums over outcomes are equal: neither is above the other."""
    step = {"direct": _added("direct", direct), "other": _added("other", other)}
    return Recurrence(_state("direct", "other"), given, dict.fromkeys(step, zero), step, _apart, zero)


def of_sums(
    at: Mapping[str, Fraction], given: Iterable[Mapping[str, Fraction]], direct: Fraction, other: Fraction
) -> Instance:
    """Return a case whose two sums are these, as an instance of `equal_sums`."""
    apart, numbers = abs(direct - other), {name: lift(value) for name, value in at.items()}
    return Instance(numbers, tuple(given), apart, Fraction(0), {"direct": direct, "other": other})


EQUAL = Maximum((Part(_less, Steps()), Part(_more, Steps())))

# --- rows at tau ------------------------------------------------------------------------------------------------------


def _silent_after(A: Arithmetic, *, silent: Number, hidden: Number, **_rest: Number) -> Any:
    return A.number(silent) * hidden


def _appears_now(A: Arithmetic, *, silent: Number, hidden: Number) -> Any:
    return A.number(silent) * (1 - A.number(hidden))


def _appeared(A: Arithmetic, *, appears: Number, **_rest: Number) -> Any:
    return A.number(appears)


def _not_silent(A: Arithmetic, *, silent: Number, **_rest: Number) -> Any:
    return 1 - A.number(silent)


def _forward(A: Arithmetic, *, ratio: Number, silent: Number, appears: Number) -> Any:
    """What appears has infinite loss; silence has the probability ``silent`` with the user, one without."""
    return A.number(appears) + excess(A, silent, 1, ratio) - (1 - A.number(silent))


def _forward_reversed(A: Arithmetic, **at: Number) -> Any:
    return -_forward(A, **at)


def _backward(A: Arithmetic, *, ratio: Number, silent: Number) -> Any:
    return excess(A, 1, silent, ratio)


def _rows(left: Formula, right: Formula, appears: Formula) -> Recurrence:
    return Recurrence(
        state=Box((Parameter("silent", "no row appears", upper=1), *_state("appears").parameters)),
        given=Box((Parameter("hidden", "probability that a row does not appear", upper=1),)),
        start={"silent": one, "appears": zero},
        step={"silent": _silent_after, "appears": appears},
        left=left,
        right=right,
    )


ROWS_FORWARD = _rows(
    lambda A, **at: A.maximum(_forward(A, **at), _forward_reversed(A, **at)),
    zero,
    lambda A, *, appears, silent, hidden, **_rest: appears + _appears_now(A, silent=silent, hidden=hidden),
)
"""Of any number of rows at tau, each hidden with a probability of its own: the hockey stick is ``1 - silent``."""
BY_ROWS_FORWARD = Maximum(
    (
        Part(_forward, Steps(kept=(_appeared, _not_silent))),
        Part(_forward_reversed, Steps(kept=(_not_silent, _appeared))),
    )
)


def _both(A: Arithmetic, *, ratio: Number, silent: Number, appears: Number) -> Any:
    return A.number(appears) + _backward(A, ratio=ratio, silent=silent) - _backward(A, ratio=ratio, silent=silent)


ROWS_BACKWARD = _rows(
    lambda A, **at: A.maximum(_both(A, **at), -_both(A, **at)),
    zero,
    lambda A, *, ratio, appears, silent, hidden: (
        appears + excess(A, 0, _appears_now(A, silent=silent, hidden=hidden), ratio)
    ),
)
"""Without the user all is silence: what appears with the user adds nothing to ``(1 - ratio silent)_+``."""
BY_ROWS_BACKWARD = Maximum((Part(_both, Steps()), Part(lambda A, **at: -_both(A, **at), Steps())))

# --- rows at tau beside others ----------------------------------------------------------------------------------------

MIXED_FORWARD = equal_sums(
    _mass("p", "q", "shown"),
    lambda A, *, ratio, silent, p, q, shown, **_rest: excess(A, silent * p, q, ratio) + excess(A, shown, 0, ratio),
    lambda A, *, ratio, silent, p, q, shown, **_rest: (
        (silent * p + shown) - silent * A.number(p) + silent * excess(A, p, q, A.number(ratio) / silent)
    ),
)
"""P has ``silent p`` of an outcome of the rows above given silence, and ``shown`` of one with a row at tau; Q has q.

The masses ``silent p + shown`` add up to 1 and p does: ``1 - silent`` is what is left of them.
"""
MIXED_BACKWARD = equal_sums(
    _mass("p", "q", "shown"),
    lambda A, *, ratio, silent, p, q, shown, **_rest: excess(A, q, silent * p, ratio) + excess(A, 0, shown, ratio),
    lambda A, *, ratio, silent, p, q, **_rest: excess(A, q, p, A.number(ratio) * silent),
)
"""The same with P and Q exchanged."""

# --- products, withheld and merged outcomes ---------------------------------------------------------------------------

PRODUCT = equal_sums(
    Box((*_mass("p_1", positive=True).parameters, *_mass("q_1", "p_2", "q_2", "q_alone").parameters)),
    lambda A, *, ratio, p_1, q_1, p_2, q_2, q_alone, **_rest: (
        excess(A, p_1 * p_2, q_1 * q_2, ratio) + excess(A, 0, q_alone * q_2, ratio)
    ),
    lambda A, *, ratio, p_1, q_1, p_2, q_2, **_rest: p_1 * excess(A, p_2, q_2, A.number(ratio) * q_1 / p_1),
)
"""Pairs of outcomes, each with its probabilities, and ``q_alone`` of a first one that P_1 does not have."""

UNTOUCHED = equal_sums(
    Box((*_mass("p", "q").parameters, *_mass("u", positive=True).parameters)),
    lambda A, *, ratio, p, q, u, **_rest: excess(A, p * A.number(u), q * A.number(u), ratio),
    lambda A, *, ratio, p, q, u, **_rest: u * excess(A, p, q, ratio),
)
"""Pairs of an outcome and one, of probability u on both sides, of rows with one law: these add up to 1."""


def _withheld(A: Arithmetic, *, ratio: Number, direct: Number, hidden: Number, hidden_q: Number, shown: Number) -> Any:
    return A.number(direct) - hidden - shown - excess(A, hidden, hidden_q, ratio)


WITHHELD = Recurrence(
    state=Box((*_state("direct", "shown").parameters, *_mass("hidden", "hidden_q").parameters)),
    given=_mass("p", "q", "r", "s"),
    start=dict.fromkeys(("direct", "shown", "hidden", "hidden_q"), zero),
    step={
        "direct": _added(
            "direct", lambda A, *, ratio, p, q, r, s, **_rest: excess(A, p, q, ratio) + excess(A, r, s, ratio)
        ),
        "shown": _added("shown", lambda A, *, ratio, p, q, **_rest: excess(A, p, q, ratio)),
        "hidden": _added("hidden", lambda A, *, r, **_rest: A.number(r)),
        "hidden_q": _added("hidden_q", lambda A, *, s, **_rest: A.number(s)),
    },
    left=_withheld,
    right=zero,
)
"""Outcomes that stay, with p and q, and those of R, with r and s, shown as one symbol."""
BY_WITHHELD = Steps(
    kept=(lambda A, *, direct, shown, **_rest: A.number(direct) - shown, lambda A, *, hidden, **_rest: A.number(hidden))
)


def _merged(A: Arithmetic, *, ratio: Number, whole: Number, done: Number, block: Number, block_q: Number) -> Any:
    return A.number(done) + excess(A, block, block_q, ratio) - whole


def _block(name: str, mass: str) -> Formula:
    return lambda A, **at: (1 - A.number(at["new"])) * at[name] + at[mass]


MERGED = Recurrence(
    state=Box((*_state("whole", "done").parameters, *_mass("block", "block_q").parameters)),
    given=Box((*_mass("p", "q").parameters, Parameter("new", "whether a block begins", upper=1, integer=True))),
    start=dict.fromkeys(("whole", "done", "block", "block_q"), zero),
    step={
        "whole": _added("whole", lambda A, *, ratio, p, q, **_rest: excess(A, p, q, ratio)),
        "done": _added(
            "done", lambda A, *, ratio, new, block, block_q, **_rest: new * excess(A, block, block_q, ratio)
        ),
        "block": _block("block", "p"),
        "block_q": _block("block_q", "q"),
    },
    left=_merged,
    right=zero,
)
"""Outcomes block by block, each block merged into one."""
BY_MERGED = Steps(proof=Split("new", 0, Sign(), Sign()))
