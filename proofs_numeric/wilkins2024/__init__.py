"""Wilkins, Kifer, Zhang and Karrer 2024, "Exact Privacy Analysis of the Gaussian Sparse Histogram Mechanism".

A numbered result is one module or one folder, named by its number; each module with statements exports ``CLAIMS``.
Letters: ``t = gap / sigma`` with ``gap = tau* - tau``, ``p = Phi(t)``, ``L = -log p``,
``k = sqrt(1/sigma^2 + mu_o^2)``, ``mu(n) = k sqrt(n)``, ``a`` (``a_equal``) rows at the threshold and ``n = c_u - a``
rows above it, ``beta = p^a``.
"""

PLACES = {
    "A.2": "lemma_5_2", "A.5": "lemma_5_2", "A.6": "lemma_5_3", "A.9": "theorem_5_4", "A.10": "theorem_5_4",
    "A.11": "corollary_5_4_1", "A.12": "corollary_5_4_1", "A.14": "corollary_5_4_1", "A.15": "corollary_5_4_2",
    "A.16": "corollary_5_4_2", "A1": "lemma_5_1", "def2": "section_2", "defA": "appendix_a_3", "eq5": "section_5",
    "fig1a": "section_6", "fig1b": "section_6", "floor": "theorem_5_4", "intro": "algorithm_1", "lemA": "appendix_a_3",
    "obs2": "section_2", "pf.cor1": "corollary_5_4_1", "pf5.4": "theorem_5_4", "rem2": "section_2",
    "sec3": "algorithm_1", "sec4": "theorem_4_1", "sec6": "section_6", "sec7.shape": "theorem_5_4",
    "secA3": "appendix_a_3", "tab1": "algorithm_1", "thm2": "section_2", "thm5.4.exact": "lemma_5_3",
    "thm7.1": "section_7",
}  # fmt: skip
"""Beginning of a claim's id -> its place in this folder, where the rule of `statements.places` says another."""
