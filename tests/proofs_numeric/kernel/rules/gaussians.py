"""Claims about Gaussian vectors, tops and streams, and changes to them, for the attacks on several rules."""

from dataclasses import replace

from auditor.engine.registry import registry
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.tactics import Part, Product, Sign, Through
from tests.proofs_numeric.kernel.attacks import untied

KNOWN = dict(registry().claims)


STREAMS, HALF_SPACES = KNOWN["rogers2024.thm11.rho"], KNOWN["rogers2024.lem4.1.half_spaces"]


TOPS, SIDES, SIDES_BY_TOP = (KNOWN[f"rogers2024.{name}"] for name in ("thm8.rho", "thm8.lem6.4.corrected", "sharp.top"))


TOPS_BY_TOP = KNOWN["rogers2024.sec421.kbar.corrected"]


def said(claim, *, box=None, proof=None, **changed):
    """The claim with changes in what it says of every size, without a domain to fit."""
    every, held = claim.kind.every, "more" if claim in (TOPS, TOPS_BY_TOP) else "box"
    over = {held: parameters(getattr(every, held), **box)} if box else {}
    changed_law = replace(every, **over, **changed)
    kind = replace(claim.kind, holds=untied, every=changed_law, proof=proof or claim.kind.proof)
    return replace(claim, kind=kind, domain=Box(), evaluates=None)


def parameters(box, **changed):
    """The box with other ranges."""
    return replace(box, parameters=tuple(replace(p, **changed.get(p.name, {})) for p in box.parameters))


def times(formula, factor):
    """The formula times a number."""
    return lambda A, **at: A.number(factor) * formula(A, **at)


def fixed(formula, **values):
    """The formula with parameters at other values: one that forgets them."""
    return lambda A, **at: formula(A, **{**at, **values})


EVERY, BOUND = STREAMS.kind.every, HALF_SPACES.kind.every.bound


def bounded(factor, **changed):
    """Theorem 11 by another lemma on half-spaces, proved beside it: so many times the bound."""
    parts = (
        lambda A, *, alpha, **_at: A.number(alpha),
        lambda A, *, alpha, **_at: A.number(alpha) - 1,
        lambda A, *, t, u, **_at: (A.number(factor) - 1) / 2 * (A.number(t) - u) ** 2,
    )
    truncated = replace(HALF_SPACES.kind.proof, tilt=Product(tuple(map(Part, parts))))
    return said(STREAMS, proof=replace(STREAMS.kind.proof, bound=times(BOUND, factor), truncated=truncated), **changed)


OF_TOPS = TOPS.kind.every


BY_TOP, COUNTS = TOPS_BY_TOP.kind.every, OF_TOPS.relabelled


ROOMY = replace(SIDES.kind.proof, total=Through(COUNTS.squared, SIDES.kind.proof.total, Sign()))
"""The proof of the lemma, and of any that says less."""


def of_counts(**changed):
    """Theorem 8 with changes in what is said of its counts, proved beside it."""
    proof = replace(TOPS.kind.proof, counts=ROOMY)
    return said(TOPS, relabelled=replace(COUNTS, **changed), proof=proof)


def twice_named(claim, name, **changed):
    """The claim with a parameter once more, of one value alone."""
    box = claim.kind.every.box
    every = replace(claim.kind.every, box=Box((*box.parameters, replace(box[name], upper=1))), **changed)
    return replace(claim, kind=replace(claim.kind, holds=untied, every=every))
