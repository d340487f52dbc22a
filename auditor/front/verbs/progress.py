"""Progress of a run on standard error: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auditor.errors import counted
from auditor.findings.card import WORDS
from auditor.findings.finding import Outcome
from auditor.front.verbs.output import log
from auditor.printable import spelt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress

    from auditor.engine.runner import Event
    from auditor.findings.finding import Finding


def interactive() -> bool:
    """Whether a person watches: a terminal that can move its cursor, and no CI."""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


def _said(findings: tuple[Finding, ...]) -> str:
    return ", ".join(
        f"{WORDS[finding.verdict]}{' AGAINST EXPECTATION' if finding.outcome is Outcome.UNEXPECTED else ''}"
        for finding in findings
    )


@contextmanager
def listener() -> Iterator[Callable[[Event], None]]:
    """Give the function that a run calls with its events."""
    if not interactive():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}", markup=False)
    bar = Progress(BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), text, console=Console(stderr=True))
    try:
        yield _bar(bar)
    finally:
        bar.stop()


def _lines() -> Callable[[Event], None]:
    from auditor.engine.runner import Started, UnitDone

    state = {"done": 0, "total": 0}

    def listen(event: Event) -> None:
        if isinstance(event, Started):
            state["total"] = event.total
            log(f"{counted(event.total, 'check')} to run")
        elif isinstance(event, UnitDone):
            state["done"] += 1
            width = len(str(state["total"]))
            log(f"[{state['done']:{width}}/{state['total']}] {event.unit_id}: {_said(event.findings)}")

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
                    line = spelt(f"{_said((finding,))}: {finding.id}: {finding.headline}")
                    bar.console.print(line, markup=False, highlight=False)

    return listen
