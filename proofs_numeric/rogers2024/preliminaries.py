"""Section 1 and 2: definitions, Laplace, Gaussian and exponential mechanisms, conversions, composition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.claim import (
    Box,
    Calibration,
    Claim,
    Definition,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Parameter,
    Proof,
    QuantityKind,
    Relation,
    Role,
    SymbolicIdentity,
    Trusted,
)
from proofs_numeric.concentrated import (
    Decomposition,
    cdp_to_dp_epsilon_upper,
    composed_delta,
    dp_to_cdp_rho_upper,
    hockey_stick,
    pure_delta,
    renyi_tail_upper,
)
from proofs_numeric.rogers2024.laws import laplace_profile, two_point_renyi
from proofs_numeric.rogers2024.parameters import (
    ALPHA,
    BETA,
    DELTA,
    DELTA_LINEAR,
    EPSILON,
    LEVEL,
    RHO,
    SCALE,
    THETA,
    ours,
    printed,
)
from proofs_numeric.special import gaussian_profile, integral
from proofs_numeric.verdict import Expectation

FiniteLaw = Mapping[str, Fraction]
MU = Parameter("mu", "sensitivity over sigma", lower="1e-6", upper=1000, log=True)
SHIFT = Parameter("delta_1", "l1-sensitivity", unit="counts", lower="1e-3", upper=1000, log=True, default=1)


# --- formulas ---------------------------------------------------------------------------------------------------------


def zero(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 0."""
    return A.number(0)


