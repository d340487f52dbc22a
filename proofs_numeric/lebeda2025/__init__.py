"""Lebeda and Retschmeier 2025, "The Correlated Gaussian Sparse Histogram Mechanism" (FORC 2025).

One module a topic; each exports ``CLAIMS``.  Letters: ``gamma = sqrt(k)``, shared noise ``Z ~ N(0, sigma^2/gamma)`` of
standard deviation ``eta = sigma k^{-1/4}``, own noise ``Z_i ~ N(0, sigma^2)``, ``gap = tau`` (a counter is released
when its noisy count is above ``1 + tau``), ``l`` new counters, ``d = k - l`` shared ones of which ``j`` change.

The available text of the paper has lost its formulas.  Each is rebuilt from the prose and the proofs; where the prose
admits more than one form the claim's source says ``reconstruction``.
"""
