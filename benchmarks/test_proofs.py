"""Speed of what proofs are made of: an identity in variables and a limit of the parts, against SymPy's general ways."""

import time

import pytest
import sympy

from proofs_numeric.kernel import expressions, limits

A, B, C, S = sympy.symbols("a b c s", positive=True)
X = sympy.Symbol("x", real=True)


def _fresh(work):
    """CPU seconds of a call of which SymPy remembers nothing, and what it found."""
    sympy.core.cache.clear_cache()
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


@pytest.mark.parametrize(
    "zero",
    [
        sympy.sqrt(A * B * (A + B + C) / (S**2 * (A + B) ** 2) + A * C * (1 - A / (A + B)) / (S**2 * (A + B)))
        - sympy.sqrt(A) * sympy.sqrt(B) * sympy.sqrt(A + B + 2 * C) / (S * (A + B)),
        sympy.exp(-((S * A / 2 - B / (S * A)) ** 2) / 2)
        - sympy.exp(B) * sympy.exp(-((S * A / 2 + B / (S * A)) ** 2) / 2),
        sympy.erf((A**2 - B**2) / (A + B)) * sympy.log(A * C + B * C)
        + sympy.erf(B - A) * (sympy.log(A + B) + sympy.log(C)),
    ],
    ids=["roots", "exponentials", "functions"],
)
def test_an_identity_in_variables(benchmark, zero):
    """At least five times as fast as to simplify."""
    ours, value = _fresh(lambda: expressions.vanishes.__wrapped__(zero))
    general, _simpler = _fresh(lambda: sympy.simplify(zero))
    benchmark(expressions.vanishes.__wrapped__, zero)
    benchmark.extra_info["times slower to simplify"] = round(general / ours)
    assert value
    assert 5 * ours < general


def test_a_limit_of_the_parts(benchmark):
    """That of a profile whose mean is lost, at least five times as fast as a series of it."""
    normal = sympy.Lambda(X, (1 + sympy.erf(X / sympy.sqrt(2))) / 2)
    built = X * normal(X) + (1 + X**2) * normal(X) ** 2 + sympy.exp(-(X**2) / 2)
    ours, value = _fresh(lambda: limits.by_parts(built, X, -sympy.oo))
    general, _same = _fresh(lambda: sympy.limit(built, X, -sympy.oo))
    benchmark(limits.by_parts, built, X, -sympy.oo)
    benchmark.extra_info["times slower by series"] = round(general / ours)
    assert value == 0
    assert 5 * ours < general
