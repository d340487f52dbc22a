"""Neighbours of the paper's claims about privacy: who they are, and the worst known, mechanism by mechanism.

Counts are clients. A pair need only be near the worst: counts that depend on e^-epsilon are placed by doubles.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.statements.adjacency import AddRemoveUser, ReplaceUser
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.neighbours import Neighbours, Privacy
from proofs_numeric.statements.releases import Sampled

LARGEST = 10**6
"""Most clients that a worst case puts into one item where the claim does not fix their number."""
Parameters = Mapping[str, Any]


def add_or_remove(parameters: Parameters) -> AddRemoveUser:
    """One client with one item added or removed."""
    del parameters
    return AddRemoveUser(c_u=1)


def replace_item(parameters: Parameters) -> ReplaceUser:
    """One client's item replaced by another: the relation of Section 2."""
    del parameters
    return ReplaceUser()


def histogram(**counts: int) -> dict[str, int]:
    """Items with these counts; an item without clients is left out."""
    return {key: count for key, count in counts.items() if count}


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


def one_item(parameters: Parameters) -> tuple[Neighbours, ...]:
    """Copies of an item, k against k - 1: the worst k at epsilon = 1, tau, below tau, far above; and a lone item."""

    def pair(name: str, count: int, description: str) -> Neighbours:
        k, text = _within(count, description)
        return Neighbours(name, histogram(k0=k), histogram(k0=k - 1), text)

    return (
        pair("worst", worst_count(parameters), "the count at which delta(1) is attained"),
        pair("at_tau", int(parameters["tau"]), "tau copies: only left can show the item"),
        pair("below", max(1, int(parameters["tau"]) - 1), "the largest count that is never shown"),
        pair("far", far_count(parameters), "a count whose sample is nearly always shown"),
        _lone(parameters, "k0", "k1", "a new item beside another"),
    )


def two_items(parameters: Parameters) -> tuple[Neighbours, ...]:
    """One client moves from k0 to k1: both counts near their worst, a new unique item, tau copies beside tau - 1."""
    tau, (worst, capped) = int(parameters["tau"]), _within(worst_count(parameters), "")

    def pair(name: str, ka: int, kb: int, description: str) -> Neighbours:
        return Neighbours(name, histogram(k0=ka, k1=kb), histogram(k0=ka - 1, k1=kb + 1), description)

    return (
        pair("worst", worst, worst + 1, f"both items at counts where delta(1) is nearly attained{capped}"),
        pair("unique", worst, 0, f"the other item is new, and never shown{capped}"),
        pair("at_tau", tau, tau - 1, "each side alone can show one of the items"),
    )


