"""Evidence across runs: the e-values of all runs of a mechanism version are multiplied, favourable or not.

The file holds the seed counter, so no block of samples is used twice. A run is recorded before it draws its first
sample and must be finished before another run starts. Its seed is in the file, so an interrupted run is replayed and
cannot be dropped: the product keeps unfavourable runs. Versions of the mechanism share one alpha by the declared
sequence alpha_i = 6 alpha / (pi i)^2. So the probability of a false alarm in the whole history, over any number of
versions and runs, is at most alpha.
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
        number: index in the history of the file, from 0; with the file's seed it determines all samples of the run.
        version: audited version of the mechanism.
        log_wealth: natural logarithm of its e-value at its stop; None while it is open.
        samples: releases per dataset that it used.
    """

    number: int
    version: str
    log_wealth: float | None = None
    samples: int = 0


@dataclass(frozen=True)
class AccumulatedEvidence:
    """The history of the audits of one mechanism against one claim.

    Attributes:
        subject: mechanism and claim; a reader rejects the history of another subject.
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
        """The run that must be replayed to its end before another one begins; None if all are finished."""
        return self.runs[-1] if self.runs and self.runs[-1].log_wealth is None else None

    def begin(self, version: str) -> AccumulatedEvidence:
        """Return the history with a new open run of `version`; save it before the first sample is drawn.

        Raises:
            ValueError: a run is still open.
        """
        if self.open_run is not None:
            raise ValueError(
                f"expected every run of {self.subject!r} to be finished, got open run {self.open_run.number}: "
                "replay it first"
            )
        return replace(self, runs=(*self.runs, Run(len(self.runs), version)))

    def finish(self, number: int, log_wealth: float, samples: int) -> AccumulatedEvidence:
        """Return the history with the open run closed.

        Args:
            number: number of the open run.
            log_wealth: natural logarithm of its e-value, favourable or not.
            samples: releases per dataset that it used.

        Raises:
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
        """Return whether the product of the e-values has ever reached 1 / version_alpha; a refutation is final."""
        wealths = [run.log_wealth for run in self.runs if run.version == version and run.log_wealth is not None]
        return max(itertools.accumulate(wealths), default=0.0) >= -math.log(self.version_alpha(version))


@dataclass(frozen=True)
class Continuation:
    """Parameters of an open run that its history determines.

    Attributes:
        subject: id of the audited subject.
        version: audited version.
        number: number of the run; part of the seed path of its samples.
        seed: seed of the file.
        alpha: false-alarm probability of all runs of the version together.
        log_wealth: natural logarithm of the product of the version's finished runs.
        runs: number of runs of the version, with this one.
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
    """Write the history as JSON, replacing the file atomically.

    Raises:
        OutputError: the file cannot be written.
    """
    text = json.dumps({"format": FORMAT, **asdict(evidence)}, indent=1) + "\n"
    temporary = path.with_name(path.name + ".new")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise OutputError(f"expected a file that can be written, got {path}: {error.strerror}") from None


def read_evidence(path: Path, subject: str) -> AccumulatedEvidence:
    """Return the history of `subject` in a file.

    Raises:
        ReportError: the file is missing, has another format or subject, or breaks a rule of `AccumulatedEvidence`.
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
