"""Neighbours of the paper's claims about privacy: who they are, and the worst known, mechanism by mechanism.

Counts are clients. A pair need only be near the worst: counts that depend on e^-epsilon are placed by doubles.
"""

import functools
import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.adjacency import AddRemoveUser, ReplaceUser
from proofs_numeric.statements.neighbours import Always, Neighbours, Privacy
from proofs_numeric.statements.releases import Sampled

LARGEST = 10**6
"""Most clients that a worst case puts into one item where the claim does not fix their number."""
Parameters = Mapping[str, Any]


def _pair(name: str, description: str, counts: Mapping[str, int], leaves: str, joins: str = "") -> Neighbours:
    """A client leaves one item, and joins another if one is named; an item without clients is left out."""
    moved = {**counts, leaves: counts[leaves] - 1} | ({joins: counts.get(joins, 0) + 1} if joins else {})
    left, right = ({key: count for key, count in side.items() if count} for side in (counts, moved))
    return Neighbours(name, left, right, description)


def sampling_rate(parameters: Parameters) -> Fraction:
    """Rate p, given as such or as alpha at epsilon (1 unless given)."""
    if "p" in parameters:
        return Fraction(parameters["p"])
    return Fraction(parameters["alpha"]) * Fraction(-math.expm1(-float(Fraction(parameters.get("epsilon", 1)))))


