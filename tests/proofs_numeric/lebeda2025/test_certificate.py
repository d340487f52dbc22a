"""The recurrence behind the certificate is about the sums that it speaks of."""

from itertools import accumulate, product

from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball


def test_the_state_holds_the_covariance_of_a_function_that_rises_and_one_that_falls():
    """Every three places with small weights, rises and falls: right - left is minus mass^2 times the covariance."""
    kind = registry().claims["lebeda2025.sec3.cert.association"].kind
    given = [dict(zip(("weight", "rise", "fall"), at, strict=True)) for at in product((0, 1, 3), (0, 2), (0, 1))]
    least = 0
    with Ball(64) as A:
        for places in product(given, repeat=3):
            w = [place["weight"] for place in places]
            f, g = list(accumulate(p["rise"] for p in places)), list(accumulate(-p["fall"] for p in places))
            products = sum(w) * sum(a * b * c for a, b, c in zip(w, f, g, strict=True))
            means = sum(a * b for a, b in zip(w, f, strict=True)) * sum(a * b for a, b in zip(w, g, strict=True))
            state = kind.after(A, places)
            assert kind.right(A, **state) - kind.left(A, **state) == means - products
            least = min(least, products - means)
    assert least < 0
