"""Accumulated evidence of one version's black-box runs: the product of their e-values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from scipy.special import logsumexp

from auditor.checks import show
from auditor.findings.evidence import SamplingEvidence
from auditor.findings.finding import Finding
from auditor.statistics.evidence import Continuation


def run_log_wealth(tests: Sequence[SamplingEvidence]) -> float:
    """Return the natural logarithm of a run's wealth as reported: the average over epsilons, each rounded down.

    If the claim holds, each wealth is an e-process that starts at 1, and so is the average.
    """
    logs = [float(test.log10_wealth) * math.log(10) for test in tests if test.log10_wealth is not None]
    return float(logsumexp(logs)) - math.log(len(logs))


def combine_runs(continued: Continuation, tests: Sequence[SamplingEvidence]) -> tuple[bool, str]:
    """Return whether all runs of the version together refute it, and a sentence."""
    total = continued.log_wealth + run_log_wealth(tests)
    refuted = continued.refuted or total >= -math.log(continued.alpha)
    runs = f"{continued.runs} run{'s' if continued.runs > 1 else ''}"
    return refuted, (
        f"accumulated wealth 10^{_power(total)} over {runs} of version {continued.version} "
        f"(refutes from 10^{_power(-math.log(continued.alpha))}; run {continued.number} of the file)"
    )


def run_number(finding: Finding) -> int | None:
    """Return the number of a finding's run in the evidence file; None if it has none."""
    runs = (test.run for test in finding.evidence if isinstance(test, SamplingEvidence))
    return next(runs, None)


def _power(log_wealth: float) -> str:
    return show.real(Fraction(log_wealth / math.log(10)), 4, -1)
