"""Orders of customers in the country. Promise: epsilon 1; a customer comes or goes with all orders."""

MOST_ORDERS = 3


def wrong(rows, rng):
    """Count joined rows as if a customer had one order."""
    return round(len(rows) + rng.laplace(0, 1.0), 2)


def right(rows, rng):
    """Keep at most three orders of each customer."""
    orders = {}
    for customer, *_ in rows:
        orders[customer] = min(MOST_ORDERS, orders.get(customer, 0) + 1)
    return round(sum(orders.values()) + rng.laplace(0, MOST_ORDERS), 2)
