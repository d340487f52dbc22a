"""What practitioners quote: settings of the claims' domains, values that are certified and rounded up."""

from dataclasses import replace
from fractions import Fraction

import pytest

import auditor
from auditor.engine.quotes import quotes
from auditor.engine.registry import registry
from proofs_numeric.arithmetic import exact
from proofs_numeric.statements.claim import Quoted
from proofs_numeric.statements.kinds import DeltaBound

QUOTED = [claim for claim in registry().claims.values() if claim.quoted]
EVERY = quotes(registry(), registry().claims)


def test_every_family_has_some():
    """Those of each paper, and of whole numbers."""
    assert len(EVERY) >= 15
    assert {one.claim.partition(".")[0] for one in EVERY} >= {
        "bharadwaj2022",
        "lebeda2025",
        "rogers2024",
        "thresholds",
        "wilkins2024",
    }


@pytest.mark.parametrize("claim", QUOTED, ids=lambda claim: claim.id)
def test_a_setting_is_one_of_the_claim(claim):
    """Deltas only, at exact points that the domain admits."""
    assert isinstance(claim.kind, DeltaBound)
    for one in claim.quoted:
        assert claim.domain.parse(one.at) == {name: exact(value) for name, value in one.at.items()}


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.claim)
def test_a_quote_is_what_evaluate_certifies(one):
    """Never below the upper end, of a bracket too, and at most a unit of the fourth digit above it."""
    value = auditor.evaluate(one.claim, arithmetic="ball", digits=8, **one.at)
    assert Fraction(value.upper) <= Fraction(one.at_most) * (1 + Fraction(1, 10**6))
    assert Fraction(one.at_most) <= Fraction(value.upper) * Fraction(1002, 1000)


def test_a_setting_without_a_value_is_an_error():
    """A delta at a noise of none is nothing to quote."""
    claim = registry().claim("wilkins2024.thm5.4")
    setting = Quoted("no noise", {**claim.quoted[0].at, "sigma": 0})
    known = replace(registry(), claims={claim.id: replace(claim, quoted=(setting,))})
    with pytest.raises(ValueError, match="to have a value at epsilon"):
        quotes(known, [claim.id])
