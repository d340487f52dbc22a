"""Lebeda and Retschmeier 2025, "The Correlated Gaussian Sparse Histogram Mechanism" (FORC 2025).

A result is a module, or a folder with a module a step, of its word and number; each exports ``CLAIMS``.  Letters:
``gamma = sqrt(k)``, shared noise ``Z ~ N(0, sigma^2/gamma)`` of standard deviation ``eta = sigma k^{-1/4}``, own noise
``Z_i ~ N(0, sigma^2)``, ``gap = tau`` (a counter is released when its noisy count is above ``1 + tau``), ``l`` new
counters, ``d = k - l`` shared ones of which ``j`` change.

The available text of the paper has lost its formulas.  Each is rebuilt from the prose and the proofs; where the prose
admits more than one form the claim's source says ``reconstruction``.
"""

PLACES = {
    **dict.fromkeys(("alg1", "alg2", "alg4"), "algorithms"),
    **dict.fromkeys(("lem13", "cor14"), "algorithm_3"),
    **dict.fromkeys(("def15", "lem17", "lem18", "lem20"), "discrete"),
    **dict.fromkeys(("lem5", "lem6", "lem7"), "preliminaries"),
    **dict.fromkeys(("def2", "def3", "def4", "def16"), "definitions"),
    "csh.exact": "exact",
    "sec2": "figure_3",  # the numbers of Section 2's promise, at the points of the figure
    "sparse": "sparse_users",
    "sparse.covariance": "sparse_covariance",
    "sparse.histogram": "sparse_users_histogram",
    "sparse.releases": "sparse_users_releases",
}
"""Claims that stand elsewhere than their number says: beginning of the id -> module or folder."""
