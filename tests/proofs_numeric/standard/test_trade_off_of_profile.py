"""Power from a profile: where another closed form is known it is that, and no test is better than a line allows."""

from fractions import Fraction

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.engine.registry import registry
from auditor.front.accountants import accountant_request
from proofs_numeric.arithmetic import Ball, MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard import composition, trade_off
from proofs_numeric.standard import trade_off_of_profile as of_profile
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.verdict import Verdict
from proofs_numeric.thresholds.integer import discrete_gaussian_tail
from proofs_numeric.thresholds.laplace import discrete_laplace_tail

POWERS = {claim.id.removeprefix("standard.power."): claim.kind.formula for claim in of_profile.CLAIMS}
LEVELS = ("1e-15", "1e-6", "0.05", "1/2", "0.99", "0.999999")
SAME = {
    "laplace.composition": (trade_off.laplace_power, {"scale": Fraction(3)}),
    "discrete_laplace.composition": (
        trade_off.integer_power("scale", discrete_laplace_tail),
        {"scale": Fraction(2), "sensitivity": 3},
    ),
    "discrete_gaussian.composition": (
        trade_off.integer_power("sigma", discrete_gaussian_tail),
        {"sigma": Fraction(2), "sensitivity": 3},
    ),
    "composition.homogeneous": (
        lambda A, *, alpha, epsilon_0, delta_0: trade_off.response_power(
            A, alpha=alpha, epsilon_0=epsilon_0, categories=2 + delta_0
        ),
        {"epsilon_0": Fraction(1, 2), "delta_0": 0},
    ),
    "bounded_range.composition": (trade_off.range_power, {"eta": Fraction(2)}),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", SAME)
def test_of_one_release_it_is_the_closed_form(name, level):
    """Neyman and Pearson's test of each, whose code knows no profile, to 18 digits."""
    closed, point = SAME[name]
    level = Fraction(level)
    one = enclose(closed, {**point, "alpha": level}, 25)
    found = enclose(POWERS[name], {**point, "alpha": level, "k": 1}, 20)
    assert max(one.upper, found.upper) - min(one.lower, found.lower) <= one.upper / 10**18


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("sigma", "k"), [("0.2", 1), ("30", 7)])
def test_of_gaussian_releases_it_is_the_normal_power(level, sigma, k):
    """A smooth profile, at powers next to 1 and levels next to 0."""
    power = of_profile.of_profile(of_profile.alike(composition.gaussian))
    point = {"alpha": Fraction(level), "sigma": Fraction(sigma), "k": k}
    one, found = (enclose(formula, point, 20) for formula in (trade_off.gaussian_power, power))
    assert max(one.upper, found.upper) - min(one.lower, found.lower) <= one.upper / 10**18


def test_all_records_sampled_are_the_gaussian_mechanism():
    """Both orders are one at rate 1; at half of it, rejecting at random does what the closed form says."""
    for rate in (Fraction(1), Fraction(1, 2)):
        point = {"alpha": Fraction(1, 100), "sigma": Fraction(2), "rate": rate}
        normal = enclose(trade_off.gaussian_power, {"alpha": point["alpha"], "sigma": point["sigma"], "k": 1}, 25)
        removed = enclose(of_profile.removed_power, point, 20)
        mixed = rate * normal.lower + (1 - rate) * point["alpha"]
        assert abs(removed.lower - mixed) <= Fraction(1, 10**18)
        assert enclose(POWERS["subsampled_gaussian"], point, 20).upper >= removed.lower


