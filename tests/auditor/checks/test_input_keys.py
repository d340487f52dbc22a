"""The declaration that released keys are keys of the input: one key from elsewhere refutes it."""

from fractions import Fraction

import pytest

from auditor.checks.check import Context
from auditor.checks.input_keys import CHECKS, check_input_keys
from auditor.engine.registry import registry
from auditor.profile import profile
from proofs_numeric.statements.verdict import Verdict

KNOWN = registry()


@pytest.mark.parametrize(
    ("identifier", "verdict"),
    [
        ("correlated_zero_counters_noised", Verdict.REFUTED),
        ("correlated_stability_histogram", Verdict.CONSISTENT),
        ("correlated_rounded", Verdict.CONSISTENT),
        ("correlated_gaussian", Verdict.NOT_APPLICABLE),
    ],
)
def test_a_declaration_is_held_against_releases(identifier, verdict):
    """Broken, kept twice, and not made."""
    context = Context(profile("quick"), 1, Fraction(1, 10**6), KNOWN)
    (found,) = check_input_keys(KNOWN.subjects[identifier], context)
    assert found.verdict is verdict
    assert found.met


def test_a_refuted_declaration_speaks_of_the_specification_only():
    """A strange key says that the code differs from its declaration, nothing about privacy."""
    context = Context(profile("quick"), 1, Fraction(1, 10**6), KNOWN)
    (found,) = check_input_keys(KNOWN.faults["correlated_zero_counters_noised"], context)
    assert found.headline.startswith("differs from its specification")
    assert "privacy" not in found.headline


def test_faults_of_other_checks_are_left_to_them():
    """The check looks at mechanisms, controls, and the fault that names it."""
    (check,) = CHECKS
    applies = {identifier for identifier in KNOWN.faults if check.applies(KNOWN.faults[identifier], KNOWN)}
    assert applies == {"correlated_zero_counters_noised"}
    assert check.applies(KNOWN.mechanisms["top_k"], KNOWN)
