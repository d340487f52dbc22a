"""Output laws of the mechanisms: what tells an off-by-one threshold or a wrong rate that the claimed delta hides."""

from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.expression.vocabulary import *

_CELL: dict[str, Value] = {"p": "3/10", "tau": 5}
_TRIE: dict[str, Value] = {**_CELL, "levels": 2}
_RATE, _TAU, _COPIES = Fraction(3, 10), 5, 20
_HALF_GRID = Fraction(1, 2**12)
"""Half the grid on which Laplace noise of scale 1/2 is released."""


def are_released(*names: str) -> Any:
    """Whether all the named columns are released."""
    return lambda keys, values: ~np.isnan(values[:, [keys.index(name) for name in names]]).any(axis=1)


def equals(name: str, number: int) -> Any:
    """Whether the named column is this number."""
    return lambda keys, values: values[:, keys.index(name)] == number


def even_index(keys: tuple[str, ...], values: Any) -> Any:
    """Whether the only report is an even index."""
    return values[:, [i for i, key in enumerate(keys) if int(key) % 2 == 0]].sum(axis=1) == 1


_presence = tail(_COPIES, _RATE, _TAU)
"""``S``: 20 copies are shown at one level."""
_above_one = exp(-2 * _HALF_GRID) / 2
laplace_above_one = _RATE * _above_one + (1 - _RATE) * _above_one * exp(-2)
"""One client sampled at 3/10 with Laplace noise of scale 1/2, released on its grid, above 1."""
hadamard_even = lift("1/4") + 1 / (1 + exp(-2)) / 2
"""Item 0 has row 1, whose + signs are the even indices: a quarter and half of e^2/(1 + e^2)."""
shuffled_nine = (mass(30, "1/5", 9) + mass(30, "1/5", 8)) / 2
"""Bin(30, 1/5) coins and an item counted with probability 1/2 make 9: off the mode, where the mass tells n."""


def _law(row: str, mechanism: str, title: str, statement: str, *law: Any) -> Claim:
    return own(f"law.{row}", "Sections 3 to 5", title, statement, Law(mechanism, *law))


_SIX = equals("k0", 6)
_SIX_OF_TWENTY = mass(_COPIES, _RATE, 6)

CLAIMS = (
    _law(
        "presence", "sample_and_threshold", "20 copies are shown with probability P[Bin(20, 3/10) >= 5]",
        r"\Pr[\mathrm{Bin}(20,0.3)\ge5]", _CELL, {"k0": _COPIES}, are_released("k0"), _presence,
    ),
    _law(
        "count", "sample_and_threshold", "6 of 20 copies are shown with probability P[Bin(20, 3/10) = 6]",
        r"\Pr[\mathrm{Bin}(20,0.3)=6]", _CELL, {"k0": _COPIES}, _SIX, _SIX_OF_TWENTY,
    ),
    _law(
        "by_contacts", "sample_and_threshold_by_contacts", "Drawing the size first gives the same count",
        r"\Pr[\mathrm{Bin}(20,0.3)=6]", _CELL, {"k0": _COPIES, "k1": 10}, _SIX, _SIX_OF_TWENTY,
    ),
    _law(
        "fixed_size", "fixed_size_sample", "12 of 41 clients hold the unique one with probability 12/41", r"m/n",
        {"m": 12, "n": 41, "tau": 5}, {"k0": 40, "k1": 1}, equals("k0", 11), lift("12/41"),
    ),
    _law(
        "contacts", "sample_and_threshold_contacts", "The contact scheme's size is Bin(s, m/s)",
        r"\Pr[\mathrm{Bin}(7,5/7)=5]", {"m": 5, "contacts": 7, "n": 10, "tau": 2}, {"k0": 10},
        equals("k0", 5), mass(7, "5/7", 5),
    ),
    _law(
        "levels", "trie_heavy_hitters", "Both levels of a path are shown with the square of one level's probability",
        r"\Pr[\mathrm{Bin}(20,0.3)\ge5]^2", _TRIE, {"ab": _COPIES}, are_released("a", "ab"), _presence**2,
    ),
    _law(
        "hierarchy", "hierarchical_histogram",
        "Both buckets of a value are shown with the square of one level's probability",
        r"\Pr[\mathrm{Bin}(20,0.3)\ge5]^2", _TRIE, {"1/3": _COPIES}, are_released("0", "01"), _presence**2,
    ),
    _law(
        "search", "interactive_quantile", "Both left buckets are shown with the square of one step's probability",
        r"\Pr[\mathrm{Bin}(20,0.3)\ge5]^2", _TRIE, {"0": _COPIES, "0.999": 60},
        are_released("left 1", "left 2"), _presence**2,
    ),
    _law(
        "laplace", "central_laplace", "A sampled client with Laplace noise is released above 1",
        r"p\,e^{-\epsilon_0g/2}/2+(1-p)e^{-\epsilon_0(1+g/2)}/2", {"epsilon_0": 2, "p": "3/10"}, {"k0": 1},
        lambda keys, values: values[:, keys.index("k0")] > 1, laplace_above_one,
    ),
    _law(
        "hadamard", "hadamard_response",
        "A client reports an index of its half with probability (1 - p)/2 + p e^epsilon_0/(1 + e^epsilon_0)",
        r"\tfrac{1-p}2+\tfrac p{1+e^{-\epsilon_0}}", {"epsilon_0": 2, "p": "1/2"}, {"k0": 1}, even_index, hadamard_even,
    ),
    _law(
        "shuffle", "shuffle_bernoulli", "A sampled client and 30 clients' coins make 9",
        r"\Pr[\mathrm{Ber}(p)+\mathrm{Bin}(m,f)=9]", {"m": 30, "f": "1/5", "p": "1/2"}, {"k0": 1},
        equals("k0", 9), shuffled_nine,
    ),
)  # fmt: skip
