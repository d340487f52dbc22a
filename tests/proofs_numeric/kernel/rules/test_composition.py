"""Attacks on what the kernel says of steps chosen as one goes: the bound within two budgets closes, nothing near it."""

import itertools
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from auditor.checks.formula_mutation import formula_mutants
from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball, MpReal
from proofs_numeric.arithmetic.special import gaussian_profile, integral, normal_cdf, normal_pdf
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.kinds import FiniteStatement, Inequality
from proofs_numeric.statements.tactics import ByClaim, Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import over, refusals

KNOWN = dict(registry().claims)
FILTER, RELEASES = KNOWN["wilkins2024.composition.filter"], KNOWN["wilkins2024.composition.adaptive"]
SUMS = KNOWN["wilkins2024.thm4.1"], KNOWN["wilkins2024.cor5.4.1.ub"]
ABOVE = [KNOWN[f"wilkins2024.lem5.3.{name}"] for name in ("ub2.any", "ub3.any", "ub2.two", "ub3.two")]
BOUND, PROOF = FILTER.kind.formula, FILTER.kind.proof


def said(claim, formula=None, *, proof=None, **budgets):
    """The claim with another bound, proof or budgets."""
    kind = replace(claim.kind, formula=formula or claim.kind.formula, proof=proof or claim.kind.proof)
    return replace(claim, kind=replace(kind, budgets=replace(kind.budgets, **budgets)))


def everywhere(formula):
    """That formula in the claim and in the induction: wrong from the start, not at the end."""
    return said(FILTER, formula, proof=replace(PROOF, within=formula))


def forgetful(claim, **values):
    """The claim with a bound that has parameters at other values: one that forgets them."""
    return said(claim, lambda A, **at: claim.kind.formula(A, **{**at, **values}))


def noise_alone(A, *, epsilon, mu, **_rest):
    """As if no row were at its threshold."""
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


threshold_alone = lambda A, *, loss, **_rest: -A.expm1(-A.number(loss))  # as if all rows were
maximum = lambda A, **at: A.maximum(threshold_alone(A, **at), noise_alone(A, **at))  # the maximum rule


def at_a_raised_level(A, *, epsilon, loss, mu):
    """One order of one release alone."""
    return threshold_alone(A, loss=loss) + A.exp(-A.number(loss)) * noise_alone(A, epsilon=epsilon + loss, mu=mu)


WRONG = {
    "the maximum rule": said(FILTER, maximum),
    "the maximum rule in the induction": everywhere(maximum),
    "the noise alone": said(FILTER, noise_alone),
    "the noise alone in the induction": everywhere(noise_alone),
    "the threshold alone": said(FILTER, threshold_alone),
    "the threshold alone in the induction": everywhere(threshold_alone),
    "the user on one side alone": said(FILTER, at_a_raised_level),
    "the user on one side alone in the induction": everywhere(at_a_raised_level),
    "a little less": said(FILTER, lambda A, **at: BOUND(A, **at) * (1 - A.number("1e-9"))),
    "a little less in the induction": everywhere(lambda A, **at: BOUND(A, **at) * (1 - A.number("1e-9"))),
    "at a larger level": said(FILTER, lambda A, *, epsilon, **at: BOUND(A, epsilon=A.number(epsilon) + 1, **at)),
    "of half of the losses": said(FILTER, lambda A, *, loss, **at: BOUND(A, loss=A.number(loss) / 2, **at)),
    "of the square's half": said(FILTER, lambda A, *, mu, **at: BOUND(A, mu=A.number(mu) / 2, **at)),
    "more losses than the bound knows": said(FILTER, loss=lambda A, *, loss, **_rest: 2 * A.number(loss)),
    "more squares than the bound knows": said(FILTER, square=lambda A, *, mu, **_rest: 2 * A.number(mu) ** 2),
    "a negative budget": said(FILTER, loss=lambda A, *, loss, **_rest: -A.number(loss)),
    "no square": said(FILTER, square=lambda A, **_rest: A.number(0)),
    "losses from below zero on": over(FILTER, "loss", lower=-1),
    "distances from zero on": over(FILTER, "mu", lower=0),
    "no level": replace(said(FILTER, partial(BOUND)), domain=Box(FILTER.domain.parameters[1:])),
    "under a constraint": replace(FILTER, domain=replace(FILTER.domain, constraint=lambda **_at: True)),
    "that it is exact": replace(FILTER, role=Role.EXACT),
    "that it is a lower bound": replace(FILTER, role=Role.LOWER),
    "by a tactic of comparisons": said(FILTER, proof=Symbolic()),
    "by a weight below zero": said(FILTER, proof=replace(PROOF, weight=lambda A, *, loss: -A.exp(-A.number(loss)))),
    "of enumerated cases": replace(
        FILTER, kind=FiniteStatement(lambda _n: (), bool, {"quick": 1}, proof=PROOF), domain=Box()
    ),
    **{
        f"{claim.id}: {name}": forgetful(claim, **one)
        for claim in SUMS
        for name, one in (("of one row", {"c_u": 1}), ("without aggregates", {"mu_o": 0}))
    },
    "the sum, a little less": said(SUMS[1], lambda A, **at: SUMS[1].kind.formula(A, **at) * (1 - A.number("1e-9"))),
    "rows above: of one row": forgetful(ABOVE[0], a_plus=1),
    "rows above: without aggregates": forgetful(ABOVE[1], mu_o=0),
    "rows above: one of them at the threshold": said(ABOVE[2], loss=lambda A, **_rest: A.number("1e-9")),
    "two rows: of more noise": said(
        ABOVE[3], lambda A, *, sigma, **at: ABOVE[3].kind.formula(A, sigma=2 * sigma, **at)
    ),
    "releases: by the bound on a row": forgetful(RELEASES, c_u=1),
    "releases: by the bound on one": forgetful(RELEASES, releases=1),
    "releases: without aggregates": forgetful(RELEASES, mu_o=0),
}


