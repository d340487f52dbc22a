"""Entries of the report."""

from __future__ import annotations

from decimal import Decimal

import pytest

from auditor.engine.assembly import errata, fault_entry
from auditor.engine.registry import registry
from mechanisms.mechanism import AccountantFault
from tests.auditor.report.sample import sample_report

_FAULTS = [fault for fault in registry().faults.values() if isinstance(fault, AccountantFault)]


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda fault: fault.id)
def test_an_accountant_fault_has_an_entry_whether_or_not_its_claim_takes_epsilon(fault):
    """What it reports lies below the exact delta, and both are shown."""
    entry = fault_entry(fault, registry(), sample_report().findings[:1])
    assert Decimal(entry.delta_claimed.upper) < Decimal(entry.delta_exact.lower)
    has_epsilon = "epsilon" in registry().claim(fault.violates).domain.names
    assert (entry.epsilon == "infinity") != has_epsilon


def test_errata_are_of_papers():
    """A conjecture of ours that fails is a refuted claim, not an error in print."""
    finding = sample_report().findings[0]
    listed = errata(registry(), {name: [finding] for name in registry().claims})
    assert "wilkins2024.cor5.4.2.gt1" in {erratum.printed for erratum in listed}
    assert not [erratum.printed for erratum in listed if registry().claim(erratum.printed).source.ours]
