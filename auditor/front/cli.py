"""The `auditor` command: verbs, exit codes, and errors in one line."""

from __future__ import annotations

import functools
import importlib
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

from auditor.errors import LONGEST_MESSAGE, AuditorError, ExitCode, InterruptedRunError
from auditor.front.verbs.output import emit, log
from auditor.printable import printable
from auditor.target import isolation

VERBS = (
    "run", "evaluate", "accountant", "accountants", "mechanism", "verify", "list", "explain", "reproduce", "render",
    "compare", "notebook", "experiments", "doctor",
)  # fmt: skip
"""Modules of `auditor.front.verbs`; each is imported when its verb is used, all of them for the list of verbs."""

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _interruptible(command: Callable[..., int]) -> Callable[..., int]:
    """Turn Ctrl-C into one of our errors before the parser's library can turn it into something of its own."""

    @functools.wraps(command)
    def run_command(*args: Any, **options: Any) -> int:
        try:
            return command(*args, **options)
        except KeyboardInterrupt:
            raise InterruptedRunError("interrupted") from None

    return run_command


class _Verbs(typer.core.TyperGroup):
    """The verbs, each built from its module when it is asked for."""

    def list_commands(self, _context: object) -> list[str]:
        return list(VERBS)

    def get_command(self, _context: object, name: str) -> Any:
        if name not in VERBS:
            return None
        verb = typer.Typer(add_completion=False, rich_markup_mode=None)
        verb.command(name)(_interruptible(importlib.import_module(f"auditor.front.verbs.{name}").command))
        return typer.main.get_command(verb)


app = typer.Typer(
    name="auditor",
    cls=_Verbs,
    help="Decide, with evidence, whether private sparse histograms, their theorems and their accountants are right.",
    epilog="Exit codes: 0 as expected, 1 against expectation, 2 usage or a crashed check, 3 undecided with --strict, "
    "5 nothing selected, 130 interrupted, 141 the output's reader has gone.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_ClickError: type[Exception] = typer.BadParameter.__mro__[2]
"""The base of the parser's own errors; its module depends on the version of typer."""


def _version(*, value: bool) -> None:
    if value:
        from auditor.version import suite_version

        sys.stdout.write(f"auditor {suite_version()}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=lambda value: _version(value=value), is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    del version
    if context.invoked_subcommand is None:
        sys.stderr.write(context.get_help() + "\n")
        raise typer.Exit(ExitCode.USAGE)


DEBUG = "AUDITOR_DEBUG"
"""Environment variable that lets a defect of the auditor show its stack trace."""


def invoke(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing raises, unless AUDITOR_DEBUG asks for the trace."""
    try:
        return _invoked(arguments)
    finally:
        found = sys.modules.get("auditor.engine.registry")
        for defect in found.defects_told() if found is not None else ():
            log(f"warning: {defect}")


def _invoked(arguments: Sequence[str]) -> int:
    try:
        with isolation.ours():
            code = int(app(args=[*arguments], prog_name="auditor", standalone_mode=False) or 0)
            sys.stdout.flush()
            return code
    except AuditorError as error:
        return _fail(str(error), error.exit_code, arguments)
    except _ClickError as error:
        return _fail(_usage(error), ExitCode.USAGE, arguments)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", ExitCode.INTERRUPTED, arguments)
    except BrokenPipeError:
        return ExitCode.CLOSED_PIPE
    except SystemExit as ended:
        # what the parser's library makes of a broken pipe
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        return ExitCode.CLOSED_PIPE
    except OSError as error:
        where = f"'{error.filename}'" if error.filename else "the output"
        reason = (error.strerror or type(error).__name__).lower()
        return _fail(f"cannot use {where}: {reason}", ExitCode.USAGE, arguments)
    except Exception as error:
        if _is_parameter_error(error):
            return _fail(str(error), ExitCode.USAGE, arguments)
        if os.environ.get(DEBUG):
            raise
        return _fail(_defect(error), ExitCode.USAGE, arguments)


def _is_parameter_error(error: Exception) -> bool:
    from proofs_numeric.statements.box import ParameterError

    return isinstance(error, ParameterError)


def _defect(error: Exception) -> str:
    words = printable(" ".join(f"{type(error).__name__}: {error}".split()))
    return (
        f"the auditor itself failed: {words}; this says nothing about what was audited: "
        f"report it with the stack trace that {DEBUG}=1 shows"
    )


def _usage(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    path = context.command_path if context is not None else "auditor"
    words = " ".join(message.split()).rstrip(".")
    return f"{words[:1].lower()}{words[1:]}; see `{path} --help`"


def _fail(message: str, code: ExitCode, arguments: Sequence[str]) -> int:
    with suppress(OSError):  # where the output is what failed
        log(f"error: {printable(message, LONGEST_MESSAGE)}")
        if "--json" in arguments:
            emit({"error": message, "exit_code": int(code)})
            sys.stdout.flush()
    return code


def _terminated(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Enter from the console script; SIGTERM ends a command as Ctrl-C does."""
    signal.signal(signal.SIGTERM, _terminated)
    _open_streams()
    code = invoke(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:  # told already: keep the interpreter from failing once more when it flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _open_streams() -> None:
    """Give the null device to standard streams that are closed, and an escape to letters that a stream cannot hold."""
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
        elif mode == "w":
            stream.reconfigure(errors="backslashreplace")
