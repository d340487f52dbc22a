"""Decide, with evidence, whether a private sparse-histogram mechanism, a theorem or an accountant for one is right.

    audit_mechanism(target, claim, ...)      a mechanism by its releases, against a claim or (epsilon, delta)
    audit_accountant(target, against, ...)   an accountant, against certified enclosures of a claim
    audit_object(target, against, ...)       a class of delta, epsilon, sigma, compose: its parts, and all together
    evaluate(claim, ...)                     a claim's value, with its enclosure
    run(selection, ...)                      every check that applies to what the suite or a plug-in declares
    experiment(id)                           an experiment of a paper, re-run

>>> import auditor
>>> auditor.audit_mechanism(my_mechanism, epsilon="1", delta="1e-5")     # doctest: +SKIP
>>> auditor.audit_accountant(my_delta, against="wilkins2024.thm2.2")     # doctest: +SKIP
>>> auditor.evaluate("wilkins2024.thm2.2", epsilon="1", mu="1")          # doctest: +SKIP
>>> report = auditor.run(["wilkins2024.thm5.4"], profile="quick")        # doctest: +SKIP

What they return shows itself in a notebook, and has `plot()` and `to_frame()`. Nothing is imported until it is used:
`import auditor` costs no NumPy and no SciPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from auditor import started as _started  # noqa: F401 - before anything else is imported

if TYPE_CHECKING:
    from auditor.front.api import audit_accountant, audit_mechanism, audit_object, evaluate, experiment, run
    from auditor.report.model import AuditReport  # noqa: F401 - public, and no page of its methods in help(auditor)

__version__ = "0.1.0"
__all__ = ["audit_accountant", "audit_mechanism", "audit_object", "evaluate", "experiment", "run"]

_HOMES = {
    "AuditReport": "auditor.report.model",
    "audit_accountant": "auditor.front.api",
    "audit_mechanism": "auditor.front.api",
    "audit_object": "auditor.front.api",
    "evaluate": "auditor.front.api",
    "experiment": "auditor.front.api",
    "run": "auditor.front.api",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'auditor' has no attribute '{name}'; it has {', '.join(_HOMES)}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
