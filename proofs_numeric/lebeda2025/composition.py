r"""Several releases of the correlated stability histogram, of the same data or of data chosen as one goes.

By ``sec3.cert.sharp``, whose proof is for every real epsilon, the forward pair (l, j) has no larger profile than a pair
that names the side with probability ``A_l`` and else is Gaussian at ``mu_j``. That pair is its own reverse, and either
order of (l, j) tells the other at ``-epsilon``, by the same identity as for that pair; so it dominates both orders.
Such pairs compose: named by some release with probability ``1 - prod (1 - A)``, else squares add.

- The same data r times: l and j stay what they are, and the ends, A_k alone and mu_k alone, are attained.
- Data, and parameters, chosen after the earlier releases were seen: ``A_k`` and the worst ``mu_k`` every time. In the
  ledger's budgets (``wilkins2024.composition.filter``) a release costs ``-log(1 - A_k)`` and ``mu_k^2``.
"""

from functools import partial
from typing import Any

from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.lebeda2025.exact.analysis import maximum_by_blocks
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.oracle import chosen_data_by_definition, same_data_by_definition
from proofs_numeric.lebeda2025.exact.pair import forward, new_released, reverse, shared_delta, shared_mu, worst_change
from proofs_numeric.lebeda2025.laws import BELOW, COUNTERS, PAIR, all_silent_loss, mixed, of_pair
from proofs_numeric.lebeda2025.lemma_8 import changed_square, worst_change_is, worst_square
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.lebeda2025.section_3.certificate import PAIRS, forward_ceiling
from proofs_numeric.statements.shared import CounterProfile
from proofs_numeric.wilkins2024.composition.adaptive import after_a_look

_CLOSE_BITS = 40

releases, new = symbols("releases new")
named_by_some = -expm1(releases * log1p(-new))
"""``1 - (1 - A)^r``."""
_shared = shared_delta(sigma=sigma / sqrt(releases))
"""``f(sqrt(r) mu, epsilon)`` at the worst change of d shared counters."""
_naming, _all_shared = named_by_some(new=new_released(l=k)), _shared(d=k)
ends = maximum(_naming, _all_shared)
"""``max(1 - (1 - A_k)^r, f(sqrt(r) mu_k, epsilon))``, attained by the same data every time."""
chosen_data = _naming + (1 - _naming) * _all_shared
"""``1 - (1 - A_k)^r (1 - f(sqrt(r) mu_k, epsilon))``; any real epsilon."""


def same_data(A: Arithmetic, *, epsilon: Number, releases: int, k: int, sigma: Number, gap: Number) -> Any:
    """The larger of :func:`ends` and of ``1 - (1 - A_l)^r (1 - f(sqrt(r) mu_(k-l), epsilon))``, 0 < l < k."""
    sigma, gap = A.number(sigma), A.number(gap)

    def ceiling(a: int, b: int) -> Any:
        new = named_by_some(A, releases=releases, new=released(A, l=b, t=gap / sigma, b=shared_slope(A, k=k)))
        return new + (1 - new) * _shared(A, epsilon=epsilon, releases=releases, k=k, sigma=sigma, d=k - a)

    two = ends(A, epsilon=epsilon, releases=releases, k=k, sigma=sigma, gap=gap)
    return maximum_by_blocks(A, ceiling, 1, k - 1, two, _CLOSE_BITS)


def one_look(A: Arithmetic, *, epsilon: Number, releases: int, k: int, sigma: Number, gap: Number) -> Any:
    """What an adversary attains who looks once, after half of the releases; at least :func:`ends`.

    Shared counters first; then again, or new ones, whichever gives more at the level that is left.
    """
    fixed, later = ends(A, epsilon=epsilon, releases=releases, k=k, sigma=sigma, gap=gap), releases // 2
    if not later:
        return fixed
    mu = shared_mu(A, k=k, sigma=A.number(sigma), d=k, j=worst_change(k, k))
    new = named_by_some(A, releases=later, new=new_released(A, k=k, sigma=A.number(sigma), gap=A.number(gap), l=k))
    before, left = (A.sqrt(A.number(n)) * mu for n in (releases - later, later))
    return A.maximum(fixed, after_a_look(A, epsilon=epsilon, before=before, left=left, new=new))


