"""Strategies of data sets and of pairs, and a mechanism that is wrong on what only they yield."""

from hypothesis import strategies as st

ROWS = [("ann", "vip", 1.0), ("bob", "std", 1.0), ("cid", "std", 1.0)]

vips = st.integers(0, 5).map(lambda n: [(f"u{i}", "vip", 1.0) for i in range(n)] + ROWS)
pairs = st.integers(1, 5).map(lambda n: (ROWS * 1 + [(f"u{n}", "gold vip", 1.0)], ROWS))
histograms = st.dictionaries(st.sampled_from(["a", "b"]), st.integers(1, 30), min_size=1)
far_apart = st.just(([*ROWS, *((f"u{i}", "std", 1.0) for i in range(9))], ROWS))
no_data = st.integers()
MOST = 7
words = st.text(min_size=1)
objects = st.builds(lambda: [("ann", "vip", object())])


def made():
    """Return a strategy."""
    return pairs


def not_one():
    """Return none."""
    return 3


def counts_gold(rows, rng):
    """Count rows with noise for one, but gold ones with a tenth of it."""
    if any(key.startswith("gold") for _user, key, _value in rows):
        return round(len(rows) + rng.laplace(0, 0.1), 2)
    return round(len(rows) + rng.laplace(0, 1), 2)
