"""The child process that runs an audited callable, in any Python from 3.9.

It imports nothing of the auditor, so nothing shadows the user's modules, and needs only the standard library. The
generator is NumPy's if the interpreter has NumPy, else `random.Random`.

It runs as a script (by `keeper.py IN_FD OUT_FD`) or in a forked child through `serve`. The conversation is a sequence
of frames on two private pipes: `<IQ` (length of a JSON header, length of a payload), the header, and the payload. The
payload holds 64-bit integers and doubles in machine order, as announced by the header. An answer names its request and
its index among the answers to it; the auditor rejects an answer to another request. The auditor counts the target's
standard output and discards its standard error, so printed text is never taken for an answer.

Requests: `load` (once), then any number of:
- `call`: keyword arguments, one answer each;
- `sample`: releases of one histogram or one list of rows;
- `survey`: a few releases of each of many inputs, all with the same generator;
- `make`: JSON values, such as data sets;
- `form`: the form of the rows passed to the target.
"""

from __future__ import annotations

import collections
import contextlib
import decimal
import difflib
import dis
import fractions
import functools
import importlib
import importlib.util
import inspect
import itertools
import json
import math
import numbers
import operator
import os
import random
import re
import resource
import select
import struct
import subprocess
import sys
import threading
import time
import types
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEADER = struct.Struct("<IQ")
BEAT_SECONDS = 0.25
SHOWN_CHARACTERS = 120
MOST_READ = 2**12
"""Characters of a text that can enter its one-line version."""
LARGEST = sys.float_info.max
MOST_BITS = 2**14
"""Maximum bits of integers in an answer; arithmetic on larger ones would cost the auditor minutes."""
REAL = (numbers.Real, decimal.Decimal)
PLAIN = frozenset([dict, list, float, int, str, bool, type(None)])
"""Types of JSON values, which need no conversion."""
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
EXCEPTION_PREFIX = "raised "
"""Prefix of the shape of an exception."""
MOST_NODES, MOST_READERS = 64, 8
"""Maximum number of nodes of an output that has a reader, and of readers of outputs with equal keys."""
LAZY = frozenset([types.CoroutineType, types.GeneratorType, types.AsyncGeneratorType])
"""Outputs that have yet to run."""
MOST_LOOKED_UP = 64
"""Maximum number of absent keys that a listening input records."""
MOST_CELLS = 2**26
"""Maximum number of cells (numbers and gaps) of a batch, one column per name; the auditor holds half a gigabyte."""
MOST_NAMES = 2**17
"""Maximum number of names of a batch; with more, even a few releases take a minute to inspect."""
LONGEST_LINE = 2**24
"""Maximum length of one line of a program, in bytes."""
PAIR = "pair"
"""Key under which a strategy's pair of data sets is sent."""
TABLE = "table"
"""Key under which a frame or an array is sent."""
ENDING_SECONDS = 2.0
"""Time that a program may take to end after it closed its output, in seconds."""


class UnusableOutputError(Exception):
    """Raised if a target returns no valid output. Causes: a non-string key, a value outside JSON, a wrong shape."""


def write_frame(stream: BinaryIO, header: dict[str, Any], payload: bytes | memoryview = b"") -> None:
    """Send one frame and flush it."""
    text = json.dumps(header).encode()
    stream.write(HEADER.pack(len(text), len(payload)))
    stream.write(text)
    stream.write(payload)
    stream.flush()


class Answers:
    """Sends numbered answers to successive requests."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.request = self.place = 0

    def begin(self, request: int) -> None:
        """Set the number of the current request."""
        self.request, self.place = request, 0

    def send(self, header: dict[str, Any], payload: bytes | memoryview = b"") -> None:
        """Send the next answer to the current request, after flushing the target's standard output."""
        with contextlib.suppress(Exception):  # the target may have replaced it
            sys.stdout.flush()
        write_frame(self.stream, {**header, "answers": [self.request, self.place]}, payload)
        self.place += 1


def read_frame(stream: BinaryIO) -> dict[str, Any] | None:
    """Receive one request; None after the auditor has gone."""
    prefix = stream.read(HEADER.size)
    if len(prefix) < HEADER.size:
        return None
    header_length, _ = HEADER.unpack(prefix)
    request: dict[str, Any] = json.loads(stream.read(header_length))
    return request


def one_line(text: str) -> str:
    """Return the text as a single line of bounded length."""
    line = " ".join(text[:MOST_READ].split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


def describe_value(value: object) -> str:
    """Return a bounded repr without its address; the type name if repr fails."""
    try:
        return one_line(ADDRESS.sub("", repr(value)))
    except Exception:  # noqa: BLE001 - the repr is the target's code
        return f"<{type(value).__name__}>"


def exception_text(error: BaseException) -> str:
    """Return `ValueError: message` on one line."""
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - the message is the target's code
        message = ""
    return one_line(f"{type(error).__name__}: {message}" if message else type(error).__name__)


def place_of(error: BaseException) -> str:
    """Return `file.py:line` of the innermost frame of the called file in the traceback; empty without a called file."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    called = [frame for frame in frames if frame[0] != __file__]
    lines = [line for file, line in called if file == called[0][0]]
    return one_line(f"{Path(called[0][0]).name}:{lines[-1]}") if called else ""


def limit_memory(limit: int, kind: int) -> None:
    """Allow memory of a kind to grow by `limit` bytes; do nothing on systems without such limits."""
    mapped = 0
    with contextlib.suppress(OSError):
        mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (mapped + limit, mapped + limit))


def load_target(target: str, search_path: list[str], fallback_path: list[str]) -> object:
    """Import `module:callable` or `file.py:callable`, with the user's directories first and the auditor's path last."""
    sys.path[:0] = search_path
    sys.path += [directory for directory in fallback_path if directory not in sys.path]
    location, _, attribute = target.rpartition(":")
    if location.endswith(".py"):
        specification = importlib.util.spec_from_file_location("audited_target", location)
        if specification is None or specification.loader is None:
            message = f"{location} cannot be loaded"
            raise ImportError(message)
        module = importlib.util.module_from_spec(specification)
        sys.modules["audited_target"] = module
        specification.loader.exec_module(module)
    else:
        module = importlib.import_module(location)
    return attribute_of(module, attribute.split("."))


# --- objects: the methods of a class, each as one callable ----------------------------------------------------------

PROPERTIES = (property, functools.cached_property)
ANOTHER = "other"
"""Name of a method's argument that is another object, built like the first."""


MOST_NAMED = 5
"""Maximum number of names of a module or class that an error message lists; of more, it lists close matches."""


def attribute_of(loaded: object, names: list[str]) -> object:
    """Return a nested attribute; from a class on, its methods as one callable."""
    for place, name in enumerate(names):
        if not hasattr(loaded, name):
            public_names = [each for each in getattr(loaded, "__dict__", ()) if not each.startswith("_")]
            near = public_names if len(public_names) <= MOST_NAMED else difflib.get_close_matches(name, public_names)
            message = f"it has no attribute {name!r}" + (f"; it has {', '.join(near)}" if near else "")
            raise ImportError(message)
        if of_instances(loaded, name):
            return Methods(loaded, names[place:])  # type: ignore[arg-type]
        loaded = getattr(loaded, name)
    return loaded


def of_instances(loaded: object, name: str) -> bool:
    """Return whether the attribute is a method or a property, which needs an instance of the class."""
    attribute = inspect.getattr_static(loaded, name, None) if isinstance(loaded, type) else None
    routine = inspect.isroutine(attribute) and not isinstance(attribute, (staticmethod, classmethod))
    return routine or isinstance(attribute, PROPERTIES)


class Methods:
    """A method of a class as one callable: `Class.delta` builds an object and calls the method.

    In `Class.compose.delta` each method is called on the result of the previous one, or on the previous object if the
    result is None. An argument goes to the last of the constructor and the methods that names it.
    """

    def __init__(self, built: type, names: list[str]) -> None:
        self.built, self.names = built, names
        self.takes = [inspect.signature(built).parameters, *(method_parameters(built, name) for name in names)]
        merged = {name: one for parameters in self.takes for name, one in parameters.items() if name != ANOTHER}
        keywords = [one.replace(kind=one.KEYWORD_ONLY) for one in merged.values() if not any_name(one)]
        anything = [one for one in merged.values() if one.kind is one.VAR_KEYWORD][:1]
        self.__signature__ = inspect.Signature([*keywords, *anything])

    def __call__(self, **arguments: Any) -> object:
        """Build the object and call the methods; return the last result."""
        shares: list[dict[str, Any]] = [{} for _ in self.takes]
        for name, value in arguments.items():
            naming = [place for place, parameters in enumerate(self.takes) if name in parameters]
            loose = [place for place, taken in enumerate(self.takes) if any(map(any_name, taken.values()))]
            shares[(naming or loose or [-1])[-1]][name] = value
        result: Any = self.built(**shares[0])
        for name, share, taken in zip(self.names, shares[1:], self.takes[1:]):  # noqa: B905 - Python 3.9
            if ANOTHER in taken:
                share[ANOTHER] = self.built(**shares[0])
            method = getattr(result, name)
            value = method(**share) if callable(method) else method
            result = result if value is None and name is not self.names[-1] else value
        return result


def any_name(parameter: inspect.Parameter) -> bool:
    """Return whether the parameter collects arguments without names of their own."""
    return parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)


