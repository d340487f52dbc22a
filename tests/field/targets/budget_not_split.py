"""Count and sum of one query. Promise: epsilon 1 for the query; a user has one row, with an amount in [0, 10]."""

HIGH = 10.0


def query(rows, rng, epsilon):
    """Answer both aggregations, each at this epsilon."""
    amounts = [min(HIGH, max(0.0, amount)) for _user, _shop, amount in rows]
    return {
        "count": round(len(amounts) + rng.laplace(0, 1 / epsilon), 2),
        "sum": round(sum(amounts) + rng.laplace(0, HIGH / epsilon), 1),
    }


def wrong(rows, rng):
    """Spend all of epsilon on each aggregation."""
    return query(rows, rng, 1.0)


def right(rows, rng):
    """Split epsilon."""
    return query(rows, rng, 0.5)
