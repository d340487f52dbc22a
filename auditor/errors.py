"""Every error the auditor raises on purpose, one noun each, and the exit codes of the command line.

The message of an error is one line: what was wrong, the value, what is allowed, the remedy. The command line prints it
after `error: ` and leaves with the error's exit code. A defect of the auditor itself is told in one line too; its stack
trace is shown where AUDITOR_DEBUG=1.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import ClassVar

from auditor.printable import printable


class ExitCode(IntEnum):
    """What the process tells its caller; part of the contract."""

    OK = 0  # no unexpected result
    FINDINGS = 1  # a refutation, or an expectation that was missed
    USAGE = 2  # usage, configuration, or a check that crashed
    UNDECIDED = 3  # something stayed undecided under --strict
    EMPTY_SELECTION = 5  # the selection matched nothing
    INTERRUPTED = 130  # stopped by the user; the partial report was written
    CLOSED_PIPE = 141  # whoever read the output has gone, as `| head -1` does: nothing is said about the audit


LONGEST_MESSAGE = 600
"""Characters of an error; the middle of longer ones is left out, where they quote."""


class AuditorError(Exception):
    """Any deliberate error. Causes: see the subclasses. `exit_code` is what the command line leaves with."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE

    def __init__(self, message: str) -> None:
        super().__init__(printable(" ".join(message.split()), LONGEST_MESSAGE))


class UsageError(AuditorError):
    """An argument or option that cannot be used. Causes: a malformed name=value, options that exclude each other."""


class UnknownIdError(AuditorError):
    """An id that nothing registered has. Causes: a typing error, a plug-in that is not installed.

    Args:
        kind: singular noun of what was looked up (claim, mechanism, fault, check, ...).
        pattern: what the user wrote: an id or a glob.
        registered: every registered id of that kind.
    """

    def __init__(self, kind: str, pattern: str, registered: Iterable[str]) -> None:
        from proofs_numeric.statements.withdrawn import WITHDRAWN

        self.kind, self.pattern = kind, pattern
        withdrawal = f"'{pattern}' was withdrawn: {WITHDRAWN[pattern]}" if pattern in WITHDRAWN else ""
        super().__init__(withdrawal or unknown_id_message(kind, pattern, sorted(registered)))


class EmptySelectionError(UnknownIdError):
    """A selection that matches nothing: zero checks must never look green. Causes: a typing error in a glob."""

    exit_code: ClassVar[ExitCode] = ExitCode.EMPTY_SELECTION


class TargetError(AuditorError):
    """An audited callable that cannot be audited at all. Causes: it does not import, or is not callable."""


class OutputError(AuditorError):
    """A report that cannot be written. Causes: the directory is a file, is read-only, or the disk is full."""


class ReportError(AuditorError):
    """A report that cannot be read. Causes: no such file, not JSON, another schema version, an unknown finding id."""


class InterruptedRunError(AuditorError):
    """The user stopped the command. Causes: Ctrl-C outside a run; a run itself writes what it has."""

    exit_code: ClassVar[ExitCode] = ExitCode.INTERRUPTED


class OverwrittenError(AuditorError, ImportError):
    """A module of ours that does not import. Causes: another distribution installs a top-level package of its name."""


INSTALL = "auditor accountants install"
"""The command, before names, that installs accounting libraries, each in an environment of its own."""
OTHER_PROFILE = "run the profile standard"
"""What to do about a check that a profile leaves out."""


class MissingPackageError(AuditorError, ImportError):
    """An optional package that is not installed. Causes: an extra was left out.

    Args:
        what: what lacks which package.
        remedy: the command that installs it.
    """

    def __init__(self, what: str, remedy: str) -> None:
        self.what, self.remedy = what, remedy
        super().__init__(f"{what}; {remedy}")


class ClusterError(AuditorError):
    """A cluster that cannot be used. Causes: no scheduler or worker, workers with other versions, a connection lost."""


def globs_over(ids: Iterable[str]) -> list[str]:
    """Every `prefix.*` that matches at least one of `ids`, shortest first."""
    prefixes = {identifier[:end] for identifier in ids for end, letter in enumerate(identifier) if letter == "."}
    return sorted((f"{prefix}.*" for prefix in prefixes), key=lambda glob: (len(glob), glob))


def closest(pattern: str, registered: Sequence[str]) -> str | None:
    """Return the id (or, for a glob, the `prefix.*`) most like `pattern`; None where nothing is registered."""
    import difflib  # only where something is misspelt

    candidates = globs_over(registered) if any(mark in pattern for mark in "*?[") else []
    matches = difflib.get_close_matches(pattern, candidates or registered, n=1, cutoff=0.0)
    return matches[0] if matches else None


def counted(number: int, noun: str) -> str:
    """`1 claim`, `110 claims`, `2 families`, `2 keys`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{number} {noun}s"


def article(noun: str) -> str:
    """`an inequality`, `a law`."""
    return "an" if noun[:1] in "aeiou" else "a"


def unknown_id_message(kind: str, pattern: str, registered: Sequence[str]) -> str:
    """One line that names the closest thing that exists and how many ids it stands for."""
    nearest = closest(pattern, registered)
    if nearest is None:
        return f"no {kind} matches '{pattern}'; no {kind} is registered"
    matched = sum(fnmatchcase(identifier, nearest) for identifier in registered)
    count = counted(matched, kind) if nearest not in registered else f"of {counted(len(registered), kind)}"
    return f"no {kind} matches '{pattern}'; closest: '{nearest}' ({count})"
