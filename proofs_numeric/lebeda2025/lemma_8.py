"""The correlated Gaussian mechanism on d counting queries (Lemma 8) and why its parameters are what they are.

With shared variance ``sigma^2/gamma`` and own variance ``sigma^2`` the covariance is ``sigma^2 (I + 1 1^T/gamma)``; by
Sherman and Morrison the distance of two answers that differ by one in j queries is
``mu^2 = (j - j^2/(d + gamma))/sigma^2``.
"""

from proofs_numeric.arithmetic.mixed_pair import squared_distance
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import ceiling_of_root, shared_delta, turning_point, worst_among
from proofs_numeric.lebeda2025.laws import QUERIES, grows
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.shared import CounterProfile

delta_gauss = profile(epsilon, sqrt(k + sqrt(k)) / (2 * sigma))
"""``HS(sqrt(k + sqrt(k))/(2 sigma), epsilon)``: Lemma 8 with d = k queries and gamma = sqrt(k)."""

delta_gauss_integer = shared_delta(d=k)
"""Lemma 8 with the maximum over integers j, exact."""


def delta_by_whitening(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, m: int | None = None, gamma: Number | None = None
) -> Number:
    """The largest hockey stick over j: the change less what the best guess of the shared noise explains of it.

    A user changes at most m counters, all k unless given; gamma is sqrt(k) unless given.
    """
    best, sigma, gamma = A.number(0), A.number(sigma), A.sqrt(A.number(k)) if gamma is None else A.number(gamma)
    for changed in range(1, (m or k) + 1):
        guess = A.number(changed) / (k + gamma)  # least (j (1-s)^2 + (k-j) s^2 + gamma s^2): set its derivative to 0
        square = changed * (1 - guess) ** 2 + (k - changed) * guess**2 + gamma * guess**2
        best = max(best, gaussian_profile(A, A.number(epsilon), A.sqrt(square) / sigma))
    return best


gamma, d, root, mu, excess, changed, s = symbols("gamma d root mu excess changed s")
_deviation_squared = (d + gamma) * (1 + 1 / gamma) / (4 * mu * mu)
"""Squared total deviation ``sigma^2 (1 + 1/gamma)`` at ``sigma = sqrt(d + gamma)/(2 mu)``."""
_integer_deficit = (d + sqrt(root) - 2 * worst_among(k=root, d=d)) ** 2
"""``4 (d + gamma) sigma^2 (bound^2 - exact^2)`` at the worst integer j."""
_total = (1 + 1 / gamma) * squared_distance(d=d, j=floor((d + minimum(d, gamma) + 1) / 2), ratio=gamma)
"""Total variance ``(1 + 1/gamma) max_j (j - j^2/(d + gamma))`` at distance 1, j over the integers up to d: the largest
is at the one nearest to ``(d + gamma)/2``, or at d below that."""
_rest = 2 * floor((d + gamma + 1) / 2) - (d + gamma)
"""Twice the nearest integer to ``(d + gamma)/2``, less ``d + gamma``."""
_nearly = 1 - 1 / (d + gamma) ** 2
_noise_at_half = _nearly * (1 + 1 / gamma) * (d + gamma) / 4
_all, _beyond_all = root * root, root * root + excess
_noise_of_all = (1 + 1 / _beyond_all) * squared_distance(d=_all, j=_all, ratio=_beyond_all)
"""Total variance against a change of all ``d = root^2`` queries at ``gamma = d + excess``."""
_changed = squared_distance(d=d, j=j, ratio=sqrt(d))
"""``j - j^2/(d + sqrt(d))``."""


# --- the worst integer ------------------------------------------------------------------------------------------------


def _of_turn(d: Expression, root: Expression) -> tuple[Part, Part]:
    """``1 - left`` and ``1 + left`` of ``left = d + gamma - 2 n``, gamma = sqrt(root), n the turning point.

    Twice n is d + c - 1 or one more, c = ceil(gamma).
    """
    c, g, n = ceiling_of_root(root), sqrt(root), turning_point(k=root, d=d)
    left = d + g - 2 * n
    below, above = sum_of(2 * n - (d + c - 1), c - g), sum_of(d + c - 2 * n, g + 1 - c)
    return part((1 - left, below)), part((1 + left, above))


def _deficit(d: Expression, root: Expression) -> Product:
    """``left^2 <= 1`` at the worst integer, where gamma is at most d."""
    g, n = sqrt(root), turning_point(k=root, d=d)
    below, above = _of_turn(d, root)
    worst = minimum(d, n)
    at_all = product_of(1 / (1 + d + g), (1 + d) ** 2 - g**2)
    return product_of(
        (1 - (d + g - 2 * worst), largest_of((d, at_all), (n, below.proof), inside=True)),
        (1 + (d + g - 2 * worst), sum_of(2 * (n - worst), above)),
    )


