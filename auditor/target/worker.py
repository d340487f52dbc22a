"""The child process that runs an audited callable.

Nothing of the auditor is imported here, so nothing can shadow the user's modules.

Run as a script (`python -P target_worker.py IN_FD OUT_FD`) or entered by a forked child through `serve`. The
conversation is a sequence of frames on two private pipes: `<IQ` (length of a JSON header, length of a payload), the
header, and the payload, which is NumPy's own `.npy` encoding of the arrays the header announces. An answer names the
request that it is for and its place among the answers to it: one for another request is none. Standard output and
standard error of the target go to the null device, so that nothing it prints can be taken for an answer.

Requests: `load` (once), then any number of `call` (keyword arguments, one answer each) or `sample` (releases of one
    histogram).
"""

from __future__ import annotations

import contextlib
import ctypes
import decimal
import fractions
import importlib
import importlib.util
import inspect
import io
import json
import math
import numbers
import os
import re
import resource
import signal
import struct
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEADER = struct.Struct("<IQ")
BEAT_SECONDS = 0.25
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SHOWN_CHARACTERS = 120
LARGEST = sys.float_info.max
MOST_BITS = 2**14
"""Size of the integers of an answer; arithmetic on larger ones would cost the auditor minutes."""
NUMBERS = {int, float}
"""Types that need no look to be numbers."""
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class UnusableOutputError(Exception):
    """A target returned no output. Causes: a key that is not a string, a value JSON cannot hold, a wrong shape."""


def write_frame(stream: BinaryIO, header: dict[str, Any], payload: bytes = b"") -> None:
    """Send one frame and flush it."""
    text = json.dumps(header).encode()
    stream.write(HEADER.pack(len(text), len(payload)))
    stream.write(text)
    stream.write(payload)
    stream.flush()


class Answers:
    """Answers to one request after the other, each with its number."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.request = self.place = 0

    def begin(self, request: int) -> None:
        """Take the next request."""
        self.request, self.place = request, 0

    def send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        """Send the next answer to it."""
        write_frame(self.stream, {**header, "answers": [self.request, self.place]}, payload)
        self.place += 1


def read_frame(stream: BinaryIO) -> dict[str, Any] | None:
    """Receive one request; None when the auditor has gone."""
    prefix = stream.read(HEADER.size)
    if len(prefix) < HEADER.size:
        return None
    header_length, _ = HEADER.unpack(prefix)
    request: dict[str, Any] = json.loads(stream.read(header_length))
    return request


def one_line(text: str) -> str:
    """Return `text` as a single line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"


def shown(value: object) -> str:
    """Return a bounded repr; an object whose repr fails is shown by its type."""
    try:
        return one_line(repr(value))
    except Exception:  # noqa: BLE001 - the repr is the target's code
        return f"<{type(value).__name__}>"


def raised(error: BaseException) -> str:
    """Return `ValueError: message` on one line."""
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - the message is the target's code
        message = ""
    return one_line(f"{type(error).__name__}: {message}" if message else type(error).__name__)


def limit_memory(limit: int) -> None:
    """Let the address space grow by `limit` bytes and forbid core files; nothing where there are no such limits."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    mapped = 0
    with contextlib.suppress(OSError):
        mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (mapped + limit, mapped + limit))


def leave_with_parent() -> None:
    """End this process when the auditor dies without a word, so that a hanging target is never orphaned.

    On Linux the kernel does it, and hands orphans of the target to this process, where the auditor finds them;
    elsewhere a thread looks once a second, which a target that holds the interpreter's lock can stop.
    """
    parent = os.getppid()
    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        prctl(PR_SET_CHILD_SUBREAPER, 1)
    watch_parent(parent)


def watch_parent(parent: int) -> None:
    """Look once a second whether the parent is the same, and end this process where it is not."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def load_target(target: str, search_path: list[str], fallback_path: list[str]) -> object:
    """Import `module:callable` or `file.py:callable` with the user's directories first, the auditor's path last."""
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
    loaded: object = module
    for part in attribute.split("."):
        if not hasattr(loaded, part):
            message = f"it has no attribute {part!r}"
            raise ImportError(message)
        loaded = getattr(loaded, part)
    return loaded


# --- accountants: one real number for each call ---------------------------------------------------------------------


