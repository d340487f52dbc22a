"""Suspected line of a refutation: the draws of both neighbours, matched with slices of the source.

The rules, in order; the first that applies gives the line:

1. a scale that depends on the data;
2. a number named epsilon, delta, rho or mu above the claimed one;
3. a scale too small for counts, with all factors of the noise, or for the changes of the pair;
4. a decision on exact data, alone or beside noise, or an order by exact data;
5. a threshold, if a new key was distinguished (before rules 3 and 4 if its release is rare);
6. no draw, if every release holds a new key;
7. an operation that turns noise of sufficient scale into another law;
8. a factor of noise of unknown size;
9. the value that a coin is compared with;
10. the first line whose draws do not suffice, or a statement that no draw explains the refutation.

For a scale or threshold, the rule names the number that conflicts with the claim, otherwise the formula. Under
a claimed profile no scale is judged, because mechanisms other than added noise may satisfy it. The result is a hint and
no verdict.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from auditor.black_box.pair_audit import Side
from auditor.mechanism_audit.draws.observed import (
    DEVIATIONS,
    KEEPING,
    MORE_RELEASES,
    RELEASES,
    SAME_SHIFT,
    LineDraws,
    Shares,
    Shift,
    chance_that_keeps,
    least_scale,
    lines,
    observe_draws,
    short,
    tosses_that_keep,
)
from auditor.mechanism_audit.draws.slices import Factor, Part, Source, called
from auditor.search.events import is_odd
from auditor.statistics.seeds import block_generator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.draws.steered import SteeredTest
    from auditor.mechanism_audit.promise import Promise
    from auditor.mechanism_audit.sampler import Sampler
    from auditor.target.target import Target
    from proofs_numeric.statements.neighbours import Neighbours

DECIDED_BY_NOISE = 0.9
"""Probability of a new key's release below which noise affects the release."""
_NAMES = {
    name: re.compile(rf"(^|_){short}(_|\d|$)", re.IGNORECASE)
    for name, short in (("epsilon", "eps(ilon)?"), ("delta", "delta"), ("rho", "rho"), ("mu", "mu"))
}
FAR_MORE = 2.0
"""Ratio of the shares of the required scale from which a number shared by two draws is cleared."""
UNFAIR = 1 / 16
"""Variance of a coin, at most 1/4, below which its probability causes the small noise."""
FRESH = 2048
"""Releases per dataset for the shares of a coin's event."""
SLOW = 512.0
"""Releases per second below which these releases take too long for a hint."""
NO_DRAW = "no draw"
"""Suspect if all noise is sufficient."""
_ORDERING = frozenset({"argsort", "argmax", "argmin", "most_common"})
"""Methods that order by their arguments or their owner."""
_UNIFORM = "random"
"""Method whose draws become noise by inversion, or a coin by a comparison."""


@dataclass(frozen=True)
class Refuted:
    """Properties of a refutation that point at a line.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta.
        new_key: probability with which a key that the neighbour lacks is distinguished; None for other refutations.
        c_u: largest number of counts that one user changes.
        count: largest count of the new key.
        bits: whether the representation of numbers, not their size, refuted the claim.
        stated: name (rho or mu) -> value, if the claim is no (epsilon, delta).
        shares: shares of the most distinguishing event on fresh releases; None if none were drawn.
        per_key: largest change of each count by one user.
        shift: shift of the pair's released numbers with equal noise; None if it varies.
        profile: whether a whole profile is claimed.
        released: new key that is in every release; "" if there is none.
    """

    epsilon: float
    delta: float
    new_key: float | None
    c_u: int
    count: float = 1.0
    bits: bool = False
    stated: Mapping[str, float] = field(default_factory=dict)
    shares: Shares | None = None
    per_key: int = 1
    shift: Shift | None = None
    profile: bool = False
    released: str = ""

    @property
    def moved(self) -> int:
        """Return the largest sum of changes of counts by one user."""
        return self.c_u * self.per_key

    @property
    def claimed(self) -> Mapping[str, float]:
        """Return the numbers of the claim, by name."""
        return self.stated or {"epsilon": self.epsilon, "delta": self.delta}


