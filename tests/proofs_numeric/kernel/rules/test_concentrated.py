"""Attacks on profiles that theorems promise: the conversion closes on them, and on none that says less or of others."""

from dataclasses import replace

from auditor.engine.registry import registry
from proofs_numeric.rogers2024.theorem_7.exact_profile import laplace_loss_rate
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.concentrated import approximate_delta_upper
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.tactics import ByClaim, Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import over, refusals, times

KNOWN = dict(registry().claims)
PICK, ROWS, LAPLACE, TOPS, LISTS, STREAM = (
    KNOWN[f"rogers2024.{name}.profile"] for name in ("thm5", "thm7.gaussian", "thm7.laplace", "thm8", "thm9", "thm10")
)


def said(claim, promise=None, *, proof=None, pairs=None, **more):
    """The claim with another promise, proof or pairs."""
    kind = claim.kind

    def bound(A, *, epsilon, **at):
        delta, rho = promise(A, **at)
        return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)

    formula = kind.formula if promise is None else bound
    changed = replace(kind, formula=formula, proof=proof or kind.proof, pairs=pairs or kind.pairs)
    return replace(claim, kind=changed, **more)


def changed(claim, change):
    """The claim of a promise with delta and rho changed."""
    return said(claim, lambda A, **at: change(A, *claim.promise(A, **at)))


def by(claim, **fields):
    """The claim with other fields of its proof."""
    return said(claim, proof=replace(claim.kind.proof, **fields))


def of(claim, *, theorem=None, at=None):
    """The claim of what another theorem, or the same at other values, promises."""
    pairs = claim.kind.pairs
    return said(claim, pairs=replace(pairs, theorem=theorem or pairs.theorem, at=pairs.at if at is None else at))


def theorem(claim, **fields):
    """The claim of a theorem with other fields."""
    return of(claim, theorem=replace(claim.kind.pairs.theorem, **fields))


def twice_the_level(A, *, delta_inf, sigma, **_rest):
    """The noise parameter of half the noise."""
    return 2 * A.number(delta_inf) / sigma


def less(formula):
    """A little less than the formula says."""
    return lambda A, **at: formula(A, **at) * A.number("0.999999")


ONE_ORDER = KNOWN["lebeda2025.lem17"]
TOP, ROW, NOISY, TREE = (claim.kind.pairs.theorem for claim in (TOPS, ROWS, LAPLACE, PICK))


def laplace(proof=None, promise=None, **rows):
    """Theorem 7 for Laplace noise with other rows, or a part of their proof, and with another promise."""
    claim = theorem(LAPLACE, rows=replace(NOISY.rows, **rows))
    claim = by(claim, theorem=replace(LAPLACE.kind.proof.theorem, **(proof or {})))
    if promise is None:
        return claim
    told = {"delta": lambda A, **at: promise(A, **at)[0], "rho": lambda A, **at: promise(A, **at)[1]}
    return said(theorem(claim, **told), promise)


def scaled(formula, factor):
    """A multiple of the formula."""
    return lambda A, **at: formula(A, **at) * A.number(factor)


def squared_labels(A, *, delta_0, delta_inf, b, delta):
    """Rho with the square root of the labels."""
    return A.number(delta), A.sqrt(A.number(delta_0)) * (A.number(delta_inf) / b) ** 2 / 2


def at_scale(factor):
    """The loss of a count at the margin of the threshold, in other scales."""

    def loss(A, *, delta_0, delta_inf, b, delta):
        return laplace_loss_rate(A, margin=(A.log(A.number(delta_0)) - A.log(2 * A.number(delta))) * A.number(factor))

    return loss


def one_above(A, *, delta_0, delta_inf, b, delta):
    """The loss at a threshold that is lower by one."""
    return laplace_loss_rate(A, margin=A.log(A.number(delta_0)) - A.log(2 * A.number(delta)) - 1 / A.number(b))