def describe_number(value: object) -> dict[str, str]:
    """Return the exact value of a real number, or the name of what was returned in its place.

    An array of one number is that number; so is a number of mpmath, whose mantissa and exponent are exact. Integers
    go in hexadecimal, which has no limit of digits.
    """
    if getattr(value, "size", None) == 1 and hasattr(value, "item"):
        value = value.item()
    kind = type(value).__name__
    real = isinstance(value, numbers.Real | decimal.Decimal)
    if isinstance(value, bool) or not real:
        return {"malformed": kind, "shown": shown(value)}
    if isinstance(value, numbers.Integral):
        return quotient(int(value), 1)
    if isinstance(value, fractions.Fraction):
        return quotient(value.numerator, value.denominator)
    as_float = float(value)  # type: ignore[arg-type]
    if math.isnan(as_float):
        return {"malformed": "NaN", "shown": shown(value)}
    if math.isinf(as_float):
        return {"infinity": "+" if as_float > 0 else "-"}
    if hasattr(value, "_mpf_"):
        sign, mantissa, exponent, _ = value._mpf_
        places = max(-2 * MOST_BITS, min(2 * MOST_BITS, exponent))
        return quotient((-1) ** sign * int(mantissa) << max(places, 0), 1 << max(-places, 0))
    numerator, denominator = value.as_integer_ratio()  # type: ignore[attr-defined]
    return quotient(int(numerator), int(denominator))


def quotient(numerator: int, denominator: int) -> dict[str, str]:
    """Spell a fraction; of larger integers the last bits go: what is left lies as far outside the range of doubles."""
    excess = max(numerator.bit_length(), denominator.bit_length(), MOST_BITS) - MOST_BITS
    return {"numerator": f"{numerator >> excess:x}", "denominator": f"{max(1, denominator >> excess):x}"}


def decode_argument(argument: dict[str, Any]) -> float | int | str:
    """Undo the auditor's exact spelling of one argument."""
    (kind, value), *_ = argument.items()
    if kind == "float":
        return float.fromhex(value)
    return int(value) if kind == "integer" else str(value)


