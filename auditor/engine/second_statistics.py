"""Second computation of binomial bounds, binomial tests and the correction for many tests, by statsmodels."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from auditor.checks.check import family_of
from auditor.checks.empirical import SHARING
from auditor.checks.law import number_of_laws
from auditor.engine.registry import Registry
from auditor.extras import required
from auditor.findings.evidence import SamplingEvidence
from auditor.findings.finding import Finding
from auditor.statistics.error_budget import SHARES
from proofs_numeric.statements.verdict import Verdict

DIGITS = 1e-3
"""Relative rounding of a bound in a report, with four digits or more."""
LEVEL_DIGITS = 1e-9
"""Relative rounding of a level in a report."""
CLOSE = 2.0
"""Factor within which a tail probability and a level are too close: a report has four digits of the claimed delta."""


def checks(finding: Finding, alpha: str, catalogue: Registry) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield each item of a finding that statsmodels computes again: a name and a function.

    The function returns an empty text if both computations agree, otherwise the difference.
    """
    tests = [each for each in finding.evidence if isinstance(each, SamplingEvidence)]
    counted = [each for each in tests if each.hits is not None]
    for place, test in enumerate(counted, start=1):
        yield f"binomial bounds {place}", partial(_bounds, test)
    if counted and len(counted) == len(finding.evidence):
        yield "binomial test", partial(_verdict, finding, counted)
    if tests and all(each.run is None for each in tests):
        yield "correction for many tests", partial(_correction, finding, tests, alpha, catalogue)


def _statsmodels(module: str) -> Any:
    required("statsmodels")
    return required(f"statsmodels.stats.{module}")


def _bounds(test: SamplingEvidence) -> str:
    """Compare the bounds with those of Clopper and Pearson: one-sided, or two-sided if there is an upper bound."""
    sides = 1 if test.delta_upper else 2
    interval = _statsmodels("proportion").proportion_confint
    lower, upper = interval(test.hits, test.samples, alpha=sides * float(test.level), method="beta")
    ends = [("lower", test.delta_lower, float(lower)), ("upper", test.delta_upper, float(upper))]
    wrong = [
        f"the {name} bound is {text}, and {again:.6g} by statsmodels"
        for name, text, again in ends
        if text is not None and abs(float(text) - again) > DIGITS * again
    ]
    return "; ".join(wrong)


def _tail(test: SamplingEvidence) -> float:
    """Return the tail probability: of the claimed delta against more, or of an exact probability against any other."""
    claimed = test.delta_exact.value if test.delta_claimed is None and test.delta_exact else test.delta_claimed
    alternative = "two-sided" if test.delta_claimed is None else "larger"
    binomial = _statsmodels("proportion").binom_test
    return float(binomial(test.hits, test.samples, prop=float(claimed or "nan"), alternative=alternative))


def _verdict(finding: Finding, tests: list[SamplingEvidence]) -> str:
    """Compare the verdict with the tail probabilities: refuted if and only if one is at most its level."""
    ratios = [_tail(test) / float(test.level) for test in tests]
    if 1 / CLOSE < min(ratios) < CLOSE:
        raise ArithmeticError("the tail probability is as large as the level, to the digits of the report")
    refuted = min(ratios) <= 1
    if refuted == (finding.verdict is Verdict.REFUTED):
        return ""
    verdict = finding.verdict.value
    return f"the smallest tail probability is {min(ratios):.3g} times its level, and the verdict is {verdict}"


def _correction(finding: Finding, tests: list[SamplingEvidence], alpha: str, catalogue: Registry) -> str:
    """Compare the levels of a finding with the share of one test among all registered tests of its family.

    Bonferroni's correction covers all registered tests, not only those of the run.
    """
    family = family_of(finding.subject, finding.subject_kind.value, catalogue)
    registered = number_of_laws(catalogue) if family == "laws" else SHARING * len(getattr(catalogue, family))
    correct = _statsmodels("multitest").multipletests
    share = float(correct([1.0] * registered, alpha=float(Fraction(alpha) * SHARES[family]), method="bonferroni")[3])
    total_level = sum(float(test.level) for test in tests)
    if total_level <= share * (1 + LEVEL_DIGITS):
        return ""
    return (
        f"the levels add up to {total_level:.6g}; the share of each of {registered} tests in its family is {share:.6g}"
    )
