"""The line that a refutation points at: the draws of both neighbours, held against slices of the source.

Ranked, the first that applies: a scale that depends on the data; a number called epsilon or delta above the claimed
one; a scale that is too small for counts; a decision on exact data; a threshold, where a new key gave itself away; a
factor of noise that was drawn well; the line that draws. A hint, no verdict.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.mechanism_audit.draws import Drawn, drawn, least_scale, lines, short
from auditor.mechanism_audit.slices import Part, Source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.mechanism_audit.steered import SteeredTest
    from proofs_numeric.statements.neighbours import Neighbours

DECIDED_BY_NOISE = 0.9
"""Probability of a new key's release below which noise plays a part in it."""
_EPSILON, _DELTA = (
    re.compile(r"(^|_)eps(ilon)?(_|\d|$)", re.IGNORECASE),
    re.compile(r"(^|_)delta(_|\d|$)", re.IGNORECASE),
)


@dataclass(frozen=True)
class Refuted:
    """What was refuted, as far as it points at a line.

    Attributes:
        epsilon: claimed.
        delta: claimed.
        new_key: probability with which a key that the neighbour lacks gives itself away; None where it is not that.
        c_u: most keys that one user changes, by 1 each.

    """

    epsilon: float
    delta: float
    new_key: float | None
    c_u: int


@dataclass(frozen=True)
class Place:
    """One draw of the source, and what the log says of it."""

    path: str
    line: int
    method: str
    drawn: Drawn
    source: Source
    call: Part | None

    @property
    def factor(self) -> Part | None:
        """What it is multiplied with where it is drawn."""
        return None if self.call is None else self.source.factor(self.call)

    @property
    def scale(self) -> Part | None:
        """The expression of its scale, a factor or an argument; None where neither is seen."""
        return self.factor or (None if self.call is None else self.source.scale(self.call, self.method))

    def at(self, part: Part) -> str:
        """Return path:line of an expression."""
        return f"{self.path}:{part.node.lineno}"


Rule = Callable[[list[Place], Refuted], Iterator[tuple[str, str]]]


def places(found: Mapping[tuple[str, str], Drawn]) -> list[Place]:
    """Return the draws whose source can be read, in the order of the target."""
    sources: dict[str, Source | None] = {}
    told = []
    for (site, method), each in found.items():
        path, _, line = site.rpartition(":")
        if path not in sources:
            sources[path] = Source.read(path)
        source = sources[path]
        if source is not None:
            told.append(Place(path, int(line), method, each, source, source.draw(int(line), method)))
    return told


def suspect(drawn: list[Place], refuted: Refuted) -> tuple[str, str] | None:
    """Return the line (path:line) that is suspected, and why; None where no source can be read."""
    rare = refuted.new_key is not None and refuted.new_key < DECIDED_BY_NOISE
    ranked = (_threshold, _too_small, _exact) if rare else (_too_small, _exact, _threshold)
    rules: tuple[Rule, ...] = (_of_the_data, _above_the_claim, *ranked, _factor)
    for rule in rules:
        told = next(rule(drawn, refuted), None)
        if told is not None:
            return told
    return next(((f"{place.path}:{place.line}", f"draws {place.method}") for place in drawn), None)


def _of_the_data(drawn: list[Place], _refuted: Refuted) -> Iterator[tuple[str, str]]:
    for place in drawn:
        left, right = place.drawn.scales
        if any(right.get(name, values) != values for name, values in left.items() if name == "scale"):
            scale = None if place.scale is None else place.source.origin(place.scale)
            yield (
                f"{place.path}:{place.line}" if scale is None else place.at(scale),
                f"the scale of {place.method} depends on the data",
            )


