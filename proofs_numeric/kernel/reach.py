"""The kernel compares the pairs of laws of a privacy claim with its adjacency: what one user changes in a release.

Formulas are compared by SymPy over the claim's domain, the bounds of an adjacency too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from proofs_numeric.arithmetic.discrete_gaussian import withheld_loss
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import laplace_tail, log_normal_cdf
from proofs_numeric.kernel import expressions
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.recording import ExpressionError
from proofs_numeric.statements.adaptive import Budgets
from proofs_numeric.statements.adjacency import AddRemoveUser, Adjacency, EventLevel, ReplaceUser, SparseMonotone
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.gaussians import Streams, Tops
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.neighbours import Always, ByParameters
from proofs_numeric.statements.profiles import (
    AnyRows,
    BoundedRows,
    ConcentratedRows,
    Counts,
    Promised,
    Repeated,
    Samples,
    Shifted,
    SparseRows,
)
from proofs_numeric.statements.races import Lists, Picks
from proofs_numeric.statements.releases import Noisy, Sampled
from proofs_numeric.statements.shared import SharedCounters

Compared = Iterator[tuple[str, Formula, Formula | tuple[Formula, ...]]]
"""What a number is, the number of the claim's pairs, and that of the release, or formulas of it that are all equal."""


def check_reach(claim: Claim) -> None:
    """Check that the pairs of a privacy claim are those of its release under its adjacency.

    Raises:
        TacticError: the claim does not say what is released, or its pairs have another number, or the adjacency lets a
            user change another number of counts, by another amount or in another direction.

    """
    kind, privacy = claim.kind, claim.privacy
    if privacy is None or not isinstance(kind, DeltaBound) or (pairs_of_claim := kind.pairs or kind.budgets) is None:
        return
    release = privacy.release
    if release is None:
        raise TacticError("expected what is released of a histogram, got none; give Privacy(release=Noisy(scale, ...))")
    theorem = pairs_of_claim.theorem if isinstance(pairs_of_claim, Promised) else pairs_of_claim
    at = dict(pairs_of_claim.at) if isinstance(pairs_of_claim, Promised) else {}
    box = _with_others(claim.domain, theorem, at)
    reader = _Reader(release)
    for what, ours, theirs in _compared(theorem, reader):
        _require_equal(what, _at(ours, at), theirs, box)
    _check_the_rest(reader, box)
    if isinstance(theorem, AnyRows) and isinstance(release, Noisy):  # of which one user changes at most so many
        release = replace(release, keys=theorem.most)
    _check_adjacency(claim.domain, privacy.adjacency, release, _allowed(theorem))


def check_promise(claim: Claim) -> None:
    """Check that the concentrated privacy that a claim promises is that of its pairs.

    Raises:
        TacticError: another delta or rho, or pairs that have none.

    """
    promise, kind = claim.promise, claim.kind
    if promise is None or not isinstance(kind, DeltaBound) or kind.pairs is None:
        return
    pairs = kind.pairs
    delta, rho = (lambda A, part=part, **at: promise(A, **at)[part] for part in (0, 1))
    losses: tuple[Formula, ...]
    if isinstance(pairs, Promised):
        lost, box = _at(pairs.theorem.delta, pairs.at), _with_others(claim.domain, pairs.theorem, pairs.at)
        losses = lost, lambda A, **at: A.minimum(1, lost(A, **at))
        allowed = _at(pairs.theorem.rho, pairs.at)
    elif isinstance(pairs, Shifted):  # of Laplace noise that of its pure epsilon
        losses, box, square = (zero,), claim.domain, _squared_shift(pairs)
        allowed = lambda A, **at: square(A, **at) / 2  # noqa: E731 - a formula
    else:
        raise TacticError(f"expected pairs with a rho behind a promise, got {type(pairs).__name__}")
    for what, ours, theirs in (("delta", delta, losses), ("rho", rho, allowed)):
        _require_equal(f"{what} promised", ours, theirs, box)


class _Reader:
    """A release that records which of its fields the comparison with the pairs reads."""

    def __init__(self, release: Noisy | Sampled) -> None:
        self.release = release
        self.read = {"keys", "reverse"}  # the adjacency has the number of counts; pairs of both orders have each

    def __getattr__(self, name: str) -> Any:
        self.read.add(name)
        return getattr(self.release, name)