def test_of_a_bound_within_budgets_nothing_else_is_a_lemma():
    """Not that what the claim calls exact, 7 here, is below it: that is what is searched."""
    false = replace(FILTER, kind=replace(FILTER.kind, exact=lambda A, **_at: A.number(7)))
    sides = Inequality(false.kind.exact, BOUND, proof=ByClaim(FILTER.id))
    with pytest.raises(TacticError, match="expected a claim that compares two formulas"):
        prove(replace(FILTER, id="test.user", kind=sides), {FILTER.id: false})


def test_what_is_weaker_is_proved_too():
    """Fewer squares than the bound has: the attacks fail for what they say."""
    assert prove(said(FILTER, lambda A, **at: BOUND(A, **at) + 1, proof=replace(PROOF, end=Sign())), KNOWN).scope == ""


SLOW = ("releases: ", "rows above: of one", "the maximum rule in", "wilkins2024.")


test_a_statement_beside_the_bound_is_refused = refusals(WRONG, SLOW)


@pytest.mark.slow
def test_of_changed_formulas_none_is_proved():
    """One node at a time, in the bound and in what is spent."""
    mutants = [mutant for _change, mutant in formula_mutants(FILTER)]
    assert len(mutants) > 10
    for mutant in mutants:
        with pytest.raises((TacticError, ArithmeticError, TypeError)):
            prove(mutant(), KNOWN)


# --- what the tactic uses besides its goals ---------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "loss", "mu"), [("7/10", "1/50", "3/4"), ("-1/2", "1/10", "2"), ("3", "1", "1/3")])
def test_the_mean_over_a_gaussian_pair_is_the_bound_at_all_of_the_square(epsilon, loss, mu):
    """A quarter of the square first, its loss integrated in balls: to 15 digits the bound itself."""
    with Ball(128) as A:
        level, kappa, loss = A.number(epsilon), A.number(mu) / 2, A.number(loss)
        left = A.sqrt(A.number(mu) ** 2 - kappa**2)

        def rest(B, z):
            y = level - kappa * kappa / 2 - kappa * z
            later = normal_cdf(B, left / 2 - y / left) - B.exp(y) * normal_cdf(B, -left / 2 - y / left)
            return normal_pdf(B, z) * (1 - B.exp(-loss) * (1 - later))

        ends = [A.number(z) for z in range(-14, 15, 2)]
        mean = A.sum(integral(A, rest, low, high) for low, high in itertools.pairwise(ends))
        mean = A.between(mean, mean + 2 * normal_cdf(A, -A.number(14)))
        assert mean.overlaps(BOUND(A, epsilon=level, loss=loss, mu=A.number(mu)))
        assert mean.rel_accuracy_bits() > 50


def stick(pair, level):
    """``sum (p - level q)_+`` of a pair of finite laws."""
    return sum(max(p - level * q, Fraction(0)) for p, q in zip(*pair, strict=True))


@pytest.mark.slow
def test_a_pair_with_no_larger_hockey_stick_is_worth_no_more_to_what_is_left():
    """Exact, over finite pairs, computed of one another or only dominated: falling convex functions of the level.

    Hockey sticks of finite pairs are compared where they bend, at their own ratios; between these they are lines.
    """
    rng, dominated = np.random.default_rng(5), 0
    for _pair in range(400):
        first, second = (
            [[Fraction(int(w), int(weights.sum())) for w in weights] for weights in rng.integers(1, 9, (2, size))]
            for size in (2, 4)
        )
        bends = {p / q for pair in (first, second) for p, q in zip(*pair, strict=True)} | {Fraction(0)}
        if any(stick(first, y) > stick(second, y) for y in bends):
            continue
        dominated += 1
        for c in (Fraction(1, 3), Fraction(1), Fraction(5, 2)):
            for level in (Fraction(1, 4), Fraction(1), Fraction(2)):
                worth = [
                    sum(p * max(c - level * q / p, Fraction(0)) for p, q in zip(*pair, strict=True))
                    for pair in (first, second)
                ]
                assert worth[0] <= worth[1]
    assert dominated > 40


@pytest.mark.slow
def test_strategies_of_three_rows_stay_below_the_bound():
    """Rows at the threshold on either side and rows far above, the best of each look: exact choices, loss by nodes."""
    stopping = KNOWN["wilkins2024.composition.adaptive.stopping"]
    with MpReal(20) as A:
        for point in stopping.kind.oracle_points:
            at = {name: x if isinstance(x, int) else Fraction(x) for name, x in point.items()}
            value, bound = stopping.kind.oracle(A, **at), RELEASES.kind.formula(A, **at)
            assert 0 < value < bound