def worst_change_is(d: Expression, root: Expression, j: Expression, unit: Expression) -> Maximum:
    """That a change of j of d counters is no worse than that of `worst_among`, gamma^2 = root, squares times ``unit``.

    At the turning point the gap is ``s (s + left)/(d + gamma)``, s the steps from j to it; where all d are the worst,
    ``s (gamma - j)/(d + gamma)``, s = d - j, and d <= c.
    """
    c, g, n = ceiling_of_root(root), sqrt(root), turning_point(k=root, d=d)
    over, left_over = unit / (d + g), d - j
    below, above = _of_turn(d, root)
    at_turn = sum_of(factors(over / 2, above, _in_steps(n - j, 1)), factors(over / 2, below, _in_steps(n - j, -1)))
    at_all = sum_of(
        factors(over, left_over, g + 1 - c),
        factors(over, _in_steps(left_over, -1)),
        factors(over, left_over, d + c - 2 * n),
        factors(over, left_over, (2 * (n - d), product_of(2, (n - d, Hypothesis())))),
    )
    return largest_of((d, at_all), (n, at_turn), inside=True)


def _in_steps(steps: Expression, side: int) -> Part:
    """``s (s + side) >= 0`` at an integer s, side 1 or -1."""
    integers = Substitute(
        Box((Parameter("s", "", lower="-infinity", integer=True),)), {"s": steps},
        Split("s", -1 if side > 0 else 0, product_of(-s, -s - side), product_of(s, s + side)), zero, s * (s + side),
    )  # fmt: skip
    return part((steps * (steps + side), integers))


# --- the profile ------------------------------------------------------------------------------------------------------


_reach = k + sqrt(k)
changed_square = squared_distance(d=k, j=changed, ratio=sqrt(k)) / sigma**2
"""Squared distance of a change of so many counters."""
_half_of_all = _reach / (4 * sigma**2)
"""Of Lemma 8, as if (k + sqrt(k))/2 changed."""
LEMMA_8 = (changed_square, _half_of_all, product_of(1 / (4 * sigma**2 * _reach), (_reach - 2 * changed) ** 2))
"""A change, Lemma 8's, and that its squared distance is no smaller."""
_worst = worst_among(k=k, d=k)
worst_square = changed_square(changed=_worst)
"""That of the worst number of changes, whatever changed."""
_WORST = worst_change_is(k, k, changed, 1 / sigma**2)
_TO_HALF = product_of(_nearly / (4 * gamma), (sqrt(d) - gamma) ** 2)
_NEARLY = largest_of(
    (gamma, Through(_noise_at_half, _TO_HALF, product_of((1 + 1 / gamma) / (4 * (d + gamma)), 1 - _rest, 1 + _rest))),
    (
        d,
        Through(
            (sqrt(d) + 1) ** 2 / 4,
            second=ByClaim(
                "lebeda2025.lem8.opt.integer.beyond", {"root": sqrt(d), "excess": gamma - d},
                {"root": Increasing("sqrt", one, d), "excess": Hypothesis()},
            ),
        )
    ),
    inside=True
)  # fmt: skip
GAMMA = Parameter("gamma", "ratio of own to shared variance", open_lower=True, log=True, searched=("1e-6", 10**6))

