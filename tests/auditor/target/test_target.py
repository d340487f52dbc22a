"""Audited callables in a killable child: every misbehaviour has a name and costs at most its limit."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from auditor.errors import TargetError
from auditor.target.target import Infinite, Limits, Misbehaved, MisbehavedError, Returned, Several, as_target, locate

NASTY = Path(__file__).with_name("nasty.py")
QUICK = Limits(answer_seconds=1.0)
LEISURELY = Limits(answer_seconds=30.0)


def call(name, limits=LEISURELY, **arguments):
    """Call one of the nasty accountants once."""
    with locate(f"{NASTY}:{name}", "accountant", limits) as target:
        return target.call(arguments)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("leaves", "dies", "exited with status 7"),
        ("exits", "dies", "SystemExit: 3"),
        ("is_cancelled", "dies", "CancelledError: by its task"),
        ("crashes", "dies", "SIGSEGV"),
        ("hogs", "memory", "2048 MiB"),
        ("raises", "declines", "ValueError: bad value"),
        ("nan", "returns NaN", "returns nan (NaN)"),
        ("text", "returns str", "'0.5'"),
        ("boolean", "returns bool", "True"),
        ("nothing", "returns NoneType", "None"),
        ("complex_number", "returns complex", "1j"),
    ],
)
def test_a_misbehaving_callable_is_named_in_one_line(name, kind, words):
    """What is no finite real number, and every way to die, has a name of its own."""
    answer = call(name)
    assert isinstance(answer, Misbehaved)
    assert answer.name == kind
    assert words in answer.detail
    assert "\n" not in answer.detail


@pytest.mark.slow
def test_a_hanging_callable_costs_its_limit_and_is_named():
    """No answer in time is an answer."""
    assert call("hangs", QUICK) == Misbehaved("hangs", "gives no answer within 1 s")


@pytest.mark.slow
def test_a_target_that_died_starts_again_at_the_next_call():
    """One death does not end the audit of the rest."""
    with locate(f"{NASTY}:leaves", "accountant", LEISURELY) as target:
        assert [target.call({}).name for _ in range(2)] == ["dies", "dies"]


@pytest.mark.slow
def test_output_on_the_standard_streams_is_no_answer():
    """Printing cannot be taken for, or spoil, the returned number."""
    assert call("chats") == Returned(Fraction(1, 2))


@pytest.mark.slow
def test_numbers_arrive_exactly():
    """Floats travel as binary values, NumPy scalars count as numbers, integers stay integers."""
    assert call("quotient", x=0.3, y=1) == Returned(Fraction(0.3))
    assert call("single") == Returned(Fraction(float(np.float32(0.1))))
    assert call("whole") == Returned(Fraction(3))
    assert call("endless") == Infinite(positive=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no_such_module_anywhere:f", "No module named"),
        (f"{NASTY}:absent", "no attribute 'absent'"),
        (f"{NASTY}:NOT_CALLABLE", "NOT_CALLABLE is 5 of type int; allowed: a callable$"),
        ("missing.py:f", "no such file"),
        ("words", "expected package.module:callable"),
    ],
)
def test_a_target_that_cannot_be_called_is_an_error_in_one_line(text, words):
    """Import failures are told before anything is audited."""
    with pytest.raises(TargetError, match=words), locate(text, "accountant", LEISURELY) as target:
        target.call({})


def test_a_class_that_needs_arguments_is_refused_in_one_line(tmp_path):
    """A mechanism class is built without arguments; one that cannot be says so."""
    (tmp_path / "needs.py").write_text("class Needs:\n    def __init__(self, scale):\n        pass\n", "utf-8")
    words = "cannot be built without arguments: TypeError: .*; give an instance"
    with pytest.raises(TargetError, match=words), locate(f"{tmp_path}/needs.py:Needs", "mechanism", LEISURELY):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def f(histogram):\n    return 1\n", r"takes f\(histogram\), and is called f\(data, rng\): too many"),
        ("class f:\n    def release(self, rows, rng, eps):\n        return 1\n", "missing a required argument: 'eps'"),
        (
            "class f:\n    def release_many(self, h, rng):\n        return 1\n",
            r"is called release_many\(data, n, rng\)",
        ),
        ("def f(histogram, *, rng):\n    return 1\n", r"wrap it in a function of \(data, rng\)"),
    ],
)
def test_a_mechanism_that_takes_other_arguments_is_refused_in_one_line(code, words, tmp_path):
    """Every call would raise: that is told at once, as what it is."""
    (tmp_path / "other.py").write_text(code, "utf-8")
    with pytest.raises(TargetError, match=words), locate(f"{tmp_path}/other.py:f", "mechanism", LEISURELY):
        pass


@pytest.mark.slow
def test_the_users_own_mechanisms_package_is_the_one_imported(tmp_path, monkeypatch):
    """A project with a package of our name gets its own."""
    (tmp_path / "mechanisms").mkdir()
    (tmp_path / "mechanisms" / "__init__.py").write_text("VALUE = 0.25\n", "utf-8")
    (tmp_path / "theirs.py").write_text("import mechanisms\ndef f():\n    return mechanisms.VALUE\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    for text in ("theirs:f", "theirs.py:f"):
        with locate(text, "accountant", LEISURELY) as target:
            assert target.call({}) == Returned(Fraction(1, 4))


def test_a_closure_is_audited_in_a_fork():
    """A callable without an importable name runs in a child too."""
    factor = 3
    with as_target(lambda x: factor * x, "accountant", LEISURELY) as target:
        assert target.call_many([{"x": 1}, {"x": 0.5}]) == [Returned(Fraction(3)), Returned(Fraction(3, 2))]


@pytest.mark.slow
def test_of_several_calls_none_is_answered_after_one_that_ends_the_target():
    """What ends it is told once, and its pipes, whose numbers others may have by now, are not touched again."""

    def eats(x):
        if x == 2:
            raise MemoryError
        return x

    with as_target(eats, "accountant", LEISURELY) as target:
        first, second = target.call_many([{"x": 1}, {"x": 2}, {"x": 3}])
        assert first == Returned(Fraction(1))
        assert second.name == "memory"
        assert target.call({"x": 3}) == Returned(Fraction(3))


def sample(name, n=20, seed=1, limits=LEISURELY):
    """Draw from one of the nasty mechanisms."""
    with locate(f"{NASTY}:{name}", "mechanism", limits) as target:
        return target.sample({"k0": 3, "k1": 1}, n, seed)


@pytest.mark.slow
def test_releases_are_replayed_by_their_seed():
    """The same seed path gives the same releases, another one others."""
    first, again, other = sample("release"), sample("release"), sample("release", seed=2)
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)
    assert first.shapes == ('{"k0":#,"k1":#}',)


@pytest.mark.slow
def test_a_vectorised_release_keeps_its_pattern_of_nan():
    """The array of release_many is passed on as it is, with what the target declares."""
    with locate(f"{NASTY}:Vectorised", "mechanism", LEISURELY) as target:
        batch = target.sample({"k0": 3, "k1": 1}, 500, 1)
        assert target.releases_only_input_keys
    assert batch.shapes is None
    assert batch.values.shape == (500, 2)
    assert 0 < np.isnan(batch.values[:, 1]).sum() < 500


@pytest.mark.slow
def test_any_json_value_is_an_output():
    """Structure and words are the shape, finite numbers are the values."""
    batch = sample("release_stream", n=1)
    assert batch.shapes == ('[["start",{"n":#}],null,[true,#,NaN]]',)
    assert batch.values.tolist() == [[2.0, 2.5]]


@pytest.mark.slow
def test_an_exception_is_an_output_whose_numbers_are_values():
    """Messages that differ in a number only are one shape with a column."""
    batch = sample("release_sometimes_raises", n=100)
    assert batch.raised_at == {"raised RuntimeError: lost # rows": "nasty.py:144"}
    assert batch.raised_at.keys() < {*batch.shapes}
    assert "!0" in batch.columns


@pytest.mark.slow
def test_mutation_and_unused_generators_are_noticed():
    """The batch says whether input or generator were touched."""
    assert sample("release_mutates").mutated
    assert not sample("release").mutated
    assert sample("release").rng_used
    assert not sample("release_ignores_rng").rng_used


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("release_integer_keys", "returns the key 1 of type int"),
        ("WrongShape", "shape"),
        ("release_records", "of type recarray"),
        ("release_named", "of type Series"),
        ("release_book", "returns a value of 20000002 characters; allowed: 16777216"),
        ("release_dies", "exited with status 9"),
        ("release_is_cancelled", "CancelledError: by its task"),
    ],
)
def test_a_mechanism_without_an_output_is_named(name, words):
    """What no JSON value can hold, and a death, end the sampling with one line."""
    with pytest.raises(MisbehavedError, match=words):
        sample(name)


@pytest.mark.slow
def test_a_hanging_mechanism_costs_its_limit():
    """A release that never comes is named."""
    with pytest.raises(MisbehavedError, match="no answer within 1 s"):
        sample("release_hangs", limits=QUICK)


@pytest.mark.slow
def test_several_numbers_are_parts_of_one_answer():
    """A pair is no misbehaviour: what its parts are is for the judge to say."""
    answer = call("array")
    assert isinstance(answer, Several)
    assert answer.parts == (Returned(Fraction(1, 2)), Returned(Fraction(1, 2)))
