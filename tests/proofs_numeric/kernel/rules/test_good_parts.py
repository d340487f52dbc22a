"""Attacks on Theorem 3 of the survey: both its halves close, one sharply too, and nothing close to them does."""

from dataclasses import replace
from fractions import Fraction

from auditor.engine.registry import registry
from proofs_numeric.rogers2024.theorem_3 import dp_cases
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.concentrated import hockey_stick
from proofs_numeric.statements.tactics import ByClaim, Symbolic
from tests.proofs_numeric.kernel.attacks import refusals, untied
from tests.proofs_numeric.kernel.rules.gaussians import parameters, times

KNOWN = dict(registry().claims)
TO_CDP, SHARPLY, EPSILON, TO_DP = (
    KNOWN[f"rogers2024.{name}"]
    for name in ("thm3.dp_to_cdp", "sharp.pure", "thm3.cdp_to_dp", "thm3.cdp_to_dp.approximate")
)
PAIRS, CLIPPED, MIXED = TO_CDP.kind.every, TO_CDP.kind.proof, TO_DP.kind
NEARLY, SLIGHTLY_MORE = "99/100", "101/100"


def of_pairs(claim, *, proof=None, **changed):
    """The first half with changes in what it says of every pair, without a domain to fit."""
    every = replace(claim.kind.every, **changed)
    kind = replace(claim.kind, holds=untied, every=every, proof=proof or claim.kind.proof)
    return replace(claim, kind=kind, domain=Box(), evaluates=None)


def attacks_on(claim):
    """What is beside the first half, or its sharp form."""
    every = claim.kind.every
    return {
        "rho a little too small": of_pairs(claim, rho=times(every.rho, NEARLY)),
        "half of rho": of_pairs(claim, rho=times(every.rho, "1/2")),
        "no rho": of_pairs(claim, rho=times(every.rho, 0)),
        "a little more epsilon": of_pairs(claim, epsilon=times(every.epsilon, SLIGHTLY_MORE)),
        "an epsilon below zero": of_pairs(claim, epsilon=times(every.epsilon, -1)),
        "an order of one": of_pairs(claim, box=parameters(every.box, alpha={"open_lower": False})),
        "an order of one half": of_pairs(claim, box=parameters(every.box, alpha={"lower": "1/2"})),
        "orders up to two": of_pairs(claim, box=parameters(every.box, alpha={"upper": 2})),
        "no order": of_pairs(claim, box=Box(every.box.parameters[1:])),
        "epsilons below those of the lemma": of_pairs(claim, box=parameters(every.box, epsilon={"lower": -1})),
        "under a constraint": of_pairs(claim, box=replace(every.box, constraint=lambda **_at: True)),
        "by itself": of_pairs(claim, proof=replace(claim.kind.proof, extreme=ByClaim(claim.id))),
        "by trees of picks": of_pairs(claim, proof=replace(claim.kind.proof, chord=ByClaim("rogers2024.thm9.picks"))),
        "by a tactic of comparisons": of_pairs(claim, proof=Symbolic()),
    }


def of_laws(*, over=None, state=None, **changed):
    """The second half with changes."""
    kind = replace(MIXED, **changed)
    if state:
        kind = replace(kind, inputs=parameters(kind.inputs, **state))
    return replace(TO_DP, kind=kind, domain=parameters(TO_DP.domain, **over) if over else TO_DP.domain)


def stepping(name, **moved):
    """The second half, a step of which sees parameters so many times as large."""
    step = MIXED.step[name]
    other = {one: lambda A, at, one=one: A.number(moved[one]) * at[one] for one in moved}
    return of_laws(
        step={
            **MIXED.step,
            name: lambda A, **at: step(A, **{**at, **{one: make(A, at) for one, make in other.items()}}),
        }
    )


def solved(formula):
    """The printed epsilon, another one."""
    return replace(EPSILON, kind=replace(EPSILON.kind, formula=formula))


def with_epsilon(change):
    """The printed epsilon, changed."""
    return solved(lambda A, **at: change(A, EPSILON.kind.formula(A, **at), **at))