def answer_call(function: Callable[..., Any], arguments: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Call once and describe what came back; MemoryError and SystemExit are deaths, not answers."""
    decoded = {name: decode_argument(argument) for name, argument in arguments.items()}
    try:
        return describe_number(function(**decoded))
    except MemoryError:
        return {"died": "memory"}
    except (SystemExit, KeyboardInterrupt) as error:
        return {"died": raised(error)}
    except Exception as error:  # noqa: BLE001 - whatever the target raises is the answer
        return {"raised": raised(error)}


# --- mechanisms: outputs of any shape, as (shape, numbers) ----------------------------------------------------------


def plain(value: object) -> object:
    """Turn NumPy scalars, arrays and tuples into the JSON values they stand for."""
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def shape_of(value: object, path: str, columns: list[str], row: list[float]) -> str:
    """Return the JSON text of `value` with `#` for each finite number; the numbers go to `columns` and `row`."""
    value = plain(value)
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
        columns.append(path)
        row.append(float(value))
        return "#"
    if isinstance(value, list):
        return "[" + ",".join(shape_of(item, f"{path}[{i}]", columns, row) for i, item in enumerate(value)) + "]"
    if isinstance(value, dict):
        bad = next((key for key in value if not isinstance(key, str)), None)
        if bad is not None or (None in value):
            message = f"returns the key {shown(bad)} of type {type(bad).__name__}; allowed: keys that are strings"
            raise UnusableOutputError(message)
        inner = (
            f"{json.dumps(key)}:" + shape_of(item, path + "." + key if path else key, columns, row)
            for key, item in value.items()
        )
        return "{" + ",".join(inner) + "}"
    message = f"returns {shown(value)} of type {type(value).__name__}; allowed: dict[str, float] or another JSON value"
    raise UnusableOutputError(message)


def shape_of_output(output: object, columns: list[str], row: list[float]) -> str:
    """Return the shape of a release: JSON ends, and its numbers are doubles."""
    try:
        return shape_of(output, "", columns, row)
    except (RecursionError, OverflowError) as error:
        message = f"returns what no JSON value of doubles holds ({raised(error)})"
        raise UnusableOutputError(message) from None


def shape_of_error(error: Exception, columns: list[str], row: list[float]) -> str:
    """An exception is an output: its type and message are the shape, numbers in the message are its numbers."""

    def keep(match: re.Match[str]) -> str:
        columns.append(f"!{len(columns)}")
        row.append(float(match.group()))
        return "#"

    return "raised " + NUMBER.sub(keep, raised(error))


def is_finite(number: float) -> bool:
    """Whether a double holds the number."""
    return -LARGEST <= number <= LARGEST


class Alike:
    """Outputs of one shape: which columns their numbers belong to, which releases they are, and the numbers."""

    def __init__(self, shape: int, places: list[int]) -> None:
        self.shape, self.places = shape, places
        self.releases: list[int] = []
        self.rows: list[list[float]] = []


class Releases:
    """A growing batch of outputs: one shape and one row of numbers each."""

    def __init__(self) -> None:
        self.number = 0
        self.shapes: dict[str, int] = {}
        self.columns: dict[str, int] = {}
        self.groups: dict[tuple[str, int], Alike] = {}
        self.flat: dict[tuple[str, ...], Alike] = {}
        """By their keys in order: dictionaries of numbers that were met before."""

    def add(self, shape: str, columns: list[str], row: list[float]) -> Alike:
        """Append one output and return those of its shape."""
        kind = (shape, len(columns))
        if kind not in self.groups:
            places = [self.columns.setdefault(column, len(self.columns)) for column in columns]
            self.groups[kind] = Alike(self.shapes.setdefault(shape, len(self.shapes)), places)
        return self.append(self.groups[kind], row)

    def append(self, group: Alike, row: list[float]) -> Alike:
        """Append one output of a known shape."""
        group.releases.append(self.number)
        group.rows.append(row)
        self.number += 1
        return group

    def add_output(self, output: object) -> None:
        """Append what a release returned: at once where it is a dictionary of numbers whose keys were met before."""
        keys = tuple(output) if type(output) is dict else None
        if keys in self.flat:
            row = list(output.values())  # type: ignore[attr-defined]
            if NUMBERS.issuperset(map(type, row)) and all(map(is_finite, row)):
                self.append(self.flat[keys], row)
                return
        columns: list[str] = []
        row = []
        group = self.add(shape_of_output(output, columns, row), columns, row)
        if keys is not None and keys == tuple(columns):
            self.flat[keys] = group

    def encode(self) -> tuple[dict[str, Any], bytes]:
        """Return header fields, shape index (n,) and values (n, columns), NaN where an output has no such number."""
        import numpy as np

        index = np.empty(self.number, dtype=np.int64)
        values = np.full((self.number, len(self.columns)), np.nan)
        for group in self.groups.values():
            index[group.releases] = group.shape
            if group.places:
                values[np.ix_(group.releases, group.places)] = group.rows
        fields = {"shapes": list(self.shapes), "columns": list(self.columns), "arrays": 2}
        return fields, npy(index) + npy(values)


def npy(array: Any) -> bytes:
    """Return the `.npy` encoding of a plain array."""
    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def check_release_many(result: object, n: int) -> tuple[tuple[str, ...], Any]:
    """Return the keys and the float64 array of a vectorised release, or say what is wrong with it."""
    import numpy as np

    if not (isinstance(result, tuple) and len(result) == 2):
        message = f"release_many returns {shown(result)}; allowed: a pair (keys, array)"
        raise UnusableOutputError(message)
    keys = tuple(plain(key) for key in result[0])
    bad = next((key for key in keys if not isinstance(key, str)), None)
    if bad is not None or len(set(keys)) != len(keys):
        reason = "twice" if bad is None else f"{shown(bad)} of type {type(bad).__name__}"
        message = f"release_many returns a key {reason}; allowed: distinct strings"
        raise UnusableOutputError(message)
    array = np.asarray(result[1])
    if array.dtype.kind not in "fiu" or array.shape != (n, len(keys)):
        message = (
            f"release_many returns an array of {array.dtype} and shape {array.shape}; "
            f"allowed: float64 of shape {(n, len(keys))}"
        )
        raise UnusableOutputError(message)
    return tuple(str(key) for key in keys), array.astype(np.float64, copy=False)


def sample(mechanism: object, request: dict[str, Any], beat: Callable[[], None]) -> tuple[dict[str, Any], bytes]:
    """Draw `n` releases with the generator the request names; say whether input and generator were touched."""
    import numpy as np

    histogram: dict[str, int] = request["histogram"]
    n: int = request["n"]
    seed = np.random.SeedSequence(entropy=int(request["seed"]), spawn_key=tuple(request["spawn_key"]))
    rng = np.random.Generator(np.random.PCG64(seed))
    before = rng.bit_generator.state
    release_many = getattr(mechanism, "release_many", None)
    started, computed = time.monotonic(), time.process_time()
    if release_many is not None:
        given = dict(histogram)
        keys, array = check_release_many(release_many(given, n, rng), n)
        fields, payload = {"shapes": None, "columns": list(keys), "arrays": 1}, npy(array)
        mutated = list(given.items()) != list(histogram.items())
    else:
        releases = Releases()
        mutated = draw_singly(getattr(mechanism, "release", mechanism), histogram, n, rng, releases, beat)
        fields, payload = releases.encode()
    notes = {
        "mutated": mutated,
        "rng_used": rng.bit_generator.state != before,
        "seconds": time.monotonic() - started,
        "cpu_seconds": time.process_time() - computed,
    }
    return {**fields, **notes}, payload


def draw_singly(
    release: Any, histogram: dict[str, int], n: int, rng: Any, releases: Releases, beat: Callable[[], None]
) -> bool:
    """Release `n` times, each from a fresh copy of the input; return whether a copy was ever changed."""
    order = list(histogram)
    mutated = False
    for _ in range(n):
        given = dict(histogram)
        try:
            output = release(given, rng)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - an exception is one of the mechanism's outputs
            columns: list[str] = []
            row: list[float] = []
            releases.add(shape_of_error(error, columns, row), columns, row)
        else:
            releases.add_output(output)
        mutated = mutated or given != histogram or list(given) != order
        beat()
    return mutated


def answer_sample(mechanism: object, request: dict[str, Any], answers: Answers) -> None:
    """Answer one request for releases, with a sign of life between releases that take long."""
    last = time.monotonic()

    def beat() -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > BEAT_SECONDS:
            last = now
            answers.send({"beat": True})

    try:
        header, payload = sample(mechanism, request, beat)
    except MemoryError:
        header, payload = {"died": "memory"}, b""
    except (SystemExit, KeyboardInterrupt) as error:
        header, payload = {"died": raised(error)}, b""
    except UnusableOutputError as error:
        header, payload = {"unusable": one_line(str(error))}, b""
    except Exception as error:  # noqa: BLE001 - release_many as a whole failed
        header, payload = {"raised": raised(error)}, b""
    answers.send(header, payload)


# --- the conversation -----------------------------------------------------------------------------------------------


def describe_loaded(loaded: object, kind: str) -> tuple[object, dict[str, Any]]:
    """Return what to call and what the auditor must know of it; a mechanism class is built without arguments."""
    if kind == "mechanism" and isinstance(loaded, type):
        try:
            loaded = loaded()
        except Exception as error:  # noqa: BLE001 - the class is the target's code
            return loaded, {"unusable": f"cannot be built without arguments: {raised(error)}; give an instance"}
    usable = callable(loaded) or (
        kind == "mechanism" and (hasattr(loaded, "release_many") or hasattr(loaded, "release"))
    )
    if not usable:
        wanted = "a callable" if kind == "accountant" else "a callable or an object with release or release_many"
        return loaded, {"unusable": f"is {shown(loaded)} of type {type(loaded).__name__}; allowed: {wanted}"}
    declared = getattr(loaded, "releases_only_input_keys", None)
    return loaded, {
        "accepts": accepted_keywords(loaded),
        "vectorised": hasattr(loaded, "release_many"),
        "releases_only_input_keys": declared if isinstance(declared, bool) else None,
    }


def accepted_keywords(loaded: object) -> list[str] | None:
    """Return the names a callable takes by keyword; None where it takes any, or does not say."""
    try:
        parameters = inspect.signature(loaded).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    by_keyword = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [parameter.name for parameter in parameters if parameter.kind in by_keyword]


def load(request: dict[str, Any], given: object | None) -> tuple[object, dict[str, Any]]:
    """Answer the first request: import (or take the callable a forked child was given)."""
    try:
        loaded = (
            given
            if given is not None
            else load_target(request["target"], request["search_path"], request["fallback_path"])
        )
        return describe_loaded(loaded, request["kind"])
    except MemoryError:
        return None, {"failed": "memory"}
    except BaseException as error:  # noqa: BLE001 - a module that calls sys.exit() does not import either
        return None, {"failed": raised(error)}


def requests(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield requests until the auditor closes the pipe."""
    while (request := read_frame(stream)) is not None:
        yield request


def cut_off() -> None:
    """Send what this process prints to the null device, and end it with its parent."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(d, mode, closefd=False) for d, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    leave_with_parent()


def serve(in_descriptor: int, out_descriptor: int, given: object | None = None) -> None:
    """Answer requests until there are none; standard streams are cut off, memory is limited before the import."""
    cut_off()
    with os.fdopen(in_descriptor, "rb") as incoming, os.fdopen(out_descriptor, "wb") as outgoing:
        loaded: object = None
        answers = Answers(outgoing)
        for request in requests(incoming):
            answers.begin(request["number"])
            if request["do"] == "load":
                limit_memory(int(request["memory_bytes"]))
                loaded, header = load(request, given)
                answers.send(header)
            elif request["do"] == "call":
                for arguments in request["calls"]:
                    answers.send(answer_call(loaded, arguments))  # type: ignore[arg-type]
            else:
                answer_sample(loaded, request, answers)


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
