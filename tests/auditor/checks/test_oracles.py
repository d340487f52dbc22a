"""An oracle shares nothing with what it judges but the arithmetic and the special functions: seen as both run."""

import functools
import gc
from cProfile import Profile
from pathlib import Path

import pytest

import proofs_numeric
from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball, MpReal
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.expression import Expression, symbol
from proofs_numeric.expression.nodes import NEGATE
from proofs_numeric.statements.kinds import DeltaBound
from tests.auditor.checks.claims import claim

_ROOM = Path(proofs_numeric.__file__).parent
_SETTING = {
    "wilkins2024.fig1b": "the figure's sigma and gap, at which both sides are asked",
    "thresholds.laplace.integer.reverse": "epsilon is the loss of all shared keys, at which both sides are asked",
    "thresholds.laplace.real.reverse": "epsilon is the loss of all shared keys, at which both sides are asked",
}
"""Claims whose oracle takes its arguments from where the formula takes them."""
ORACLES = {
    each.id: each for each in registry().claims.values() if isinstance(each.kind, DeltaBound) and each.kind.oracle
}


@pytest.fixture(scope="module")
def caches():
    """Every cached function there is, once the catalogue is imported: each refers to its type."""
    gc.unfreeze()  # what was collected is among them
    result = gc.get_referrers(functools._lru_cache_wrapper)
    gc.freeze()
    cached = [each for each in result if isinstance(each, functools._lru_cache_wrapper)]
    assert any(each.__module__.startswith("proofs_numeric") for each in cached)
    return cached


def _called(A, formula, point, caches):
    """Functions of the papers' rooms that an evaluation calls, none of them from a cache."""
    for cached in caches:
        cached.cache_clear()
    with Profile(subcalls=False, builtins=False) as seen:
        evaluate_in(A, formula, point)
    names = {_name(entry.code) for entry in seen.getstats()}
    parts = formula.nodes() if isinstance(formula, Expression) else ()
    names |= {f"<{node}>" for node in parts if node.arguments and not _is_operation(node)}
    return {name for name in names if name and not name.startswith(("arithmetic/", "expression/"))}


def _is_operation(node):
    """Whether a node is one operation of the arithmetic on parameters or their negatives: both sides may take it."""
    plain = [argument.arguments[0] if argument.head is NEGATE else argument for argument in node.arguments]
    return isinstance(node.head.evaluate, str) and not any(argument.arguments for argument in plain)


def _name(code):
    """Where a function of proofs_numeric stands, or the expression that it is compiled from; None for any other."""
    file = Path(code.co_filename)
    if not file.is_relative_to(_ROOM):
        return code.co_filename if code.co_name == "formula" and code.co_filename.startswith("<") else None
    return f"{file.relative_to(_ROOM).as_posix()}: {code.co_qualname}, line {code.co_firstlineno}"


def _shared(each, caches):
    point = each.domain.parse(each.kind.oracle_points[0])
    return _called(Ball(64), each.kind.formula, point, caches) & _called(MpReal(10), each.kind.oracle, point, caches)


@pytest.mark.slow
@pytest.mark.parametrize("identifier", sorted(ORACLES.keys() - _SETTING.keys()))
def test_an_oracle_shares_no_code_with_its_formula(identifier, caches):
    """Not one function of a paper is called by both."""
    assert not _shared(ORACLES[identifier], caches)


@pytest.mark.slow
def test_a_shared_function_is_seen(caches):
    """A helper of a paper that both sides call, one of them through a cache; an expression, and a part of one."""
    from proofs_numeric.bharadwaj2022.cells import binomial_law, sampling_rate

    def both(formula, oracle):
        return claim(DeltaBound(formula, oracle, ({"x": 1},)))

    cached = functools.cache(lambda A: binomial_law(A, 2, A.number("1/2")))
    cached(Ball(64))
    (shared,) = _shared(
        both(lambda A, *, x: cached(A)[0], lambda A, *, x: binomial_law(A, 3, x / 4)[0]), [*caches, cached]
    )
    assert "binomial_law" in shared
    rate = sampling_rate(epsilon=symbol("x"), alpha="1/2")
    for formula in (lambda A, *, x: rate(A, x=x), 2 * rate):
        assert str(rate) in "".join(_shared(both(formula, lambda A, *, x: 2 * rate(A, x=x)), caches))