def _check_the_rest(reader: _Reader, box: Box) -> None:
    """Check that what the comparison did not read is as in a plain release: the pairs know of nothing else."""
    for part in fields(reader.release):
        value = getattr(reader.release, part.name)
        if part.name in reader.read or value is part.default:
            continue
        if not (callable(value) and callable(part.default)):
            raise TacticError(f"expected pairs that depend on the {part.name} of the release, got others: {value!r}")
        _require_equal(part.name, part.default, value, box)


_SCORE = Parameter("score", "of an item", lower="-infinity")


def _with_others(domain: Box, theorem: Any, at: Mapping[str, Formula]) -> Box:
    """The claim's parameters, with the theorem's others, which may be any, and the score of an item of a race."""
    parameters_of = theorem.race.box if isinstance(theorem, Lists) else getattr(theorem, "box", Box())
    others = [one for one in parameters_of.parameters if one.name not in (*domain.names, *at, "alpha")]
    more = [_SCORE] if isinstance(theorem, Lists) else []
    if isinstance(theorem, AnyRows):
        more = [Parameter(theorem.number, "of the user", lower=1, integer=True)]
    return Box((*domain.parameters, *others, *more))


def _at(formula: Formula, at: Mapping[str, Formula]) -> Formula:
    """The formula with some of its parameters given by formulas."""
    return lambda A, **rest: formula(A, **{**rest, **{name: one(A, **rest) for name, one in at.items()}})


def _require_equal(what: str, ours: Formula, theirs: Formula | tuple[Formula, ...], box: Box) -> None:
    written = theirs if isinstance(theirs, tuple) else (theirs,)
    try:
        left = [expressions.build(ours, box)[0] - expressions.build(one, box)[0] for one in written]
    except ExpressionError as error:
        raise TacticError(f"the {what} of the pairs: {error}") from error
    if 0 not in left and not expressions.vanishes(left[0]):
        raise TacticError(f"expected the {what} that the release has under the adjacency; SymPy leaves {left[0]}")


def _compared(pairs: Any, reader: _Reader) -> Compared:
    """The numbers of the pairs, each with that of the release."""
    kind = type(reader.release)
    if isinstance(pairs, Counts | Samples | Repeated) is not (kind is Sampled):
        raise TacticError(f"expected pairs of what is released, got {type(pairs).__name__} of {kind.__name__}")
    numbers = _NUMBERS.get(type(pairs))
    if numbers is None:
        raise TacticError(f"expected pairs of a release under an adjacency, got {type(pairs).__name__}")
    return numbers(pairs, reader)


def _of_sample(pairs: Counts | Samples | Repeated, release: Sampled) -> Compared:
    each = pairs.each if isinstance(pairs, Repeated) else pairs
    levels = pairs.count if isinstance(pairs, Repeated) else ""
    _require(levels == release.levels, f"as many samples as {release.levels or 'one'}")
    yield "threshold", each.threshold, release.threshold
    if isinstance(each, Counts):
        _require(each.copies is None and not each.reverse, "any count, either way round")
        yield "rate", each.rate, _require_formula(release.rate, "rate")
    else:
        yield "size of the sample", each.size, _require_formula(release.size, "size")
        yield "number of clients", each.clients, _require_formula(release.clients, "clients")


def _of_rows(pairs: SparseRows | BoundedRows, release: Noisy) -> Compared:
    _require(release.shared is None, "noise of each row's own")
    yield "number of rows", pairs.rows, _product(release.releases, _require_formula(release.keys, "keys"))
    yield "loss of a row", pairs.loss, (_loss(release), _loss(release, of_tail=True))  # SymPy equates no two of them
    if isinstance(pairs, BoundedRows):
        _require(release.laplace, "Laplace noise")
        _require(pairs.reverse is release.reverse, "the same orders")
        yield "largest loss of a shared row", pairs.largest, _ratio(release.change, release.scale)
        return
    _require(not release.reverse, "both orders")
    _require((pairs.steps is not None) is release.whole, "noise on the integers on both sides or on neither")
    if pairs.steps is not None:
        yield "steps of a row", pairs.steps, release.change
    if release.whole and not release.laplace:
        yield "noise of a row", _require_formula(pairs.sigma, "sigma"), release.scale
        yield "distance beside a row", zero, release.beside
    elif release.laplace:
        yield "shift of a row", _require_formula(pairs.shift, "shift"), _ratio(release.change, release.scale)
    else:
        yield "squared distance of a row", _require_formula(pairs.square, "square"), _square(release)