def gaussian_delta(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """Delta of the Gaussian mechanism at distance ``mu``."""
    return gaussian_profile(A, epsilon, mu)


def laplace_delta(A: Arithmetic, *, epsilon: Any, delta_1: Any, b: Any) -> Any:
    """Delta of one Laplace count that moves by ``delta_1``."""
    return laplace_profile(A, epsilon=epsilon, distance=A.number(delta_1) / b)


def laplace_delta_by_quadrature(A: Arithmetic, *, epsilon: Any, delta_1: Any, b: Any) -> Any:
    """``integral of max(0, p - e^epsilon q)`` over the region where p wins: left of the shifted centre, plus a tail."""
    distance = A.number(delta_1) / b
    start = (distance + epsilon) / 2
    growth = A.exp(A.number(epsilon))

    def excess(B: Arithmetic, x: Any) -> Any:
        return (B.exp(x - distance) - growth * B.exp(-x)) / 2

    return A.maximum(0, integral(A, excess, start, distance)) + (1 - growth * A.exp(-distance)) / 2


def em_rho(A: Arithmetic, *, epsilon: Any) -> Any:
    """``epsilon^2 / 8``: rho of the exponential mechanism over a score of range one (Theorem 5)."""
    epsilon = A.number(epsilon)
    return epsilon * epsilon / 8


def em_rho_naive(A: Arithmetic, *, epsilon: Any) -> Any:
    """``epsilon^2 / 2``: rho of the exponential mechanism through pure DP."""
    return dp_to_cdp_rho_upper(A, epsilon=epsilon)


def pure_profile(A: Arithmetic, *, epsilon: Any, beta: Any) -> Any:
    """Delta of 1/beta-DP at ``epsilon``: randomised response at the promised level."""
    return pure_delta(A, epsilon=epsilon, promised=1 / A.number(beta))


def gaussian_log_density(A: Arithmetic, *, x: Any, alpha: Any, mu: Any) -> Any:
    """``alpha log p + (1 - alpha) log q`` of N(0,1) and N(mu,1) without the common constant."""
    x, alpha, mu = A.number(x), A.number(alpha), A.number(mu)
    return -(alpha * x * x + (1 - alpha) * (x - mu) * (x - mu)) / 2


def gaussian_log_density_completed(A: Arithmetic, *, x: Any, alpha: Any, mu: Any) -> Any:
    """The square completed: a unit normal about ``(1 - alpha) mu`` times ``exp(alpha (alpha - 1) mu^2 / 2)``."""
    x, alpha, mu = A.number(x), A.number(alpha), A.number(mu)
    centre = x - (1 - alpha) * mu
    return -centre * centre / 2 + alpha * (alpha - 1) * mu * mu / 2


def alpha_em_rho(A: Arithmetic, *, alpha: Any, epsilon: Any, theta: Any) -> Any:
    """``alpha epsilon^2 / 8``."""
    return alpha * em_rho(A, epsilon=epsilon)


def alpha_em_rho_naive(A: Arithmetic, *, alpha: Any, epsilon: Any, theta: Any) -> Any:
    """``alpha epsilon^2 / 2``."""
    return alpha * em_rho_naive(A, epsilon=epsilon)


def popoviciu_gap(A: Arithmetic, *, theta: Any) -> Any:
    """``1/4 - theta (1 - theta)``: slack of the variance bound for a law on two points one apart."""
    theta = A.number(theta)
    return A.number(Fraction(1, 4)) - theta * (1 - theta)


def popoviciu_square(A: Arithmetic, *, theta: Any) -> Any:
    """``(1/2 - theta)^2``."""
    theta = A.number(theta)
    return (A.number(Fraction(1, 2)) - theta) ** 2


def log_inverse(A: Arithmetic, *, delta_prime: Any) -> Any:
    """``log(1/delta')``, what the square root of Theorem 3 needs to be non-negative."""
    return -A.log(A.number(delta_prime))


def achieved_conversion(A: Arithmetic, *, value: Any, rho: Any, delta: Any) -> Any:
    """Delta that the Renyi tail bound gives at the converted epsilon."""
    return renyi_tail_upper(A, rho=rho, epsilon=value)


def product_of_survivals(A: Arithmetic, *, delta_first: Any, delta_second: Any) -> Any:
    """``1 - (1 - d1)(1 - d2)``."""
    return 1 - (1 - A.number(delta_first)) * (1 - A.number(delta_second))


def sum_minus_product(A: Arithmetic, *, delta_first: Any, delta_second: Any) -> Any:
    """``d1 + d2 - d1 d2``."""
    return composed_delta(A.number(delta_first), A.number(delta_second))


# --- finite cases -----------------------------------------------------------------------------------------------------


def is_dp(case: tuple[FiniteLaw, FiniteLaw, Fraction, Fraction]) -> bool:
    """(1) for the laws of one pair, both directions, with ``e^epsilon`` and delta exact."""
    left, right, ratio, delta = case
    return bool(max(hockey_stick(left, right, ratio), hockey_stick(right, left, ratio)) <= delta)


def law(**masses: int) -> dict[str, Fraction]:
    """A law from integer masses."""
    total = sum(masses.values())
    return {outcome: Fraction(mass, total) for outcome, mass in masses.items() if mass}


def laws(outcomes: int, total: int) -> Iterator[dict[str, Fraction]]:
    """Every law on ``outcomes`` outcomes with masses that are multiples of ``1/total``."""
    for masses in product(range(total + 1), repeat=outcomes - 1):
        if sum(masses) <= total:
            whole = (*masses, total - sum(masses))
            yield {f"y{i}": Fraction(m, total) for i, m in enumerate(whole)}


def lp_sensitivity(case: tuple[tuple[tuple[int, ...], tuple[int, ...]], int, int]) -> bool:
    """Whether a pair of statistic values respects the l_p bound given as its p-th power."""
    (left, right), p, bound_to_p = case
    return bool(sum(abs(x - y) ** p for x, y in zip(left, right, strict=True)) <= bound_to_p)


def score_range(left: tuple[int, ...], right: tuple[int, ...]) -> int:
    """``max_{y,y'} (q(x,y) - q(x',y)) - (q(x,y') - q(x',y'))``."""
    changes = [x - y for x, y in zip(left, right, strict=True)]
    return max(changes) - min(changes)


def has_range(case: tuple[tuple[int, ...], tuple[int, ...], int]) -> bool:
    """Whether the pair of score vectors has exactly the range given."""
    left, right, value = case
    return score_range(left, right) == value


def softmax(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """The exponential mechanism's law with ``e^(epsilon/range) = base`` rational."""
    weights = [base**score for score in scores]
    return [weight / sum(weights) for weight in weights]


def score_pairs(size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of score vectors over three outcomes with scores up to ``size``."""
    vectors = list(product(range(size + 1), repeat=3))
    return product(vectors, vectors)


def em_is_pure(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """``P(y) <= e^epsilon P'(y)`` with ``e^epsilon = base^range``."""
    base = Fraction(3, 2)
    left, right = case
    bound = base ** score_range(left, right)
    return all(p <= bound * q for p, q in zip(softmax(left, base), softmax(right, base), strict=True))


def _shrink(
    heavy: dict[str, Fraction], light: dict[str, Fraction], ratio: Fraction, mass: Fraction
) -> dict[str, Fraction]:
    total, floor = sum(heavy.values()), {y: light[y] / ratio for y in heavy}
    spare = total - sum(floor.values())
    if total <= mass or not spare:
        return heavy
    keep = 1 - (total - mass) / spare
    return {y: floor[y] + keep * (heavy[y] - floor[y]) for y in heavy}


def dp_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, Fraction]]:
    """Pairs of laws on three outcomes with masses in ``1/size``, and ``e^epsilon``."""
    for left, right in product(laws(3, size), repeat=2):
        for ratio in (Fraction(1), Fraction(3, 2), Fraction(4)):
            yield left, right, ratio


def dp_gives_good_parts(case: tuple[FiniteLaw, FiniteLaw, Fraction]) -> bool:
    """At the pair's own delta the good parts are laws under P/(1-delta), Q/(1-delta) within a factor e^epsilon."""
    left, right, ratio = case
    delta = max(hockey_stick(left, right, ratio), hockey_stick(right, left, ratio))
    if delta == 1:
        return True
    p, q = good_parts_of_dp(left, right, ratio, delta)
    within = all(p[y] <= ratio * q[y] and q[y] <= ratio * p[y] for y in p)
    return Decomposition(left, right, p, q).covers(delta) and within


def good_parts_of_dp(
    left: FiniteLaw, right: FiniteLaw, ratio: Fraction, delta: Fraction
) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Good parts P', Q' of an (epsilon, delta)-DP pair, whose log ratio stays within epsilon (Theorem 3).

    ``p^ = min(P, ratio Q)`` and ``q^ = min(Q, ratio P)`` lie within a factor ``ratio`` of one another and keep mass
    ``1 - delta`` at least; the heavier is shrunk towards ``1/ratio`` times the other until their masses agree.
    """
    p = {y: min(left[y], ratio * right[y]) for y in left}
    q = {y: min(right[y], ratio * left[y]) for y in left}
    if sum(p.values()) >= sum(q.values()):
        p = _shrink(p, q, ratio, max(1 - delta, sum(q.values(), Fraction(0))))
    else:
        q = _shrink(q, p, ratio, max(1 - delta, sum(p.values(), Fraction(0))))
    return tuple({y: m / sum(part.values()) for y, m in part.items()} for part in (p, q))  # type: ignore[return-value]


def noiseless_values_leak(count: int) -> bool:
    """Whether deciding by a noisy threshold and printing exact counts separates {a: N+1} from {a: N} fully.

    The new-label mass of that mechanism is at most delta; on these two counts both sides print with the same
    probability, but never the same value, so the hockey stick is the whole printing probability, here at least 3/4.
    """
    noise = law(low=1, zero=2, high=1)
    shifts = {"low": -1, "zero": 0, "high": 1}

    def output(true_count: int) -> dict[str, Fraction]:
        masses: dict[str, Fraction] = {}
        for name, mass in noise.items():
            outcome = str(true_count) if true_count + shifts[name] > count - 1 else "nothing"
            masses[outcome] = masses.get(outcome, Fraction(0)) + mass
        return masses

    new_label_mass = sum((m for name, m in noise.items() if 1 + shifts[name] > count - 1), Fraction(0))
    left, right = output(count + 1), output(count)
    return new_label_mass == 0 and all(hockey_stick(left, right, Fraction(r)) >= Fraction(3, 4) for r in (1, 10, 10**6))


def composition_cases(size: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, tuple[FiniteLaw, ...], tuple[FiniteLaw, ...]]]:
    """A first mechanism's pair on two outcomes and, for each outcome, a second mechanism's pair."""
    pairs = [law(y0=i, y1=size - i) for i in range(1, size)]
    for first, other, *second in product(pairs, repeat=6):
        yield first, other, tuple(second[:2]), tuple(second[2:])


def second_moment(left: FiniteLaw, right: FiniteLaw) -> Fraction:
    """``exp(D_2(P||Q)) = sum p^2/q``, exact."""
    return sum((p * p / right[y] for y, p in left.items()), Fraction(0))


def composes_at_order_two(
    case: tuple[FiniteLaw, FiniteLaw, tuple[FiniteLaw, ...], tuple[FiniteLaw, ...]],
) -> bool:
    """``D_2(joint) <= D_2(first) + max_y D_2(second | y)``, exponentiated and exact."""
    first, other, second, second_other = case
    joint = {(y, z): p * second[i][z] for i, (y, p) in enumerate(first.items()) for z in second[i]}
    joint_other = {(y, z): q * second_other[i][z] for i, (y, q) in enumerate(other.items()) for z in second_other[i]}
    moment = sum((p * p / joint_other[o] for o, p in joint.items()), Fraction(0))
    return moment <= second_moment(first, other) * max(map(second_moment, second, second_other))


def certificate_holds(case: tuple[Decomposition, Fraction, Fraction]) -> bool:
    """Definition 2.2 through a decomposition at orders 1, 2, 5 and 50."""
    decomposition, delta, rho = case
    return decomposition.certifies(delta, rho, (1, 2, 5, 50))


_HALVES, _SKEWED, _CERTAIN = law(y=1, n=1), law(y=3, n=2), law(y=1)

# --- claims -----------------------------------------------------------------------------------------------------------

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.def2.1",
        source=printed("Definition 2.1", "(1)"),
        title="Approximate differential privacy",
        statement=r"\Pr[A(x) \in S] \le e^\varepsilon \Pr[A(x') \in S] + \delta",
        kind=Definition(
            accepts=is_dp,
            members=(
                (_HALVES, _HALVES, Fraction(1), Fraction(0)),
                (_SKEWED, law(y=2, n=3), Fraction(3, 2), Fraction(0)),
                (_CERTAIN, law(y=9, n=1), Fraction(1), Fraction(1, 10)),
            ),
            non_members=(
                (_SKEWED, law(y=2, n=3), Fraction(7, 5), Fraction(0)),
                (law(y=9, n=1), _CERTAIN, Fraction(1000), Fraction(9, 100)),
            ),
        ),
        note="Each example is (law of x, law of x', e^epsilon, delta), checked in both directions.",
    ),
    Claim(
        id="rogers2024.intro.gauss_not_pure",
        source=printed("Section 1"),
        title="Fixed Gaussian noise is approximately but never purely private",
        statement=r"\delta(\varepsilon) > 0 \text{ for all } \varepsilon, \quad \mu = \Delta/\sigma > 0",
        kind=Inequality(zero, gaussian_delta, Relation.LESS),
        domain=Box((LEVEL, MU)),
        quantity=QuantityKind.DELTA,
        evaluates=gaussian_delta,
    ),
    Claim(
        id="rogers2024.intro.bad_outcomes_insufficient",
        source=printed("Section 1"),
        title="Bounding the mass of bad outcomes does not give approximate privacy",
        statement=(
            r"\exists A: \Pr[\text{new label}] \le \delta,\ H_\varepsilon(A(h) \| A(h')) \ge 3/4 \ \forall "
            r"\varepsilon"
        ),
        kind=FiniteStatement(
            cases=lambda size: range(3, size + 3),
            holds=noiseless_values_leak,
            sizes={"quick": 5, "standard": 20, "deep": 200},
            size_text="count N",
        ),
        note="Algorithm 1 that thresholds noisily and prints the exact count.",
    ),
    Claim(
        id="rogers2024.def.lp_sens",
        source=printed("Section 2"),
        title="l_p-sensitivity",
        statement=r"\Delta_p(f) = \max_{x \sim x'} \|f(x) - f(x')\|_p",
        kind=Definition(
            accepts=lp_sensitivity,
            members=((((1, 2), (0, 2)), 1, 1), (((3, 4), (0, 0)), 2, 25), (((5,), (5,)), 1, 0)),
            non_members=((((1, 2), (0, 0)), 1, 2), (((3, 4), (0, 0)), 2, 24)),
        ),
        note="Each example is ((f(x), f(x')), p, bound to the power p).",
    ),
    Claim(
        id="rogers2024.thm1.laplace",
        source=printed("Theorem 1"),
        title="The Laplace mechanism is epsilon-DP",
        statement=(
            r"H_\varepsilon = (1 - e^{(\varepsilon - \Delta_1/b)/2})_+, \text{ zero at } \varepsilon = "
            r"\Delta_1/b"
        ),
        kind=DeltaBound(
            laplace_delta,
            oracle=laplace_delta_by_quadrature,
            oracle_points=(
                {"epsilon": 0, "delta_1": 1, "b": 1},
                {"epsilon": "1/2", "delta_1": 1, "b": "1/2"},
                {"epsilon": 3, "delta_1": 7, "b": 2},
            ),
        ),
        domain=Box((LEVEL, SHIFT, replace(SCALE, lower="1e-3", upper=1000))),
        quantity=QuantityKind.DELTA,
        note="One coordinate; the log ratio attains Delta_1/b, so the theorem is tight.",
    ),
    Claim(
        id="rogers2024.def.range",
        source=printed("Section 2", "display before Theorem 2"),
        title="Range of a quality score",
        statement=r"\Delta(q) = \max_{y,y'} \max_{x \sim x'} (q(x,y) - q(x',y)) - (q(x,y') - q(x',y'))",
        kind=Definition(
            accepts=has_range,
            members=(((1, 0), (0, 0), 1), ((1, 0), (0, 1), 2), ((2, 2), (1, 1), 0)),
            non_members=(((1, 0), (0, 1), 1), ((1, 1), (0, 0), 1)),
        ),
        note="Called sensitivity in Theorems 2 and 5. A monotone score of sup-sensitivity 1 has range at most 1, any "
        "other at most 2: with the sup-sensitivity the mechanism is only 2 epsilon-DP.",
    ),
    Claim(
        id="rogers2024.thm2.em_pure",
        source=printed("Theorem 2"),
        title="The exponential mechanism is epsilon-DP over a score of known range",
        statement=r"\Pr[M(x) = y] \propto e^{\varepsilon q(x,y)/\Delta(q)} \text{ is } \varepsilon\text{-DP}",
        kind=FiniteStatement(score_pairs, em_is_pure, {"quick": 2, "standard": 3, "deep": 4}, "largest score"),
        note="Decided in rationals with e^(epsilon/Delta(q)) = 3/2; three outcomes.",
    ),
    Claim(
        id="rogers2024.thm2.profile",
        source=ours("Theorem 2"),
        title="Privacy profile that Theorem 2 promises for counts",
        statement=r"\delta(\varepsilon) \le (e^{1/\beta} - e^\varepsilon)_+/(e^{1/\beta} + 1)",
        kind=DeltaBound(pure_profile),
        domain=Box((LEVEL, replace(BETA, lower="1e-2"))),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        note="Scores are counts of range one, weights e^(count/beta).",
    ),
    Claim(
        id="rogers2024.def2.2",
        source=printed("Definition 2.2"),
        title="Approximate concentrated differential privacy",
        statement=r"P = (1-\delta)P' + \delta P'',\ D_\alpha(P'\|Q') \le \alpha\rho,\ D_\alpha(Q'\|P') \le \alpha\rho",
        kind=Definition(
            accepts=certificate_holds,
            members=(
                (Decomposition(_SKEWED, _SKEWED, _SKEWED, _SKEWED), Fraction(0), Fraction(0)),
                (Decomposition(_HALVES, _SKEWED, _HALVES, _SKEWED), Fraction(0), Fraction(1, 20)),
                (Decomposition(law(y=9, new=1), _CERTAIN, _CERTAIN, _CERTAIN), Fraction(1, 10), Fraction(0)),
            ),
            non_members=(
                (Decomposition(law(y=9, new=1), _CERTAIN, _CERTAIN, _CERTAIN), Fraction(1, 20), Fraction(1)),
                (Decomposition(_HALVES, _SKEWED, _HALVES, _SKEWED), Fraction(0), Fraction(1, 100)),
            ),
        ),
        note="Each example is a decomposition (P, Q, P', Q') with delta and rho; alpha = 1 is Kullback-Leibler.",
    ),
    Claim(
        id="rogers2024.thm3.dp_to_cdp",
        source=printed("Theorem 3, first half"),
        title="(epsilon, delta)-DP is delta-approximate epsilon^2/2-CDP",
        statement=r"(\varepsilon, \delta)\text{-DP} \Rightarrow \delta\text{-approximate } \varepsilon^2/2\text{-CDP}",
        kind=FiniteStatement(dp_cases, dp_gives_good_parts, {"quick": 3, "standard": 4, "deep": 6}, "masses in 1/size"),
        domain=Box((EPSILON,)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=dp_to_cdp_rho_upper,
        loose="rho = epsilon tanh(epsilon/2) is exact (rogers2024.sharp.pure)",
        note="Constructive: good parts within a factor e^epsilon of one another; pure DP then gives epsilon^2/2.",
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp",
        source=printed("Theorem 3, second half"),
        title="Approximate CDP gives approximate DP",
        statement=r"\varepsilon = \rho + 2\sqrt{\rho \log(1/\delta')}, \quad 0 < \delta' \le 1",
        kind=Calibration(cdp_to_dp_epsilon_upper, achieved_conversion, tight=True),
        domain=Box((RHO, DELTA)),
        quantity=QuantityKind.EPSILON,
        role=Role.CALIBRATION,
        points=({"rho": "1/2", "delta": "1e-6"}, {"rho": 8, "delta": "1e-9"}, {"rho": "0.005", "delta": "1e-3"}),
        loose="against the exact Gaussian 1.075 to 1.9 times; Canonne-Kamath-Steinke is always smaller",
        note="The conversion's delta' is named delta; the mechanism's own delta is added. Needs delta' <= 1.",
    ),
    Claim(
        id="rogers2024.thm3.cdp_to_dp.as_printed",
        source=printed("Theorem 3, second half"),
        title="E23: the conversion for any delta' > 0",
        statement=r"\log(1/\delta') \ge 0 \text{ for any } \delta' > 0",
        kind=Inequality(zero, log_inverse),
        domain=Box((Parameter("delta_prime", "delta' of the conversion", lower=0, open_lower=True, log=True),)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm3.cdp_to_dp",
        note="The square root of a negative number for delta' > 1.",
    ),
    Claim(
        id="rogers2024.thm4.gauss",
        source=printed("Theorem 4"),
        title="The Gaussian mechanism is rho-CDP with sigma^2 = Delta_2^2 / (2 rho)",
        statement=r"p^\alpha q^{1-\alpha} = e^{\alpha(\alpha-1)\mu^2/2}\, \varphi(x - (1-\alpha)\mu)",
        kind=Identity(
            gaussian_log_density,
            gaussian_log_density_completed,
            Proof(
                (
                    SymbolicIdentity(
                        "completing the square",
                        gaussian_log_density,
                        gaussian_log_density_completed,
                        ("x", "alpha", "mu"),
                        argument="the integral of the right side is exp(alpha (alpha - 1) mu^2 / 2), so D_alpha = "
                        "alpha mu^2/2 = alpha rho with mu^2 = 2 rho",
                    ),
                )
            ),
        ),
        domain=Box(
            (
                Parameter("x", "outcome", lower="-infinity"),
                ALPHA,
                Parameter("mu", "distance", lower=0, upper=1000),
            )
        ),
        note="Equality: D_alpha = alpha rho at every order.",
    ),
    Claim(
        id="rogers2024.em_naive",
        source=printed("Section 2, before Theorem 5"),
        title="The exponential mechanism is epsilon^2/2-CDP through pure DP",
        statement=r"D_\alpha \le \alpha\varepsilon^2/2",
        kind=Inequality(two_point_renyi, alpha_em_rho_naive),
        domain=Box((replace(ALPHA, upper=1000), EPSILON, THETA)),
        quantity=QuantityKind.RHO,
        loose="four times rho of Theorem 5",
    ),
    Claim(
        id="rogers2024.thm5.em_cdp",
        source=printed("Theorem 5"),
        title="The exponential mechanism is epsilon^2/8-CDP over a score of known range",
        statement=r"D_\alpha(P\|Q) \le \alpha\varepsilon^2/8",
        kind=Inequality(
            two_point_renyi,
            alpha_em_rho,
            proof=Proof(
                (
                    Trusted(
                        "K(a) = log E_Q[e^(a g)] with g the log ratio has K(0) = K(1) = 0, so K(a) = a(a-1)/2 K''(xi) "
                        "for some xi in [0, a] (interpolation error), and K'' is a variance of g under a tilted law"
                    ),
                    SymbolicIdentity(
                        "Popoviciu",
                        popoviciu_gap,
                        popoviciu_square,
                        ("theta",),
                        argument="a law on [c, c + epsilon] has variance at most epsilon^2/4, attained on two points",
                    ),
                )
            ),
        ),
        domain=Box((replace(ALPHA, upper=1000), EPSILON, THETA)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        evaluates=lambda A, **parameters: em_rho(A, epsilon=parameters["epsilon"]),
        loose="tight as epsilon -> 0; at epsilon = 1 the exact rho is .98641 of it (rogers2024.sharp.em)",
    ),
    Claim(
        id="rogers2024.thm6",
        source=printed("Theorem 6"),
        title="Adaptive composition adds rho",
        statement=r"D_\alpha(\text{joint}) \le D_\alpha(A_1) + \max_y D_\alpha(A_2(\cdot, y))",
        kind=FiniteStatement(
            composition_cases, composes_at_order_two, {"quick": 4, "standard": 5, "deep": 7}, "masses in 1/size"
        ),
        note="Decided in rationals at order 2. In print rho'_2 and rho_2, Z and Y are the same things (E25).",
    ),
    Claim(
        id="rogers2024.thm6.delta",
        source=printed("Theorem 6"),
        title="Deltas compose as failure probabilities",
        statement=r"1 - (1-\delta_1)(1-\delta_2) = \delta_1 + \delta_2 - \delta_1\delta_2",
        kind=Identity(
            product_of_survivals,
            sum_minus_product,
            Proof(
                (
                    SymbolicIdentity(
                        "expansion", product_of_survivals, sum_minus_product, ("delta_first", "delta_second")
                    ),
                )
            ),
        ),
        domain=Box((replace(DELTA_LINEAR, name="delta_first"), replace(DELTA_LINEAR, name="delta_second"))),
        quantity=QuantityKind.DELTA,
        evaluates=sum_minus_product,
    ),
)
