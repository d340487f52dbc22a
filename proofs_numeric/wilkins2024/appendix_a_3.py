r"""Appendix A.3: f-DP, its conjugates and its composition with a ``(0, delta)``-DP mechanism.

``f_mu(alpha) = Phi(Phi^{-1}(1 - alpha) - mu)`` is the trade-off function of the Gaussian mechanism,
``f*(y) = sup_alpha y alpha - f(alpha)`` its conjugate, ``delta`` a total variation.  The Gaussian statements are proved
symbolically; those on general mechanisms are enumerated over finite laws (:mod:`finite_tradeoff`).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import (
    binomial_tail,
    gaussian_profile,
    normal_cdf,
    normal_pdf,
    normal_quantile_complement,
)
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Definition, DeltaBound, Editorial, FiniteStatement, Identity, Inequality
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Sum,
    Symbolic,
    Through,
)
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.finite_tradeoff import (
    IDENTITY_CURVE,
    QUARTER_CURVE,
    cases_a6,
    cases_a7,
    cases_max,
    coin,
    composable,
    curve_through,
    holds_a2,
    holds_a3,
    holds_a5,
    holds_a6,
    holds_a7,
    holds_max,
    pairs_of_laws,
    satisfies_f_dp,
    with_ratio,
)
from proofs_numeric.wilkins2024.parameters import EPSILON, EPSILON_REAL, MU, SIGMA, ours, printed
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_infinite, hockey_stick_by_quadrature

# --- trade-off functions, continuous ----------------------------------------------------------------------------------


def gaussian_tradeoff(A: Arithmetic, *, alpha: Number, mu: Number) -> Number:
    """``f_mu(alpha) = Phi(Phi^{-1}(1 - alpha) - mu)``; alpha in (0, 1)."""
    return normal_cdf(A, normal_quantile_complement(A, A.number(alpha)) - A.number(mu))


def _tradeoff_at_threshold(A: Arithmetic, *, z: Number, mu: Number) -> Number:
    return gaussian_tradeoff(A, alpha=normal_cdf(A, -A.number(z)), mu=mu)


def _second_kind_error(A: Arithmetic, *, z: Number, mu: Number) -> Number:
    # The test "reject above z" of N(0, 1) against N(mu, 1).
    return normal_cdf(A, A.number(z) - A.number(mu))


def gaussian_conjugate(A: Arithmetic, *, level: Number, mu: Number) -> Number:
    """``f_mu^*(-e^level)`` by Lemma A.4."""
    level, mu = A.number(level), A.number(mu)
    return -A.exp(level) * normal_cdf(A, -mu / 2 - level / mu) - normal_cdf(A, -mu / 2 + level / mu)


def _objective(A: Arithmetic, *, z: Number, level: Number, mu: Number) -> Number:
    # y alpha - f(alpha) at alpha = Phi(-z), y = -e^level.
    z, level, mu = A.number(z), A.number(level), A.number(mu)
    return -A.exp(level) * normal_cdf(A, -z) - normal_cdf(A, z - mu)


def _objective_from_best(A: Arithmetic, *, shift: Number, level: Number, mu: Number) -> Number:
    return _objective(A, z=level / mu + mu / 2 + shift, level=level, mu=mu)


def _conjugate(A: Arithmetic, *, shift: Number, level: Number, mu: Number) -> Number:
    return gaussian_conjugate(A, level=level, mu=mu)


def _growth(A: Arithmetic, *, shift: Number, level: Number, mu: Number) -> Number:
    return A.exp(mu * shift) - 1


def _decline(A: Arithmetic, **at: Number) -> Number:
    return -_growth(A, **at)


def _density_at_shift(A: Arithmetic, *, shift: Number, level: Number, mu: Number) -> Number:
    return A.exp(level) * normal_pdf(A, level / mu + mu / 2 + shift)


def _conjugate_of_z(A: Arithmetic, *, z: Number, level: Number, mu: Number) -> Number:
    return gaussian_conjugate(A, level=level, mu=mu)


def _objective_positive(A: Arithmetic, *, z: Number, y: Number, mu: Number) -> Number:
    z, y, mu = A.number(z), A.number(y), A.number(mu)
    return y * normal_cdf(A, -z) - normal_cdf(A, z - mu)


def _y(A: Arithmetic, *, z: Number, y: Number, mu: Number) -> Number:
    return A.number(y)


def _profile(A: Arithmetic, *, epsilon: Number, mu: Number) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


def _printed_tradeoff(A: Arithmetic, *, y: Number, delta: Number) -> Number:
    return 1 - A.number(delta) - A.number(y)


def _released(A: Arithmetic, *, a_equal: int, gap: Number, sigma: Number) -> Number:
    # One group is released with probability Phi(-t), a groups independently: P[at least one].
    return binomial_tail(A, a_equal, normal_cdf(A, -A.number(gap) / A.number(sigma)), 1)


def _variation(A: Arithmetic, *, a_equal: int, gap: Number, sigma: Number) -> Number:
    return delta_infinite(A, c_u=a_equal, sigma=sigma, gap=gap)


def _supremum_printed(A: Arithmetic, *, y: Number, delta: Number) -> Number:
    return A.number(y)


def _supremum(A: Arithmetic, *, y: Number, delta: Number) -> Number:
    # sup of the linear y alpha over (1 - delta, 1]: its larger end.
    y = A.number(y)
    return A.maximum(y, (1 - A.number(delta)) * y)


def _supremum_at(A: Arithmetic, *, level: Number, delta: Number, mu: Number) -> Number:
    return _supremum(A, y=-A.exp(A.number(level)), delta=delta)


def _conjugate_of_composition(A: Arithmetic, *, level: Number, delta: Number, mu: Number) -> Number:
    y = -A.exp(A.number(level))
    return A.maximum((1 - A.number(delta)) * gaussian_conjugate(A, level=level, mu=mu), y)


def _scaled_conjugate(A: Arithmetic, *, level: Number, delta: Number, mu: Number) -> Number:
    return (1 - A.number(delta)) * gaussian_conjugate(A, level=level, mu=mu)


def composed_delta(A: Arithmetic, *, epsilon: Number, delta: Number, mu: Number) -> Any:
    """Lemma A.7: ``delta + (1 - delta) f(mu, epsilon)``, ``epsilon >= 0``."""
    delta = A.number(delta)
    return delta + (1 - delta) * gaussian_profile(A, A.number(epsilon), A.number(mu))


def _dropped_branch(A: Arithmetic, *, epsilon: Number, delta: Number, mu: Number) -> Number:
    return -A.expm1(A.number(epsilon))


def composed_by_quadrature(A: Arithmetic, *, epsilon: Number, delta: Number, mu: Number) -> Number:
    """The same from the dominating pair: an atom of mass delta seen on one side only, else the Gaussian pair."""
    delta = A.number(delta)
    inner = hockey_stick_by_quadrature(A, epsilon=epsilon, mu=A.number(mu), weight=A.number(1))
    return delta + (1 - delta) * inner


def _profile_by_conjugate(A: Arithmetic, *, epsilon: Number, mu: Number) -> Number:
    return 1 + gaussian_conjugate(A, level=epsilon, mu=mu)


# --- claims -----------------------------------------------------------------------------------------------------------

_LEVEL = Parameter("level", "log(-y)", unit="nats", lower=-50, upper=50)
_MU = Parameter("mu", MU.description, lower="1/100", upper=50, log=True)
_Z = Parameter("z", "threshold of the test", lower=-30, upper=30)
_DELTA_PART = Parameter(
    "delta", "total variation of the second mechanism", unit="probability", upper=1, open_upper=True
)
_SUPREMUM_DOMAIN = Box(
    (
        Parameter("y", "argument of the conjugate", lower=-5, upper=5),
        Parameter("delta", "total variation", unit="probability", upper=1, open_upper=True),
    )
)
_A3 = "Appendix A.3"


def _lemma_point(epsilon: str, delta: str, mu: str) -> Mapping[str, Value]:
    return {"epsilon": Fraction(epsilon), "delta": Fraction(delta), "mu": Fraction(mu)}


CLAIMS = (
    Claim(
        id="wilkins2024.defA.1",
        source=printed("Definition A.1"),
        title="f-differential privacy",
        statement=r"P(M(X_2)\in S)\le1-f(P(M(X_1)\in S))",
        kind=Definition(
            accepts=satisfies_f_dp,
            members=(
                (coin("1/2"), coin("1/2"), IDENTITY_CURVE),
                (coin("1/2"), coin("3/4"), QUARTER_CURVE),
                (coin("0"), coin("1"), curve_through(("0", "0"), ("1", "0"))),
            ),
            non_members=(
                (coin("1/2"), coin("3/4"), IDENTITY_CURVE),
                (coin("1/4"), coin("3/4"), QUARTER_CURVE),
                (coin("1/2"), coin("1/2"), curve_through(("0", "1"), ("1/2", "3/4"), ("1", "0"))),
                (coin("1/2"), coin("1/2"), curve_through(("0", "1/2"), ("1", "1/2"))),
            ),
        ),
    ),
    Claim(
        id="wilkins2024.defA.1.text",
        source=printed("Definition A.1"),
        title="Misprints of Definition A.1",
        statement=r"\text{is for all ... that differ on on individual's data}",
        kind=Editorial(
            printed='"satisfies f-DP is for all", "differ on on individual\'s data"',
            corrected='"satisfies f-DP if for all", "differ on one individual\'s data"',
            reason="misprints; the meaning is clear",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
    Claim(
        id="wilkins2024.lemA.1",
        source=printed("Lemma A.1"),
        title="Trade-off function of the Gaussian mechanism",
        statement=r"f_\mu(\alpha)=\Phi(\Phi^{-1}(1-\alpha)-\mu)",
        kind=Identity(_tradeoff_at_threshold, _second_kind_error, proof=Symbolic()),
        domain=Box((_Z, Parameter("mu", "Delta/sigma", upper=50))),
        note="alpha = Phi(-z) and the second-kind error Phi(z - mu) of the likelihood-ratio test that rejects above z.",
    ),
    Claim(
        id="wilkins2024.lemA.2",
        source=printed("Lemma A.2"),
        title="Trade-off function of (0, delta)-DP, as printed",
        statement=r"f(y)=1-\delta-y\in[0,1],\quad y\in[0,1]",
        kind=Inequality(zero, _printed_tradeoff),
        domain=Box(
            (
                Parameter("y", "first-kind error", unit="probability", upper=1),
                Parameter("delta", "total variation", unit="probability", upper=1),
            )
        ),
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.lemA.2.corrected",
        note="Definition A.1 wants f with values in [0, 1]; the line leaves it beyond y = 1 - delta.",
    ),
    Claim(
        id="wilkins2024.lemA.2.corrected",
        source=ours("Lemma A.2"),
        title="Trade-off function of (0, delta)-DP",
        statement=r"f(y)=\max(0,1-\delta-y)",
        kind=FiniteStatement(
            cases=lambda size: pairs_of_laws(3, size),
            holds=holds_a2,
            sizes={"quick": 4, "standard": 6, "deep": 9},
            size_text="denominator of the laws on 3 outcomes",
        ),
    ),
    Claim(
        id="wilkins2024.secA3.M=",
        source=printed(_A3),
        title="The rows at tau are (0, 1 - p^a)-DP",
        statement=r"\mathrm{TV}(M_=(X),M_=(X_{-j}))=1-p^{a_=}",
        kind=Identity(_released, _variation),
        domain=Box(
            (
                Parameter("a_equal", "rows at the threshold", unit="rows", upper=1000, integer=True, log=True),
                Parameter("gap", "tau* - tau", unit="counts", lower=-50, upper=50),
                Parameter("sigma", SIGMA.description, unit="counts", lower="1/2", upper=1000, log=True),
            )
        ),
        note="Loose: the true trade-off in one order is p^a (1 - alpha) (wilkins2024.sec7.true_tradeoff).",
    ),
    Claim(
        id="wilkins2024.lemA.3",
        source=printed("Lemma A.3", "(A.17)"),
        title="Composition with a (0, delta)-DP mechanism",
        statement=r"T\ge g,\quad g(\alpha)=(1-\delta)f(\alpha/(1-\delta))\text{ on }[0,1-\delta],\ 0\text{ beyond}",
        kind=FiniteStatement(
            cases=composable,
            holds=holds_a3,
            sizes={"quick": 3, "standard": 4, "deep": 6},
            size_text="denominator of the laws on 2 outcomes",
        ),
        assumptions=("delta < 1",),
        note="f is the exact trade-off function of the first pair, delta the total variation of the second.",
    ),
    Claim(
        id="wilkins2024.lemA.4",
        source=printed("Lemma A.4"),
        title="Conjugate of the Gaussian trade-off function",
        statement=r"f_\mu^*(y)=y\Phi(-\mu/2-\log(-y)/\mu)-\Phi(-\mu/2+\log(-y)/\mu),\quad y<0",
        kind=Inequality(
            _objective,
            _conjugate_of_z,
            proof=Substitute(
                Box((Parameter("shift", "z less the best z", lower="-infinity"), _LEVEL, _MU)),
                {"shift": lambda A, *, z, level, mu: z - level / mu - mu / 2},
                Split(
                    "shift",
                    0,
                    Derivative("shift", "upper", Product((Part(_density_at_shift), Part(_decline)))),
                    Derivative("shift", "lower", Product((Part(_density_at_shift), Part(_growth)))),
                ),
                _objective_from_best,
                _conjugate,
            ),
        ),
        domain=Box((_Z, _LEVEL, _MU)),
        assumptions=("y < 0",),
        note="For every test z the objective y alpha - f(alpha) is at most the stated value, which it attains at "
        "z = log(-y)/mu + mu/2.",
    ),
    Claim(
        id="wilkins2024.lemA.4.positive",
        source=ours("Lemma A.4"),
        title="Conjugate at y >= 0, which Lemma A.4 leaves out",
        statement=r"f_\mu^*(y)=y,\quad y\ge0",
        kind=Inequality(_objective_positive, _y, proof=Sign()),
        domain=Box((_Z, Parameter("y", "argument of the conjugate", upper=1000), _MU)),
        note="The printed formula takes log(-y) and says nothing of y >= 0.",
    ),
    Claim(
        id="wilkins2024.lemA.5",
        source=printed("Lemma A.5"),
        title="From f-DP to (epsilon, delta)",
        statement=r"\delta=1+f^*(-e^{\epsilon})",
        kind=FiniteStatement(
            cases=with_ratio,
            holds=holds_a5,
            sizes={"quick": 4, "standard": 6, "deep": 8},
            size_text="denominator of the laws on 3 outcomes",
        ),
        note="For the trade-off function of the pair itself the delta is its hockey stick exactly, any real epsilon.",
    ),
    Claim(
        id="wilkins2024.lemA.5.gaussian",
        source=ours("Lemma A.5"),
        title="Lemma A.5 gives the Gaussian profile",
        statement=r"1+f_\mu^*(-e^{\epsilon})=f(\mu,\epsilon)",
        kind=Identity(_profile_by_conjugate, _profile, proof=Symbolic()),
        domain=Box((EPSILON_REAL, _MU)),
    ),
    Claim(
        id="wilkins2024.lemA.6",
        source=printed("Lemma A.6"),
        title="Conjugate of the composed trade-off function",
        statement=r"g^*(y)=\max\{(1-\delta)f^*(y),\ y\}",
        kind=FiniteStatement(
            cases=cases_a6,
            holds=holds_a6,
            sizes={"quick": 4, "standard": 6, "deep": 12},
            size_text="denominator of the laws on 2 outcomes",
        ),
        assumptions=("f(1) = 0, as for every trade-off function",),
    ),
    Claim(
        id="wilkins2024.lemA.6.step",
        source=printed("Proof of Lemma A.6"),
        title="A supremum in the proof of Lemma A.6, as printed",
        statement=r"\sup_{\alpha\in(1-\delta,1]}y\alpha=y",
        kind=Identity(_supremum, _supremum_printed),
        domain=_SUPREMUM_DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.lemA.6.step.corrected",
        note="For y < 0, the only case used, the supremum is (1 - delta) y.",
    ),
    Claim(
        id="wilkins2024.lemA.6.step.corrected",
        source=ours("Proof of Lemma A.6"),
        title="The supremum does not change the conjugate",
        statement=r"\sup_{\alpha\in(1-\delta,1]}y\alpha=\max(y,(1-\delta)y)\le\max\{(1-\delta)f_\mu^*(y),y\},\ y<0",
        kind=Inequality(
            _supremum_at,
            _conjugate_of_composition,
            proof=Through(
                _scaled_conjugate,
                Product(
                    (
                        Part(lambda A, *, level, delta, mu: (1 - delta) * A.exp(level)),
                        Part(
                            lambda A, *, level, delta, mu: gaussian_profile(A, -level, mu),
                            ByClaim("wilkins2024.thm2.2.positive", {"epsilon": lambda A, *, level, **_rest: -level}),
                        ),
                    )
                ),
                Symbolic(),
            ),
        ),
        domain=Box((_LEVEL, _DELTA_PART, _MU)),
    ),
    Claim(
        id="wilkins2024.lemA.7",
        source=printed("Lemma A.7"),
        title="Gaussian DP composed with (0, delta)-DP",
        statement=r"\delta^*=\delta+(1-\delta)f(\mu,\epsilon)",
        kind=DeltaBound(
            formula=composed_delta,
            oracle=composed_by_quadrature,
            oracle_points=(
                _lemma_point("1", "1/10", "1"),
                _lemma_point("0", "1/3", "1/2"),
                _lemma_point("3", "0", "2"),
            ),
        ),
        domain=Box((EPSILON, _DELTA_PART, MU)),
        role=Role.UPPER,
        note="Printed for epsilon > 0; epsilon = 0 holds too and Theorem 7.1 needs it. The last display calls "
        "delta* delta.",
        points=(_lemma_point("1", "1/10", "1"), _lemma_point("700", "1e-300", "1")),
    ),
    Claim(
        id="wilkins2024.lemA.7.zero",
        source=ours("Lemma A.7"),
        title="The dropped branch 1 - e^epsilon never wins, at any real epsilon",
        statement=r"1-e^{\epsilon}\le\delta+(1-\delta)f(\mu,\epsilon)",
        kind=Inequality(
            _dropped_branch,
            composed_delta,
            proof=Sum(
                (
                    Part(
                        lambda A, *, epsilon, delta, mu: (
                            (1 - delta) * A.exp(epsilon) * gaussian_profile(A, -epsilon, mu)
                        ),
                        Product(
                            (
                                Part(lambda A, *, epsilon, delta, mu: (1 - delta) * A.exp(epsilon)),
                                Part(
                                    lambda A, *, epsilon, delta, mu: gaussian_profile(A, -epsilon, mu),
                                    ByClaim(
                                        "wilkins2024.thm2.2.positive",
                                        {"epsilon": lambda A, *, epsilon, **_rest: -epsilon},
                                    ),
                                ),
                            )
                        ),
                    ),
                    Part(lambda A, *, epsilon, delta, mu: delta * A.exp(epsilon)),
                )
            ),
        ),
        domain=Box((EPSILON_REAL, _DELTA_PART, MU)),
        note="Printed for epsilon > 0, where 1 - e^epsilon <= 0 < f.",
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="wilkins2024.lemA.7.cor",
        source=printed("Lemma A.7"),
        title="(epsilon, delta_2)-DP composed with (0, delta)-DP",
        statement=r"(\epsilon,\ \delta+(1-\delta)\delta_2)\text{-DP}",
        kind=FiniteStatement(
            cases=cases_a7,
            holds=holds_a7,
            sizes={"quick": 3, "standard": 4, "deep": 6},
            size_text="denominator of the laws on 2 outcomes",
        ),
        note="Any first mechanism, Gaussian or not. The epsilon_2 of this lemma is not that of Lemma 5.2.",
    ),
    Claim(
        id="wilkins2024.secA3.H",
        source=printed(_A3),
        title="Misprints around the groups H",
        statement=r"\text{" '"' r"Thus }H_=\text{ be the groups" '"' r", " '"' r"the groups in }H_>\text{" '"' r"}",
        kind=Editorial(
            printed='"Thus H_= be the groups", "the groups in H_>"',
            corrected='"Let H_= be the groups", "the groups in H_+"',
            reason="misprints; H_> is introduced as H_+",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
    Claim(
        id="wilkins2024.secA3.max",
        source=printed(_A3),
        title="Pointwise minimum of trade-offs is the maximum of deltas",
        statement=r"1+(\min_if_i)^*(-e^{\epsilon})=\max_i\delta_i(\epsilon)",
        kind=FiniteStatement(
            cases=cases_max,
            holds=holds_max,
            sizes={"quick": 3, "standard": 4, "deep": 6},
            size_text="denominator of the laws on 2 outcomes",
        ),
    ),
)
