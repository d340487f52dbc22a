"""Audits bound delta at the claimed epsilon alone, unless a test asks for more: few tests need a refuted curve."""

import pytest

from auditor.mechanism_audit import audit

EPSILONS = audit.PROFILE_EPSILONS


@pytest.fixture(autouse=True)
def one_epsilon(monkeypatch):
    """Which pair is found and what is left of it has no other."""
    monkeypatch.setattr(audit, "PROFILE_EPSILONS", ())


@pytest.fixture
def every_epsilon(one_epsilon, monkeypatch):
    """The whole profile, as audits have it."""
    monkeypatch.setattr(audit, "PROFILE_EPSILONS", EPSILONS)
