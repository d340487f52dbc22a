"""Attacks on what the kernel says of counters that share a noise: Lemma 10's bounds close, nothing above them."""

from dataclasses import replace

from auditor.engine.registry import registry
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.constants import one
from proofs_numeric.statements.noise import Passing
from proofs_numeric.statements.profiles import SparseRows
from proofs_numeric.statements.tactics import Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import over, refusals, times

KNOWN = dict(registry().claims)
NAMES = ("lem10", "lem10.proof", "lem10.slepian", "lem10.power.corrected", "lem10.variance")
EXACT = KNOWN["lebeda2025.csh.exact.delta_inf"]
PRINTED, SPLIT, SLEPIAN, POWER, VARIANCE = (KNOWN[f"lebeda2025.{name}"] for name in NAMES)


def of(claim, formula=None, *, proof=None, noise=None, **more):
    """The claim with another bound, proof or noise."""
    kind = claim.kind
    changed = replace(kind, formula=formula or kind.formula, proof=proof or kind.proof, noise=noise or kind.noise)
    return replace(claim, kind=changed, **more)


def with_noise(claim, **changed):
    """The bound of other noise."""
    return of(claim, noise=replace(claim.kind.noise, **changed))


half_a_counter = lambda A, *, k, **_rest: A.number(k) / 2  # no integer

WRONG = {
    **{f"{name}: a little more": times(KNOWN[f"lebeda2025.{name}"], "1.000000001") for name in NAMES},
    **{f"{name}: exact": replace(KNOWN[f"lebeda2025.{name}"], role=Role.EXACT) for name in NAMES},
    **{f"{name}: an upper bound": replace(KNOWN[f"lebeda2025.{name}"], role=Role.UPPER) for name in NAMES},
    "lem10: of a counter more": with_noise(PRINTED, count=lambda _A, *, k, **_rest: k + 1),
    "lem10: of twice the own noise": with_noise(PRINTED, scale=lambda A, *, sigma, **_rest: 2 * A.number(sigma)),
    "lem10: of twice the shared noise": with_noise(
        PRINTED, shared=lambda A, **at: 2 * PRINTED.kind.noise.shared(A, **at)
    ),
    "lem10: at a lower threshold": with_noise(PRINTED, threshold=lambda A, *, gap, **_rest: A.number(gap) - 1),
    "lem10: of no shared noise": with_noise(PRINTED, shared=lambda A, **_at: A.number(0)),
    "lem10: of noise below zero": with_noise(PRINTED, scale=lambda A, *, sigma, **_rest: -A.number(sigma)),
    "lem10: of half a counter": with_noise(PRINTED, count=half_a_counter),
    "lem10: of no counter": with_noise(PRINTED, count=lambda _A, *, k, **_rest: k - 1),
    "lem10: all of the threshold to Z": of(
        PRINTED, proof=replace(PRINTED.kind.proof, share=lambda A, *, gap, **_rest: A.number(gap))
    ),
    "lem10: of pairs too": replace(PRINTED, kind=replace(PRINTED.kind, pairs=SparseRows(one, one))),
    "lem10: under a constraint": replace(PRINTED, domain=replace(PRINTED.domain, constraint=lambda **_at: True)),
    "slepian: of one counter": of(SLEPIAN, lambda A, *, k, **at: SLEPIAN.kind.formula(A, k=1, **at)),
    "slepian: by a share too": of(SLEPIAN, proof=replace(SLEPIAN.kind.proof, share=one)),
    "slepian: by no tangent": of(SLEPIAN, proof=replace(SLEPIAN.kind.proof, tangent=Sign())),
    "power: below zero too": over(POWER, "gap", lower="-infinity"),
    "power: one factor fewer": of(
        POWER, lambda A, *, k, **at: POWER.kind.formula(A, k=k, **at) / PRINTED.kind.formula(A, k=1, **at)
    ),
    "lem10: of a parameter that the goals have": replace(
        of(PRINTED, lambda A, **at: PRINTED.kind.formula(A, **{name: at[name] for name in PRINTED.domain.names})),
        domain=replace(PRINTED.domain, parameters=(*PRINTED.domain.parameters, Parameter("lower", "", upper=1))),
    ),
    "variance: by shares alone": of(VARIANCE, proof=VARIANCE.kind.proof.below),
    "variance: by independent ones alone": of(VARIANCE, proof=VARIANCE.kind.proof.above),
    "variance: split at the wrong place": of(VARIANCE, proof=replace(VARIANCE.kind.proof, at=1)),
    "variance: of a factor fewer": of(
        VARIANCE, lambda A, *, k, **at: VARIANCE.kind.formula(A, k=k, **at) / VARIANCE.kind.formula(A, k=1, **at)
    ),
    "exact: a little more": times(EXACT, "1.000000001"),
    "exact: a lower bound": replace(EXACT, role=Role.LOWER),
    "exact: that all are below": of(EXACT, noise=EXACT.kind.noise.noise),
    "exact: all below, as a lower bound": of(EXACT, noise=EXACT.kind.noise.noise, role=Role.LOWER),
    "exact: by shares": of(EXACT, proof=PRINTED.kind.proof),
    "exact: by independent ones": of(EXACT, proof=SLEPIAN.kind.proof),
    "exact: of other noise": of(EXACT, noise=Passing(replace(EXACT.kind.noise.noise, shared=one))),
    "an upper bound by what some of lem10's noise passes": of(PRINTED, noise=Passing(PRINTED.kind.noise)),
    "by a tactic of comparisons": of(PRINTED, proof=Symbolic()),
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG)


def test_that_some_counter_passes_is_what_is_left_of_all_below():
    """An exact probability closes, and as the upper bound that it is too."""
    for role in (Role.EXACT, Role.UPPER):
        assert prove(replace(EXACT, role=role), KNOWN).scope == ""
