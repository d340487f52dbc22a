"""Attacks on what the kernel says of privacy profiles: the closed form of counts closes, nothing near it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.profiles import AtCount, Counts
from proofs_numeric.statements.tactics import Sign, Symbolic

KNOWN = dict(registry().claims)
COUNTS = KNOWN["bharadwaj2022.tight"]
BOUND, PROOF, PAIRS = COUNTS.kind.formula, COUNTS.kind.proof, COUNTS.kind.pairs


def said(formula=BOUND, *, proof=PROOF, pairs=PAIRS, **more):
    """The claim with another value, proof or pairs."""
    return replace(COUNTS, kind=replace(COUNTS.kind, formula=formula, proof=proof, pairs=pairs), **more)


def wider(name, **changed):
    """The claim over another range."""
    parts = tuple(replace(one, **changed) if one.name == name else one for one in COUNTS.domain.parameters)
    return replace(COUNTS, domain=Box(parts))


def upper(formula, **more):
    """That the formula is an upper bound alone."""
    return said(formula, role=Role.UPPER, **more)


def scaled(factor):
    """A multiple of the closed form."""
    return lambda A, **at: BOUND(A, **at) * A.number(Fraction(factor))


def at_threshold_moved(moved):
    """The closed form of another threshold."""
    return lambda A, *, tau, **at: BOUND(A, tau=tau + moved, **at)


def one_copy_more(A, *, epsilon, alpha, tau):
    """At a count that is not the worst."""
    p, q = (f(A, epsilon=epsilon, alpha=alpha) for f in (cells.sampling_rate, cells.bad_rate))
    k = cells.floor_of(A, (tau - 1) / q) + 2
    return cells.forward_at(A, factor=A.exp(epsilon), p=p, tau=tau, k=k)


def rate(A, *, epsilon, alpha, **_rest):
    """The sampling rate."""
    return cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)


def threshold(_A, *, tau, **_rest):
    """The threshold."""
    return tau


WRONG = {
    "a little less": said(scaled("999999999/1000000000")),
    "a little more": said(scaled("1000000001/1000000000")),
    "a little less, as an upper bound": upper(scaled("999999999/1000000000")),
    "at a higher threshold": said(at_threshold_moved(1)),
    "at a higher threshold, as an upper bound": upper(at_threshold_moved(1)),
    "at a count more": said(one_copy_more),
    "at a count more, as an upper bound": upper(one_copy_more),
    "half of it": upper(scaled("1/2")),
    "nothing": upper(lambda A, **_at: A.number(0)),
    "of a larger rate": said(pairs=Counts(lambda A, **at: (1 + rate(A, **at)) / 2, threshold)),
    "of a rate of 1": said(pairs=Counts(lambda A, **_at: A.number(1), threshold)),
    "of a rate above 1": upper(BOUND, pairs=Counts(lambda A, **at: 2 + rate(A, **at), threshold)),
    "shown one below": said(pairs=Counts(rate, lambda _A, *, tau, **_rest: tau - 1)),
    "shown from a half on": upper(BOUND, pairs=Counts(rate, lambda A, *, tau, **_rest: tau - A.number(Fraction(1, 2)))),
    "at levels below zero": wider("epsilon", lower=-1),
    "at shares above one": wider("alpha", upper=2),
    "of no threshold": wider("tau", lower=0),
    "of thresholds between integers": wider("tau", integer=False),
    "without a level": replace(COUNTS, domain=Box(COUNTS.domain.parameters[1:])),
    "under a constraint": replace(COUNTS, domain=replace(COUNTS.domain, constraint=lambda **_at: True)),
    "as a lower bound": said(role=Role.LOWER),
    "attained nowhere": said(proof=replace(PROOF, worst=())),
    "attained at no count": said(proof=replace(PROOF, worst=(AtCount(lambda _A, **_at: 0),))),
    "attained below the threshold": said(
        proof=replace(PROOF, worst=(replace(PROOF.worst[0], beyond=lambda _A, **_at: -1),))
    ),
    "attained between counts": said(proof=replace(PROOF, worst=(AtCount(lambda A, **_at: A.number(Fraction(3, 2))),))),
    "attained the other way round": said(proof=replace(PROOF, worst=(replace(PROOF.worst[0], fewer=True),))),
    "by a tactic of comparisons": said(proof=Symbolic()),
    "by signs": said(proof=replace(PROOF, more=Sign(), fewer=Sign())),
}


def test_the_closed_form_of_counts_is_proved_over_all_that_it_says():
    """Every count and every event, either way round: no scope."""
    theorem = prove(COUNTS, KNOWN)
    assert not theorem.scope


@pytest.mark.parametrize("claim", WRONG.values(), ids=WRONG)
def test_what_is_false_or_another_statement_is_refused(claim):
    """Each is false, or not what the goals of counts say."""
    with pytest.raises(TacticError):
        prove(claim, KNOWN)
