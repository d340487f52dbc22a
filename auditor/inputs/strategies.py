"""Hypothesis strategies of neighbouring pairs.

The audit first tries the catalogue of pairs in `rows` and `histograms`. The strategies then vary data sets that reached
new lines of the target, and data sets of the model. Hypothesis generates and does not optimise: the optimiser of
`hypothesis.target` takes minutes on one plateau, without a new pair.
"""

import math
from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from auditor.inputs.candidates import Candidate
from auditor.inputs.data import OTHER_USER, Rows, related
from auditor.inputs.histograms import HistogramModel
from auditor.inputs.rows import RowModel, merged
from auditor.inputs.values import Values
from auditor.search.reproducible import without_constants_of_modules
from proofs_numeric.statements.adjacency import Adjacency, EachAnswer, ReplaceUser
from proofs_numeric.statements.neighbours import Neighbours

Strategy = st.SearchStrategy[Candidate]
MOST_ENTRIES = 12
MOST_LEFT_OUT = 4
"""Largest number of rows of other users that are left out of a data set."""


def values(model: Values) -> st.SearchStrategy[float]:
    """Return a strategy of values within the data or the declared range."""
    if model.integers is not None or model.whole:
        between: st.SearchStrategy[float] = st.integers(math.ceil(model.low), math.floor(model.high)).map(float)
    else:
        between = st.floats(model.low, model.high, allow_nan=False)
    return st.one_of(st.sampled_from(model.within()), between)


def row_pairs(model: RowModel, reached: Sequence[Rows]) -> Strategy:
    """Return a strategy of pairs of rows: a data set, without some rows, and one user's rows at any place.

    Args:
        model: the known properties of rows.
        reached: data sets that ran new lines.
    """
    bases = [*reached, *(base for _name, base, _family in model.bases())]
    keys = st.sampled_from(model.keys)

    @st.composite
    def pair(draw: st.DrawFn) -> Candidate:
        base = draw(st.sampled_from(bases)).rows
        who = draw(st.sampled_from([*dict.fromkeys(row[0] for row in base)])) if base and model.data else OTHER_USER
        out = draw(st.sets(st.integers(0, max(0, len(base) - 1)), max_size=MOST_LEFT_OUT))
        others = [row for place, row in enumerate(base) if row[0] != who and place not in out]
        sides = []
        anywhere, together = st.integers(0, len(others)), draw(st.booleans())
        place = draw(anywhere)
        for _ in range(2 if model.replaces else 1):
            chosen = draw(st.lists(keys, min_size=1, max_size=min(model.c_u, MOST_ENTRIES), unique=True))
            times = [draw(st.integers(1, min(model.per_key, MOST_ENTRIES))) for _ in chosen]
            rows = [
                (who, key, draw(values(model.values))) for key, n in zip(chosen, times, strict=True) for _ in range(n)
            ]
            places = [place] * len(rows) if together else sorted(draw(anywhere) for _ in rows)
            sides.append(merged(others, rows, places))
        right = sides[1] if model.replaces else Rows(others)
        text = ", ".join(f"{value:g} in {key}" for user, key, value in sides[0].rows if user == who)
        title = (
            f"{len(others)} rows of others, user {who} at place {place}{'' if together else ' and others'} with {text}"
        )
        return Candidate(Neighbours(title, sides[0], right), "drawn")

    return pair()


def histogram_pairs(model: HistogramModel, reached: Sequence[dict[str, int]]) -> Strategy:
    """Return a strategy of pairs of histograms: counts of all sizes, with any keys changed as the adjacency allows."""
    reached = [one for one in reached if one]
    counts = st.one_of(st.integers(1, 12), st.integers(1, min(model.largest, 5000)))

    @st.composite
    def pair(draw: st.DrawFn) -> Candidate:
        some = draw(st.lists(st.sampled_from(model.keys), min_size=1, max_size=MOST_ENTRIES, unique=True))
        made = {key: draw(counts) for key in some}
        left = draw(st.sampled_from([made, *reached])) if reached else made
        right = dict(left)
        for key, step in draw(moves(model.adjacency, model.keys, [*left])).items():
            right[key] = max(0, right.get(key, 0) + step)
        right = {key: count for key, count in right.items() if count}
        assume(sum(left.values()) <= model.limit and related(model.adjacency, left, right))
        title = f"counts {', '.join(f'{key} {n}' for key, n in left.items())} and {right}"
        return Candidate(Neighbours(title, left, right), "drawn")

    return pair()


def moves(adjacency: Adjacency, keys: Sequence[str], present: list[str]) -> st.SearchStrategy[dict[str, int]]:
    """Return a strategy of the changes by the one user: key -> -1 or 1.

    Args:
        adjacency: neighbouring relation.
        keys: keys that histograms may have.
        present: keys of the histogram that changes.
    """
    most = adjacency.most_changed

    def some(of: Sequence[str], at_most: int) -> st.SearchStrategy[list[str]]:
        return st.lists(st.sampled_from(of), min_size=1, max_size=max(1, min(at_most, len(of))), unique=True)

    down = some(present, most).map(lambda chosen: dict.fromkeys(chosen, -1))
    if isinstance(adjacency, ReplaceUser):
        up = some(keys, most // 2).map(lambda chosen: dict.fromkeys(chosen, 1))
        return st.tuples(some(present, most // 2), up).map(lambda both: {**dict.fromkeys(both[0], -1), **both[1]})
    if isinstance(adjacency, EachAnswer):
        return st.dictionaries(st.sampled_from(present), st.sampled_from([-1, 1]), min_size=1, max_size=most)
    return down


def draw_pairs(strategy: Strategy, examples: int, seed: int) -> list[Candidate]:
    """Return pairs drawn from a strategy.

    Args:
        strategy: strategy of pairs.
        examples: largest number of pairs.
        seed: seed of the draws.
    """
    pairs: list[Candidate] = []

    @seeded(seed)
    @settings(
        max_examples=examples, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def keep(candidate: Candidate) -> None:
        pairs.append(candidate)

    with without_constants_of_modules():
        keep()
    return pairs
