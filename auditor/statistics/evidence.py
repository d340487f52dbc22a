"""Evidence that outlives a run: e-values of one mechanism version multiply across runs, favourable or not.

The file owns the seed counter, so that no block of samples is ever used twice. A run is entered before it draws its
first sample and must be finished before another one starts: as its seed is in the file, a run that was interrupted is
replayed, never dropped, which is what keeps unfavourable runs in the product. Versions of the mechanism share one alpha
by the declared sequence alpha_i = 6 alpha / (pi i)^2, so that the probability of a false alarm in the whole history,
over any number of versions and runs, stays at most alpha.
"""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from auditor.errors import OutputError, ReportError
from auditor.reading import text_of

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "sparse-histogram-auditor evidence 1"


@dataclass(frozen=True)
class Run:
    """One audit of one version.

    Attributes:
        number: place in the history of the file, from 0; with the file's seed the source of all its samples.
        version: what was audited.
        log_wealth: natural logarithm of its e-value at its stop; None while it is open.
        samples: releases a side it used.
    """

    number: int
    version: str
    log_wealth: float | None = None
    samples: int = 0


@dataclass(frozen=True)
class AccumulatedEvidence:
    """The history of the audits of one mechanism against one claim.

    Attributes:
        subject: mechanism and claim, for people and as a guard against mixing two histories.
        alpha: false-alarm probability of the whole history.
        seed: entropy of every run; run i draws from the path (subject, i).
        runs: every run, in order; only the last one may be open.
    """

    subject: str
    alpha: float
    seed: int
    runs: tuple[Run, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise ValueError(f"expected 0 < alpha < 1, got alpha={self.alpha}")
        if [run.number for run in self.runs] != list(range(len(self.runs))):
            raise ValueError(f"expected runs numbered from 0 without gaps, got {[run.number for run in self.runs]}")
        if any(run.log_wealth is not None and not math.isfinite(run.log_wealth) for run in self.runs):
            raise ValueError(f"expected finite wealths, got {[run.log_wealth for run in self.runs]}")
        if any(run.log_wealth is None for run in self.runs[:-1]):
            raise ValueError(
                "expected at most the last run to be open, got an earlier one: its samples may not be dropped"
            )

    @property
    def open_run(self) -> Run | None:
        """The run that has to be replayed to its end before anything else; None where all are finished."""
        return self.runs[-1] if self.runs and self.runs[-1].log_wealth is None else None

    def begin(self, version: str) -> AccumulatedEvidence:
        """Return the history with a new open run of `version`; save it before the first sample is drawn.

        Errors:
            ValueError: a run is still open.
        """
        if self.open_run is not None:
            raise ValueError(
                f"expected every run of {self.subject!r} to be finished, got open run {self.open_run.number}: "
                "replay it first"
            )
        return replace(self, runs=(*self.runs, Run(len(self.runs), version)))

    def finish(self, number: int, log_wealth: float, samples: int) -> AccumulatedEvidence:
        """Return the history with the open run closed at its wealth, whatever it is.

        Errors:
            ValueError: `number` is not the open run: its samples were used before, or never announced.
        """
        current = self.open_run
        if current is None or current.number != number:
            raise ValueError(f"expected the open run, got run {number}: its samples are used up or unannounced")
        return replace(self, runs=(*self.runs[:-1], replace(current, log_wealth=log_wealth, samples=samples)))

    def log_wealth(self, version: str) -> float:
        """Return the logarithm of the product of the e-values of all finished runs of a version."""
        return math.fsum(run.log_wealth for run in self.runs if run.version == version and run.log_wealth is not None)

    def version_alpha(self, version: str) -> float:
        """Return the version's share of alpha: 6 alpha / (pi i)^2 for the i-th version to appear."""
        order = list(dict.fromkeys([*(run.version for run in self.runs), version]))
        return 6.0 * self.alpha / (math.pi * (order.index(version) + 1)) ** 2

    def refuted(self, version: str) -> bool:
        """Return whether the product of the e-values has ever reached 1 / version_alpha: a refutation stays."""
        wealths = [run.log_wealth for run in self.runs if run.version == version and run.log_wealth is not None]
        return max(itertools.accumulate(wealths), default=0.0) >= -math.log(self.version_alpha(version))


@dataclass(frozen=True)
class Continuation:
    """What an open run needs to know of its history.

    Attributes:
        subject: id of what is audited.
        version: of the run.
        number: of the run; part of the path of its samples.
        seed: of the file.
        alpha: what the version may spend, over all its runs.
        log_wealth: natural logarithm of the product of the version's finished runs.
        runs: runs of the version, this one included.
        refuted: whether the version's finished runs have refuted it.
    """

    subject: str
    version: str
    number: int
    seed: int
    alpha: float
    log_wealth: float
    runs: int
    refuted: bool


def write_evidence(evidence: AccumulatedEvidence, path: Path) -> None:
    """Write the history as JSON, replacing the file at once or not at all.

    Errors:
        OutputError: the file cannot be written.
    """
    text = json.dumps({"format": FORMAT, **asdict(evidence)}, indent=1) + "\n"
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_text(text, encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise OutputError(f"expected a file that can be written, got {path}: {error.strerror}") from None


def read_evidence(path: Path, subject: str) -> AccumulatedEvidence:
    """Read the history of `subject`.

    Errors:
        ReportError: no such file, another format, another subject, or a history that breaks the rules of `Evidence`.
    """
    try:
        content = json.loads(text_of(path))
        if content["format"] != FORMAT or content["subject"] != subject:
            raise ReportError(
                f"expected evidence of {subject!r} in format {FORMAT!r}, "
                f"got {content['subject']!r} in {content['format']!r} in {path}"
            )
        runs = tuple(Run(**run) for run in content["runs"])
        if not isinstance(content["seed"], int) or content["seed"] < 0:
            raise ReportError(f"expected evidence of {subject!r} with an integer seed >= 0, got {content['seed']!r}")
        return AccumulatedEvidence(content["subject"], content["alpha"], content["seed"], runs)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ReportError(f"expected evidence of {subject!r}, got {path}: {error}") from None
