"""Algorithm 4 of rogers2024: a stream of Algorithm 3 queries that pays for what it prints, k* entries in all.

Statement: query i prints at most k^(i) = min(k, k* - printed) entries, bottom included; the stream ends when k* are
out.
A stream of histograms is written as one histogram with keys `round/item`
(`proofs_numeric.statements.adjacency.encode`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.gumbel.mechanism import CALIBRATOR as ONE_LIST
from mechanisms.unknown_domain.gumbel.mechanism import MOST_LISTS, UnknownDomainGumbel, list_law, lists, threshold
from mechanisms.unknown_domain.gumbel.mechanism import build as build_query
from mechanisms.unknown_domain.profiles import finite
from mechanisms.unknown_domain.release import BOTTOM, check_count, decode
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.rogers2024.neighbours import PAY_WHAT_YOU_GET
from proofs_numeric.rogers2024.peeling import pay_what_you_get
from proofs_numeric.statements.adjacency import stream_key
from proofs_numeric.statements.concentrated import FiniteLaw
from proofs_numeric.statements.neighbours import Neighbours

Analyst = Callable[[tuple[tuple[str, ...], ...]], "Histogram"]
"""Chooses the next histogram from the lists printed so far."""


@dataclass(frozen=True)
class PayWhatYouGet(BatchMechanism):
    """Algorithm 4.

    Attributes:
        query: Algorithm 3 with the largest k of any query; its T must be that of the largest k_bar.
        rounds: l*, most queries.
        k_star: entries that may be printed in all.
    """

    query: UnknownDomainGumbel
    rounds: int
    k_star: int

    releases_only_input_keys = False
    """No: bottoms are printed."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent runs on a fixed stream: a column for each round and label, and each round's bottom."""
        stream = decode(histogram, self.rounds)
        left = np.full(n, self.k_star)
        keys: list[str] = []
        blocks = [np.empty((n, 0))]
        for index in range(1, self.rounds + 1):
            names, counts, next_count = self.query.top(stream[index])
            places = self.places(left)
            running = np.flatnonzero(places > 0)
            ranks = np.full((n, counts.size + 1), np.nan)
            ranks[running] = self.query.ranks(counts, next_count, places[running], rng)
            left = left - self.paid(ranks)
            keys += [stream_key(index, name) for name in (*names, BOTTOM)]
            blocks.append(ranks)
        return tuple(keys), np.concatenate(blocks, axis=1)

    def places(self, left: NDArray[np.int64]) -> NDArray[np.int64]:
        """Entries the next query may print: min(k, k* - printed)."""
        return np.minimum(self.query.k, left)

    def paid(self, ranks: NDArray[np.float64]) -> NDArray[np.int64]:
        """Entries printed, bottom among them."""
        return np.asarray(np.sum(~np.isnan(ranks), axis=1))

    def release_stream(self, analyst: Analyst, rng: np.random.Generator) -> tuple[tuple[str, ...], ...]:
        """One adaptive run: ordered lists, each chosen after the ones before."""
        lists: tuple[tuple[str, ...], ...] = ()
        left = self.k_star
        while left > 0 and len(lists) < self.rounds:
            names, counts, next_count = self.query.top(analyst(lists))
            places = self.places(np.array([left]))
            ranks = self.query.ranks(counts, next_count, places, rng)
            ranking = sorted(
                (rank, name) for rank, name in zip(ranks[0], (*names, BOTTOM), strict=True) if not np.isnan(rank)
            )
            left -= int(self.paid(ranks)[0])
            lists = (*lists, tuple(name for _rank, name in ranking))
        return lists


@of_numbers
def build(*, l_star: Value, k_star: Value, k_bar: Value, k: Value, beta: Value, delta: Value) -> PayWhatYouGet:
    """Algorithm 4 by the names of Theorem 10, every query with the same k_bar and k.

    Raises:
        ValueError: as Algorithm 3, or l_star or k_star below 1.
    """
    query = build_query(k_bar=k_bar, k=k, beta=beta, delta=delta)
    return PayWhatYouGet(query, check_count("l_star", l_star, "queries"), check_count("k_star", k_star, "entries"))


Top = tuple[dict[str, int], int]
"""The top of one query's histogram, and the next count."""


def stream_law(
    A: Arithmetic,
    *,
    stream: tuple[Top, ...],
    k: int,
    k_star: int,
    beta: Value,
    threshold: Callable[[Arithmetic], Number],
) -> FiniteLaw[Any]:
    """Exact law over tuples of lists."""

    def query(index: int, places: int) -> dict[Any, Any]:
        counts, next_count = stream[index]
        return dict(list_law(A, counts=counts, next_count=next_count, k=places, beta=beta, threshold=threshold))

    return pay_what_you_get(query, len(stream), k_star, k)


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of any neighbours with few tuples of lists."""
    mechanism = build(**parameters)
    k, beta = int(parameters["k"]), parameters["beta"]
    # Both sides print alike once nothing is left to count.
    last = max(int(key.partition("/")[0]) for key in {**neighbours.left, **neighbours.right})

    def tops(histogram: Histogram) -> tuple[Top, ...]:
        rounds = decode(histogram, min(last, mechanism.rounds))
        results = (mechanism.query.top(rounds[index]) for index in sorted(rounds))
        return tuple((dict(zip(keys, map(int, counts), strict=True)), after) for keys, counts, after in results)

    streams = [tops(side) for side in (neighbours.left, neighbours.right)]
    if max(math.prod(lists(len(top), k) for top, _after in stream) for stream in streams) > MOST_LISTS:
        return ExactLaw()
    calibration: dict[str, Any] = {name: parameters[name] for name in ("k_bar", "beta", "delta")}
    at = partial(threshold, **calibration)
    left, right = (
        partial(stream_law, stream=stream, k=k, k_star=mechanism.k_star, beta=beta, threshold=at) for stream in streams
    )
    return ExactLaw(partial(finite, left=left, right=right))


MECHANISM = MechanismSpec(
    id="unknown_domain_pay_what_you_get", title="Pay-what-you-get composition (Algorithm 4)", build=build,
    parameters={"l_star": 3, "k_star": 2, "k_bar": 2, "k": 2, "beta": 1, "delta": "1/20"},
    guarantee_claim="rogers2024.thm10.profile", privacy=PAY_WHAT_YOU_GET, law=law,
    source="rogers2024, Section 4.2.2, Algorithm 4; Theorem 10",
)  # fmt: skip

CALIBRATOR = replace(ONE_LIST, id=MECHANISM.id, claim="rogers2024.range.pay", release="several_lists")
CALIBRATORS = (
    replace(
        CALIBRATOR, id=f"{MECHANISM.id}_pooled", mechanism=MECHANISM.id, claim="rogers2024.range.pool",
        release="pooled_lists",
    ),
)  # fmt: skip
"""Lists beside other releases of a ledger."""
