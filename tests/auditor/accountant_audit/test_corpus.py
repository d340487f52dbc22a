"""Accountants as people write them: every mistake of the corpus is seen and named, no right one is accused."""

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.errors import ExitCode
from auditor.front.accountants import accountant_request
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.accountant_audit.corpus import RIGHT, WRONG, WRONG_HISTOGRAMS

GAUSSIAN, HISTOGRAM = "wilkins2024.thm2.2", "wilkins2024.thm5.4"
BOX = {"epsilon": ("0", "50"), "mu": ("1e-4", "20")}
WIDE = {"epsilon": ("0", "20"), "c_u": ("1", "1e6"), "sigma": ("0.1", "1e4"), "gap": ("-100", "1e5")}
RARE = {"wrong in one corner": 200, "counts its calls": 60}
"""Examples that a mistake takes to be found, where those are not the usual ones."""


def audit(target, claim=GAUSSIAN, box=BOX, **options):
    """Audit a live accountant."""
    options = {"max_examples": 30, "strict": True, **options}
    return audit_accountant(accountant_request(target, claim, box=box, **options))


@pytest.mark.slow
@pytest.mark.parametrize("style", RIGHT)
def test_a_right_accountant_is_not_accused_whatever_its_style(style):
    """Types, libraries, rounding up and printing are nobody's mistake."""
    result = audit(RIGHT[style], tolerance="1e-6", max_examples=30)
    assert result.verdict is Verdict.CONSISTENT, result.detail
    assert result.judged > 50


@pytest.mark.slow
@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_accountant_is_refuted_by_its_class(mistake):
    """One regime, one corner, one type, or memory between calls."""
    accountant, name = WRONG[mistake]
    result = audit(accountant, max_examples=RARE.get(mistake, 30))
    assert result.exit_code == ExitCode.FINDINGS, result.detail
    assert name in result.classes, result.detail


@pytest.mark.slow
@pytest.mark.parametrize("mistake", WRONG_HISTOGRAMS)
def test_a_wrong_accountant_of_a_histogram_is_unsafe(mistake):
    """Integers off by one, of one parity, cut or rooted; a gap of the wrong sign."""
    result = audit(WRONG_HISTOGRAMS[mistake], HISTOGRAM, WIDE)
    assert result.unsafe is not None, result.detail


@pytest.mark.slow
def test_a_counterexample_of_practical_numbers_comes_first():
    """A tenth too little everywhere is shown where delta is what people use, in one digit each."""
    result = audit(lambda epsilon, mu: 0.9 * RIGHT["doubles"](epsilon, mu), max_examples=20)
    assert 1e-15 <= float(result.unsafe.truth.lower) <= 1e-2
    assert all(len(value) <= 4 for value in result.unsafe.parameters.values()), result.unsafe.parameters