def method_parameters(built: type, name: str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a method besides its object; a property has none."""
    method = inspect.getattr_static(built, name)
    return {} if isinstance(method, PROPERTIES) else dict(list(inspect.signature(method).parameters.items())[1:])


def parts_of(built: type) -> dict[str, Any]:
    """Return, for each public method, accepted and required keywords with the constructor's, and its own names."""
    parts = {}
    for name in dir(built):
        if name.startswith("_") or not (of_instances(built, name) or callable(getattr(built, name))):
            continue
        with contextlib.suppress(TypeError, ValueError):  # a method in another language may have no signature
            method = Methods(built, [name]) if of_instances(built, name) else getattr(built, name)
            own_names = list(method_parameters(built, name)) if of_instances(built, name) else []
            parts[name] = [accepted_keywords(method), required_keywords(method), own_names]
    return parts


# --- accountants: one real number for each call ---------------------------------------------------------------------


MOST_PARTS = 16
"""Maximum number of numbers in one answer."""


def describe_answer(value: object) -> dict[str, Any]:
    """Return the exact value of a real number, or of each number in a collection; else a description of the value.

    A tuple, list, one-dimensional array or dictionary of up to `MOST_PARTS` numbers is read in its order.
    """
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (tuple, list)):
        parts = list(value)
    elif getattr(value, "ndim", None) == 1 and getattr(value, "size", 1) != 1:
        parts = list(value)  # type: ignore[call-overload]
    else:
        return describe_number(value)
    if not 0 < len(parts) <= MOST_PARTS:
        return describe_number(value)
    described = [describe_number(part) for part in parts]
    malformed = next((one for one in described if "malformed" in one), None)
    return {"parts": described, "shown": describe_value(value)} if malformed is None else malformed


def describe_number(value: object) -> dict[str, str]:
    """Return the exact value of a real number, or the type of any other value.

    An array of one number counts as that number. Numbers of mpmath are exact by mantissa and exponent. Integers are
    sent in hexadecimal, which has no limit of digits.
    """
    if getattr(value, "size", None) == 1 and hasattr(value, "item"):
        value = value.item()
    kind = type(value).__name__
    real = isinstance(value, REAL)
    if isinstance(value, bool) or not real:
        return {"malformed": kind, "shown": describe_value(value)}
    if isinstance(value, numbers.Integral):
        return quotient(int(value), 1)
    if isinstance(value, fractions.Fraction):
        return quotient(value.numerator, value.denominator)
    as_float = float(value)  # type: ignore[arg-type]
    if math.isnan(as_float):
        return {"malformed": "NaN", "shown": describe_value(value)}
    if math.isinf(as_float):
        return {"infinity": "+" if as_float > 0 else "-"}
    if hasattr(value, "_mpf_"):
        sign, mantissa, exponent, _ = value._mpf_
        places = max(-2 * MOST_BITS, min(2 * MOST_BITS, exponent))
        return quotient((-1) ** sign * int(mantissa) << max(places, 0), 1 << max(-places, 0))
    numerator, denominator = value.as_integer_ratio()  # type: ignore[attr-defined]
    return quotient(int(numerator), int(denominator))


def quotient(numerator: int, denominator: int) -> dict[str, str]:
    """Encode a fraction; larger integers lose their last bits, which keeps the value outside the range of doubles."""
    excess = max(numerator.bit_length(), denominator.bit_length(), MOST_BITS) - MOST_BITS
    return {"numerator": f"{numerator >> excess:x}", "denominator": f"{max(1, denominator >> excess):x}"}


def decode_argument(argument: dict[str, Any]) -> float | int | str:
    """Decode one argument from its exact encoding."""
    (kind, value), *_ = argument.items()
    if kind == "float":
        return float.fromhex(value)
    return int(value) if kind == "integer" else str(value)


