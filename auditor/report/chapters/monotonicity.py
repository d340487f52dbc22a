"""In which parameters the exact deltas move one way, and in which they do not."""

from __future__ import annotations

from auditor.report.chapters.chapter import Chapter, claims

SECTIONS = (
    Chapter(
        "monotonicity",
        "Monotone or not: what more of a parameter does to delta",
        "Claims of this run that a delta, or a calibration of one, moves one way as one parameter grows. What is "
        "proved holds over the whole box; what is refuted has two values of the parameter as its witness: a bisection "
        "over such a parameter is unsound. The directions that claims declare beside these are held against every "
        "accountant by its search.",
        (
            claims(
                "Monotonicity by parameter",
                "*.mono.*",
                "*.thm2.2.mono",
                "wilkins2024.sec6.muo",
                "wilkins2024.sec6.conv",
                "wilkins2024.sec6.notrade",
                "wilkins2024.sec6.quantile",
            ),
        ),
    ),
)
