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


def test_every_family_has_some():
    """Those of each paper, and of whole numbers."""
    assert sum(len(claim.quoted) for claim in QUOTED) >= 15
    assert {claim.id.partition(".")[0] for claim in QUOTED} >= {
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


@pytest.mark.slow
@pytest.mark.parametrize("claim", QUOTED, ids=lambda claim: claim.id)
def test_a_quote_is_what_evaluate_certifies(claim):
    """Never below the upper end, of a bracket too, and at most a unit of the fourth digit above it."""
    result = quotes(registry(), [claim.id])
    assert [one.asks for one in result] == [setting.asks for setting in claim.quoted]
    for setting, one in zip(claim.quoted, result, strict=True):
        value = auditor.evaluate(claim.id, arithmetic="ball", digits=8, **setting.at)
        assert Fraction(value.upper) <= Fraction(one.at_most) * (1 + Fraction(1, 10**6))
        assert Fraction(one.at_most) <= Fraction(value.upper) * Fraction(1002, 1000)


def test_a_setting_without_a_value_is_an_error():
    """A delta at a noise of none is nothing to quote."""
    claim = registry().claim("wilkins2024.thm5.4")
    setting = Quoted("no noise", {**claim.quoted[0].at, "sigma": 0})
    catalogue = replace(registry(), claims={claim.id: replace(claim, quoted=(setting,))})
    with pytest.raises(ValueError, match="to have a value at epsilon"):
        quotes(catalogue, [claim.id])
