"""The user's strategy yields data sets or pairs, which are tried with those of the search."""

import pytest

from auditor.errors import AuditorError
from auditor.front.cli import invoke
from auditor.inputs.sources import examples, yielded_neighbours
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.inputs import strategies
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

FILE = strategies.__file__
ONE = AddRemoveUser(1, 1)


def drawn(source):
    """Return the examples of a strategy of rows."""
    return examples(source, None, None, 0, {}, tables=False)


@pytest.mark.parametrize("source", [strategies.pairs, strategies.made, f"{FILE}:pairs", f"{FILE}:made"])
def test_a_tuple_of_two_is_a_pair(source):
    """Of a live strategy, of a function that returns one, and of the names of both."""
    result = drawn(source)
    assert {len(one) for one in result} == {2}
    pairs = yielded_neighbours(result, ONE, None)
    assert all("gold vip" in pair.left and "gold vip" not in pair.right for pair in pairs)


def test_neighbours_are_made_of_a_data_set():
    """Each within the relation; the seed decides the examples."""
    result = drawn(strategies.vips)
    assert {len(one) for one in result} == {1}
    assert result == drawn(strategies.vips)
    for pair in yielded_neighbours(result, ONE, None):
        ONE.check(pair.left, pair.right)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("far_apart", "expected --strategy to yield neighbours"),
        ("no_data", "expected rows of user"),
        ("not_one", "allowed: a strategy of Hypothesis"),
        ("nothing", "it has no attribute 'nothing'"),
        ("words", "got another: a row '"),
        ("objects", "allowed: texts, numbers, true, false and None"),
        ("MOST", "allowed: a callable, or a strategy of Hypothesis"),
    ],
)
def test_a_strategy_that_cannot_be_used_is_refused_in_one_line(name, words, capsys):
    """With what is allowed."""
    command = ["mechanism", f"{FILE}:counts_gold", "--rows", "--epsilon", "1", "--strategy", f"{FILE}:{name}"]
    assert invoke(command) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def is_large(rows, rng):
    """Return whether a noisy number is far above what data reach."""
    return len(rows) + rng.laplace(0, 1) > 1e9


def refuses(rows, rng):
    """Refuse all data."""
    raise KeyError(len(rows))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mechanism", "reason"), [(is_large, "only one outcome"), (refuses, "refuses every tried input")]
)
def test_an_audit_that_saw_nothing_proposes_a_strategy(mechanism, reason):
    """In a whole call."""
    result = audit_mechanism(mechanism, epsilon="1", rows=True, values=(1.0, 1.0), c_u=1, per_key=1, budget=5.0)
    assert result.verdict is Verdict.UNDECIDED
    assert reason in result.detail
    assert "strategy='FILE.py:STRATEGY'" in result.would_take.command


def test_a_strategy_beside_a_pair_is_refused():
    """Nothing else is tried beside a pair."""
    with pytest.raises(AuditorError, match="expected --strategy without --pair"):
        audit_mechanism(max, epsilon="1", strategy=strategies.pairs, pair={"left": {"a": 1}, "right": {}})


@pytest.mark.slow
@pytest.mark.parametrize("option", ["strategy", "dataset"])
def test_data_that_only_the_strategy_yields_refute(option):
    """As a strategy, or in the place of the data."""
    result = audit_mechanism(strategies.counts_gold, epsilon="1", budget=20.0, **{option: strategies.pairs})
    assert result.verdict is Verdict.REFUTED
    assert "gold vip" in {*result.pair.left, *result.pair.right}
