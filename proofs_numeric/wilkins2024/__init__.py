"""Wilkins, Kifer, Zhang and Karrer 2024, "Exact Privacy Analysis of the Gaussian Sparse Histogram Mechanism".

One module a topic; each exports ``CLAIMS``.  Letters: ``t = gap / sigma`` with ``gap = tau* - tau``, ``p = Phi(t)``,
``L = -log p``, ``k = sqrt(1/sigma^2 + mu_o^2)``, ``mu(n) = k sqrt(n)``, ``a`` (``a_equal``) rows at the threshold and
``n = c_u - a`` rows above it, ``beta = p^a``.
"""
