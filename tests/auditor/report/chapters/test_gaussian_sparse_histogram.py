"""The chapter on the Gaussian sparse histogram: what is shown suffices, and the text says what the run states."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from auditor.engine.registry import registry
from auditor.profile import profile
from auditor.report.chapters.gaussian_sparse_histogram import BEHIND, RESULTS, comparison, thresholds, write
from auditor.report.model import overall
from auditor.report.view import WORDS
from proofs_numeric.arithmetic.enclosure import Order, compare
from proofs_numeric.statements.verdict import Verdict
from proofs_numeric.wilkins2024.adding_the_deltas import add_the_deltas
from proofs_numeric.wilkins2024.f_dp import delta_f_dp
from proofs_numeric.wilkins2024.theorem_5_4 import delta_exact


@pytest.fixture(scope="module")
def rows():
    """Compute the table of thresholds."""
    return thresholds().rows


@pytest.mark.slow
def test_the_thresholds_shown_meet_their_delta_and_two_thousandths_less_do_not(rows):
    """Each of the three analyses, certified at the decimals that are printed."""
    assert rows
    for row in rows:
        delta = Fraction(row[1])
        for formula, shown in zip((delta_exact, delta_f_dp, add_the_deltas), row[4:], strict=True):
            point = {
                "epsilon": Fraction(row[0]),
                "c_u": int(row[2].replace(",", "")),
                "sigma": Fraction(row[3]),
                "gap": Fraction(shown),
                "mu_o": 0,
            }
            assert compare(formula, lambda A, **_p: A.number(delta), point).order is not Order.GREATER, row  # noqa: B023
            lower = {**point, "gap": point["gap"] - Fraction(2, 1000)}
            assert compare(formula, lambda A, **_p: A.number(delta), lower).order is Order.GREATER, row  # noqa: B023


def test_f_dp_and_exact_part_somewhere(rows):
    """One setting shows a higher threshold by f-DP composition than the exact one."""
    assert any(Fraction(row[5]) > Fraction(row[4]) for row in rows)


def test_the_comparison_shows_the_verdicts_of_the_run():
    """A claim of the run has its verdict, weakest finding first; one outside the run says so."""
    known = registry()
    found = SimpleNamespace(verdict=Verdict.DERIVED), SimpleNamespace(verdict=Verdict.CONSISTENT)
    rows = {row[0]: row for row in comparison(known, {"wilkins2024.sec7.f_dp_factor": found}).rows}
    assert list(rows) == list(RESULTS)
    assert rows["wilkins2024.sec7.f_dp_factor"][3] == WORDS[overall(f.verdict for f in found)]
    assert rows["wilkins2024.thm5.4"][3] == "not in this run"


@pytest.mark.parametrize(("subjects", "words"), [(BEHIND, "this report states"), ((), "a run that selects reference")])
def test_the_text_speaks_of_accuracy_only_where_the_report_has_it(subjects, words):
    """Without the accountants in the run the chapter does not claim that it certified them."""
    known = registry()
    assert set(BEHIND) <= set(known.accountants)
    assert words in write(known, dict.fromkeys(subjects, ()), profile("quick")).text
