"""A mechanism audit in one call."""

from typing import Any

from auditor.mechanism_audit import audit
from auditor.mechanism_audit.request import MechanismRequest
from auditor.mechanism_audit.result import MechanismAudit
from proofs_numeric.statements.claim import Claim


def audit_mechanism(
    target: Any, claim: Claim | None = None, *, parameters: Any = None, **options: Any
) -> MechanismAudit:
    """Audit the target against a claim at its parameters, or against epsilon and delta."""
    return audit.audit_mechanism(MechanismRequest.of(target, claim, parameters or {}, **options))