def worst_count(parameters: Parameters) -> int:
    """Count at which the delta of an item is attained: ceil((tau - 1)/q), q at epsilon = 1 where p is a parameter."""
    epsilon = 1.0 if "p" in parameters else float(Fraction(parameters.get("epsilon", 1)))
    q = 1 - Fraction(math.exp(-epsilon)) * (1 - sampling_rate(parameters))
    return max(1, -int((1 - int(parameters["tau"])) // q))


def far_count(parameters: Parameters) -> int:
    """A count whose sample is nearly always shown, 4 tau/p."""
    return 4 * int(int(parameters["tau"]) / sampling_rate(parameters))


def _within(count: int, description: str) -> tuple[int, str]:
    if count <= LARGEST:
        return count, description
    return LARGEST, f"{description}; {LARGEST} clients in the place of {count}"


def _copies(key: str, name: str, count: int, description: str) -> Neighbours:
    """So many copies of an item against one fewer."""
    k, text = _within(count, description)
    return _pair(name, text, {key: k}, key)


def one_item(parameters: Parameters) -> tuple[Neighbours, ...]:
    """Copies of an item, k against k - 1: the worst k at epsilon = 1, tau, below tau, far above; and a lone item."""
    tau = int(parameters["tau"])
    return (
        _copies("k0", "worst", worst_count(parameters), "the count at which delta(1) is attained"),
        _copies("k0", "at_tau", tau, "tau copies: only left can show the item"),
        _copies("k0", "below", max(1, tau - 1), "the largest count that is never shown"),
        _copies("k0", "far", far_count(parameters), "a count whose sample is nearly always shown"),
        _lone(parameters, "k0", "k1", "a new item beside another"),
    )


def two_items(parameters: Parameters) -> tuple[Neighbours, ...]:
    """One client moves from k0 to k1: both counts near their worst, a new unique item, tau copies beside tau - 1."""
    tau, (worst, capped) = int(parameters["tau"]), _within(worst_count(parameters), "")
    rows = (
        ("worst", worst, worst + 1, f"both items at counts where delta(1) is nearly attained{capped}"),
        ("unique", worst, 0, f"the other item is new, and never shown{capped}"),
        ("at_tau", tau, tau - 1, "each side alone can show one of the items"),
    )
    return tuple(_pair(name, text, {"k0": ka, "k1": kb}, "k0", "k1") for name, ka, kb, text in rows)


def fixed_size(parameters: Parameters, joins: str = "k0") -> tuple[Neighbours, ...]:
    """The paper's counterexample: n - 1 copies and a unique item against n copies, or n - 1 if the client leaves."""
    copies = int(parameters["n"]) - 1
    return (_pair("unique", "a unique item leaves a gap when drawn", {"k0": copies, "k1": 1}, "k1", joins),)


def fixed_m(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The worst count of a constant rate m/n, tau copies, and one, each beside one item of all the other clients."""
    n, tau = int(parameters["n"]), int(parameters["tau"])
    worst = worst_count({"p": Fraction(int(parameters["m"]), n), "tau": tau})
    rows = (
        ("worst", worst, "the worst count at a constant rate"),
        ("at_tau", tau, "tau copies: only left can show the item"),
        ("alone", 1, "an item that is never shown: the rate alone tells"),
    )
    return tuple(_pair(name, text, {"k0": min(k, n), "k1": n - min(k, n)}, "k0") for name, k, text in rows)


def contacts(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The pair of the fixed-size leak, one item at tau, and two items that share the clients; n clients in all."""
    n = int(parameters["n"])
    copies = min(int(parameters["tau"]), n)
    rows = (
        ("unique", 1, n - 1, 0, "a unique item beside n - 1 copies: the fixed-size leak"),
        ("at_tau", copies, n - copies, 0, "tau copies beside the other clients"),
        ("apart", copies, 0, n - copies, "tau copies, one of which becomes a new item"),
    )
    return tuple(_pair(name, text, {"k0": a, "k1": b, "k2": c}, "k0", "k1") for name, a, b, c, text in rows)


def _one_string(parameters: Parameters, key: str, sibling: str) -> tuple[Neighbours, ...]:
    return (
        _copies(key, "worst", worst_count(parameters), "one path at the worst count of a level at epsilon = 1"),
        _copies(key, "at_tau", int(parameters["tau"]), "tau copies: only left can show the path"),
        _lone(parameters, key, sibling, _SIBLING),
    )


_SIBLING = "one client whom the last level alone separates from the others"


def _lone(parameters: Parameters, key: str, lone: str, description: str) -> Neighbours:
    """One client beside 4 tau/p in another item."""
    others, text = _within(far_count(parameters), description)
    return _pair("lone", text, {key: others, lone: 1}, lone)


def one_path(parameters: Parameters) -> tuple[Neighbours, ...]:
    """Copies, k against k - 1, of `levels` letters, at the worst count of a level and at tau; and a lone string."""
    levels = int(parameters["levels"])
    return _one_string(parameters, "a" * levels, "a" * (levels - 1) + "b")


def one_value(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The same with the number 0, whose digits are the path, and the leaf beside it."""
    return _one_string(parameters, "0", _second_leaf(parameters))


def _second_leaf(parameters: Parameters) -> str:
    return str(Fraction(1, 2 ** int(parameters["levels"])))


def two_paths(parameters: Parameters) -> tuple[Neighbours, ...]:
    """One client moves between strings that part at the first letter: near the worst count, or to a new one."""
    first, second = (letter * int(parameters["levels"]) for letter in "ab")
    worst, capped = _within(worst_count(parameters), "")
    near = f"both paths at counts where delta(1) is nearly attained{capped}"
    return (
        _pair("worst", near, {first: worst, second: worst + 1}, first, second),
        _pair("unique", f"the other path is new, and never shown{capped}", {first: worst}, first, second),
    )


def split_values(parameters: Parameters) -> tuple[Neighbours, ...]:
    """Clients at 0, k against k - 1, beside 4 tau/p so near to 1 that each of `levels` splits separates them.

    Then a tie of 4 tau/p at 0 and at 3/5, which the first split alone separates: one client turns the search. Last, a
    lone client.
    """
    nines = max(3, math.ceil(int(parameters["levels"]) * math.log10(2)))
    others, capped = _within(far_count(parameters), "")

    def pair(name: str, count: int, description: str) -> Neighbours:
        k, text = _within(count, description)
        return _pair(name, text + capped, {"0": k, f"0.{'9' * nines}": others}, "0")

    return (
        pair("worst", worst_count(parameters), "every left bucket at the worst count of a step at epsilon = 1"),
        pair("at_tau", int(parameters["tau"]), "tau clients on the left of every split"),
        _pair("tie", f"one client decides where the true median lies{capped}", {"0": others, "3/5": others}, "0"),
        _lone(parameters, "0", _second_leaf(parameters), _SIBLING),
    )


_ADD_OR_REMOVE, _REPLACE = Always(AddRemoveUser(c_u=1)), Always(ReplaceUser())
_size, _clients, _threshold = map(parameter_named, ("m", "n", "tau"))
_AT_RATE = Sampled(_threshold, rate=parameter_named("p"))
_OF_SIZE = Sampled(_threshold, size=_size, clients=_clients)
ITEM = Privacy(_ADD_OR_REMOVE, one_item, release=_AT_RATE)
"""Sample-and-threshold under add/remove."""
ITEMS = Privacy(_REPLACE, two_items)
"""The same under replacement."""
FIXED_SIZE = Privacy(_REPLACE, fixed_size, release=_OF_SIZE)
"""A sample of fixed size: the population keeps its size."""
FIXED_M = Privacy(_ADD_OR_REMOVE, fixed_m)
"""A client leaves n, and the others are drawn at the rate m/(n - 1) in place of m/n."""
LEAVES = Privacy(_ADD_OR_REMOVE, functools.partial(fixed_size, joins=""), release=_OF_SIZE)
"""A sample of fixed size, from one client fewer."""
CONTACTS = Privacy(_REPLACE, contacts)
"""Lemma 4's contact scheme."""
_LEVELS = replace(_AT_RATE, levels="levels")
PATH = Privacy(_ADD_OR_REMOVE, one_path, any_key=False, release=_LEVELS)
"""TrieHH++, on strings of `levels` letters."""
PATHS = Privacy(_REPLACE, two_paths, any_key=False)
"""The same under replacement."""
VALUE = Privacy(_ADD_OR_REMOVE, one_value, any_key=False, release=_LEVELS)
"""The hierarchical histogram, on numbers in [0, 1)."""
SPLIT = Privacy(_ADD_OR_REMOVE, split_values, any_key=False, release=_LEVELS)
"""The interactive quantile, on numbers in [0, 1)."""
LAPLACE = Privacy(_ADD_OR_REMOVE, Always((_pair("alone", "one client alone in an item", {"k0": 1}, "k0"),)))
"""Laplace noise on a sample: others in the item only blur the difference."""
LAPLACE_REPLACEMENT = Privacy(_REPLACE, Always((_pair("moved", "both counts move", {"k0": 3, "k1": 2}, "k0", "k1"),)))
"""Laplace noise on all clients under replacement."""
HADAMARD = Privacy(_REPLACE, Always((_pair("alone", "one client, two items", {"k0": 1}, "k0", "k1"),)))
"""One client's report: other clients' reports do not depend on it."""
SHUFFLE = Privacy(_REPLACE, Always((_pair("moved", "one client, two items", {"k0": 1}, "k0", "k1"),)))
"""Two items without other clients, whose sampling would only blur the difference."""
