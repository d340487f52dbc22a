"""The correlated stability histogram: exact delta, the paper's analyses, the collapse, the discrete mechanism."""

from auditor.report.chapters.chapter import Chapter, claims

_PAPER = "lebeda2025."

SECTIONS = (
    Chapter(
        "correlated_stability_histogram",
        "Correlated stability histogram: exact accounting, and what else bounds it",
        "Claims and findings of this run about pairs of l new counters and j changed ones, and about the analyses that "
        "bound them. Theorem 12 is a reconstruction: the available text has lost its formulas.",
        (
            claims("The exact delta", f"{_PAPER}csh.*", f"{_PAPER}sec3.reverse", f"{_PAPER}sec3.cert*"),
            claims("The larger of the two unmixed pairs", f"{_PAPER}sec3.collapse*"),
            claims("Several releases, of the same data and adaptive", f"{_PAPER}composition.*"),
            claims("Least noise: whole changes, and users of few counters", f"{_PAPER}lem8*", f"{_PAPER}sparse.*"),
            claims(
                "The paper's analyses", f"{_PAPER}thm11", f"{_PAPER}thm11.power", f"{_PAPER}thm12*", f"{_PAPER}lem22"
            ),
            claims(
                "Figure 3: noise and thresholds at epsilon = 0.349, delta = 1e-5", f"{_PAPER}fig3*", f"{_PAPER}sec2.*"
            ),
            claims("The discrete mechanism", f"{_PAPER}thm21*", f"{_PAPER}lem19*"),
        ),
    ),
)