RELEASES = Parameter("releases", "number of releases, r", "releases", 1, 10**6, integer=True, log=True, default=1)
_at = partial(points, "epsilon releases k sigma gap")
POINTS = _at(("1", 1, 10, "8", "45"), ("1", 30, 10, "47", "270"), ("1", 2, 1, "2", "7.649"))
_ORACLE_POINTS = _at(("1", 1, 5, "3", "9"), ("1", 4, 3, "6", "12"), ("1", 30, 10, "47", "230"))
_SEVERAL: dict[str, Any] = {
    "domain": (
        replace(EPSILON, upper=20), RELEASES, K_SMALL, replace(SIGMA, lower="1/10", upper=10**5), replace(GAP, lower=0),
    ),
    "assumptions": (SPARSE_MONOTONIC, "the noise of a release is fresh"), "role": Role.UPPER, "cost": 20,
    "falls": ("epsilon", "gap"), "rises": ("releases",),
    "moves": dict.fromkeys(
        ("epsilon", "gap", "releases"),
        moves.by_profiles(
            "a ceiling 1 - (1 - A)^r (1 - f(sqrt(r) mu)) grows with A, f and r, and so does the largest; A falls with "
            "the gap"
        ),
    ),
}  # fmt: skip
_OVER_SIGMA = Turn("sigma", {"epsilon": 1, "k": 4, "gap": 10, "releases": 2}, (1, 3, 30))
_WORST = worst_change_is(k, k, symbol("changed"), releases / sigma**2)

CLAIMS = (
    own(
        "composition.pair", "Section 3, several releases",
        "One release is dominated by a pair that names the side or is Gaussian, at every real epsilon",
        r"\delta_{l,j}(\epsilon) \le 1 - (1 - A_l)(1 - f(\mu_j, \epsilon)) \text{ in both orders}",
        DeltaBound(
            forward_ceiling, exact=maximum(algorithm(forward)(), algorithm(reverse)()), pairs=PAIR,
            proof=of_pair(Symbolic(), Symbolic()),
        ),
        domain=replace(PAIRS, parameters=(replace(EPSILON, lower=-3, upper=5, log=False), *PAIRS.parameters[1:])),
        quantity=QuantityKind.PROBABILITY, role=Role.UPPER,
        points=points("epsilon k sigma gap l j", ("-1", 4, 3, 8, 2, 1), ("-1/2", 4, 3, 8, 2, 1)), cost=10,
    ),
    own(
        "composition.same", "Section 3, several releases", "Delta of r releases of the same data",
        r"\delta_r \le \max_l 1 - (1 - A_l)^r(1 - f(\sqrt r\mu_{k-l}, \epsilon))",
        DeltaBound(
            same_data, exact=ends, oracle=same_data_by_definition,
            oracle_points=(*_ORACLE_POINTS, *_at(("0", 2, 2, "36311", "209700"))),
            proof=derived(
                Premise(
                    "lebeda2025.composition.pair",
                    "a release is dominated by a pair that names the side; A_l grows with l, and the worst mu_j with "
                    "k - l",
                ),
                Premise(
                    "wilkins2024.composition.filter",
                    "a release is a step of the loss -log(1 - A) and the square mu^2, and r of them are within r times "
                    "both",
                ),
            ),
        ),
        **_SEVERAL, privacy=STABILITY_HISTOGRAM, points=(*POINTS, *_at(("0", 1, 2, "36311", "209700"))),
        turns=(_OVER_SIGMA, Turn("k", {"epsilon": 5, "sigma": 1, "gap": 5, "releases": 2}, (1, 2, 60))),
        loose="by less than a factor two, and not at all where no ceiling with 0 < l < k is above both ends",
        note="l counters that are new in one release are new in all, so both ends are attained.",
    ),
    own(
        "composition.adaptive", "Section 3, several releases", "Delta of r releases of data chosen as one goes",
        r"\delta_r \le 1 - (1 - A_k)^r(1 - f(\sqrt r\mu_k, \epsilon))",
        DeltaBound(
            chosen_data, exact=one_look, oracle=chosen_data_by_definition, oracle_points=_ORACLE_POINTS,
            pairs=replace(COUNTERS, releases=releases, chosen=True),
            proof=CounterProfile(
                mixed(releases * all_silent_loss, releases * changed_square, releases * worst_square, _WORST),
                all_silent_loss, BELOW,
            ),
        ),
        **_SEVERAL, privacy=STABILITY_HISTOGRAM.releasing(releases=symbol("releases")), points=POINTS[1:],
        turns=(_OVER_SIGMA, Turn("k", {"epsilon": 10, "sigma": 1, "gap": 5, "releases": 2}, (1, 2, 60))),
        loose="by less than a factor two: compared with an adversary who looks once",
        note="The budgets of the ledger: -log(1 - A_k) and mu_k^2 a release (wilkins2024.composition.filter).",
        quoted=(
            Quoted(
                "ten counters, correlated noise, thirty times",
                {"epsilon": 1, "releases": 30, "k": 10, "sigma": 47, "gap": 290},
            ),
        ),
    ),
)  # fmt: skip
