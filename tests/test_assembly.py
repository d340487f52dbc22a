"""Entries of the report."""

from __future__ import annotations

from decimal import Decimal

import pytest

from auditor.assembly import fault_entry
from auditor.registry import registry
from mechanisms.mechanism import AccountantFault
from tests.report.sample import sample_report

_FAULTS = [fault for fault in registry().faults.values() if isinstance(fault, AccountantFault)]


@pytest.mark.parametrize("fault", _FAULTS, ids=lambda fault: fault.id)
def test_an_accountant_fault_has_an_entry_whether_or_not_its_claim_takes_epsilon(fault):
    """What it reports lies below the exact delta, and both are shown."""
    entry = fault_entry(fault, registry(), sample_report().findings[:1])
    assert Decimal(entry.delta_claimed.upper) < Decimal(entry.delta_exact.lower)
    has_epsilon = "epsilon" in registry().claim(fault.violates).domain.names
    assert (entry.epsilon == "infinity") != has_epsilon
