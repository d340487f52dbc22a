"""Decide, with evidence, whether a private sparse-histogram mechanism, a theorem or an accountant for one is right.

>>> import auditor
>>> report = auditor.run(["wilkins2024.thm5.4"], profile="quick")        # doctest: +SKIP
>>> auditor.evaluate("wilkins2024.thm2.2", epsilon="1", mu="1")          # doctest: +SKIP
>>> auditor.audit_accountant(my_delta, against="wilkins2024.thm2.2")     # doctest: +SKIP
>>> auditor.audit_mechanism(my_mechanism, epsilon="1", delta="1e-5")     # doctest: +SKIP

Nothing is imported until it is used: `import auditor` costs no NumPy and no SciPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from auditor import started as _started  # noqa: F401 - before anything else is imported

if TYPE_CHECKING:
    from auditor.front.api import audit_accountant, audit_mechanism, audit_object, evaluate, run
    from auditor.report.model import AuditReport

__version__ = "0.1.0"
__all__ = ["AuditReport", "audit_accountant", "audit_mechanism", "audit_object", "evaluate", "run"]

_HOMES = {
    "AuditReport": "auditor.report.model",
    "audit_accountant": "auditor.front.api",
    "audit_mechanism": "auditor.front.api",
    "audit_object": "auditor.front.api",
    "evaluate": "auditor.front.api",
    "run": "auditor.front.api",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'auditor' has no attribute '{name}'; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
