"""White box: agreement down to 1e-12 for right mechanisms, and the right culprit for whatever is off."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from auditor.checks.white_box import NAME, Culprit, Range, Statements, cases, check_white_box, disagreement, epsilon_for
from auditor.engine.registry import registry
from auditor.profile import PROFILES
from auditor.statistics.error_budget import level
from mechanisms.baselines import analytic_gaussian
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM as SPARSE
from mechanisms.laws.privacy_loss import GaussianLoss
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import context
from tests.mechanisms.variants import with_pairs

BOTH = tuple(Direction)


def around(value: str, width: str = "0.01") -> Range:
    """An interval of relative half-width `width`."""
    middle, margin = Fraction(value), Fraction(width)
    return Range(middle * (1 - margin), middle * (1 + margin))


AGREED = Statements(claimed=around("0.1", "0"), tilted=around("0.1"), exact=around("0.1", "1e-12"))


@pytest.mark.parametrize(
    ("said", "culprits"),
    [
        (AGREED, []),
        (replace(AGREED, exact=None), []),
        (replace(AGREED, lower=Fraction("0.099")), []),
        (replace(AGREED, claimed=around("0.2", "0")), []),
        (replace(AGREED, claimed=around("0.09", "0")), [Culprit.THEOREM]),
        (replace(AGREED, claimed=around("0.09", "0"), exact=None), [Culprit.THEOREM]),
        (replace(AGREED, tilted=around("0.12")), [Culprit.NUMERICS]),
        (replace(AGREED, exact=around("0.08")), [Culprit.NUMERICS]),
        (replace(AGREED, lower=Fraction("0.102")), [Culprit.SAMPLER]),
        (replace(AGREED, reported={"a": (Fraction("0.09"), Fraction(0))}), [Culprit.ACCOUNTANT]),
        (replace(AGREED, reported={"a": (Fraction("0.11"), Fraction(0))}), []),
        (replace(AGREED, reported={"a": (Fraction("0.0999999"), Fraction("1e-5"))}), []),
        (replace(AGREED, claimed=around("0.09", "0"), lower=Fraction("0.2")), [Culprit.THEOREM, Culprit.SAMPLER]),
    ],
)
def test_each_contradiction_has_its_culprit(said, culprits):
    """One statement moved at a time: what is named is what was moved."""
    assert [wrong.culprit for wrong in disagreement(said)] == culprits


def test_releases_say_which_of_two_descriptions_is_wrong():
    """A profile below the tilted losses that releases exceed is a wrong formula; the other way round a wrong loss."""
    (formula,) = disagreement(replace(AGREED, exact=around("0.05"), lower=Fraction("0.07")))
    (loss,) = disagreement(replace(AGREED, tilted=around("0.05"), lower=Fraction("0.07")))
    assert "profile's formula" in formula.why
    assert "declared loss" in loss.why


@pytest.mark.parametrize("target", [1e-1, 1e-6, 1e-12])
def test_epsilons_are_where_the_chernoff_bound_meets_the_target(target):
    """The exact finite part is at most the target, and not far below."""
    loss = GaussianLoss(0.5)
    epsilon = epsilon_for(loss, target)
    from proofs_numeric.arithmetic import MpReal
    from proofs_numeric.arithmetic.special import gaussian_profile

    with MpReal(30) as A:
        exact = float(gaussian_profile(A, A.number(epsilon), A.number("0.5")))
    assert target / 50 < exact <= target


def whole():
    """A quick context over everything registered."""
    catalogue = registry()
    return replace(context(), registry=catalogue)


@pytest.mark.slow
@pytest.mark.parametrize("spec", [SPARSE, analytic_gaussian.MECHANISM], ids=lambda spec: spec.id)
def test_reference_mechanisms_agree_down_to_1e_12(spec):
    """Theorem, accountant, ball, tilted losses and releases tell one story."""
    (found,) = check_white_box(spec, whole())
    assert found.verdict is Verdict.CONSISTENT, found.headline
    tilted = [e for e in found.evidence if e.method.startswith("tilted")]
    assert min(float(e.delta_upper) for e in tilted if float(e.delta_lower) > 0) < 1e-12
    assert all(float(e.delta_lower) <= float(e.delta_exact.value) <= float(e.delta_upper) for e in tilted)


@pytest.mark.slow
def test_the_levels_of_a_check_sum_to_its_share():
    """Tilted intervals and releases together spend a third of the subject's share, not more."""
    (found,) = check_white_box(analytic_gaussian.MECHANISM, whole())
    spent = sum(Fraction(e.level) for e in found.evidence)
    share = level(Fraction(1, 10**6), "mechanisms", 3 * len(registry().mechanisms))
    assert share * Fraction(99, 100) < spent <= share * Fraction(101, 100)


def moved(**change):
    """The Gaussian mechanism with its one pair, or itself, changed."""
    spec = analytic_gaussian.MECHANISM
    pair_fields = {name: value for name, value in change.items() if name in {"loss", "profile"}}
    rest = {name: value for name, value in change.items() if name not in pair_fields}
    return with_pairs(spec, [replace(spec.pairs(spec.parameters)[0], **pair_fields)], **rest)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "culprit"),
    [
        (moved(loss=partial(analytic_gaussian.loss, mu="1.1")), "numerics"),
        (moved(profile=partial(analytic_gaussian.profile, mu="0.9")), "numerics"),
        (moved(build=lambda mu: analytic_gaussian.build(mu=2 * mu)), "sampler"),
        (
            moved(
                loss=partial(analytic_gaussian.loss, mu="1.05"),
                profile=partial(analytic_gaussian.profile, mu="1.05"),
                build=lambda mu: analytic_gaussian.build(mu="1.05"),
            ),
            "theorem",
        ),
    ],
    ids=["loss", "profile", "sampler", "theorem"],
)
def test_what_is_off_is_named(spec, culprit):
    """A tenth off in one place is refuted, with that place in the headline."""
    (found,) = check_white_box(spec, whole())
    assert found.verdict is Verdict.REFUTED
    assert found.headline.startswith(f"off: {culprit};")


@pytest.mark.slow
def test_an_accountant_that_under_reports_is_named():
    """The library's own accountant, swapped for one that forgets a fifth of delta."""
    catalogue = registry()
    name = "reference.analytic_gaussian.delta"
    wrong = replace(catalogue.accountants[name], function="tests.auditor.checks.test_white_box:forgets_a_fifth")
    changed = replace(whole(), registry=replace(catalogue, accountants={name: wrong}))
    (found,) = check_white_box(analytic_gaussian.MECHANISM, changed)
    assert found.headline.startswith("off: accountant;")


def forgets_a_fifth(epsilon: float, mu: float) -> float:
    """Four fifths of the Gaussian mechanism's delta."""
    from mechanisms.baselines.analytic_gaussian_accountant import delta

    return 0.8 * delta(epsilon, mu=mu)


def test_pairs_without_a_loss_are_not_applicable():
    """Silence where nothing is declared is said, not passed."""
    assert not cases([replace(SPARSE.pairs(SPARSE.parameters)[0], loss=None)], BOTH, PROFILES["quick"])
    (found,) = check_white_box(moved(loss=None), whole())
    assert found.verdict is Verdict.NOT_APPLICABLE
    assert found.check == NAME
