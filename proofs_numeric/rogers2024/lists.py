r"""Counts without a bound on the number of keys of a user: a private list of k keys, then Gaussian noise on its counts.

Source: Rogers, Private Count Release (arXiv 2403.05073), whose abstract was read, not the paper: counts can be released
without a bound on the distinct keys of a user. The release here is the one that this suite's claims cover: a list of
at most k keys by Algorithm 3 of rogers2024 with Gumbel noise of scale beta, and the counts of the listed keys with
noise N(0, sigma^2). A user changes any number of counts, each by at most one.

The list is delta-approximate ``k/(8 beta^2)``-CDP whatever the number of keys (``rogers2024.thm9.rho``). Given the
list, at most k counts are released: ``k/(2 sigma^2)``-CDP. So the length of the list bounds the noise of the counts,
not 1: a user may be in every listed key (``rogers2024.lists.one``).
"""

from dataclasses import replace
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.statements.concentrated import approximate_delta_upper

_HERE = "counts of a private list"


def _promised(counts: Any) -> Expression:
    """The best conversion of the list and of so many counts."""
    return algorithm(approximate_delta_upper)(rho=k / (8 * beta**2) + counts / (2 * sigma**2))


listed_counts = profile(epsilon, sqrt(k) / sigma)
"""Delta of the counts alone where a user is in every listed key."""
_DOMAIN = (
    replace(EPSILON, upper=20), replace(K, upper=1000), BETA,
    Parameter("sigma", "standard deviation of the noise of a count", "counts", "1e-2", 10**6, log=True), DELTA,
)  # fmt: skip
_AT: dict[str, Any] = {"epsilon": 1, "k": 10, "beta": 20, "sigma": 30, "delta": "1e-6"}

CLAIMS = (
    own(
        "lists.counts", _HERE, "Delta of a list of k keys and its counts, whatever the number of keys of a user",
        r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = k/(8\beta^2) + k/(2\sigma^2)",
        DeltaBound(
            _promised(k), exact=maximum(listed_counts, delta / (1 + delta)),
            proof=derived(
                Premise("rogers2024.thm9.rho", "the list, for users of any number of keys"),
                Premise(
                    "rogers2024.thm4.gauss", "given the list, k counts change by at most one each: rho = k/(2 sigma^2)",
                ),
                Premise("rogers2024.thm6.order", "rho adds up where the second release depends on the first"),
            ),
        ),
        domain=_DOMAIN, role=Role.UPPER, falls=("epsilon",), points=(_AT,), cost=5,
        loose="compared with a user in every listed key, whose list is certain, and with a new key at the threshold",
    ),
    own(
        "lists.one", _HERE, "The noise of the counts does not depend on the length of the list",
        r"f(\sqrt k/\sigma, \varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = k/(8\beta^2) + "
        r"1/(2\sigma^2)",
        Inequality(listed_counts, _promised(1)), domain=_DOMAIN, quantity=QuantityKind.DELTA,
        expected=Expectation.REFUTED, corrected_by="rogers2024.lists.counts", points=(_AT,), cost=5,
        note="No bound on the keys of a user is no bound of 1 for the counts. A reading of the abstract, not a "
        "statement of the paper.",
    ),
)  # fmt: skip