def _of_counters(pairs: SharedCounters, release: Noisy) -> Compared:
    _require(not (release.laplace or pairs.reverse or pairs.direction) and pairs.pair is None, "any pair, either way")
    yield "noise of a counter", pairs.scale, release.scale
    yield "share of the noise", pairs.ratio, _require_formula(release.shared, "shared")
    yield "squared distance beside a counter", pairs.beside, _squared(release.beside)
    yield "number of releases", pairs.releases, release.releases
    _require((pairs.gap is None) is (release.margin is None), "a threshold on both sides or on neither")
    if pairs.gap is not None:
        yield "gap", pairs.gap, _require_formula(release.margin, "margin")
    if pairs.reduced is None:
        yield (
            "number of counters",
            parameter_named(pairs.most or pairs.counters),
            _require_formula(release.keys, "keys"),
        )
    yield "change of a counter", one, release.change


def _of_budgets(pairs: Budgets, release: Noisy) -> Compared:
    _require(not (release.laplace or release.whole) and release.shared is None, "normal noise of each row's own")
    rows = _product(release.releases, _require_formula(release.keys, "keys"))
    yield "loss of all rows", pairs.loss, _product(rows, _loss(release))
    yield "squared distance of all rows", pairs.square, _product(rows, _square(release))


def _of_shift(pairs: Shifted, release: Noisy) -> Compared:
    _require(pairs.edge is None and release.margin is None and release.shared is None, "counts that are all shown")
    _require(pairs.laplace is release.laplace, "noise of one kind")
    square = _product(release.releases, _require_formula(release.keys, "keys"), _change_squared(release))
    yield "squared distance", _squared_shift(pairs), square
    if pairs.laplace:  # the l1-distance of more counts is none of the squared one
        yield "number of counts", one, _product(release.releases, _require_formula(release.keys, "keys"))


def _of_top(pairs: Tops, release: Noisy) -> Compared:
    _require(not release.laplace and release.shared is None, "normal noise of each count's own")
    yield "change of a count", _ratio(pairs.relabelled.fall, pairs.noise), _ratio(release.change, release.scale)
    yield "number of counts", parameter_named(pairs.relabelled.items), _require_formula(release.keys, "keys")


def _of_stream(pairs: Streams, release: Noisy) -> Compared:
    _require(not release.laplace and release.shared is None, "normal noise of each cell's own")
    yield "change of a cell", _ratio(one, pairs.noise), _ratio(release.change, release.scale)
    yield "number of items", parameter_named(pairs.items), _require_formula(release.keys, "keys")


def _of_picks(pairs: Picks, release: Noisy) -> Compared:
    yield "width of a pick", pairs.width, _ratio(release.change, release.scale)
    yield "number of picks", parameter_named(pairs.picks), release.releases


def _of_lists(pairs: Lists, release: Noisy) -> Compared:
    yield "growth of an item's rate with its count", _growth(pairs), _exp(_ratio(release.change, release.scale))


_NUMBERS: Mapping[type, Callable[[Any, Any], Compared]] = {
    Counts: _of_sample,
    Samples: _of_sample,
    Repeated: _of_sample,
    SparseRows: _of_rows,
    AnyRows: lambda pairs, release: _of_rows(pairs.each, release),
    BoundedRows: _of_rows,
    ConcentratedRows: lambda pairs, release: _of_rows(pairs.rows, release),
    Budgets: _of_budgets,
    Shifted: _of_shift,
    SharedCounters: _of_counters,
    Tops: _of_top,
    Streams: _of_stream,
    Picks: _of_picks,
    Lists: _of_lists,
}


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise TacticError(f"expected {what} of the pairs and of the release")


def _require_formula(formula: Formula | None, name: str) -> Formula:
    if formula is None:
        raise TacticError(f"expected the {name} of the pairs and of the release, got none")
    return formula


# --- the numbers of a release -----------------------------------------------------------------------------------------


