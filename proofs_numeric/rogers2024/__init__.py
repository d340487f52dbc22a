"""Rogers 2024, "A Unifying Privacy Analysis Framework for Unknown Domain Algorithms in Differential Privacy".

One module a topic: ``preliminaries``, ``exponential_mechanism``, ``conversions`` (section 2), ``framework`` (section
3), ``positive_counts`` and ``minimum_counts`` (Algorithm 1), ``top_counts`` and ``truncation`` (Algorithm 2),
``gumbel_noise`` and ``gumbel`` (Algorithm 3), ``pay_what_you_get`` (Algorithm 4), ``partial_sums`` and ``continual``
(the Unknown Domain Binary Mechanism).  Steps of a printed proof are in ``*_proof``.  ``bernoulli`` is the inequality of
the union bounds, ``repairs`` holds the repaired proofs as certificates, ``sharpenings`` what is sharper than print, and
``promises`` the rho behind each stated profile.
"""
