"""Sample-and-threshold: exact delta, the paper's bounds and settings, levels, and the experiments."""

from auditor.report.chapters.chapter import Chapter, claims

_PAPER = "bharadwaj2022."

SECTIONS = (
    Chapter(
        "sample_and_threshold", "Sample-and-threshold: exact accounting, the paper's bounds and its experiments",
        "Claims and findings of this run. Errors of the experiments are expected ones on the populations of `auditor "
        "experiments`, which also simulates Figures 1 and 2 and range queries.",
        (
            claims("The exact delta", f"{_PAPER}tight*", f"{_PAPER}fix.delta", f"{_PAPER}lem4.delta"),
            claims(
                "Bounds",
                *(f"{_PAPER}{name}" for name in ("lem3.stmt", "lem3.prime", "thm2.stmt", "delta_binom", "lem3.order*")),
                f"{_PAPER}thm2.repl*",
            ),
            claims("Settings", f"{_PAPER}sec31.*", f"{_PAPER}exp.tau*", f"{_PAPER}rem.fair*"),
            claims("Exactly m of n clients", f"{_PAPER}thm2.mfixed*", f"{_PAPER}fix.removed"),
            claims("Levels", f"{_PAPER}lem7.*", f"{_PAPER}exp.levels"),
            claims(
                "The experiments", f"{_PAPER}exp.error", f"{_PAPER}exp.laplace",
                *(f"{_PAPER}exp.{name}*" for name in ("trivial", "ldp", "shuf", "lap", "decB", "recall", "shakes")),
            ),
        ),
    ),
)  # fmt: skip
