"""The Gaussian sparse histogram: exact delta, other bounds, and the paper's case study."""

from auditor.report.chapters.chapter import Chapter, claims

_PAPER = "wilkins2024."

SECTIONS = (
    Chapter(
        "gaussian_sparse_histogram", "Gaussian sparse histogram: exact accounting, and what else bounds it",
        "Claims and findings of this run about the exact delta, f-DP composition (Theorem 7.1) and adding the deltas "
        "(Theorem 4.1).",
        (
            claims(
                "The exact delta",
                *(f"{_PAPER}thm5.4{name}" for name in ("", ".exact", ".collapse", ".third", ".tau*")),
            ),
            claims("Least noise and threshold", *(f"{_PAPER}thm5.4.{name}" for name in ("sigma", "gap", "epsilon"))),
            claims(
                "The other two analyses against it", f"{_PAPER}thm7.1", f"{_PAPER}thm4.1", f"{_PAPER}sec7.chain*",
                f"{_PAPER}sec7.f_dp_factor", f"{_PAPER}sec7.f_dp_factor.sharp", f"{_PAPER}sec7.add_factor*",
            ),
            claims("Several releases, fixed in advance and adaptive", f"{_PAPER}composition.*"),
            claims("Whole counts: discrete Gaussian noise", "thresholds.gaussian.integer*"),
            claims("A minimum number of users per row", f"{_PAPER}floor*"),
            claims(
                "The case study: epsilon = 0.349, delta = 1e-5, C_u = 51914 (Figures 1a and 1b)",
                *(f"{_PAPER}sec6.{name}*" for name in ("sigma", "1.tau", "unb", "01pct", "1pct", "conv", "2.")),
            ),
        ),
    ),
)  # fmt: skip
