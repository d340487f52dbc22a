"""Claims of bharadwaj2022 (Bharadwaj and Cormode, sample-and-threshold differential privacy), result by result."""

PLACES = {
    "base": "section_5", "delta_binom": "theorem_2", "exp": "section_5", "fix": "section_3_2", "lem3.6": "lemma_3",
    "lem3.7": "lemma_3", "lem8": "quantiles", "lem9": "quantiles", "pre": "preliminaries", "sec31": "section_3_1",
    "sec42": "section_4_2", "tight": "theorem_2",
}  # fmt: skip
"""Ids without a result's number, equations of a proof, and sections whose number ids write without dots."""
