"""Visitors by store with pandas: a user counts once a store, in two stores."""

import pandas as pd

STORES = ["north", "south", "mid", "west", "east"]


def release(rows, rng):
    """Return noisy counts of the known stores."""
    frame = pd.DataFrame([row[:2] for row in rows], columns=["user", "store"]).drop_duplicates()
    counts = frame.groupby("user").head(2).groupby("store").size().reindex(STORES, fill_value=0)
    return (counts + rng.laplace(0, 2.0, size=len(STORES))).round(2).to_dict()