def _loss(release: Noisy, *, of_tail: bool = False) -> Formula:
    """``-log P[noise <= margin]``: a row that only one user has is not shown."""
    margin = _require_formula(release.margin, "margin")

    def loss(A: Any, **at: Any) -> Any:
        place = A.number(margin(A, **at)) / release.scale(A, **at)
        if not release.laplace and release.whole:
            return withheld_loss(A, release.scale(A, **at), margin(A, **at))
        if not release.laplace:
            return -log_normal_cdf(A, place)
        if not release.whole:
            if of_tail:
                return -A.log1p(-laplace_tail(A, place))
            return -A.minimum(0, place) - A.log1p(-A.exp(-A.maximum(0, place)) / 2)
        # On the integers what is at the threshold is shown.
        whole, scale = A.number(margin(A, **at)), A.number(release.scale(A, **at))
        tail = A.exp(-A.maximum(1, whole) / scale) / (1 + A.exp(-1 / scale))
        return A.maximum(0, 1 - whole) / scale - A.log1p(-tail)

    return loss


def _square(release: Noisy) -> Formula:
    return lambda A, **at: _change_squared(release)(A, **at) + A.number(release.beside(A, **at)) ** 2


def _change_squared(release: Noisy) -> Formula:
    return _squared(_ratio(release.change, release.scale))


def _squared(formula: Formula) -> Formula:
    return lambda A, **at: A.number(formula(A, **at)) ** 2


def _ratio(above: Formula, below: Formula) -> Formula:
    return lambda A, **at: A.number(above(A, **at)) / below(A, **at)


def _product(*formulas: Formula) -> Formula:
    return lambda A, **at: math.prod((A.number(one(A, **at)) for one in formulas), start=A.number(1))


def _squared_shift(pairs: Shifted) -> Formula:
    return lambda A, **at: ((A.number(pairs.first(A, **at)) - pairs.second(A, **at)) / pairs.scale(A, **at)) ** 2


def _growth(pairs: Lists) -> Formula:
    """The factor by which one count more raises the rate."""
    rate = pairs.race.rate
    return lambda A, *, score, **at: rate(A, score=A.number(score) + 1, **at) / rate(A, score=score, **at)


def _exp(formula: Formula) -> Formula:
    return lambda A, **at: A.exp(formula(A, **at))


# --- the adjacency ----------------------------------------------------------------------------------------------------


def _allowed(pairs: Any) -> tuple[type[Adjacency], ...]:
    """The adjacencies that the pairs may be of."""
    if isinstance(pairs, Streams):
        return (EventLevel,)
    if isinstance(pairs, Samples):
        return (ReplaceUser,) if pairs.replaced else (AddRemoveUser,)
    if isinstance(pairs, SharedCounters) and pairs.gap is not None and pairs.reduced is None:
        return (SparseMonotone,)
    return (AddRemoveUser, SparseMonotone)


def _check_adjacency(
    box: Box,
    adjacency: Callable[[Mapping[str, Any]], Adjacency],
    release: Noisy | Sampled,
    allowed: tuple[type[Adjacency], ...],
) -> None:
    readable: Always | ByParameters
    if type(adjacency) is Always:
        readable, kind = adjacency, type(adjacency.value)
    elif type(adjacency) is ByParameters:
        readable, kind = adjacency, adjacency.kind
    else:
        raise TacticError(
            f"expected an adjacency that can be read, got code: {adjacency}; give "
            'Always(AddRemoveUser(1)) or, of parameters by name, ByParameters(AddRemoveUser, {"c_u": "c_u"})'
        )
    if kind not in allowed:
        expected = " or ".join(sorted(one.__name__ for one in allowed))
        raise TacticError(f"expected the pairs of {expected}, got {kind.__name__}")
    keys, change = (release.keys, release.change) if isinstance(release, Noisy) else (one, one)
    _require_equal("largest change of a count", lambda A, **at: A.number(readable.at(at).per_key), change, box)
    if keys is None:
        return
    both = keys if kind is not ReplaceUser else lambda A, **at: 2 * A.number(keys(A, **at))  # of either user
    _require_equal("number of counts a user changes", lambda A, **at: A.number(readable.at(at).most_changed), both, box)
