"""What can be claimed of somebody's mechanism: every kind is read as levels that whoever keeps the claim keeps."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from auditor.engine.registry import registry
from auditor.errors import UsageError
from auditor.mechanism_audit.promise import Stated, promise_of_claim, promise_of_numbers
from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, ReplaceUser
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

pytestmark = pytest.mark.usefixtures("verdict_alone")

ONE_MORE = {"left": {"NY": 4}, "right": {"NY": 3}}


def promise(**numbers):
    """What is stated of users of one key."""
    return promise_of_numbers(Stated(**numbers), AddRemoveUser(c_u=1), (), None)


class Gaussian:
    """Gaussian noise of scale 1 on every count: 1-GDP, 1/2-zCDP for users of one key, and nothing less.

    On a grid: the last bits of a double would tell the count (Mironov 2012), and do so in 15,163 releases per dataset.
    """

    def release_many(self, histogram, n, rng):
        counts = np.array(list(histogram.values()), dtype=float)
        return tuple(histogram), counts + np.round(rng.standard_normal((n, len(counts))) * 2**20) / 2**20


def gaussian_delta(epsilon, mu=1.0):
    """Balle and Wang 2018, Theorem 8."""
    return float(norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))


def test_what_the_neighbour_never_shows_is_held_to_what_is_approximate_about_a_claim():
    """A finite divergence allows no such event: a pure concentrated or Gaussian claim bounds it by next to nothing."""
    assert promise(epsilon="1", delta="1e-3").never.delta == 1e-3
    assert promise(rho="1/2").never.delta < 1e-60
    assert promise(mu="1").never.delta < 1e-60
    assert promise(rho="1/2", delta="1e-3").never.delta == pytest.approx(1e-3, rel=1e-12)
    assert 600 < promise(rho="600").never.epsilon <= 700
    assert promise(privacy_profile=lambda epsilon: Fraction(1, 3) if epsilon <= 1 else 0).never.delta == 0.0


def test_levels_are_those_of_the_exact_profile_rounded_up():
    """mu-GDP and rho-zCDP, the latter never below the Gaussian mechanism that is exactly rho-zCDP."""
    for level in promise(mu="1").levels:
        assert level.delta == pytest.approx(gaussian_delta(level.epsilon), rel=1e-6)
    for level in promise(rho="1/2").levels:
        assert level.delta > gaussian_delta(level.epsilon)
    pure, approximate_too = promise(rho="1/2").levels, promise(rho="1/2", delta="1e-3").levels
    assert pure[0].epsilon == 0.0
    for exact, approximate in zip(pure[1:], approximate_too[1:], strict=True):
        assert exact.epsilon == approximate.epsilon
        assert approximate.delta == pytest.approx(exact.delta + (1 - exact.delta) * 1e-3, rel=1e-12)


def test_a_profile_is_asked_and_rounded_up():
    """What it returns is taken exactly: a third is no double."""
    levels = promise(privacy_profile=lambda epsilon: Fraction(1, 3) if epsilon <= 1 else 0).levels
    assert [level.delta for level in levels if level.epsilon <= 1] == [math.nextafter(1 / 3, 1)] * 4
    assert [level.delta for level in levels if level.epsilon > 1] == [0.0] * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({}, "expected one of --epsilon E"),
        ({"delta": "1e-3"}, "expected one of --epsilon E"),
        ({"rho": "1", "mu": "1"}, "expected one of --epsilon E"),
        ({"rho": "0"}, "--rho R > 0"),
        ({"mu": "-1"}, "mu >= 0, got mu=-1"),
        ({"epsilon": "701"}, "0 <= epsilon <= 700"),
        ({"epsilon": "1", "delta": "1"}, "0 <= delta < 1"),
        ({"privacy_profile": lambda epsilon: epsilon / 100}, "never rises"),
        ({"privacy_profile": lambda epsilon: 2}, r"delta in \[0, 1\]"),
        ({"privacy_profile": lambda epsilon: math.nan}, r"delta in \[0, 1\].*returns nan"),
        ({"privacy_profile": lambda level: 0}, "unexpected keyword argument"),
        ({"privacy_profile": lambda epsilon: 1}, "promises nothing that can be refuted"),
    ],
)
def test_what_claims_nothing_is_refused(numbers, words):
    """In one line, with what is allowed."""
    with pytest.raises(UsageError, match=words):
        promise(**numbers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kept", "broken"),
    [
        ({"mu": "1"}, {"mu": "4/5"}),
        ({"rho": "1/2"}, {"rho": "1/5"}),
        ({"epsilon": "1", "delta": "0.127"}, {"epsilon": "1"}),
    ],
    ids=["mu", "rho", "epsilon"],
)
def test_every_kind_of_claim_is_audited(kept, broken):
    """Gaussian noise keeps its own numbers, and is refuted against smaller ones: by counting."""
    options = {"pair": ONE_MORE, "samples": 10_000, "alpha": "1e-9", "detect": "2x", "steer": False}
    refuted, silent = (audit_mechanism(Gaussian(), **numbers, **options) for numbers in (broken, kept))
    assert refuted.verdict is Verdict.REFUTED, refuted.detail
    assert silent.verdict is not Verdict.REFUTED, silent.detail
    assert {*refuted.to_json()} >= {*broken} - {"epsilon"}


ANSWERS = {"a": 3, "b": 2}


@pytest.mark.parametrize(
    ("relation", "right", "allowed"),
    [
        (ReplaceUser(), {"a": 2, "b": 3}, True),
        (ReplaceUser(), {"a": 2, "b": 2}, False),
        (ReplaceUser(c_u=2), {"a": 2, "b": 2, "c": 1, "d": 1}, True),
        (ReplaceUser(c_u=2), {"a": 1, "b": 3}, False),
        (ReplaceUser(c_u=1, per_key=2), {"a": 1, "b": 4}, True),
        (EachAnswer(2), {"a": 2, "b": 3}, True),
        (EachAnswer(2), {"a": 4, "b": 3}, True),
        (EachAnswer(1), {"a": 4, "b": 3}, False),
        (EachAnswer(2), {"a": 5, "b": 2}, False),
        (EachAnswer(2), ANSWERS, False),
    ],
)
def test_relations_know_their_neighbours(relation, right, allowed):
    """Replaced users and answers that move."""
    if allowed:
        relation.check(ANSWERS, right)
        return
    with pytest.raises(ValueError, match="got changes"):
        relation.check(ANSWERS, right)


@pytest.mark.slow
def test_a_pair_of_another_relation_is_found_by_its_name():
    """The sum of two counts does not change when a user moves, one of them does."""

    def first(histogram, rng):
        return min(histogram.values(), default=0) + rng.laplace(scale=0.5)

    audit = audit_mechanism(first, epsilon="1", adjacency="each-answer", c_u=2, alpha="1e-9", samples=20_000)
    assert audit.verdict is Verdict.REFUTED
    EachAnswer(2).check(audit.pair.left, audit.pair.right)
    moved = audit_mechanism(
        lambda histogram, rng: sum(histogram.values()), epsilon="1", adjacency="replace", samples=2000
    )
    assert moved.verdict is not Verdict.REFUTED, moved.detail


@pytest.mark.slow
def test_all_that_one_user_may_have_is_tried():
    """Noise for one unit where a user may have five."""

    def release(histogram, rng):
        return {key: count + rng.laplace() for key, count in histogram.items() if count + rng.laplace() > 8}

    audit = audit_mechanism(release, epsilon="1", delta="0.02", per_key=5, alpha="1e-9", samples=4000)
    assert audit.verdict is Verdict.REFUTED, audit.detail


@pytest.mark.parametrize("rho", ["1/100", "0.3", "1/2"])
def test_a_rho_claim_bounds_the_total_variation_by_pinsker(rho):
    """Above that of the Gaussian mechanism, and below that of Renyi orders alone."""
    exact = promise(mu=str(math.sqrt(2 * Fraction(rho)))).levels[0].delta
    assert exact < promise(rho=rho).levels[0].delta == pytest.approx(math.sqrt(Fraction(rho) / 2), rel=1e-12)
    approximate = promise(rho=rho, delta="1e-3").levels[0].delta
    assert approximate == pytest.approx(math.sqrt(Fraction(rho) / 2) + 1e-3, rel=1e-9)
    assert promise(rho="600").levels[0].delta < 1


def test_randomised_response_exceeds_a_rho_below_its_divergence():
    """At epsilon 1 its total variation is .462, and rho = .3 allows .387."""
    assert promise(rho="0.3").levels[0].delta < (math.e - 1) / (math.e + 1) < promise(rho="1/2").levels[0].delta


def test_pairs_of_a_claim_that_are_no_neighbours_are_refused():
    """Releases of such a pair could refute a right mechanism."""
    claim = registry().claim("wilkins2024.thm5.4")
    far = Neighbours("far", {"a": 3}, {"a": 1}, "a count that changes by two")
    privacy = replace(claim.privacy, worst_cases=lambda _parameters: (far,))
    parameters = {"epsilon": 1, "c_u": 1, "sigma": 2, "gap": 3, "mu_o": 0}
    with pytest.raises(
        UsageError, match=r"declares the pair far.*change by at most 1.*correct worst_cases or adjacency"
    ):
        promise_of_claim(replace(claim, privacy=privacy), parameters)