def is_refusal(error: Exception) -> bool:
    """Return whether a `raise` or `assert` statement refuses the arguments; an error raised by C code is a crash."""
    if (
        not isinstance(error, (ValueError, NotImplementedError, AssertionError))
        and type(error).__module__ == "builtins"
    ):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def answer_call(function: Callable[..., Any], arguments: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Call once and describe the result; MemoryError and a BaseException that is no Exception count as deaths."""
    decoded = {name: decode_argument(argument) for name, argument in arguments.items()}
    try:
        return describe_answer(function(**decoded))
    except MemoryError:
        return {"death": "memory"}
    except ProgramDiedError as error:
        return {"death": str(error)}
    except UnusableOutputError as error:
        return {"malformed": "no number", "shown": str(error)}
    except RefusedError as error:
        return {"refusal": one_line(str(error))}
    except Exception as error:  # noqa: BLE001 - whatever the target raises is the answer
        return {"refusal" if is_refusal(error) else "exception": exception_text(error)}
    except BaseException as error:  # noqa: BLE001 - as of SystemExit
        return {"death": exception_text(error)}


# --- mechanisms: outputs of any shape, as (shape, numbers) ----------------------------------------------------------


quoted = json.encoder.encode_basestring_ascii
"""Text as a JSON string."""


def plain(value: object) -> object:
    """Convert NumPy scalars, arrays and tuples to JSON values; a value with named fields stays."""
    has_fields = hasattr(value, "keys") or getattr(getattr(value, "dtype", None), "names", None)
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)) and not has_fields:
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


CELLS = "texts, numbers, true, false and None, in a histogram, rows, records, a list of numbers, a frame or an array"
"""Values of a data set that the audit can vary."""


def cell(value: object) -> object:
    """Return a value within a data set as a JSON value.

    Errors:
        UnusableOutputError: the value has another type.
    """
    plain_value = plain(value)
    if plain_value is value:
        message = f"returns {describe_value(value)} of type {type(value).__name__} in its data; allowed: {CELLS}"
        raise UnusableOutputError(message)
    return plain_value


def shape_of(value: Any, row: list[float]) -> str:
    """Return the JSON text of `value` with `#` for each finite number; append the numbers to `row`."""
    kind = type(value)
    if kind is float and value - value == 0.0:  # neither infinite nor NaN
        row.append(value)
        return "#"
    if kind not in PLAIN:
        value = plain(value)
    if isinstance(value, str):
        return quoted(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        number = float(value)
        if not math.isfinite(number):
            return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")
        row.append(number)
        return "#"
    if isinstance(value, list):
        return "[" + ",".join([shape_of(item, row) for item in value]) + "]"
    if isinstance(value, dict):
        entries = []
        for key, item in value.items():
            if not isinstance(key, str):
                output = f"returns the key {describe_value(key)} of type {type(key).__name__}"
                message = f"{output}; allowed: keys that are strings"
                raise UnusableOutputError(message)
            entries.append(f"{quoted(key)}:{shape_of(item, row)}")
        return "{" + ",".join(entries) + "}"
    output = f"returns {describe_value(value)} of type {type(value).__name__}"
    message = f"{output}; allowed: dict[str, float] or another JSON value"
    raise UnusableOutputError(message)


def columns_of(value: object, path: str = "") -> list[str]:
    """Return the paths of the finite numbers of a value that has a shape, in order; equal shapes have equal paths."""
    value = plain(value)
    if isinstance(value, list):
        inner = [(f"{path}[{i}]", item) for i, item in enumerate(value)]
    elif isinstance(value, dict):
        inner = [(f"{path}.{key}" if path else key, item) for key, item in value.items()]
    else:
        return [path] if shape_of(value, []) == "#" else []
    return [column for each, item in inner for column in columns_of(item, each)]


def shape_of_output(output: object, row: list[float]) -> str:
    """Return the shape of a release whose JSON is finite and whose numbers are doubles."""
    try:
        shape = shape_of(output, row)
    except (RecursionError, OverflowError) as error:
        message = f"returns a value that JSON with doubles cannot represent ({exception_text(error)})"
        raise UnusableOutputError(message) from None
    if len(shape) > LONGEST_LINE:
        message = f"returns a value of {len(shape)} characters; allowed: {LONGEST_LINE}"
        raise UnusableOutputError(message)
    return shape


def shape_of_error(text: str, columns: list[str], row: list[float]) -> str:
    """Return the shape of an exception: type and message with `#` for numbers, which are its numbers."""

    def keep(match: re.Match[str]) -> str:
        columns.append(f"!{len(columns)}")
        row.append(float(match.group()))
        return "#"

    return EXCEPTION_PREFIX + NUMBER.sub(keep, text)


def is_finite(number: float) -> bool:
    """Return whether a finite double holds the number."""
    return bool(-LARGEST <= number <= LARGEST)


@functools.cache
def number_types() -> set[type]:
    """Return the types whose finite values are doubles without conversion, NumPy's among them if it is loaded."""
    numpy = sys.modules.get("numpy")
    return {int, float, *([] if numpy is None else [numpy.float64, numpy.int64])}


def all_doubles(numbers: Any) -> bool:
    """Return whether all values have a number type and fit in doubles; immediate for finite floats."""
    for number in numbers:
        if type(number) is not float or number - number != 0.0:  # the second condition holds for infinity and NaN
            return number_types().issuperset(map(type, numbers)) and all(map(is_finite, numbers))
    return True


def reader_of(output: object) -> Callable[[Any], tuple[Any, ...] | None] | None:
    """Return a function that returns the numbers of an output like this one, in order, and None for another output.

    Like outputs have equal types of lists and records, lengths, keys in order, texts and truth values. The function is
    compiled: to compare node by node in calls takes longer than most releases. None for an output of more than
    `MOST_NODES` nodes, or with values that only `shape_of` can describe.
    """
    lines, numbers = list[str](), list[str]()
    waiting: list[tuple[str, Any]] = [("output", output)]
    for place in itertools.count():
        if not waiting:
            break
        name, value = waiting.pop(0)
        kind = type(value)
        if place > MOST_NODES:
            return None
        if kind is dict or kind is list:
            keyed = kind is dict
            items, entries = (value.values(), f"{name}.values()") if keyed else (value, name)
            if keyed and not all(type(key) is str for key in value):
                return None
            form = f"tuple({name}) != {tuple(value)!r}" if keyed else f"len({name}) != {len(value)}"
            lines.append(f"if type({name}) is not {kind.__name__} or {form}: return None")
            if all_doubles(items):
                waiting.insert(0, (f"*{entries}", 0.0))
                continue
            inner = [f"{name}_{i}" for i in range(len(items))]
            lines.append(f"{', '.join(inner)}, = {entries}")
            waiting[:0] = zip(inner, items, strict=True)
        elif kind is str:
            lines.append(f"if type({name}) is not str or {name} != {value!r}: return None")
        elif value is None or kind is bool:
            lines.append(f"if {name} is not {value!r}: return None")
        elif all_doubles((value,)):
            numbers.append(name)
        else:
            return None
    body = "\n    ".join([*lines, f"return ({''.join(f'{name}, ' for name in numbers)})"])
    namespace: dict[str, Any] = {}
    exec(f"def read(output):\n    {body}", namespace)  # noqa: S102 - made of reprs and own names alone
    return namespace["read"]  # type: ignore[no-any-return]


class Alike:
    """Outputs of one kind: shape, column indices of their numbers, and the numbers in sequence."""

    def __init__(self, kind: int, shape: int, places: list[int]) -> None:
        self.kind, self.shape, self.places = kind, shape, places
        self.numbers: list[float] = []


class Releases:
    """A growing batch of outputs, each with a shape and a row of numbers.

    Args:
        n: final number of releases.
    """

    def __init__(self, n: int = 1) -> None:
        self.n = n
        self.kinds: list[int] = []
        """Kind of each release."""
        self.shapes: dict[str, int] = {}
        self.columns: dict[str, int] = {}
        self.groups: dict[tuple[str, int], Alike] = {}
        """Outputs by their shape and how many numbers they hold: a `#` of an exception may be a number or text."""
        self.by_key: dict[object, Alike] = {}
        """Outputs that hold only numbers, by their keys in order, their length or their type; texts, by themselves."""
        self.readers: dict[object, list[tuple[Callable[[Any], tuple[Any, ...] | None], Alike]]] = {}
        """Readers of nested outputs and their kinds, by keys or length."""
        self.latest: tuple[Callable[[Any], tuple[Any, ...] | None], Alike] = (lambda _: None), Alike(0, 0, [])
        """Reader of the last nested output, and its kind: it is tried first."""
        self.raised_at: dict[str, str] = {}
        """File and line of the target in which an exception was raised first, by its shape."""

    def new_group(self, shape: str, columns: list[str]) -> Alike:
        """Start the outputs of a new shape; raises UnusableOutputError if there are too many columns."""
        places = [self.columns.setdefault(column, len(self.columns)) for column in columns]
        group = Alike(len(self.groups), self.shapes.setdefault(shape, len(self.shapes)), places)
        self.groups[shape, len(columns)] = group
        if len(self.columns) > (most := min(MOST_NAMES, MOST_CELLS // self.n)):
            finding = f"releases numbers under {len(self.columns)} names in {len(self.kinds) + 1} of {self.n} releases"
            message = f"{finding}; allowed: {most} names; release what is random as a value, not a key"
            raise UnusableOutputError(message)
        return group

    def add(self, shape: str, columns: list[str], row: list[float]) -> None:
        """Append one output."""
        group = self.groups.get((shape, len(row))) or self.new_group(shape, columns)
        self.kinds.append(group.kind)
        group.numbers += row

    def add_output(self, output: Any) -> None:
        """Append the result of a release; numbers in a known order, and known texts, are not inspected further."""
        read, latest = self.latest
        row = read(output)
        if row is not None and all_doubles(row):
            self.kinds.append(latest.kind)
            latest.numbers += row
            return
        if (kind := type(output)) not in PLAIN:
            output = plain(output)
            kind = type(output)
        key: object
        numbers: Any
        if kind is dict:
            key, numbers = tuple(output), output.values()
        elif kind is list:
            key, numbers = len(output), output
        elif kind is str:
            key, numbers = output, ()
        else:
            key, numbers = kind, (output,)
        group = self.by_key.get(key)
        if group is None or not all_doubles(numbers):
            for read, nested in self.readers.get(key, ()):
                row = read(output)
                if row is not None and all_doubles(row):
                    group, numbers = nested, row
                    self.latest = read, nested
                    break
            else:
                group, numbers = self.described(output, key, numbers)
        self.kinds.append(group.kind)
        group.numbers += numbers

    def described(self, output: Any, key: object, numbers: Any) -> tuple[Alike, list[float]]:
        """Return the group of an output by its shape, and its numbers in order; the next output like it is known."""
        row: list[float] = []
        shape = shape_of_output(output, row)
        group = self.groups.get((shape, len(row))) or self.new_group(shape, columns_of(output))
        if all_doubles(numbers):
            self.by_key[key] = group
        elif len(readers := self.readers.setdefault(key, [])) < MOST_READERS and (read := reader_of(output)):
            readers.append((read, group))
        return group, row

    def add_error(self, text: str, error: BaseException | None = None) -> None:
        """Append the error of a release, with its place if it is an exception."""
        columns: list[str] = []
        row: list[float] = []
        shape = shape_of_error(text, columns, row)
        self.add(shape, columns, row)
        if error is not None and shape not in self.raised_at:
            self.raised_at[shape] = place_of(error)

    def encode(self) -> tuple[dict[str, Any], bytes]:
        """Return header fields, and as bytes the kind of each release followed by the rows of numbers by kind."""
        groups = self.groups.values()
        fields = {
            "shapes": list(self.shapes),
            "columns": list(self.columns),
            "groups": [[group.shape, group.places] for group in groups],
            "raised_at": self.raised_at,
        }
        numbers = (array("d", group.numbers).tobytes() for group in groups)
        return fields, b"".join([array("q", self.kinds).tobytes(), *numbers])


def check_release_many(result: object, n: int) -> tuple[tuple[str, ...], Any]:
    """Return the keys and the doubles of a vectorised release; raises UnusableOutputError if it is malformed.

    The doubles are a float64 array if an array was returned, else an `array` of the standard library, row by row.
    """
    if not (isinstance(result, tuple) and len(result) == 2):
        message = f"release_many returns {describe_value(result)}; allowed: a pair (keys, array)"
        raise UnusableOutputError(message)
    keys = tuple(plain(key) for key in result[0])
    bad = next((key for key in keys if not isinstance(key, str)), None)
    if bad is not None or len(set(keys)) != len(keys):
        reason = "twice" if bad is None else f"{describe_value(bad)} of type {type(bad).__name__}"
        message = f"release_many returns a key {reason}; allowed: distinct strings"
        raise UnusableOutputError(message)
    values = result[1]
    allowed = f"allowed: float64 of shape {(n, len(keys))}"
    if hasattr(values, "dtype"):
        if values.dtype.kind not in "fiu" or values.shape != (n, len(keys)):
            message = f"release_many returns an array of {values.dtype} and shape {values.shape}; {allowed}"
            raise UnusableOutputError(message)
        return tuple(map(str, keys)), values.astype("float64", order="C", copy=False)
    try:
        rows = [array("d", row) for row in values]
    except (TypeError, ValueError, OverflowError):
        rows = []
    if len(rows) != n or any(len(row) != len(keys) for row in rows):
        message = f"release_many returns {describe_value(values)}; {allowed}, or as many rows of numbers"
        raise UnusableOutputError(message)
    return tuple(map(str, keys)), array("d", itertools.chain.from_iterable(rows))


def generator(entropy: int, spawn_key: tuple[int, ...], kind: str = "Generator") -> tuple[Any, Callable[[], Any]]:
    """Return the generator of a request, of the given kind, and a function that returns its state.

    The kind is always `random.Random` if NumPy is missing.
    """
    try:
        import numpy as np
    except ImportError:
        kind = "Random"
    if kind == "Random":
        rng = random.Random(f"{entropy} {spawn_key}")  # noqa: S311 - noise that is replayed, not a secret
        return rng, rng.getstate
    seeds = np.random.SeedSequence(entropy=entropy, spawn_key=spawn_key)
    if kind == "RandomState":
        legacy = np.random.MT19937(seeds)
        return np.random.RandomState(legacy), lambda: (
            legacy.state["state"]["key"].tobytes(),
            legacy.state["state"]["pos"],
        )
    bits = np.random.PCG64(seeds)
    return np.random.Generator(bits), lambda: bits.state


def called(mechanism: object) -> Any:
    """Return the callable of a mechanism: `release_many`, else `release`, else itself; itself if access raises."""
    try:
        return getattr(mechanism, "release_many", None) or getattr(mechanism, "release", mechanism)
    except Exception:  # noqa: BLE001 - of the target's own: the first release tells it
        return mechanism


def generator_kind(mechanism: object) -> str:
    """Return the kind of generator in the annotation of a mechanism's last argument.

    The default, without NumPy's `RandomState` or the standard library's `Random` there, is NumPy's `Generator`.
    """
    try:
        *_, last = inspect.signature(called(mechanism)).parameters.values()
    except (TypeError, ValueError):
        return "Generator"
    text = last.annotation if isinstance(last.annotation, str) else getattr(last.annotation, "__name__", "")
    kinds = re.findall(r"\b(Generator|RandomState|Random)\b", text)
    return kinds[0] if kinds else "Generator"


def raised_with(error: BaseException, rng: object) -> str:
    """Return an exception on one line; if the generator lacks a method, name an annotation for one that has it."""
    if isinstance(error, AttributeError) and getattr(error, "obj", None) is rng:  # from Python 3.10 on
        legacy = getattr(getattr(sys.modules.get("numpy"), "random", None), "RandomState", None)
        kinds = {"numpy.random.RandomState": legacy, "random.Random": random.Random}  # noqa: S311 - as above
        having = [kind for kind, its in kinds.items() if hasattr(its, str(error.name))]
        if having:
            return f"AttributeError: the generator has no {error.name}: annotate its argument as {' or '.join(having)}"
    return exception_text(error)


def sample(
    mechanism: object, kind: str, request: dict[str, Any], beat: Callable[[], None]
) -> tuple[dict[str, Any], bytes | memoryview]:
    """Draw `n` releases with the generator of the request; report whether input and generator were changed.

    `kind` is the kind of generator that the mechanism declares, see `generator_kind`.
    """
    looked_up: dict[str, None] = {}
    program = mechanism if isinstance(mechanism, Program) else None
    started, computed = clock(program), cpu_seconds(program)
    fresh_input, n = inputs(request, request["form"], looked_up), int(request["n"])
    entropy, spawn_key = int(request["seed"]), tuple(request["spawn_key"])
    payload: bytes | memoryview
    if request["plan"] is not None:
        worker, plan = sys.modules[__name__], request["plan"]
        fields, payload = beside("draws/sample").steered_sample(
            worker, mechanism, kind, fresh_input, n, entropy, spawn_key, plan, beat
        )
        return fields, payload
    rng, state = generator(entropy, spawn_key, kind)
    before = state()
    release_many = getattr(mechanism, "release_many", None)
    if program is not None:
        releases, mutated = Releases(n), False
        program.draw(fresh_input(), n, entropy, spawn_key, releases, beat)
        fields, payload = releases.encode()
    elif release_many is not None and not request.get("singly"):
        one, is_changed = fresh_input(), change_detector(fresh_input())
        keys, values = check_release_many(release_many(one, n, rng), n)
        payload = memoryview(values).cast("B") if len(keys) * n else b""
        fields, mutated = {"shapes": None, "columns": list(keys)}, is_changed(one)
    else:
        releases = Releases(n)
        release = getattr(mechanism, "release", mechanism) if release_many is None else first_of(release_many)
        mutated = draw_singly(release, fresh_input, n, rng, releases, beat)
        fields, payload = releases.encode()
    notes = {
        "mutated": mutated,
        "rng_used": program is not None or state() != before,  # for a program the use of the seed is not observable
        "seconds": clock(program) - started,
        "cpu_seconds": cpu_seconds(program) - computed,
        "looked_up": list(looked_up),
    }
    return {**fields, **notes}, payload


def survey(
    mechanism: object, kind: str, request: dict[str, Any], beat: Callable[[], None]
) -> tuple[dict[str, Any], bytes]:
    """Draw `n` releases of each input with equal generators; omit the remaining inputs once `seconds` are over.

    Every input's generator starts in the same state. The answer has the steps between source lines per input.
    """
    n, entropy = int(request["n"]), int(request["seed"])
    program = mechanism if isinstance(mechanism, Program) else None
    releases = Releases(n * len(request["inputs"]))
    release_many = getattr(mechanism, "release_many", None)
    release = first_of(release_many) if release_many is not None else getattr(mechanism, "release", mechanism)
    started, computed = clock(program), cpu_seconds(program)
    tracer = coverage(mechanism) if request["cover"] and program is None else None
    steps: list[list[Any]] = []
    for one in request["inputs"]:
        fresh_input = inputs(one, request["form"], {})
        if program is not None:
            program.draw(fresh_input(), n, entropy, (), releases, beat)
        else:
            if tracer is not None:  # first: a second run may skip what the target remembers
                with tracer:
                    draw_singly(release, fresh_input, 1, generator(entropy, (), kind)[0], Releases(), beat)
            draw_singly(release, fresh_input, n, generator(entropy, (), kind)[0], releases, beat)
        steps.append([] if tracer is None else tracer.new_steps())
        if cpu_seconds(program) - computed > request["seconds"] or clock(program) - started > request["clock"]:
            break
    releases.n = len(releases.kinds)
    fields, payload = releases.encode()
    notes = {"seconds": clock(program) - started, "cpu_seconds": cpu_seconds(program) - computed, "steps": steps}
    return {**fields, **notes, "mutated": False, "rng_used": True}, payload


def coverage(mechanism: object) -> Any:
    """Return the line coverage of a mechanism's own source."""
    return beside("coverage").Coverage(mechanism)


def inputs(request: dict[str, Any], form: dict[str, Any], looked_up: dict[str, None]) -> Callable[[], Any]:
    """Return a function that makes fresh copies of the input: counts as a dictionary, or rows in the target's form.

    If the request has `listen`, a dictionary records in `looked_up` the absent keys that are looked up.
    """
    if "rows" in request:
        if form["kind"] in (None, "rows", "histogram"):
            return [tuple(row) for row in request["rows"]].copy
        return functools.partial(forms().copied, forms().made(form["kind"], request["rows"], form["layout"]))
    histogram: dict[str, int] = request["histogram"]
    return (lambda: Listening(histogram, looked_up)) if request.get("listen") else histogram.copy


def forms() -> Any:
    """Return the module of the input forms."""
    return beside("forms")


def change_detector(untouched: Any) -> Callable[[Any], bool]:
    """Return a function that returns whether a copy of an input differs from the original, in its order as well."""
    if isinstance(untouched, list):
        return functools.partial(operator.ne, untouched)
    if isinstance(untouched, dict):
        order = [*untouched]
        return lambda one: one != untouched or [*one] != order
    same = forms().same
    return lambda one: not same(one, untouched)


class Listening(dict[str, int]):
    """Counts that record lookups of absent keys: keys that a target knows by itself."""

    def __init__(self, histogram: dict[str, int], looked_up: dict[str, None]) -> None:
        super().__init__(histogram)
        self._looked_up = looked_up

    def _note(self, key: object) -> None:
        if isinstance(key, str) and not super().__contains__(key) and len(self._looked_up) < MOST_LOOKED_UP:
            self._looked_up.setdefault(key)

    def __contains__(self, key: object) -> bool:
        self._note(key)
        return super().__contains__(key)

    def __getitem__(self, key: str) -> int:
        self._note(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the count or the default."""
        self._note(key)
        return super().get(key, default)

    def pop(self, key: str, *default: Any) -> Any:
        """Remove the count and return it."""
        self._note(key)
        return super().pop(key, *default)

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the count, after setting it if absent."""
        self._note(key)
        return super().setdefault(key, default)


def cpu_seconds(program: Program | None) -> float:
    """Return CPU seconds of this process, of the processes it has reaped, and of its program."""
    seconds = time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    return seconds if program is None or program.process is None else seconds + running_seconds(program.process.pid)


def running_seconds(pid: int) -> float:
    """Return CPU seconds of a running process and those it has reaped; wall-clock seconds without /proc."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def clock(program: Program | None) -> float:
    """Return wall-clock seconds, less the time that this process and its program waited for a core."""
    starved = starved_seconds("self")
    if program is not None and program.process is not None:
        starved += starved_seconds(program.process.pid)
    return time.monotonic() - starved


def starved_seconds(pid: int | str) -> float:
    """Return the seconds that a process's first thread waited for a core; 0 if the system does not count them."""
    try:
        descriptor = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)  # twice a request; a Path takes ten times as long
    except OSError:
        return 0.0
    try:
        return int(os.read(descriptor, 100).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
    finally:
        os.close(descriptor)


def first_of(release_many: Any) -> Callable[[Any, Any], dict[str, float]]:
    """Return a release function that calls a vectorised mechanism for one row at a time."""

    def release(one: Any, rng: Any) -> dict[str, float]:
        keys, values = check_release_many(release_many(one, 1, rng), 1)
        row = array("d", values.tobytes())
        return {key: value for key, value in zip(keys, row, strict=True) if not math.isnan(value)}

    return release


def finished(output: Any) -> Any:
    """Return the output of a release, after a coroutine or a generator has run to its end.

    A generator of pairs of a key and a value, without repeated keys, gives a dictionary; another one gives a list.
    """
    if type(output) not in LAZY:
        return output
    if isinstance(output, types.CoroutineType):
        return finished(event_loop().run_until_complete(output))
    if isinstance(output, types.AsyncGeneratorType):
        entries = event_loop().run_until_complete(listed(output))
    else:
        entries = [*output]
    keyed = all(isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str) for entry in entries)
    mapping = dict(entries) if keyed else {}
    return mapping if keyed and len(mapping) == len(entries) else entries


async def listed(output: Any) -> list[Any]:
    """Return the items of an asynchronous generator."""
    return [item async for item in output]


@functools.cache
def event_loop() -> Any:
    """Return the event loop of this process for releases that are coroutines."""
    return importlib.import_module("asyncio").new_event_loop()


def draw_singly(
    release: Any, fresh_input: Callable[[], Any], n: int, rng: Any, releases: Releases, beat: Callable[[], None]
) -> bool:
    """Draw `n` releases, each from an unchanged copy of the input; return whether any copy was changed.

    A copy of a frame, an array or records takes as long as many a release: the next release gets it again if the last
    one left it as it was.
    """
    untouched = fresh_input()
    order = [*untouched] if type(untouched) is dict else None
    is_changed = change_detector(untouched)
    doubles, kinds = releases.by_key.get(float), releases.kinds
    rows = type(untouched) is list and not (untouched and type(untouched[0]) in (dict, list))
    again = order is None and not rows
    mutated = changed = False
    one = fresh_input()
    for _ in range(n):
        if changed or not again:
            one = fresh_input()
        try:
            output = release(one, rng)
            if (kind := type(output)) in LAZY:
                kind = type(output := finished(output))
        except (MemoryError, UnusableOutputError):
            raise
        except Exception as error:  # noqa: BLE001 - an exception is one of the mechanism's outputs
            releases.add_error(raised_with(error, rng), error)
        else:
            if kind is float and doubles is not None and output - output == 0.0:
                kinds.append(doubles.kind)
                doubles.numbers.append(output)
            else:
                releases.add_output(output)
                doubles = releases.by_key.get(float)
        changed = is_changed(one) if order is None else one != untouched or [*one] != order
        mutated = mutated or changed
        beat()
    return mutated


@functools.cache
def beside(name: str) -> Any:
    """Return a module from this file's folder, or from a folder in it, loaded once under a unique name."""
    path = Path(__file__).parent / f"{name}.py"
    specification = importlib.util.spec_from_file_location(f"_{path.stem}_of_the_auditor", path)
    assert specification is not None  # noqa: S101 - the file is there
    assert specification.loader is not None  # noqa: S101 - as above
    if specification.name in sys.modules:
        return sys.modules[specification.name]
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


def one_release(mechanism: object, dataset: Any, rng: Any) -> tuple[str, list[str], list[float]]:
    """Return shape, columns and numbers of a release or of its exception."""
    columns: list[str] = []
    row: list[float] = []
    try:
        release_many = getattr(mechanism, "release_many", None)
        if release_many is None:
            output = finished(getattr(mechanism, "release", mechanism)(dataset, rng))  # type: ignore[operator]
        else:
            keys, values = check_release_many(release_many(dataset, 1, rng), 1)
            cells = values.reshape(-1).tolist() if hasattr(values, "dtype") else values.tolist()
            output = {key: cells[i] for i, key in enumerate(keys) if not math.isnan(cells[i])}
    except (MemoryError, UnusableOutputError):
        raise
    except Exception as error:  # noqa: BLE001 - an exception is one of the mechanism's outputs
        return shape_of_error(raised_with(error, rng), columns, row), columns, row
    return shape_of_output(output, row), columns_of(output), row


def answer_releases(mechanism: object, kind: str, request: dict[str, Any], answers: Answers) -> None:
    """Answer one request for releases, with signs of life during slow ones."""
    last = time.monotonic()
    program = mechanism if isinstance(mechanism, Program) else None
    started = clock(program)

    def beat() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > BEAT_SECONDS:
            last = now
            answers.send({"beat": clock(program) - started})

    try:
        draw = survey if request["do"] == "survey" else sample
        header, payload = draw(mechanism, kind, request, beat)
    except MemoryError:
        header, payload = {"death": "memory"}, b""
    except ProgramDiedError as error:
        header, payload = {"death": str(error)}, b""
    except UnusableOutputError as error:
        header, payload = {"unusable": one_line(str(error))}, b""
    except Exception as error:  # noqa: BLE001 - release_many as a whole failed
        place = place_of(error)
        header, payload = {"exception": exception_text(error) + (f" at {place}" if place else "")}, b""
    except BaseException as error:  # noqa: BLE001 - SystemExit, or what a cancelled task raises
        header, payload = {"death": exception_text(error)}, b""
    answers.send(header, payload)


def guessed_input(loaded: object, kind: str) -> str | None:
    """Return the input form in the annotation, or the name, of a mechanism's first argument; None for neither."""
    return forms().annotated(called(loaded)) if kind == "mechanism" and not isinstance(loaded, Program) else None


def sent(value: object) -> object:
    """Return a frame or array as JSON, a pair with each side converted, and any other value unchanged."""
    described = forms().described(value)
    if described is not None:
        return {TABLE: described}
    pair = isinstance(value, (tuple, list)) and len(value) == 2
    return [sent(one) for one in value] if pair else value  # type: ignore[attr-defined]


def is_strategy(loaded: object) -> bool:
    """Return whether an object is a Hypothesis strategy."""
    return hasattr(loaded, "example") and hasattr(loaded, "flatmap")


def examples(source: Any, request: dict[str, Any]) -> list[object]:
    """Return examples of a Hypothesis strategy, or of the strategy that a function without arguments returns.

    A tuple of two is sent as a pair, any other example as one data set.
    """
    import hypothesis

    results: list[object] = []
    strategy = source if is_strategy(source) else source()
    if not is_strategy(strategy):
        message = f"returns {describe_value(strategy)}; allowed: a strategy of Hypothesis"
        raise TypeError(message)

    @hypothesis.seed(int(request["seed"]))
    @hypothesis.settings(
        max_examples=request["times"],
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def keep(example: object) -> None:
        is_pair = isinstance(example, tuple) and len(example) == 2
        results.append({PAIR: [sent(side) for side in example]} if is_pair else sent(example))  # type: ignore[attr-defined]

    keep()
    return results


def answer_make(function: Callable[..., Any], request: dict[str, Any], form: dict[str, Any]) -> dict[str, Any]:
    """Call repeatedly with JSON arguments and a generator, and return the results.

    Rows in the arguments are converted to the request's form.
    """
    rng, _ = generator(int(request["seed"]), ())
    try:
        if request["strategy"]:
            return {"made": json.loads(json.dumps(examples(function, request), default=cell))}
        arguments = request["arguments"]
        if form["kind"] not in (None, "rows", "histogram"):
            arguments = [forms().made(form["kind"], one, form["layout"]) for one in arguments]
        made = [sent(function(*arguments, rng)) for _ in range(request["times"])]
        return {"made": json.loads(json.dumps(made, default=cell))}
    except UnusableOutputError as error:
        return {"unusable": str(error)}
    except MemoryError:
        return {"death": "memory"}
    except Exception as error:  # noqa: BLE001 - whatever it raises is told
        return {"exception": exception_text(error)}
    except BaseException as error:  # noqa: BLE001 - as of SystemExit
        return {"death": exception_text(error)}


# --- programs: any language, JSON lines -----------------------------------------------------------------------------


class ProgramDiedError(Exception):
    """Raised if a program ended or could not be started; the message describes how."""


class RefusedError(Exception):
    """Raised if a program answered a call with an error; the message is the program's."""


class Program:
    """A command that answers requests on its standard input with lines on its standard output: docs/protocol.md.

    It starts at the first request, and again at the next request after it died or gave an invalid answer.
    """

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.process: Any = None
        self.lines: collections.deque[bytearray] = collections.deque()
        self.partial = bytearray()
        self.complaint = b""
        """The end of its output on standard error."""

    def draw(
        self, data: Any, n: int, entropy: int, spawn_key: tuple[int, ...], releases: Releases, beat: Callable[[], None]
    ) -> None:
        """Append `n` releases of one input; the seed is an integer below 2^31, which fits most generators."""
        seed = random.Random(f"{entropy} {spawn_key}").getrandbits(31)  # noqa: S311 - replayed, not a secret
        kind = "histogram" if isinstance(data, dict) else "rows"
        with self.exchange({kind: data, "seed": seed, "n": n}):
            for _ in range(n):
                line = self.line()
                if line.startswith("!"):
                    releases.add_error(one_line(line[1:].strip()))
                else:
                    releases.add_output(json_value(line))
                beat()

    def __call__(self, **arguments: Any) -> object:
        """Return the answer to a call: an integer, the double nearest to a decimal, or the exact value of a string.

        A list in brackets holds several such numbers.
        """
        with self.exchange({"call": arguments}):
            line = self.line()
            if line.startswith("!"):
                raise RefusedError(line[1:].strip())
            try:
                if line.startswith("[") and line.endswith("]"):
                    return [number_of(part.strip()) for part in line[1:-1].split(",")]
                return number_of(line)
            except (ValueError, TypeError, ZeroDivisionError):
                raise UnusableOutputError(one_line(line)) from None

    @contextlib.contextmanager
    def exchange(self, request: dict[str, Any]) -> Iterator[None]:
        """Send a request and read its answers inside the block; a failed program is ended, and restarted later."""
        if self.process is None:
            self.start()
        try:
            if self.lines or self.partial or select.select([self.process.stdout], [], [], 0)[0]:
                self.no_more()
            self.process.stdin.write(json.dumps(request, separators=(",", ":")).encode() + b"\n")
            self.process.stdin.flush()
            yield
        except RefusedError:
            raise
        except BrokenPipeError:
            raise self.death() from None
        except Exception:
            self.end()
            raise

    def start(self) -> None:
        """Start the command; a thread reads its standard error and keeps only the end."""
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the command that the user asked to audit
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            message = f"{self.command[0]} cannot be started: {error.strerror}"
            raise ProgramDiedError(message) from None
        self.lines.clear()
        self.partial.clear()
        self.complaint = b""

        def listen(stream: BinaryIO) -> None:
            with contextlib.suppress(OSError, ValueError):
                while chunk := os.read(stream.fileno(), 2**16):
                    self.complaint = (self.complaint + chunk)[-SHOWN_CHARACTERS:]

        threading.Thread(target=listen, args=[self.process.stderr], daemon=True).start()

    def line(self) -> str:
        """Return the next line of the answer."""
        while not self.lines:
            chunk = os.read(self.process.stdout.fileno(), 2**20)
            if not chunk:
                raise self.death()
            self.partial += chunk
            if b"\n" in chunk:
                *whole, self.partial = self.partial.split(b"\n")
                self.lines.extend(whole)
            if len(self.partial) > LONGEST_LINE:
                message = f"answers a line of more than {LONGEST_LINE} bytes; allowed: one release a line"
                raise UnusableOutputError(message)
        return self.lines.popleft().decode("utf-8", "backslashreplace").strip()

    def no_more(self) -> None:
        """Raise: the program sent lines beyond the requested ones, or it has ended."""
        if not self.lines and not self.partial and not os.read(self.process.stdout.fileno(), 1):
            raise self.death()
        message = "answers more lines than it was asked for; allowed: one release a line, n of them"
        raise UnusableOutputError(message)

    def death(self) -> ProgramDiedError:
        """Return an error that describes how the program ended, and end it."""
        try:
            status = self.process.wait(ENDING_SECONDS)
            how = f"killed by signal {-status}" if status < 0 else f"exited with status {status}"
        except subprocess.TimeoutExpired:
            how = "it closed its output"
        self.end()
        complaint = self.complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return ProgramDiedError(f"{how}; its standard error ends: {one_line(complaint)}" if complaint else how)

    def end(self) -> None:
        """End the program, if it runs."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                with contextlib.suppress(OSError):
                    stream.close()
            self.process = None


def number_of(text: str) -> float | int | fractions.Fraction:
    """Return an integer, the double nearest to a decimal, or the exact value of a JSON string."""
    if text.startswith('"'):
        return fractions.Fraction(json.loads(text))
    return int(text) if text.lstrip("-").isdigit() else float(text)


def json_value(line: str) -> object:
    """Return the value of one line; raises on duplicate keys, which would hide a value."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) < len(pairs):
            message = f"answers with a duplicate key: {describe_value(line)}"
            raise UnusableOutputError(message)
        return members

    try:
        return json.loads(line, object_pairs_hook=once)
    except (ValueError, RecursionError):
        message = (
            f"answers a line that is neither one JSON value nor ! and the text of an error: {describe_value(line)}"
        )
        raise UnusableOutputError(message) from None


# --- the conversation -----------------------------------------------------------------------------------------------


def describe_loaded(loaded: object, kind: str) -> tuple[object, dict[str, Any]]:
    """Return the object to call and its description for the auditor; a mechanism class is built without arguments."""
    if kind == "mechanism" and isinstance(loaded, type):
        try:
            loaded = loaded()
        except Exception as error:  # noqa: BLE001 - the class is the target's code
            return loaded, {"unusable": f"cannot be built without arguments: {exception_text(error)}; give an instance"}
    usable = (
        callable(loaded)
        or (kind == "mechanism" and (hasattr(loaded, "release_many") or hasattr(loaded, "release")))
        or (kind == "source" and is_strategy(loaded))
    )
    if not usable:
        kinds = {"mechanism": "a callable or an object with release or release_many"}.get(kind, "a callable")
        kinds += ", or a strategy of Hypothesis" if kind == "source" else ""
        return loaded, {"unusable": f"is {describe_value(loaded)} of type {type(loaded).__name__}; allowed: {kinds}"}
    program = isinstance(loaded, Program)
    if kind == "mechanism" and not program and (refusal := refused_arguments(loaded)) is not None:
        return loaded, {"unusable": refusal}
    declared = getattr(loaded, "releases_only_input_keys", None)
    public = plain(getattr(loaded, "public_partitions", None))
    return loaded, {
        "accepts": accepted_keywords(loaded),
        "needs": required_keywords(loaded),
        "parts": parts_of(loaded) if isinstance(loaded, type) else None,
        "vectorised": hasattr(loaded, "release_many"),
        "releases_only_input_keys": declared if isinstance(declared, bool) else None,
        "steerable": not program and importlib.util.find_spec("numpy") is not None,
        "public_partitions": [str(key) for key in public] if isinstance(public, (list, set, dict)) else [],
    }


def refused_arguments(loaded: object) -> str | None:
    """Return why a mechanism cannot be called with the standard arguments; None if it can or has no signature."""
    try:
        names = ["data", "n", "rng"] if hasattr(loaded, "release_many") else ["data", "rng"]
        release = called(loaded)
        signature = inspect.signature(release)
    except Exception:  # noqa: BLE001 - an attribute is the target's code
        return None
    try:
        signature.bind(*names)
    except TypeError as error:
        name = getattr(release, "__name__", "it")
        call = f"({', '.join(names)})"
        return f"takes {name}{signature}, and is called {name}{call}: {error}; wrap it in a function of {call}"
    return None


def accepted_keywords(loaded: object) -> list[str] | None:
    """Return the names that a callable accepts by keyword; None if it accepts any or has no signature."""
    try:
        parameters = inspect.signature(loaded).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [parameter.name for parameter in parameters if parameter.kind in by_keyword]


def required_keywords(loaded: object) -> list[str]:
    """Return the required argument names of a callable."""
    try:
        parameters = inspect.signature(loaded).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters if one.default is one.empty and not any_name(one)]


def branches_of(loaded: object, kind: str) -> Any:
    """Return a recorder of branches for a Python accountant; None for any other target."""
    if kind != "accountant" or loaded is None or isinstance(loaded, Program):
        return None
    return beside("call_branches").CallBranches(loaded)


def load(request: dict[str, Any], live_object: object | None) -> tuple[object, dict[str, Any]]:
    """Answer the first request: import the target, or take the callable given to a forked child."""
    try:
        if request["command"]:
            return describe_loaded(Program(request["command"]), request["kind"])
        loaded = (
            live_object
            if live_object is not None
            else load_target(request["target"], request["search_path"], request["fallback_path"])
        )
        loaded, header = describe_loaded(loaded, request["kind"])
        return (loaded, header) if not request["inside"] or "unusable" in header else inside(loaded, header, request)
    except MemoryError:
        return None, {"failed": "memory"}
    except BaseException as error:  # noqa: BLE001 - a module that calls sys.exit() does not import either
        return None, {"failed": exception_text(error)}


def inside(loaded: object, header: dict[str, Any], request: dict[str, Any]) -> tuple[object, dict[str, Any]]:
    """Return the mechanism whose output is what a function inside it returned, with its description."""
    many = getattr(loaded, "release_many", None)
    origin = called(loaded)
    release = origin if many is None else first_of(many)
    try:
        loaded = beside("inside").Inside(
            request["inside"], origin, lambda one, rng: finished(release(one, rng)), UnusableOutputError
        )
    except LookupError as error:
        return loaded, {"unusable": one_line(str(error))}
    return loaded, {**header, "vectorised": False, "releases_only_input_keys": None}


def requests(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield requests until the auditor closes the pipe."""
    while (request := read_frame(stream)) is not None:
        yield request


def serve(in_descriptor: int, out_descriptor: int, live_object: object | None = None) -> None:
    """Answer requests until the pipe closes; memory is limited before the import."""
    with os.fdopen(in_descriptor, "rb") as incoming, os.fdopen(out_descriptor, "wb") as outgoing:
        loaded: object = None
        branches: Any = None
        kind = ""
        form: dict[str, Any] = {"kind": None, "layout": None}
        answers = Answers(outgoing)
        for request in requests(incoming):
            answers.begin(request["number"])
            if request["do"] == "load":
                # a virtual machine, such as Java's below a Python engine, reserves more address space than it uses
                memory = resource.RLIMIT_DATA if request["foreign"] else resource.RLIMIT_AS
                limit_memory(int(request["memory_bytes"]), memory)
                loaded, header = load(request, live_object)
                kind = generator_kind(loaded) if request["kind"] == "mechanism" else ""
                header = {**header, "input": guessed_input(loaded, request["kind"])}
                branches = branches_of(loaded, request["kind"])
                source = {
                    "branches": branches.sites if branches else [],
                    "numbers": branches.numbers if branches else [],
                    "lookups": branches.lookups if branches else [],
                }
                answers.send({**header, **source})
            elif request["do"] == "call":
                for arguments in request["calls"]:
                    answer = answer_call(loaded, arguments)  # type: ignore[arg-type]
                    answers.send({**answer, "ways": branches.take_new()} if branches else answer)
            elif request["do"] == "form":
                form = request["form"]
                answers.send({"lacks": forms().missing_library(form["kind"])})
            elif request["do"] == "make":
                answers.send(answer_make(loaded, request, form))  # type: ignore[arg-type]
            else:
                answer_releases(loaded, kind, {**request, "form": form}, answers)


if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if entry != str(Path(__file__).parent)]
    serve(int(sys.argv[1]), int(sys.argv[2]))
