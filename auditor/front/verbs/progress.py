"""Progress on standard error: a bar for a run or a line for an audit on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auditor.errors import counted
from auditor.findings.card import WORDS
from auditor.findings.finding import Outcome
from auditor.front.verbs.output import log
from auditor.front.verbs.parameters import Amount
from auditor.printable import spelt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.progress import Progress, TextColumn

    from auditor.accountant_audit.log import Call
    from auditor.engine.runner import Event
    from auditor.findings.finding import Finding


LINE_SECONDS = 10.0
"""Seconds between progress lines without a terminal."""
PATIENCE = 1.0
"""Seconds of an audit before its progress line appears."""


def interactive() -> bool:
    """Return whether stderr is a terminal that can move its cursor, outside CI."""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


def _describe_verdicts(findings: tuple[Finding, ...]) -> str:
    return ", ".join(
        f"{WORDS[finding.verdict]}{' UNEXPECTED' if finding.outcome is Outcome.UNEXPECTED else ''}"
        for finding in findings
    )


@contextmanager
def listener(amount: Amount = Amount.USUAL) -> Iterator[Callable[[Event], None]]:
    """Provide the event listener of a run: no output, a bar, or a line per check."""
    if amount is Amount.QUIET:
        yield lambda _event: None
        return
    if amount is Amount.VERBOSE or not interactive():
        yield _lines(headlines=amount is Amount.VERBOSE)
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    times = (TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn())
    columns = (BarColumn(10), MofNCompleteColumn(), *times, _text_column())
    bar = Progress(*columns, console=Console(stderr=True), expand=True)
    try:
        yield _bar(bar)
    finally:
        bar.stop()


@contextmanager
def live_line(*, quiet: bool = False) -> Iterator[Callable[[object], None] | None]:
    """Provide a function that prints the progress of an audit; None if quiet.

    On a terminal it updates one line, which appears after a second and disappears at the end of the audit. Elsewhere it
    writes a line every ten seconds.
    """
    if quiet:
        yield None
        return
    if not interactive():
        yield _every(LINE_SECONDS)
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn

    line = Progress(SpinnerColumn(), _text_column(), console=Console(stderr=True), expand=True, transient=True)
    task, start = line.add_task(""), time.monotonic()

    def show(how_far: object) -> None:
        line.update(task, description=spelt(str(how_far)))
        if time.monotonic() - start > PATIENCE:
            line.start()

    try:
        yield show
    finally:
        line.stop()


def _text_column() -> TextColumn:
    """Return the last column of a progress line: a text that is cut at the end of the line."""
    from rich.progress import TextColumn
    from rich.table import Column

    rest = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    return TextColumn("{task.description}", markup=False, table_column=rest)


def _every(seconds: float) -> Callable[[object], None]:
    """Return a function that writes its argument if `seconds` have passed since the last line."""
    last = time.monotonic()

    def write(progress: object) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            log(spelt(str(progress)))

    return write


def calls_line(budget: float, calls: Sequence[Call], seconds: float) -> str:
    """Return the progress of an accountant audit as a line."""
    from auditor.accountant_audit.log import BAD

    bad = sum(call.kind in BAD for call in calls)
    return f"{len(calls):,} calls, {bad} of them wrong; at most {max(0.0, budget - seconds):.0f} CPU s left"


def _lines(*, headlines: bool) -> Callable[[Event], None]:
    from auditor.engine.runner import Started, UnitDone

    state = {"done": 0, "total": 0}

    def listen(event: Event) -> None:
        if isinstance(event, Started):
            state["total"] = event.total
            log(f"{counted(event.total, 'check')} to run")
        elif isinstance(event, UnitDone):
            state["done"] += 1
            width = len(str(state["total"]))
            before = " (stored finding: nothing has changed)" if event.again else ""
            since = f" (run again: {event.changed} changed)" if event.changed else ""
            log(
                f"[{state['done']:{width}}/{state['total']}] {event.unit_id}: "
                f"{_describe_verdicts(event.findings)}{before}{since}"
            )
            for finding in event.findings if headlines else ():
                log(f"    {finding.headline}")

    return listen


def _bar(bar: Progress) -> Callable[[Event], None]:
    from auditor.engine.runner import Started, UnitDone

    task = bar.add_task("", total=None)

    def listen(event: Event) -> None:
        if isinstance(event, Started):
            bar.update(task, total=event.total)
            bar.start()
        elif isinstance(event, UnitDone):
            bar.update(task, advance=1, description=spelt(event.unit_id))
            for finding in event.findings:
                if not finding.met:
                    line = spelt(f"{_describe_verdicts((finding,))}: {finding.id}: {finding.headline}")
                    bar.console.print(line, markup=False, highlight=False)

    return listen