CLAIMS = (
    stated(
        "lem8", "Lemma 8", "the correlated Gaussian mechanism on k counting queries", None,
        DeltaBound(delta_gauss, exact=delta_gauss_integer, pairs=QUERIES, proof=CounterProfile(grows(*LEMMA_8))),
        domain=(EPSILON, K, SIGMA), falls=("epsilon", "sigma"), rises=("k",), role=Role.UPPER, privacy=COUNTING_QUERIES,
        loose="by at most 1/(4 sigma^2 (k + sqrt(k))) in mu^2: the worst j is an integer (lem8.integer)",
    ),
    own(
        "lem8.exact", "Lemma 8", "exact delta of the correlated Gaussian mechanism",
        r"\delta = \max_{0 \le j \le k} f(\sqrt{j - j^2/(k + \sqrt{k})}/\sigma, \epsilon)",
        DeltaBound(
            delta_gauss_integer, delta_by_whitening,
            tuple({"epsilon": "0.3", "k": k, "sigma": "1.5"} for k in (1, 2, 3, 5, 17, 64)),
            pairs=QUERIES,
            proof=CounterProfile(grows(changed_square, worst_square, _WORST), worst=_worst, attained=Symbolic()),
        ),
        domain=(EPSILON, K, SIGMA), falls=("epsilon", "sigma"), rises=("k",), privacy=COUNTING_QUERIES,
    ),
    own(
        "lem8.integer", "Lemma 8", "how loose Lemma 8 is",
        r"(d+\gamma)/4 - \max_j (j - j^2/(d+\gamma)) \le 1/(4 (d+\gamma)) \text{ for } \gamma \le d",
        _integer_deficit <= 1, proof=_deficit(d, root),
        domain=Box(
            (
                replace(K, name="d"),
                Parameter("root", "gamma^2, an integer", lower=1, integer=True, log=True, searched=(1, 10**6)),
            ),
            lambda *, d, root: root <= d * d, "gamma <= d",
        ),
    ),
    stated(
        "lem8.opt", "Lemma 8, proof", "gamma = sqrt(d) gives the least total noise, if j might be any real number",
        r"(d + \gamma)(1 + 1/\gamma) \ge (\sqrt{d} + 1)^2", (sqrt(d) + 1) ** 2 / (4 * mu * mu) <= _deviation_squared,
        proof=product_of(1 / (4 * gamma * mu * mu), (sqrt(d) - gamma) ** 2),
        domain=(
            GAMMA, replace(K, name="d"),
            Parameter("mu", "distance reached", open_lower=True, log=True, searched=("1e-6", 10**6)),
        ),
        note="the gap is a multiple of (sqrt(d) - gamma)^2: equality at gamma = sqrt(d); total deviation (sqrt(d) + "
        "1)/(2 mu), against sqrt(d)/mu without correlation; j is an integer, and then gamma = sqrt(d) is not the best "
        "(lem8.opt.integer)",
    ),
    refuted(
        "lem8.opt.integer", "Lemma 8, proof", "gamma = sqrt(d) gives the least total noise",
        r"(1 + 1/\gamma) \max_{j \in \{1..d\}} (j - j^2/(d+\gamma)) \ge (1 + 1/\sqrt{d}) \max_{j \in \{1..d\}} (j - "
        r"j^2/(d+\sqrt{d}))",
        _total(gamma=sqrt(d)) <= _total, by="lem8.opt.integer.corrected",
        domain=(GAMMA, replace(K, name="d", upper=1000)), points=({"gamma": 1, "d": 2},),
        note="the proof lets j be real: at d = 2, gamma = 1 needs 2.9 % less deviation (variance 4/3, not sqrt(2))",
    ),
    own(
        "lem8.opt.integer.corrected", "Lemma 8",
        "no gamma needs less total noise than gamma = sqrt(d) by more than a factor 1 - 1/(d + gamma)^2",
        r"(1 + 1/\gamma) \max_{j \in \{1..d\}} (j - j^2/(d+\gamma)) \ge (1 - 1/(d+\gamma)^2) (\sqrt{d} + 1)^2/4",
        _nearly * (sqrt(d) + 1) ** 2 / 4 <= _total, proof=_NEARLY, domain=(GAMMA, replace(K, name="d")),
        points=points("gamma d", (1, 2), (2, 5), (3, 10)), evaluates=_total,
        note="(sqrt(d) + 1)^2/4 is the bound that gamma = sqrt(d) has for real j; total variance in units of 1/mu^2. "
        "The largest is at the integer nearest to (d + min(d, gamma))/2. The best gamma, and the noise for a delta: "
        "sparse.sigma at k = m = d.",
    ),
    own(
        "lem8.opt.integer.beyond", "Lemma 8", "no gamma beyond d needs less total noise than gamma = sqrt(d)",
        r"(1 + 1/\gamma) (d - d^2/(d+\gamma)) \ge (\sqrt{d} + 1)^2/4,\ \gamma \ge d",
        (root + 1) ** 2 / 4 <= _noise_of_all,
        proof=sum_of(
            excess * (root - 1) * (3 * root + 1) / (4 * (2 * root * root + excess)),
            (root * (root - 1)) ** 2 / (2 * (2 * root * root + excess)),
        ),
        domain=(
            Parameter("root", "square root of d", lower=1, searched=(1, 1000)),
            Parameter("excess", "gamma - d", searched=(0, 10**6)),
        ),
    ),
    own(
        "lem8.worst_change", "Lemma 8 (erratum trap L4)", "not all counters change in the worst pair",
        r"j - j^2/(d + \sqrt{d}) \le j^* - j^{*2}/(d + \sqrt{d}), j^* = \min(d, \lceil (d + \lceil\sqrt{d}\rceil - "
        r"1)/2 \rceil)",
        _changed <= _changed(j=worst_among(k=d, d=d)), proof=worst_change_is(d, d, j, lift(1)),
        domain=Box((replace(K, name="d"), replace(J, log=True)), lambda *, d, j: j <= d, "j <= d"),
        note="an audit of the pair that changes every counter misses faults that the worst pair shows",
    ),
)  # fmt: skip