@pytest.mark.parametrize("bits", [64, 96, 200])
def test_a_profile_of_few_digits_leaves_a_wide_enclosure_and_a_true_one(bits):
    """Every value of the profile widened by a millionth of it."""
    with Ball(bits) as ball:
        point = {"sigma": ball.number(1), "k": 1}
        wide = ball.number(1) + ball.number(0).union(ball.number(Fraction(1, 10**6)))

        def profile(epsilon):
            return composition.gaussian(ball, epsilon=epsilon, **point) * wide

        found = of_profile.power(of_profile.both_signs(profile, profile), ball.number(Fraction(1, 100)), bits // 2)
        exact = trade_off.gaussian_power(ball, alpha=ball.number(Fraction(1, 100)), **point)
        assert found.overlaps(exact)
        assert 5 < found.rel_accuracy_bits() < 30


@pytest.mark.parametrize("level", ["1e-15", "0.3"])
def test_a_smooth_profile_is_asked_at_few_points(level):
    """Sixty digits, each point a tenth of a second where steps are many; chords alone would take a hundred."""
    with Ball(400) as ball:
        point = {"alpha": ball.number(Fraction(level)), "sigma": ball.number(2), "k": 7}
        asked = []

        def profile(epsilon):
            asked.append(epsilon)
            return composition.gaussian(ball, epsilon=epsilon, sigma=point["sigma"], k=point["k"])

        def rough(epsilon):
            return composition.gaussian(Ball(48), epsilon=epsilon, sigma=point["sigma"], k=point["k"])

        profile, rough = (of_profile.both_signs(one, one) for one in (profile, rough))
        found = of_profile.power(profile, point["alpha"], 200, rough)
        assert found.overlaps(trade_off.gaussian_power(ball, **point))
        assert found.rel_accuracy_bits() > 195
        assert len(asked) < 30


@pytest.mark.slow
def test_one_of_many_steps_is_one_step():
    """By inversion of the moments, and from the closed form, at a power that the added record decides."""
    point = {"alpha": Fraction(1, 2), "sigma": Fraction(6), "rate": Fraction(3, 4)}
    one = enclose(POWERS["subsampled_gaussian"], point, 20)
    many = enclose(POWERS["subsampled_gaussian.composition"], {**point, "k": 1}, 12)
    assert max(one.upper, many.upper) - min(one.lower, many.lower) <= Fraction(1, 10**12)


def test_all_pairs_of_a_range_have_more_power_than_the_best_of_them():
    """Where the worst pair changes with epsilon; elsewhere both are one."""
    apart = {"alpha": Fraction(3, 10), "eta": Fraction(1), "k": 4}
    together = {"alpha": Fraction(1, 1000), "eta": Fraction(1, 10), "k": 9}
    for point, least, most in ((apart, Fraction(8, 10**4), Fraction(9, 10**4)), (together, 0, Fraction(1, 10**18))):
        best, all_of_them = (
            enclose(f, point, 20) for f in (of_profile.range_power, POWERS["bounded_range.composition"])
        )
        gap = all_of_them.lower / best.upper - 1
        assert -Fraction(1, 10**18) <= gap - least <= most - least


@pytest.mark.parametrize("level", ["1e-6", "0.05", "0.7"])
def test_power_against_what_another_claim_says_the_delta_of(level):
    """Pairs of two kinds, by every pair of answers: the composition of both is worst at every epsilon."""
    claim = of_profile.power_of(registry().claims["standard.composition.heterogeneous"], attained=True)
    kinds = {"epsilon_0": "0.5", "delta_0": "1e-3", "epsilon_1": "0.2", "delta_1": "0.01"}
    point = claim.domain.parse({"alpha": level, **kinds})
    found = enclose(claim.formula, point, 15)
    brute = float(registry().claims["standard.power.composition.heterogeneous"].kind.oracle(MpReal(30), **point))
    assert float(found.lower) == pytest.approx(brute, rel=1e-13)
    assert (claim.role, claim.falls) == (Role.EXACT, ())


def test_a_power_that_is_nobodys_is_a_bound_from_above():
    """A threshold and one new key: the worst pair's own power is no larger, and equal where one order is worst."""
    claim = of_profile.power_of(registry().claims["standard.partition_selection.keep"], attained=False)
    assert claim.role is Role.UPPER
    for level in ("1e-3", "0.3", "0.9"):
        point = claim.domain.parse({"alpha": level, "keep": "0.2", "keep_next": "0.4"})
        bound, alpha = float(enclose(claim.formula, point, 15).upper), float(level)
        more = min(2 * alpha, 0.4 + (alpha - 0.2) * 0.75 if alpha > 0.2 else 1)
        fewer = alpha * 0.8 / 0.6 if alpha < 0.6 else 0.8 + (alpha - 0.6) / 2
        assert bound >= max(more, fewer) * (1 - 1e-12)
        assert level != "1e-3" or bound == pytest.approx(more)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("standard.zcdp", "exact delta"),
        ("standard.power.gaussian", "exact delta"),
        ("rogers2024.thm9.T", "exact delta"),
    ],
)
def test_power_is_of_an_exact_delta_alone(name, words):
    """A conversion's bound is no profile of anything: its conjugate bounds nothing from below."""
    with pytest.raises(ValueError, match=words):
        of_profile.power_of(registry().claims[name], attained=True)


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "verdict"), [(1, Verdict.CONSISTENT), (2, Verdict.REFUTED)])
def test_an_accountant_is_judged_by_it(tmp_path, factor, verdict):
    """A claim in a file of its user's: the normal power is right, that of one release for two is not."""
    path = tmp_path / "powers.py"
    path.write_text(
        f"""from statistics import NormalDist

from auditor.engine.registry import registry
from proofs_numeric.standard.trade_off_of_profile import power_of

POWER = power_of(registry().claims["standard.gaussian.composition"], attained=True)


def power(alpha, sigma, k):
    return NormalDist().cdf(NormalDist().inv_cdf(alpha) + (k / {factor}) ** 0.5 / sigma)
""",
        encoding="utf-8",
    )
    options = {"box": {"alpha": ("1e-3", "0.5"), "sigma": ("1", "5"), "k": ("2", "9")}, "tolerance": "1e-9"}
    request = accountant_request(f"{path}:power", f"{path}:POWER", **options, max_examples=15)
    assert audit_accountant(request).verdict is verdict
