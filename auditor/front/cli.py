"""The `auditor` command: verbs, exit codes, and one-line errors."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit, NoArgsIsHelpError
from click.shell_completion import shell_complete

from auditor.errors import LONGEST_MESSAGE, AuditorError, ExitCode
from auditor.front.verbs.output import emit, log
from auditor.printable import printable
from auditor.settings import ONE_THREAD
from auditor.target import isolation

VERBS = (
    "init", "check", "run", "evaluate", "calibrate", "accountant", "accountants", "mechanism", "verify", "list",
    "explain", "reproduce", "render", "compare", "mutate", "coq", "notebook", "experiments", "doctor",
)  # fmt: skip
"""Modules of `auditor.front.verbs`; each is imported when its verb is used, and all for the list of verbs."""

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Verbs(click.Group):
    """The verbs, each the `command` of its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"auditor.front.verbs.{cmd_name}").command
        return command


def _version(_context: click.Context) -> str:
    from auditor.version import suite_version

    return f"auditor {suite_version()}"


@click.group(
    cls=_Verbs,
    epilog="Exit codes: 0 as expected, 1 unexpected result, 2 wrong usage or a crashed check, 3 undecided (in run: "
    "with --strict), 5 nothing selected, 130 interrupted, 141 the reader of the output closed it.",
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 120},
)
@click.custom_version_option(_version, help="Print the version.")
def app() -> None:
    """Decide, with evidence, whether mechanisms for private histograms, their theorems and accountants are correct."""


DEBUG = "AUDITOR_DEBUG"
"""Environment variable that enables the stack trace of a defect of the auditor."""
COMPLETE = "_AUDITOR_COMPLETE"
"""Environment variable that a shell sets to request completions or the completion script."""


def invoke(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; raises only a defect, and only if AUDITOR_DEBUG is set."""
    try:
        return _invoke_command(arguments)
    finally:
        module = sys.modules.get("auditor.engine.registry")
        for defect in module.defects_told() if module is not None else ():
            log(f"warning: {defect}")


def _invoke_command(arguments: Sequence[str]) -> int:
    try:
        with isolation.ours():
            code = _run_line(arguments)
            sys.stdout.flush()
            return code
    except AuditorError as error:
        return _fail(str(error), error.exit_code, arguments)
    except NoArgsIsHelpError as error:
        error.show()
        return ExitCode.USAGE
    except click.UsageError as error:
        return _fail(_usage(error), ExitCode.USAGE, arguments)
    except KeyboardInterrupt:
        return _fail("interrupted", ExitCode.INTERRUPTED, arguments)
    except BrokenPipeError:
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
        f"the auditor itself failed: {words}; this is no verdict about the target: report it with the stack trace that "
        f"{DEBUG}=1 prints"
    )


def _run_line(arguments: Sequence[str]) -> int:
    """Return the exit code of one command line; click's own `main` would handle signals and pipes differently."""
    try:
        with app.make_context("auditor", [*arguments]) as context:
            return int(app.invoke(context))
    except Exit as answered:  # --help and --version
        return answered.exit_code


def _usage(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx is not None else "auditor"
    words = " ".join(error.format_message().split()).rstrip(".")
    return f"{words[:1].lower()}{words[1:]}; see `{path} --help`"


def _fail(message: str, code: ExitCode, arguments: Sequence[str]) -> int:
    with suppress(OSError):  # the failed output may be stderr
        log(f"error: {printable(message, LONGEST_MESSAGE)}")
        if "--json" in arguments:
            emit({"error": message, "exit_code": int(code)})
            sys.stdout.flush()
    return code


def _raise_interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Run the console script; SIGTERM acts as Ctrl-C, and linear algebra uses one thread."""
    signal.signal(signal.SIGTERM, _raise_interrupt)
    if shell := os.environ.get(COMPLETE):
        sys.exit(shell_complete(app, {}, "auditor", COMPLETE, shell))
    _open_streams()
    for name, number in ONE_THREAD.items():  # more threads cost a run with its own workers more than they gain
        os.environ.setdefault(name, number)
    code = invoke(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError:  # already reported: prevents a second failure when the interpreter flushes
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _open_streams() -> None:
    """Replace closed standard streams by the null device, and escape characters that a stream cannot encode."""
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
            setattr(sys, name, os.fdopen(descriptor, mode, closefd=False))
        elif mode == "w":
            stream.reconfigure(errors="backslashreplace")