def _above_the_claim(drawn: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Numbers of these names that a scale or a threshold rests on."""
    for place in drawn:
        parts = [part for part in (place.scale, *(other for _compare, other in _compared(place))) if part is not None]
        for part in parts:
            for variable, values in place.source.slice(part).items():
                for name, claimed in ((_EPSILON, refuted.epsilon), (_DELTA, refuted.delta)):
                    for value in values if name.search(variable.name) else ():
                        match value.node:
                            case ast.Constant(value=int() | float() as number) if 0 < claimed < number * (1 - 1e-9):
                                yield place.at(value), f"{variable.name} is {number:g}, where {claimed:g} is claimed"


def _compared(place: Place) -> Iterator[tuple[Part, Part]]:
    """Yield comparisons of what is drawn with something else: (comparison, the other side)."""
    if place.call is None:
        return
    noisy = place.source.made_of(nodes=[place.call.node])
    for compare, scope in place.source.comparisons:
        sides = [Part(node, scope) for node in (compare.left, *compare.comparators)]
        others = [side for side in sides if not noisy(side)]
        if len(others) == 1:
            yield Part(compare, scope), others[0]


def _too_small(drawn: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    for place in drawn:
        wanted = least_scale(place.method, refuted.epsilon, refuted.delta, refuted.c_u)
        values = place.drawn.values("p" if place.method == "geometric" else "scale", place.method)
        if wanted is None or len(values) != 1 or place.factor is not None:
            continue
        (scale,) = values
        if scale > wanted if place.method == "geometric" else scale < wanted:
            origin = None if place.scale is None else place.source.origin(place.scale)
            at = f"{place.path}:{place.line}" if origin is None else place.at(origin)
            what = "p" if place.method == "geometric" else "scale"
            yield at, f"sets the {what} of {place.method} to {scale:.6g}, where counts need {wanted:.4g}"


def _exact(drawn: list[Place], _refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Comparisons in which the data are on a side without noise."""
    for place in drawn:
        if place.call is None:
            continue
        noisy = place.source.made_of(nodes=[place.call.node])
        exact = place.source.made_of(place.source.roots)
        for compare, scope in place.source.comparisons:
            sides = [Part(node, scope) for node in (compare.left, *compare.comparators)]
            if any(exact(side) and not noisy(side) for side in sides):
                yield f"{place.path}:{compare.lineno}", "decides on data without noise"


def _threshold(drawn: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    if refuted.new_key is None:
        return
    for place in drawn:
        for compare, other in _compared(place):
            origin = place.source.origin(other)
            at = "" if origin.node.lineno == compare.node.lineno else f" in line {compare.node.lineno}"
            yield place.at(origin), f"sets what {place.method} is compared with{at}"


def _factor(drawn: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """What noise of a law that would do is multiplied with."""
    for place in drawn:
        if place.call is None or least_scale(place.method, refuted.epsilon, refuted.delta, refuted.c_u) is None:
            continue
        if place.factor is not None:
            yield place.at(place.source.origin(place.factor)), f"scales what {place.method} draws"
        noisy = place.source.made_of(nodes=[place.call.node])
        for product, scope in place.source.products:
            if noisy(Part(product.left, scope)) or noisy(Part(product.right, scope)):
                yield f"{place.path}:{product.lineno}", f"scales what {place.method} draws"


def where(
    sampler: Sampler, pair: Neighbours, result: BlackBoxResult | None, leak: SteeredTest | None, c_u: int, seed: int
) -> tuple[str, ...]:
    """Return the suspected line of a refutation, and a line for each draw; none where draws are not ours to see."""
    if not sampler.target.steerable or sampler.ignores_rng:
        return ()
    found = drawn(sampler, pair, seed)
    read = places(found)
    scaled = {(f"{each.path}:{each.line}", each.method) for each in read if each.factor is not None}
    told = lines(found, pair, result, leak, c_u, scaled)
    if result is None:
        return tuple(told)
    suspected = suspect(read, Refuted(result.epsilon, result.delta_claimed, _new_key(pair, result, leak), c_u))
    return (*(() if suspected is None else (f"suspect {short(suspected[0])}: {suspected[1]}",)), *told)


def _new_key(pair: Neighbours, result: BlackBoxResult, leak: SteeredTest | None) -> float | None:
    """Return how often a key that the neighbour lacks gives itself away; None where it does not."""
    if leak is not None:
        return leak.estimate if leak.exposed.keys else None
    shares = result.event_left, result.event_right
    return max(shares) if pair.left.keys() != pair.right.keys() and min(shares) == 0 else None