WRONG = {
    **{f"{claim.id}: {what}": wrong for claim in (TO_CDP, SHARPLY) for what, wrong in attacks_on(claim).items()},
    "to CDP: rho without a square": of_pairs(TO_CDP, rho=lambda A, *, epsilon: A.number(epsilon) / 2),
    "to CDP: the sharp rho, by the other proof": of_pairs(TO_CDP, rho=SHARPLY.kind.every.rho),
    "sharply: twice that of half the epsilon": of_pairs(
        SHARPLY, rho=lambda A, *, epsilon: SHARPLY.kind.every.rho(A, epsilon=A.number(epsilon) / 2) * 2
    ),
    "to DP: a little less of delta'": of_laws(right=times(MIXED.right, NEARLY)),
    "to DP: delta alone": of_laws(right=lambda A, *, delta, failed, **_at: A.number(delta) * failed),
    "to DP: delta' alone": of_laws(right=lambda A, *, delta_prime, moment, **_at: A.number(delta_prime) * moment),
    "to DP: a smaller epsilon": stepping("stick", rho=NEARLY),
    "to DP: the epsilon of a larger delta'": stepping("stick", delta_prime=SLIGHTLY_MORE),
    "to DP: a moment of more": stepping("moment", rho=SLIGHTLY_MORE),
    "to DP: a moment of another order": stepping("moment", delta_prime="1/2"),
    "to DP: less of P''": stepping("failed", bad="1/2"),
    "to DP: a delta above one": of_laws(over={"delta": {"upper": 2}}),
    "to DP: a delta below zero": of_laws(over={"delta": {"lower": -1}}),
    "to DP: a delta' above one": of_laws(over={"delta_prime": {"upper": 2}}),
    "to DP: no delta'": of_laws(over={"delta_prime": {"open_lower": False}}),
    "to DP: a rho of zero": of_laws(over={"rho": {"open_lower": False}}),
    "to DP: less than nothing of Q''": of_laws(state={"other": {"lower": -1}}),
    "to DP: less than nothing of Q'": of_laws(state={"q": {"lower": -1}}),
    "to DP: equal": of_laws(relation="="),
    "epsilon: a little less": with_epsilon(lambda A, epsilon, **_at: epsilon * A.number(NEARLY)),
    "epsilon: a little more": with_epsilon(lambda A, epsilon, **_at: epsilon * A.number(SLIGHTLY_MORE)),
    "epsilon: a rho less": with_epsilon(lambda _A, epsilon, *, rho, **_at: epsilon - rho),
    "epsilon: twice rho": with_epsilon(lambda _A, epsilon, *, rho, **_at: epsilon + rho),
    "epsilon: half of the root": with_epsilon(lambda _A, epsilon, *, rho, **_at: (epsilon + rho) / 2),
    "epsilon: of half of delta": solved(lambda A, *, rho, delta: EPSILON.kind.formula(A, rho=rho, delta=delta / 2)),
    "epsilon: of delta squared": solved(lambda A, *, rho, delta: EPSILON.kind.formula(A, rho=rho, delta=delta**2)),
    "epsilon: of twice rho": solved(lambda A, *, rho, delta: EPSILON.kind.formula(A, rho=2 * rho, delta=delta)),
    "epsilon: without the root": solved(lambda A, *, rho, delta: A.number(rho)),
    "epsilon: without a logarithm": solved(lambda A, *, rho, delta: rho + 2 * A.sqrt(rho / A.number(delta))),
    "epsilon: of a delta above one": replace(EPSILON, domain=parameters(EPSILON.domain, delta={"upper": 2})),
}


test_a_statement_beside_the_theorem_is_refused = refusals(WRONG, ("",))


def test_the_clipped_laws_keep_what_their_hockey_sticks_leave():
    """What the first half uses besides its goals, on small laws: masses, and that the heavier can be as light."""
    for left, right, ratio in dp_cases(3):
        heavy, light = (
            sum((min(one[y], ratio * other[y]) for y in one), Fraction(0))
            for one, other in ((left, right), (right, left))
        )
        assert heavy == 1 - hockey_stick(left, right, ratio)
        assert light == 1 - hockey_stick(right, left, ratio)
        assert min(heavy, light) / ratio <= min(heavy, light) <= max(heavy, light)
