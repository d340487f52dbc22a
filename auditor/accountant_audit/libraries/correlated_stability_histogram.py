"""The exact accountant of the correlated stability histogram, audited like anybody else's."""

from __future__ import annotations

from auditor.accountant_audit.adapter import Accountant

ACCOUNTANTS = (
    Accountant(
        id="reference.correlated_stability_histogram.delta",
        title="Exact delta of the correlated stability histogram, float64",
        against="lebeda2025.csh.exact",
        function="mechanisms.correlated_stability_histogram.accountant:delta",
        box={"k": ("1", "1000")},
        tolerance="1e-12",
        note="where the certificate fails it returns the bracket's upper end, never below the truth",
    ),
)