WRONG = {
    "a little less rho": changed(TOPS, lambda A, delta, rho: (delta, rho * A.number("0.999999"))),
    "half the rho": changed(TOPS, lambda _A, delta, rho: (delta, rho / 2)),
    "no delta": changed(TOPS, lambda A, _delta, rho: (A.number(0), rho)),
    "a little less delta": changed(TOPS, lambda A, delta, rho: (delta * A.number("0.999999"), rho)),
    "a little less": replace(TOPS, kind=replace(TOPS.kind, formula=less(TOPS.kind.formula))),
    "of half the noise": of(TOPS, at={"epsilon": twice_the_level}),
    "of no noise parameter": of(TOPS, at={}),
    "of an order": of(TOPS, at={**TOPS.kind.pairs.at, "alpha": parameter_named("sigma")}),
    "of a parameter that the theorem has not": of(TOPS, at={**TOPS.kind.pairs.at, "b": parameter_named("sigma")}),
    "of a theorem that says less": theorem(TOPS, rho=less(TOP.rho)),
    "of a theorem that allows less": theorem(TOPS, delta=less(TOP.delta)),
    "by another theorem": by(TOPS, theorem=ByClaim("rogers2024.thm9.rho")),
    "by no theorem": by(TOPS, theorem=Symbolic()),
    "by no conversion": by(TOPS, order=Sign()),
    "at another order": by(TOPS, log_excess=zero),
    "at another order, seen": by(TOPS, log_excess=zero, end=Sign()),
    "as the exact delta": said(TOPS, role=Role.EXACT),
    "without a level": said(TOPS, TOPS.promise, domain=Box(TOPS.domain.parameters[1:])),
    "under a constraint": replace(TOPS, domain=replace(TOPS.domain, constraint=lambda **_at: True)),
    "at noise for which the theorem says nothing": over(TOPS, "sigma", lower=-1),
    "of items between integers": over(TOPS, "delta_0", integer=False),
    "of no item": over(TOPS, "delta_0", lower=0),
    "lists: of a pick less": changed(LISTS, lambda A, delta, rho: (delta, rho - A.number("1e-9"))),
    "lists: at deltas above one": over(LISTS, "delta", upper=2),
    "calls: of one": changed(STREAM, lambda A, delta, rho: (A.minimum(delta, "1/2"), rho)),
    "calls: less than all deltas": by(STREAM, most=lambda A, *, delta, **_rest: A.number(delta)),
    "calls: deltas above one": by(STREAM, most=lambda A, *, l_star, delta, **_rest: l_star * A.number(delta)),
    "rows: a little less": theorem(ROWS, rho=less(ROW.rho)),
    "rows: named more often": theorem(
        ROWS, rows=replace(ROW.rows, loss=lambda A, **at: 2 * A.number(ROW.rows.loss(A, **at)))
    ),
    "rows: further apart": theorem(
        ROWS, rows=replace(ROW.rows, square=lambda A, **at: 2 * A.number(ROW.rows.square(A, **at)))
    ),
    "rows: none above": theorem(ROWS, rows=replace(ROW.rows, square=None)),
    "rows: of a parameter that is none": theorem(ROWS, rows=replace(ROW.rows, rows="rows")),
    "rows: of a real parameter": theorem(ROWS, rows=replace(ROW.rows, rows="sigma")),
    "rows: by another bound": by(ROWS, theorem=replace(ROWS.kind.proof.theorem, bound=lambda A, **_at: A.number(0))),
    "laplace: a little less": theorem(LAPLACE, rho=less(NOISY.rho)),
    "laplace: a little less delta": theorem(LAPLACE, delta=less(NOISY.delta)),
    "laplace: a little less than the theorem says": changed(
        LAPLACE, lambda A, delta, rho: (delta, rho * A.number("0.999999"))
    ),
    "laplace: rho of another norm": laplace(promise=squared_labels),
    "laplace: twice the shift": laplace(shift=scaled(NOISY.rows.shift, 2)),
    "laplace: half as much shift again": laplace(shift=scaled(NOISY.rows.shift, "3/2")),
    "laplace: a shift below zero": laplace(shift=scaled(NOISY.rows.shift, -1)),
    "laplace: no shift": laplace(shift=None),
    "laplace: both kinds of rows": laplace(square=NOISY.rows.shift),
    "laplace: rows of Gaussian vectors": laplace(square=NOISY.rows.shift, shift=None),
    "laplace: named more often": laplace(loss=scaled(NOISY.rows.loss, 2)),
    "laplace: twice the noise that the threshold knows": laplace(loss=at_scale("1/2")),
    "laplace: a threshold off by one": laplace(loss=one_above),
    "laplace: twice the rows": laplace(rows=lambda _A, *, delta_0, **_at: 2 * delta_0),
    "laplace: a row more": laplace(rows=lambda _A, *, delta_0, **_at: delta_0 + 1),
    "laplace: with a bound for Gaussian vectors": laplace({"bound": zero}),
    "laplace: with its proof too": laplace({"bound": zero, "truncated": Symbolic()}),
    "laplace: rows of Gaussian vectors without their bound": by(
        ROWS, theorem=replace(ROWS.kind.proof.theorem, bound=None, truncated=None)
    ),
    "laplace: noise beyond what the theorem speaks of": over(LAPLACE, "b", lower="1e-12"),
    "laplace: labels between integers": over(LAPLACE, "delta_0", integer=False),
    "one order: a little less": times(ONE_ORDER, "0.999999999"),
    "one order: as the exact delta": said(ONE_ORDER, role=Role.EXACT),
    "one order: another": by(ONE_ORDER, excess=one),
    "one order: below one": by(ONE_ORDER, excess=lambda A, *, rho, **_rest: -A.number(rho)),
    "one order: of twice the rho": said(
        ONE_ORDER, pairs=replace(ONE_ORDER.kind.pairs, rho=lambda A, *, rho, **_rest: 2 * A.number(rho))
    ),
    "one order: by the conversion": said(ONE_ORDER, proof=TOPS.kind.proof),
    "picks: a little less": theorem(PICK, rho=less(TREE.rho)),
    "picks: of a wider range": theorem(PICK, width=lambda A, *, epsilon, k: 2 * A.number(epsilon)),
    "picks: two": of(PICK, at={**PICK.kind.pairs.at, "k": lambda _A, **_at: 2}),
    "picks: half of one": of(PICK, at={**PICK.kind.pairs.at, "k": lambda A, **_at: A.number("1/2")}),
    "picks: as many as a real parameter says": theorem(PICK, picks="epsilon"),
    "picks: by the goals of tops": by(PICK, theorem=TOPS.kind.proof.theorem),
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, ("",))
