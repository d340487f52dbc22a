"""Functions of an adapter as programs: what they print is what the function returns."""

import ast
import contextlib
import io

import pytest

from auditor.accountant_audit.straight_code import straight_code
from auditor.errors import UsageError

ADAPTER = '''
import functools


@functools.lru_cache
def _made(law, *values, **options):
    """Return a text."""
    import textwrap

    return getattr(textwrap, f"{law}ent")(" ".join(map(str, values)), options["prefix"])


def _twice(k, law, *values, **options):
    return _made(law, *values, **options) * k


def text(k: int, value: float) -> str:
    """Return a text k times."""
    if k > 2:
        raise ValueError("two at most")
    return _twice(k, "ind", value, value + 1, prefix="> ")


def _named(scale):
    total = scale + 1
    return total * 2


def product(scale):
    return _named(scale * 2) / 2


def clash(scale):
    total = 3
    return _named(scale) + total


def several(scale):
    while scale < 1:
        return 1
    return scale
'''
FUNCTIONS = {one.name: one for one in ast.parse(ADAPTER).body if isinstance(one, ast.FunctionDef)}


def printed(program):
    """Run a program and return what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})  # noqa: S102 - our own program
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("name", "point"), [("text", {"k": 2, "value": 1.5}), ("product", {"scale": 3.0}), ("product", {"scale": 0.1})]
)
def test_a_program_prints_what_the_function_returns(name, point):
    """No function is left, and no `getattr`; a condition on known values is decided."""
    arguments = {key: repr(value) for key, value in point.items()}
    program = straight_code(FUNCTIONS, name, [arguments], ["the answer"])
    own = {}
    exec(ADAPTER, own)  # noqa: S102 - our own program
    assert printed(program) == [str(own[name](**point))]
    assert not any(word in program for word in ("def ", "getattr", "raise", "return"))
    assert program.endswith("# the answer\n")


def test_two_points_have_one_function():
    """Each is printed."""
    points = [{"scale": "1.0"}, {"scale": "2.0"}]
    program = straight_code(FUNCTIONS, "product", points, ["3.0", "5.0"])
    assert program.count("def ") == 1
    assert printed(program) == [line.partition("# ")[2] for line in program.splitlines() if line.startswith("print")]


@pytest.mark.parametrize("name", ["clash", "several"])
def test_what_is_no_straight_code_is_refused(name):
    """Names of a helper that its caller has, and a value that is returned at several places."""
    with pytest.raises(UsageError, match="several places"):
        straight_code(FUNCTIONS, name, [{"scale": "1.0"}], [""])
