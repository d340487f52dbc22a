"""Contributions to two buckets. Promise: epsilon 2; a user adds at most 4 in all, to one bucket."""

EPSILON, MOST = 2.0, 4
BUCKETS = ("ads", "search")


def summary(rows, rng, scale):
    """Sum contributions by bucket, of each user at most four, all in the first bucket of that user."""
    totals, bucket_of, spent = dict.fromkeys(BUCKETS, 0), {}, {}
    for user, bucket, *_ in rows:
        if bucket in totals and bucket_of.setdefault(user, bucket) == bucket and spent.get(user, 0) < MOST:
            spent[user] = spent.get(user, 0) + 1
            totals[bucket] += 1
    return {bucket: round(total + rng.laplace(0, scale), 3) for bucket, total in totals.items()}


def wrong(rows, rng):
    """Follow the printed formula: scale epsilon / L1."""
    return summary(rows, rng, EPSILON / MOST)


def right(rows, rng):
    """Use L1 / epsilon."""
    return summary(rows, rng, MOST / EPSILON)
