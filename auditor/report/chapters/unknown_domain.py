"""Unknown-domain algorithms: each theorem with the steps of its proof, its repair and sharper results."""

from auditor.report.chapters.chapter import Chapter, claims

_THEOREMS = (
    ("Theorem 3: from concentrated to approximate privacy", "thm3.*", "lem3.1*", "sharp.pure"),
    ("Theorems 2 and 5: the exponential mechanism", "thm2.*", "thm5.*", "sharp.em*", "range.gaussian"),
    ("Theorem 7: every positive count", "thm7.*", "rem7.*", "sharp.threshold*", "sharp.laplace"),
    ("Theorem 8: the top counts", "thm8.*", "lem4.1*", "sharp.top*"),
    ("Theorem 9: Gumbel noise", "thm9.*", "repair.race", "sharp.gumbel", "range.gumbel", "range.list"),
    ("Theorem 10: pay what you get", "thm10.*", "sharp.pay", "range.pay", "range.independent", "range.pool"),
    ("Theorem 11: the binary mechanism", "thm11.*", "repair.thm11.*", "bm.*", "sharp.binary*"),
)

SECTIONS = (
    Chapter(
        "unknown_domain",
        "Unknown-domain algorithms, theorem by theorem",
        "Claims and findings of this run about the statements, the steps of their printed proofs, repairs and sharper "
        "constants.",
        tuple(claims(title, *(f"rogers2024.{name}" for name in names)) for title, *names in _THEOREMS),
    ),
)