@dataclass
class Place:
    """One draw of the source, with its log."""

    path: str
    line: int
    method: str
    draws: LineDraws
    source: Source
    call: Part | None

    @property
    def factor(self) -> Part | None:
        """Return the factor of the draw at its place in the source."""
        return None if self.call is None else self.source.factor(self.call)

    @property
    def scale(self) -> Part | None:
        """Return the expression of its scale, a factor or an argument; None if there is neither."""
        return self.factor or (None if self.call is None else self.source.scale(self.call, self.method))

    @cached_property
    def factors(self) -> list[Factor]:
        """Return the factors on the way to the output; a law of SciPy, which draws at scale 1, has its scale first."""
        if self.call is None:
            return []
        law = self.source.scale(self.call, self.method) if self.standard else None
        first = [] if law is None else [Factor(law, 1, law.node.lineno)]
        return [*first, *self.source.factors(self.call)]

    @property
    def standard(self) -> bool:
        """Return whether SciPy draws it, at scale 1 for every scale of its law."""
        return self.call is not None and called(self.call.node) == "rvs"

    @property
    def scales(self) -> list[Part]:
        """Return the expressions of its scale, without bare numbers if the noise is multiplied."""
        scale = None if self.call is None or self.standard else self.source.scale(self.call, self.method)
        scale = None if scale is not None and scale.constant is not None and self.factors else scale
        parts = (factor.part for factor in self.factors if factor.part.constant is None)
        return [*([] if scale is None else [scale]), *parts]

    @property
    def numbers(self) -> set[Part]:
        """Return the constants that its scale depends on."""
        return {number for scale in self.scales for number, _power in self.source.constants(scale)}

    def least(self, refuted: Refuted) -> float | None:
        """Return the scale required on counts; None for an unknown law or a claimed profile."""
        if refuted.profile:
            return None
        uniform = self.method == _UNIFORM and self.factors
        law = "laplace" if uniform else self.method
        rho = refuted.stated.get("rho")
        return least_scale(law, refuted.epsilon, refuted.delta, refuted.c_u, refuted.per_key, rho)

    @cached_property
    def effective(self) -> float | None:
        """Return the scale of the noise with all its factors; None if it cannot be derived."""
        values = self.draws.values("scale", self.method)
        scale = 1.0 if self.standard or self.method == _UNIFORM else next(iter(values)) if len(values) == 1 else None
        for factor in self.factors:
            number = self.source.number(factor.part)
            scale = None if scale is None or not number else scale * abs(number) ** factor.power
        return scale

    def suffices(self, refuted: Refuted) -> bool:
        """Return whether the noise is added unchanged to each released number and is large enough."""
        least = self.least(refuted) if self.method in KEEPING else None
        if least is None or self.effective is None or self.call is None or self.draws.shared:
            return False
        return self.effective >= least * (1 - 1e-9) and self.source.added(self.call)

    def at(self, part: Part) -> str:
        """Return path:line of an expression."""
        return f"{self.path}:{part.node.lineno}"


Rule = Callable[[list[Place], Refuted], Iterator[tuple[str, str]]]


def places(draws: Mapping[tuple[str, str], LineDraws], start: str = "") -> list[Place]:
    """Return the draws whose source is readable, in the order of the target, whose name is `start`."""
    sources: dict[str, Source | None] = {}
    drawn_at: dict[str, set[int]] = {}
    for site, _method in draws:
        path, _, line = site.rpartition(":")
        drawn_at.setdefault(path, set()).add(int(line))
    results = []
    for (site, method), each in draws.items():
        path, _, line = site.rpartition(":")
        if path not in sources:
            sources[path] = Source.read(path, start, drawn_at[path])
        source = sources[path]
        if source is not None:
            results.append(Place(path, int(line), method, each, source, source.draw(int(line), method)))
    return results


def suspect(draws: list[Place], refuted: Refuted) -> tuple[str, str] | None:
    """Return the suspected path:line (or `NO_DRAW`) and the reason; None without a source or a rule."""
    rare = refuted.new_key is not None and refuted.new_key < DECIDED_BY_NOISE
    order = (
        (_threshold, _too_small, _outweighed, _exact, _order)
        if rare
        else (_too_small, _outweighed, _exact, _order, _threshold)
    )
    rules: tuple[Rule, ...] = (_of_the_data, _above_the_claim, *order, _released_key, _another_law, _factor, _coin)
    for rule in rules:
        result = next(rule(draws, refuted), None)
        if result is not None:
            return result
    if refuted.bits:
        return next(
            (
                (f"{place.path}:{place.line}", f"draws {place.method}: the last bits of a sum reveal its summands")
                for place in draws
            ),
            None,
        )
    if refuted.profile:
        return None
    short_of = draws if rare else [place for place in draws if not place.suffices(refuted)]
    if draws and not short_of:
        return NO_DRAW, (
            "all noise has a sufficient scale for counts; look for values released without noise or more than once, "
            "and at how much one user changes the values before noise"
        )
    return next(((f"{place.path}:{place.line}", f"draws {place.method}") for place in short_of), None)


