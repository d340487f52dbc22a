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


def _padded(value, width=4, /, *, fill="."):
    return str(value).rjust(width, fill)


def padded(value, k=2, *, fill=None, tail="!"):
    import textwrap

    if k < 2:
        raise ValueError("two at least")
    return textwrap.indent(_padded(value) + _padded(k, 3, fill="-"), "> ", fill) + tail


def _named(scale):
    total = scale + 1
    return total * 2


def product(scale):
    return _named(scale * 2) / 2


def clash(scale):
    total = 3
    return _named(scale) + total


SCALE = 2


def constant(scale):
    return SCALE * scale


def computed(scale, factor=SCALE):
    return scale * factor


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
    ("name", "point"),
    [
        ("text", {"k": 2, "value": 1.5}), ("product", {"scale": 3.0}), ("product", {"scale": 0.1}),
        ("padded", {"value": 1.5}), ("padded", {"value": 1.5, "k": 3, "tail": "?"}),
    ],
)  # fmt: skip
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


def test_defaults_are_in_a_function_of_two_points():
    """A parameter that no point has keeps its default."""
    points = [{"value": "1.0"}, {"value": "2.0"}]
    program = straight_code(FUNCTIONS, "padded", points, ["", ""])
    assert printed(program) == ["> .1.0--2!", "> .2.0--2!"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("clash", "several places"), ("several", "several places"), ("constant", "uses SCALE"),
        ("computed", "no literal"), ("text", "uses k, value"),
    ],
)  # fmt: skip
def test_what_is_no_straight_code_is_refused(name, reason):
    """Names of a caller or of the module, a default that is computed, a missing argument, and several returns."""
    with pytest.raises(UsageError, match=reason):
        straight_code(FUNCTIONS, name, [{"scale": "1.0"}], [""])