def fixed_size(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The paper's counterexample: n - 1 copies and a unique item against n copies."""
    n = int(parameters["n"])
    return (Neighbours("unique", histogram(k0=n - 1, k1=1), {"k0": n}, "a unique item leaves a gap when drawn"),)


def leaves(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The same client leaves: nothing is missing from the sample any more."""
    n = int(parameters["n"])
    return (Neighbours("unique", histogram(k0=n - 1, k1=1), {"k0": n - 1}, "a unique item leaves a gap when drawn"),)


def fixed_m(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The worst count of a constant rate m/n, tau copies, and one, each beside one item of all the other clients."""
    n, tau = int(parameters["n"]), int(parameters["tau"])
    counts = {
        "worst": (
            worst_count({"p": Fraction(int(parameters["m"]), n), "tau": tau}),
            "the worst count at a constant rate",
        ),
        "at_tau": (tau, "tau copies: only left can show the item"),
        "alone": (1, "an item that is never shown: the rate alone tells"),
    }
    return tuple(
        Neighbours(name, histogram(k0=k, k1=n - k), histogram(k0=k - 1, k1=n - k), description)
        for name, (count, description) in counts.items()
        for k in (min(count, n),)
    )


def contacts(parameters: Parameters) -> tuple[Neighbours, ...]:
    """The pair of the fixed-size leak, one item at tau, and two items that share the clients; n clients in all."""
    n = int(parameters["n"])
    held = min(int(parameters["tau"]), n)

    def pair(name: str, a: int, b: int, c: int, description: str) -> Neighbours:
        return Neighbours(name, histogram(k0=a, k1=b, k2=c), histogram(k0=a - 1, k1=b + 1, k2=c), description)

    return (
        pair("unique", 1, n - 1, 0, "a unique item beside n - 1 copies: the fixed-size leak"),
        pair("at_tau", held, n - held, 0, "tau copies beside the other clients"),
        pair("apart", held, 0, n - held, "tau copies, one of which becomes a new item"),
    )


def _one_string(parameters: Parameters, key: str, sibling: str) -> tuple[Neighbours, ...]:
    def pair(name: str, count: int, description: str) -> Neighbours:
        k, text = _within(count, description)
        return Neighbours(name, histogram(**{key: k}), histogram(**{key: k - 1}), text)

    return (
        pair("worst", worst_count(parameters), "one path at the worst count of a level at epsilon = 1"),
        pair("at_tau", int(parameters["tau"]), "tau copies: only left can show the path"),
        _lone(parameters, key, sibling, _SIBLING),
    )


_SIBLING = "one client whom the last level alone separates from the others"


def _lone(parameters: Parameters, key: str, own: str, description: str) -> Neighbours:
    """One client beside 4 tau/p in another item."""
    others, text = _within(far_count(parameters), description)
    return Neighbours("lone", {key: others, own: 1}, {key: others}, text)


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

    def pair(name: str, ka: int, kb: int, description: str) -> Neighbours:
        left, right = (histogram(**{first: a, second: b}) for a, b in ((ka, kb), (ka - 1, kb + 1)))
        return Neighbours(name, left, right, description)

    return (
        pair("worst", worst, worst + 1, f"both paths at counts where delta(1) is nearly attained{capped}"),
        pair("unique", worst, 0, f"the other path is new, and never shown{capped}"),
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
        left, right = (histogram(**{"0": here, f"0.{'9' * nines}": others}) for here in (k, k - 1))
        return Neighbours(name, left, right, text + capped)

    tie = {"0": others, "3/5": others}
    return (
        pair("worst", worst_count(parameters), "every left bucket at the worst count of a step at epsilon = 1"),
        pair("at_tau", int(parameters["tau"]), "tau clients on the left of every split"),
        Neighbours("tie", tie, tie | {"0": others - 1}, f"one client decides where the true median lies{capped}"),
        _lone(parameters, "0", _second_leaf(parameters), _SIBLING),
    )


def _always(neighbours: Neighbours) -> Callable[[Parameters], tuple[Neighbours, ...]]:
    return functools.partial(_whatever, neighbours)


def _whatever(neighbours: Neighbours, parameters: Parameters) -> tuple[Neighbours, ...]:
    del parameters
    return (neighbours,)


_size, _clients, _threshold = map(parameter_named, ("m", "n", "tau"))
_AT_RATE = Sampled(_threshold, rate=parameter_named("p"))
_OF_SIZE = Sampled(_threshold, size=_size, clients=_clients)
ITEM = Privacy(add_or_remove, one_item, release=_AT_RATE)
"""Sample-and-threshold under add/remove."""
ITEMS = Privacy(replace_item, two_items)
"""The same under replacement."""
FIXED_SIZE = Privacy(replace_item, fixed_size, release=_OF_SIZE)
"""A sample of fixed size: the population keeps its size."""
FIXED_M = Privacy(add_or_remove, fixed_m)
"""A client leaves n, and the others are drawn at the rate m/(n - 1) in place of m/n."""
LEAVES = Privacy(add_or_remove, leaves, release=_OF_SIZE)
"""A sample of fixed size, from one client fewer."""
CONTACTS = Privacy(replace_item, contacts)
"""Lemma 4's contact scheme."""
_LEVELS = replace(_AT_RATE, levels="levels")
PATH = Privacy(add_or_remove, one_path, any_key=False, release=_LEVELS)
"""TrieHH++, on strings of `levels` letters."""
PATHS = Privacy(replace_item, two_paths, any_key=False)
"""The same under replacement."""
VALUE = Privacy(add_or_remove, one_value, any_key=False, release=_LEVELS)
"""The hierarchical histogram, on numbers in [0, 1)."""
SPLIT = Privacy(add_or_remove, split_values, any_key=False, release=_LEVELS)
"""The interactive quantile, on numbers in [0, 1)."""
LAPLACE = Privacy(add_or_remove, _always(Neighbours("alone", {"k0": 1}, {}, "one client alone in an item")))
"""Laplace noise on a sample: others in the item only blur the difference."""
LAPLACE_REPLACEMENT = Privacy(
    replace_item, _always(Neighbours("moved", {"k0": 3, "k1": 2}, {"k0": 2, "k1": 3}, "both counts move"))
)
"""Laplace noise on all clients under replacement."""
HADAMARD = Privacy(replace_item, _always(Neighbours("alone", {"k0": 1}, {"k1": 1}, "one client, two items")))
"""One client's report: other clients' reports do not depend on it."""
SHUFFLE = Privacy(replace_item, _always(Neighbours("moved", {"k0": 1}, {"k1": 1}, "one client, two items")))
"""Two items without other clients, whose sampling would only blur the difference."""