def _of_the_data(draws: list[Place], _refuted: Refuted) -> Iterator[tuple[str, str]]:
    for place in draws:
        left, right = place.draws.scales
        if any(right.get(name, values) != values for name, values in left.items() if name == "scale"):
            scale = None if place.scale is None else place.source.origin(place.scale)
            yield (
                f"{place.path}:{place.line}" if scale is None else place.at(scale),
                f"the scale of {place.method} depends on the data",
            )


def _above_the_claim(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield numbers of these names, above the claim, that a scale or a threshold depends on."""
    for place in draws:
        for part in (*place.scales, *(other for _compare, other in _compared(place, draws))):
            for variable, values in place.source.slice(part).items():
                for name, claimed in refuted.claimed.items():
                    for value in values if _NAMES[name].search(variable.name) else ():
                        number = value.constant
                        if number is not None and 0 < claimed < number * (1 - 1e-9):
                            yield place.at(value), f"{variable.name} is {number:g}, where {claimed:g} is claimed"


def _sides(compare: ast.Compare, scope: str) -> list[Part]:
    return [Part(node, scope) for node in (compare.left, *compare.comparators)]


def _noise(draws: list[Place], source: Source) -> Callable[[Part], bool]:
    """Return a predicate: whether an expression depends on any draw."""
    return source.made_of(nodes=[place.call.node for place in draws if place.call is not None])


def _compared(place: Place, draws: list[Place]) -> Iterator[tuple[Part, Part]]:
    """Yield comparisons of a draw with an expression without noise: (comparison, the other side).

    If all sides hold noise, the second element is a term of a side that depends on neither noise nor data.
    """
    if place.call is None:
        return
    ours, any_noise = place.source.made_of(nodes=[place.call.node]), _noise(draws, place.source)
    data = place.source.made_of(place.source.roots)
    for compare, scope in place.source.comparisons:
        sides = _sides(compare, scope)
        others = [side for side in sides if not any_noise(side)]
        if not any(map(ours, sides)):
            continue
        if len(others) == 1:
            yield Part(compare, scope), others[0]
        elif not others:
            for side in sides:
                for addend in place.source.addends(side):
                    if not any_noise(addend) and not data(addend):
                        yield Part(compare, scope), addend


def _rivals(place: Place, draws: list[Place]) -> bool:
    """Return whether noise is compared with noise: one user's changes then move one side by 1."""
    if place.call is None:
        return False
    noise = _noise(draws, place.source)
    return any(all(map(noise, _sides(compare, scope))) for compare, scope in place.source.comparisons)


def _too_small(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield scales too small, smallest share first; numbers shared with a draw of far larger share are cleared."""
    shares: list[tuple[float, Place, str]] = []
    for place in draws:
        least = place.least(replace(refuted, c_u=1) if _rivals(place, draws) else refuted)
        if least is None:
            continue
        if place.method == "geometric":
            values = place.draws.values("p", place.method)
            if len(values) == 1 and place.factor is None:
                what = f"sets the p of geometric to {max(values):.6g}, where at most {least:.4g} is required for counts"
                shares.append((least / max(values), place, what))
        elif place.effective is not None:
            what = (
                f"sets the scale of {place.method} to {place.effective:.6g}, where at least {least:.4g} is required "
                "for counts"
            )
            shares.append((place.effective / least, place, what))
    for share, place, what in sorted(shares, key=lambda each: each[0]):
        if share < 1 - 1e-9:
            exempt = {number for more, other, _what in shares if more > FAR_MORE * share for number in other.numbers}
            yield _of_the_scale(place, refuted, exempt), what


def _outweighed(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield noise of one scale that suffices for counts, if this pair changes its summand by more."""
    scales = {(place.method, place.effective) for place in draws}
    if refuted.shift is None or len(scales) != 1:
        return
    one_count = replace(refuted, c_u=1, per_key=1)
    for place in draws:
        least = place.least(one_count) if place.method in KEEPING else None
        if least is None or place.effective is None or place.call is None or not place.source.added(place.call):
            continue
        by, sums = (
            (refuted.shift.total, "in sum")
            if place.method == "laplace"
            else (refuted.shift.root, "(root of the sum of squares)")
        )
        if place.effective < (1 - SAME_SHIFT) * least * by:
            needed = (
                f"sets the scale of {place.method} to {place.effective:.6g}, where the claim requires {least * by:.4g}"
            )
            moves = f"this pair changes the values before noise by {by:.4g} {sums}"
            yield (
                _of_the_scale(place, refuted, ()),
                f"{needed}: {moves}; the scale is too small or one user changes too much",
            )


def _of_the_scale(place: Place, refuted: Refuted, exempt: Container[Part]) -> str:
    """Return the line that makes a scale too small: a factor of the noise, otherwise a number or line of its formula.

    A formula that grows with epsilon is inverted. Numbers equal to those of the claim are not suspected.
    """
    drawn_at = f"{place.path}:{place.line}"
    bare = [factor for factor in place.factors if factor.part.constant is not None]
    if bare and math.prod(abs(factor.part.constant or 1.0) ** factor.power for factor in bare) < 1:
        return f"{place.path}:{bare[0].line}"
    if not place.scales:
        return drawn_at
    formula = place.source.origin(place.scales[0], _NAMES["epsilon"])
    if (
        place.method == "normal"
        and formula.constant is None
        and place.effective == least_scale("laplace", refuted.epsilon, 0.0, refuted.moved)
    ):
        return drawn_at  # the scale fits another law
    numbers = place.source.constants(formula)
    shared = any(power is not None and power < 0 for _number, power in numbers)
    epsilons = {
        value
        for variable, values in place.source.slice(formula).items()
        for value in values
        if _NAMES["epsilon"].search(variable.name)
    }
    if any(number in epsilons and power is not None and power > 0 for number, power in numbers):
        return place.at(formula)
    for number, power in numbers:
        value = number.constant or 0.0
        above = value > refuted.epsilon and (value != refuted.moved or number in epsilons)
        below = value < refuted.moved
        if number in exempt or power is None:
            continue
        if (power < 0 and above) or (power > 0 and shared and below):
            return place.at(number)
    return place.at(formula)


def _exact(draws: list[Place], _refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield comparisons in which data stand on a side without noise, and decide alone or beside noise."""
    for place in draws:
        if place.call is None:
            continue
        noisy = _noise(draws, place.source)
        exact = place.source.made_of(place.source.roots)
        # A test of the data before a test of noise, on a line of its own, is usual: the noise then decides.
        constants = {
            compare.lineno for compare, scope in place.source.comparisons if any(map(noisy, _sides(compare, scope)))
        }
        # A comparison after the draw could have used its noise.
        for compare, scope in sorted(place.source.comparisons, key=lambda each: each[0].lineno < place.line):
            sides = _sides(compare, scope)
            present = any(side.constant in (0.0, 1.0) for side in sides)  # whether a key is present
            decides = not constants or compare.lineno in constants
            if decides and not present and any(exact(side) and not noisy(side) for side in sides):
                yield f"{place.path}:{compare.lineno}", "decides on data without noise"


def _order(draws: list[Place], _refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield orders by a key in which the data are without noise, alone or to break ties."""
    for place in draws:
        noisy = _noise(draws, place.source)
        exact = place.source.made_of(place.source.roots)
        for call, scope in place.source.calls:
            if any(exact(key) and not noisy(key) for key in (Part(node, scope) for node in _ordered_by(call))):
                yield f"{place.path}:{call.lineno}", "orders by data without noise"


def _ordered_by(call: ast.Call) -> list[ast.expr]:
    """Return the keys that a call orders by, each entry of a tuple separately, as later entries break ties."""
    match call.func:
        case ast.Attribute(value=owner, attr=name) if name in _ORDERING:
            return [owner, *call.args]
    keys = (each.value for each in call.keywords if each.arg == "key")
    bodies = [key.body if isinstance(key, ast.Lambda) else key for key in keys]
    return [each for key in bodies for each in (key.elts if isinstance(key, ast.Tuple) else [key])]


def _threshold(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    if refuted.new_key is None:
        return
    for place in draws:
        for compare, other in _compared(place, draws):
            bar = place.source.number(other)
            if (
                refuted.new_key >= DECIDED_BY_NOISE
                and bar is not None
                and bar > refuted.count
                and place.suffices(refuted)
            ):
                continue  # symmetric noise passes it at most half the time
            part = _of_the_threshold(place, other, refuted)
            at = "" if part.node.lineno == compare.node.lineno else f" in line {compare.node.lineno}"
            yield place.at(part), f"sets the comparison value of {place.method}{at}"


def _of_the_threshold(place: Place, part: Part, refuted: Refuted) -> Part:
    """Return the number that multiplies the scale in a threshold if there is one, otherwise the formula."""
    formula = place.source.origin(part)
    of_scale = [number for each in place.scales for number, _power in place.source.constants(each)]
    numbers = [number for number, _power in place.source.constants(part)]
    if not set(of_scale) & set(numbers):
        return formula
    for number in numbers:
        if number not in of_scale and not 0 < (number.constant or 0.0) <= refuted.delta:
            return number
    return formula


def _released_key(_draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    if refuted.released:
        why = f"the key '{refuted.released}' of one user is in every release, whatever the noise"
        yield NO_DRAW, f"{why}; release a key only above a noisy threshold, or name public keys with --keys"


def _another_law(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield factors of noise of sufficient scale: the multiplication produces another law."""
    for place in draws:
        least = place.least(refuted)
        if least is not None and place.effective is not None and place.factors and not place.standard:
            yield f"{place.path}:{place.factors[0].line}", f"computes noise from the draw of {place.method}"


def _factor(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield factors of noise whose law would satisfy the claim."""
    for place in draws:
        if place.least(refuted) is not None:
            for factor in place.factors:
                origin = place.source.origin(factor.part)
                at = f"{place.path}:{factor.line}" if origin == factor.part else place.at(origin)
                yield at, f"scales the draw of {place.method}"


def _coin(draws: list[Place], refuted: Refuted) -> Iterator[tuple[str, str]]:
    """Yield the value that a uniform variable is compared with, or the number or probability of coins."""
    for place in draws:
        if place.method == "binomial" and (part := _of_the_coins(place)) is not None:
            yield place.at(place.source.origin(part)), f"sets the coins of binomial{_tosses(place, refuted)}"
        if place.call is not None and called(place.call.node) == "choice":
            if place.scale is not None:
                yield place.at(place.source.weights(place.scale)), "weights the options of choice"
        elif place.method in (_UNIFORM, "uniform"):
            for _compare, other in _compared(place, draws):
                chance = _chance(place.source.number(other), refuted)
                what = f"sets the comparison value of {place.method}{chance}"
                yield place.at(place.source.origin(other)), what


def _chance(chance: float | None, refuted: Refuted) -> str:
    """Return the text on the coin probability that satisfies the claim; empty if it is unknown."""
    if chance is None or not 0.0 < chance < 1.0 or refuted.shares is None:
        return ""
    each = refuted.epsilon / refuted.moved, refuted.delta / refuted.moved
    share = chance_that_keeps(chance, refuted.shares, *each)
    answers = "an answer" if refuted.moved == 1 else f"each of {refuted.moved} answers"
    return "" if share is None else f" to {chance:.6g}, where {share:.4g} suffices for {answers} of one user"


def _tosses(place: Place, refuted: Refuted) -> str:
    """Return the text on the coin, or the number of coins, that satisfies the claim; empty if unknown."""
    trials, chances = (place.draws.values(name, place.method) for name in ("n", "p"))
    if len(trials) != 1 or len(chances) != 1:
        return ""
    (n,), (p,) = trials, chances
    if n == 1:
        return _chance(p, refuted)
    if place.call is None or place.draws.shared or not place.source.added(place.call):
        return ""
    fewest = tosses_that_keep(p, refuted.epsilon, refuted.delta, refuted.moved)
    moved = f"where {fewest} tosses suffice for counts that a user changes by {refuted.moved}"
    return "" if fewest is None or fewest <= n else f", {n:g} tosses, {moved}"


def _of_the_coins(place: Place) -> Part | None:
    """Return the number of tosses, or their probability if the tosses are data or it is far from 1/2."""
    if place.call is None or not isinstance(place.call.node, ast.Call) or place.factors:
        return None
    law = place.source.frozen(place.call) or place.call
    if isinstance(law.node, ast.Call) and "bernoulli" in ast.unparse(law.node.func):
        return next((Part(chance, law.scope) for chance in law.node.args), None)
    by_name = {keyword.arg: keyword.value for keyword in place.call.node.keywords}
    arguments = dict(zip(("n", "p"), place.call.node.args, strict=False)) | by_name
    if not {"n", "p"} <= arguments.keys():
        return None
    tosses, chance = (Part(arguments[name], place.call.scope) for name in ("n", "p"))
    p = place.source.number(chance)
    unfair = p is None or p * (1 - p) < UNFAIR
    return chance if unfair or place.source.made_of(place.source.roots)(tosses) else tosses


@dataclass(frozen=True)
class Where:
    """Where a target draws.

    Attributes:
        texts: the suspected line with the reason, and a text for each line that draws.
        suspect: file:line of the suspected line; empty without one.
    """

    texts: tuple[str, ...] = ()
    suspect: str = ""


def where(
    sampler: Sampler,
    pair: Neighbours,
    result: BlackBoxResult | None,
    leak: SteeredTest | None,
    promise: Promise,
    seed: int,
    passes: int,
) -> Where:
    """Return the suspected line of a refutation and a text for each draw; without visible draws only a fixed seed.

    Args:
        sampler: source of releases.
        pair: the neighbours.
        result: the refutation; None without one.
        leak: importance-sampling test that refutes; None for another test.
        promise: the claim.
        seed: seed of the releases.
        passes: 1 for `RELEASES`, or 2 for `MORE_RELEASES` besides if the first explain nothing.
    """
    if not sampler.sees_draws:
        return Where() if result is None else _seeded(sampler.target)
    relation = promise.adjacency
    # A target of rows bounds a user's contribution to an unknown value: its noise must cover at least one row.
    c_u, per_key = (1, 1) if sampler.rows else (relation.most_changed, relation.per_key)
    stated = {name: float(Fraction(value)) for name, value in promise.measure.items() if name in ("rho", "mu")}
    texts: list[str] = []
    suspected = None
    for releases in (RELEASES, MORE_RELEASES)[:passes]:
        draws = observe_draws(sampler, pair, seed, releases)
        read = places(draws.places, began_with(sampler.target))
        scaled = {(f"{each.path}:{each.line}", each.method) for each in read if each.factors}
        texts = lines(draws.places, pair, result, leak, c_u, per_key, scaled, stated.get("rho"))
        if result is None:
            return Where(tuple(texts))
        coins = any(each.method in (_UNIFORM, "uniform", "binomial") for each in read)
        suspected = suspect(
            read,
            Refuted(
                result.epsilon,
                result.delta_claimed,
                _new_key(pair, result, leak),
                c_u,
                max((max(counts) for counts in pair.changes.values() if 0 in counts), default=1.0),
                result.view is not None and is_odd(result.view.partition),
                stated,
                _fresh(sampler, pair, result, seed) if coins else None,
                per_key,
                draws.shift,
                "privacy_profile" in promise.measure,
                draws.released,
            ),
        )
        if suspected is None or suspected[0] != NO_DRAW:
            break
    cause = _seeded(sampler.target) if suspected is None else _suspected(*suspected)
    return replace(cause, texts=(*cause.texts, *texts))


def _suspected(at: str, why: str) -> Where:
    """Return a suspected file:line, or `NO_DRAW`, with the reason."""
    return Where((f"suspect {at if at == NO_DRAW else short(at)}: {why}",), "" if at == NO_DRAW else at)


def _fresh(sampler: Sampler, pair: Neighbours, result: BlackBoxResult, seed: int) -> Shares | None:
    """Return the shares of the view's most distinguishing event on fresh releases; None if this takes too long."""
    if result.view is None or sampler.speed < SLOW:
        return None
    sides = (sampler(pair, side, FRESH, block_generator(seed, "coin", pair.id, str(side))) for side in Side)
    left, right = (result.view.counts(*sides) / FRESH).T
    inside = left - right > DEVIATIONS * np.sqrt((left + right) / FRESH)
    return Shares(float(left[inside].sum()), float(right[inside].sum()), FRESH)


def began_with(target: Target) -> str:
    """Return the name in the target's file at which the target starts."""
    return target.name.rpartition(":")[2].partition(".")[0]


def _seeded(target: Target) -> Where:
    """Return the line by which a target fixes its own randomness; empty if there is none."""
    path = target.name.rpartition(":")[0]
    source = Source.read(path, began_with(target)) if path.endswith(".py") else None
    if source is None or source.seeded is None:
        return Where()
    call, seed = source.seeded
    return _suspected(f"{path}:{call.lineno}", f"its randomness begins with {seed}")


def _new_key(pair: Neighbours, result: BlackBoxResult, leak: SteeredTest | None) -> float | None:
    """Return the frequency with which a key that the neighbour lacks is distinguished; None for other refutations."""
    if leak is not None:
        return leak.estimate if leak.exposed.keys else None
    if result.view is not None and is_odd(result.view.partition):
        return None
    shares = result.event_left, result.event_right
    return max(shares) if pair.left.keys() != pair.right.keys() and min(shares) == 0 else None
