"""Rogers 2024, "A Unifying Privacy Analysis Framework for Unknown Domain Algorithms in Differential Privacy".

One module a topic: ``preliminaries`` (section 2), ``framework`` (section 3), ``positive_counts`` (Algorithm 1),
``top_counts`` (Algorithm 2), ``gumbel`` (Algorithm 3), ``pay_what_you_get`` (Algorithm 4), ``continual`` (the
Unknown Domain Binary Mechanism).  ``repairs`` holds the repaired proofs as certificates and ``sharpenings`` what is
sharper than print.
"""
