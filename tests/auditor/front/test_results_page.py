"""The page of this project's theorems: current, of claims of ours, and with numbers that say what the text says."""

import math
import re
import tomllib
from fractions import Fraction
from pathlib import Path

from auditor.engine.registry import registry
from auditor.front.results_page import CLAIMS, COMMAND, NOT_RECORDED, PAGE, RESULTS, Value, render, verdicts
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.verdict import Expectation

ROOT = Path(__file__).resolve().parents[3]
RECORDED = verdicts((ROOT / CLAIMS).read_text(encoding="utf-8"))
BELOW = {"standard.selection.largest", "thresholds.laplace.integer.profile"}
"""Results whose earlier number is below ours: a smaller probability of releasing a key, and an unsafe rule."""


def test_the_page_is_current():
    """It is what the claims and their recorded verdicts say."""
    assert (ROOT / PAGE).read_text(encoding="utf-8") == render(RECORDED), f"run `{COMMAND}`"


def test_every_result_is_a_claim_of_ours_that_is_expected_to_hold():
    """Steps are claims, too, and no verdict of a recorded one is refuted."""
    for one in RESULTS:
        claim = registry().claim(one.claim)
        assert claim.source.ours, one.claim
        assert claim.expected is Expectation.HOLDS, one.claim
        for identifier in (one.claim, *one.steps):
            assert registry().claim(identifier).id == identifier
            assert RECORDED.get(identifier, NOT_RECORDED) in {
                *("proved", "derived", "no violation seen", NOT_RECORDED)
            }, identifier


def test_earlier_rules_are_on_the_side_that_the_page_says():
    """By doubles of the same formulas: above ours, but for a smaller probability of a release and an unsafe rule."""
    for one in RESULTS:
        for gain in one.gains:
            earlier, ours = gain.earlier.exact()[1], gain.ours.exact()[1]
            assert (earlier < ours) == (one.claim in BELOW), (one.claim, gain.setting)
            for value in (gain.earlier, gain.ours):
                claim = registry().claim(value.claim)
                formula = getattr(claim.kind, value.side) if value.side else claim.formula
                double = float(evaluate_in(Float64(), formula, claim.domain.parse(value.parameters)))
                assert abs(double / value.exact()[1] - 1) < 1e-8, (one.claim, gain.setting)


def test_laplace_noise_of_the_page_has_the_least_threshold_of_its_target():
    """T = 1 + log(1/(2 delta))/epsilon for delta 1e-5 of one user, the lead (T - users) epsilon to four decimals."""
    (selection,) = [one for one in RESULTS if one.claim == "standard.selection.largest"]
    for gain in selection.gains:
        of_keep = gain.ours.parameters
        epsilon, users = Fraction(of_keep["epsilon_0"]), int(of_keep["users"])
        least = math.log(0.5e5) - (users - 1) * float(epsilon)
        assert least <= float(gain.earlier.parameters["lead"]) < least + 1e-4
        assert gain.earlier.parameters["epsilon"] == of_keep["epsilon_0"]


def test_a_value_is_rounded_to_the_nearest_digit():
    """Four digits of P[Z >= 3] = e^-3/(1 + e^-1)."""
    text, number = Value("thresholds.laplace.integer", "scale=1 threshold=4 c_u=1 per_key=1").exact()
    assert text == "0.0364"
    assert abs(number - 0.036397) < 1e-6


def test_verdicts_are_read_from_rows_with_bars_in_their_titles():
    """Escaped bars belong to the title."""
    text = r"`a.b` | a title of D(q\|p) | Theorem 2 | proved | x" + "\n- `c.d`, no row"
    assert verdicts(text) == {"a.b": "proved"}


def test_the_citation_has_the_version_and_the_papers_of_the_page():
    """One version in both files."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert re.search(r"^version: (.*)$", citation, re.MULTILINE)[1] == project["version"]
    for family in ("Karrer", "Lebeda", "Rogers", "Bharadwaj"):
        assert f"family-names: {family}" in citation
