"""The pairs of a privacy claim are those of its release under its adjacency; others are refused."""

import pickle
from dataclasses import dataclass, fields, is_dataclass, replace

import pytest

from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.kernel.reach import check_promise, check_reach
from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, EventLevel, ReplaceUser, SparseMonotone
from proofs_numeric.statements.constants import integer_of, one, parameter_named, zero
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.neighbours import Always, ByParameters
from proofs_numeric.statements.releases import Sampled

KNOWN = dict(registry().claims)
TIED = [
    name
    for name, claim in KNOWN.items()
    if claim.privacy is not None and isinstance(claim.kind, DeltaBound) and (claim.kind.pairs or claim.kind.budgets)
]
NOISY = [name for name in TIED if not isinstance(KNOWN[name].privacy.release, Sampled)]
SAMPLED = [name for name in TIED if name not in NOISY]
SCALES = ("sigma", "b", "beta", "mu", "scale")


def scaled(formula, name, factor):
    """The formula at a multiple of one parameter."""
    return lambda A, **at: formula(A, **{**at, name: A.number(at[name]) * factor} if name in at else at)


def law(value, name, factor):
    """A law with every formula at a multiple of one parameter."""
    if callable(value):
        return scaled(value, name, factor)
    if is_dataclass(value):
        changed = {one.name: law(getattr(value, one.name), name, factor) for one in fields(value) if one.init}
        return replace(value, **changed)
    if isinstance(value, dict):
        return {key: law(each, name, factor) for key, each in value.items()}
    return value


def at(claim, name, factor):
    """A claim whose formula and pairs are both at a multiple of one parameter."""
    kind = claim.kind
    part = "budgets" if kind.pairs is None else "pairs"
    changed = getattr(kind, part)
    own = {"theorem": changed.theorem} if hasattr(changed, "theorem") else {}
    if own and set(SCALES) & {one.name for one in changed.theorem.box.parameters}:
        own = {"theorem": replace(changed.theorem, rows=law(changed.theorem.rows, name, factor))}
    changed = replace(law(replace(changed, **({"theorem": None} if own else {})), name, factor), **own)
    return replace(claim, kind=replace(kind, formula=scaled(kind.formula, name, factor), **{part: changed}))


def under(claim, adjacency):
    """A claim under another adjacency."""
    return replace(claim, privacy=replace(claim.privacy, adjacency=Always(adjacency)))


def of(claim, **release):
    """A claim of another release."""
    return replace(claim, privacy=claim.privacy.releasing(**release))


def scale_of(claim):
    """The parameter that scales a claim's noise."""
    return next(name for name in SCALES if name in claim.domain.names)


@pytest.mark.parametrize("name", TIED)
def test_pairs_of_the_release_under_the_adjacency_are_accepted(name):
    """As each claim of the suite declares them."""
    check_reach(KNOWN[name])


@pytest.mark.parametrize("name", NOISY)
@pytest.mark.parametrize("factor", [2, 0.5])
def test_formula_and_pairs_of_another_noise_are_refused(name, factor):
    """Twice the noise, and half of it."""
    claim = KNOWN[name]
    with pytest.raises(TacticError, match=r"of the pairs|that the release has"):
        check_reach(at(claim, scale_of(claim), factor))


@pytest.mark.parametrize("name", NOISY)
def test_a_release_where_a_user_changes_a_count_by_another_amount_is_refused(name):
    """Half the change of the adjacency, and twice the change of the pairs."""
    claim = KNOWN[name]
    change = claim.privacy.release.change
    for factor in (0.5, 2):
        with pytest.raises(TacticError):
            check_reach(of(claim, change=lambda A, factor=factor, **p: change(A, **p) * A.number(factor)))


def changed(release, part):
    """The release with another value in one field."""
    now = getattr(release, part)
    if isinstance(now, bool):
        return replace(release, **{part: not now})
    return replace(release, **{part: one if now is None else lambda A, **p: 2 * A.number(now(A, **p)) + 1})


@pytest.mark.parametrize("part", ["scale", "change", "margin", "laplace", "whole", "beside", "shared", "releases"])
@pytest.mark.parametrize("name", NOISY)
def test_a_release_that_differs_in_any_field_is_refused(name, part):
    """Also in a field that pairs of this kind know nothing of."""
    claim = KNOWN[name]
    with pytest.raises(TacticError):
        check_reach(of(claim, **{part: getattr(changed(claim.privacy.release, part), part)}))


OTHERS = (AddRemoveUser(10, 7), ReplaceUser(7), EachAnswer(7), SparseMonotone(7, 3), EventLevel(7))


def narrower(name, adjacency):
    """Whether a claim about any number of counts is about this adjacency too: few counts that change by one."""
    return isinstance(adjacency, SparseMonotone) and name in NOISY and KNOWN[name].privacy.release.keys is None


@pytest.mark.parametrize(
    ("name", "adjacency"), [(name, other) for name in TIED for other in OTHERS if not narrower(name, other)], ids=str
)
def test_an_adjacency_that_ignores_the_claims_parameters_is_refused(name, adjacency):
    """Ten keys by seven each, users replaced, answers moved either way."""
    with pytest.raises(TacticError, match=r"expected the pairs of|largest change of a count|number of counts a user"):
        check_reach(under(KNOWN[name], adjacency))


class Later(ByParameters):
    """Reads as the adjacency, and is another at one value."""

    def __call__(self, parameters):
        return AddRemoveUser(10 if parameters["c_u"] == 7 else int(parameters["c_u"]))


@dataclass(frozen=True)
class More(AddRemoveUser):
    """Admits one key more than it says."""

    def check(self, left, right):
        AddRemoveUser(self.c_u + 1).check(left, right)


@dataclass(frozen=True)
class Other(Always):
    """Is another value at one parameter."""

    def __call__(self, parameters):
        return AddRemoveUser(1 + (parameters["mu"] == 7))


ONE_KEY = {"c_u": "c_u"}
OTHERWISE = {
    "code that is wrong at one value": (
        "wilkins2024.thm5.4", lambda at: AddRemoveUser(10 if at["c_u"] == 7 else int(at["c_u"])),
    ),
    "code that is right": ("wilkins2024.thm5.4", lambda at: AddRemoveUser(int(at["c_u"]))),
    "parameters that are read otherwise": ("wilkins2024.thm5.4", Later(AddRemoveUser, ONE_KEY)),
    "a relation that admits more": ("wilkins2024.thm5.4", ByParameters(More, ONE_KEY)),
    "one value that admits more": ("wilkins2024.thm2.2", Always(More(1))),
    "one value that is another": ("wilkins2024.thm2.2", Other(AddRemoveUser(1))),
    "any change of a count": ("wilkins2024.thm5.4", ByParameters(AddRemoveUser, {**ONE_KEY, "per_key": "c_u"})),
    "a fixed change of a count": ("wilkins2024.thm5.4", ByParameters(AddRemoveUser, ONE_KEY, {"per_key": 2})),
    "a fixed number of counts": ("wilkins2024.thm5.4", ByParameters(AddRemoveUser, {}, {"c_u": 7})),
    "another parameter": ("wilkins2024.thm5.4", ByParameters(AddRemoveUser, {"c_u": "sigma"})),
    "a parameter that the claim has not": ("wilkins2024.thm5.4", ByParameters(AddRemoveUser, {"c_u": "keys"})),
    "parameters changed for each other": (
        "rogers2024.thm7.gaussian.profile", ByParameters(AddRemoveUser, {"c_u": "delta_inf", "per_key": "delta_0"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", OTHERWISE)
def test_an_adjacency_that_differs_at_one_value_is_refused(attack):
    """Code may be another relation anywhere; bounds by parameters are compared everywhere."""
    name, adjacency = OTHERWISE[attack]
    claim = KNOWN[name]
    with pytest.raises(TacticError):
        prove(replace(claim, privacy=replace(claim.privacy, adjacency=adjacency)), KNOWN)


COUNT, ROWS, COUNTERS = (KNOWN[name] for name in ("wilkins2024.thm2.2", "wilkins2024.thm5.4", "lebeda2025.csh.exact"))
LAPLACE, RATE, FIXED = (
    KNOWN[name] for name in ("rogers2024.thm1.laplace", "bharadwaj2022.tight.rate", "bharadwaj2022.fix.removed")
)
BUDGETS, CHOSEN = (KNOWN[name] for name in ("wilkins2024.thm4.1", "lebeda2025.composition.adaptive"))
WEIGHTED = KNOWN["thresholds.weighted.delta"]
WHOLE, REAL = (KNOWN[f"thresholds.laplace.{name}"] for name in ("integer.profile", "real"))
STREAM, TOP, LIST, PICK = (KNOWN[f"rogers2024.thm{number}.profile"] for number in (11, 8, 9, 5))


@pytest.mark.parametrize("privacy", [COUNT.privacy, ROWS.privacy, COUNTERS.privacy, RATE.privacy])
def test_neighbours_travel_to_workers_without_the_release(privacy):
    """Formulas are functions without a name, which cannot be pickled."""
    travelled = pickle.loads(pickle.dumps(privacy))  # noqa: S301 - our own bytes
    assert travelled == replace(privacy, release=None)
    assert privacy.release is not None


def pairs(claim, **changed):
    """A claim of other pairs."""
    return replace(claim, kind=replace(claim.kind, pairs=replace(claim.kind.pairs, **changed)))


WRONG = {
    "one key of ten": under(COUNT, AddRemoveUser(c_u=10)),
    "one count replaced": under(COUNT, ReplaceUser()),
    "Laplace noise taken for normal noise": of(COUNT, laplace=True),
    "normal noise taken for Laplace noise": of(LAPLACE, laplace=False),
    "nothing said of the release": replace(ROWS, privacy=replace(ROWS.privacy, release=None)),
    "a sample taken for noise": replace(ROWS, privacy=replace(ROWS.privacy, release=RATE.privacy.release)),
    "noise taken for a sample": replace(RATE, privacy=replace(RATE.privacy, release=ROWS.privacy.release)),
    "one row, whatever c_u": pairs(ROWS, rows=integer_of(1)),
    "one row fewer": pairs(ROWS, rows=lambda A, *, c_u, **_rest: A.number(c_u) - 1),
    "half the rows": pairs(ROWS, rows=lambda A, *, c_u, **_rest: A.number(c_u) / 2),
    "aggregates left out": pairs(ROWS, square=lambda A, *, sigma, **_rest: 1 / A.number(sigma) ** 2),
    "a threshold one count higher": of(ROWS, margin=lambda A, *, gap, **_rest: A.number(gap) - 1),
    "rows that share noise": of(ROWS, shared=one),
    "rows of two releases": of(ROWS, releases=integer_of(2)),
    "budgets of one row": replace(BUDGETS, kind=replace(BUDGETS.kind, budgets=at(BUDGETS, "c_u", 0.5).kind.budgets)),
    "counters of half the number": pairs(COUNTERS, scale=COUNTERS.kind.pairs.scale, most="gap"),
    "counters of one pair": pairs(COUNTERS, pair=("l", "j")),
    "counters one way round": pairs(COUNTERS, reverse=True),
    "counters without their shared noise": of(COUNTERS, shared=None),
    "counters of less shared noise": of(COUNTERS, shared=lambda A, *, k, **_rest: A.number(k)),
    "counters that are all shown": of(COUNTERS, margin=None),
    "counters of histograms that are not sparse": under(COUNTERS, AddRemoveUser(c_u=1)),
    "releases ignored": pairs(CHOSEN, releases=one),
    "one sample of two": of(RATE, levels="tau"),
    "twice the rate": of(RATE, rate=lambda A, *, p, **_rest: 2 * A.number(p)),
    "a threshold one higher": of(RATE, threshold=lambda A, *, tau, **_rest: A.number(tau) - 1),
    "one way round": pairs(RATE, reverse=True),
    "of one count": pairs(RATE, copies=parameter_named("tau")),
    "a user replaced in a sample at a rate": under(RATE, ReplaceUser()),
    "a user replaced, whose pairs have one fewer": under(FIXED, ReplaceUser()),
    "a user removed, whose pairs have another": pairs(FIXED, replaced=True),
    "a sample of twice the size": of(FIXED, size=lambda A, *, m, **_rest: 2 * A.number(m)),
    "an event of any rounds": under(STREAM, AddRemoveUser(c_u=1)),
    "a top of other counts": of(TOP, keys=one),
    "a list of half the noise": of(LIST, scale=lambda A, *, beta, **_rest: A.number(beta) / 2),
    "two picks": of(PICK, releases=integer_of(2)),
    "no noise": of(COUNT, change=zero),
    "noise on the integers taken for noise on the reals": of(WHOLE, whole=False),
    "noise on the reals taken for noise on the integers": of(REAL, whole=True),
    "one step, whatever the change": pairs(WHOLE, steps=one),
    "only without the user": pairs(REAL, reverse=True),
    "only without the user, of the release": of(WHOLE, reverse=True),
    "weighted rows of one key fewer": pairs(WEIGHTED, most=lambda A, *, c_u, **_rest: A.number(c_u) - 1),
    "weighted rows of full weight": of(WEIGHTED, scale=parameter_named("sigma")),
    "weighted rows of another gap": of(WEIGHTED, margin=parameter_named("threshold")),
    "shared rows of half the loss": pairs(
        REAL, largest=lambda A, *, per_key, scale, **_rest: A.number(per_key) / scale / 2
    ),
}


@pytest.mark.parametrize("attack", WRONG)
def test_other_pairs_than_the_adjacency_has_are_refused(attack):
    """Each is another law than that of the release, though a proof about the pairs alone might close."""
    with pytest.raises(TacticError):
        check_reach(WRONG[attack])


@pytest.mark.parametrize(
    "attack", [under(COUNT, AddRemoveUser(c_u=10)), of(LAPLACE, scale=lambda A, *, b, **_rest: A.number(b) / 2)]
)
def test_a_claim_whose_own_proof_closes_is_refused_for_its_adjacency(attack):
    """Formula, pairs and proof agree; the release has ten keys, or half the noise."""
    assert prove(replace(attack, privacy=None), KNOWN).claim == attack.id
    with pytest.raises(TacticError, match="that the release has"):
        prove(attack, KNOWN)


PROMISING = [name for name in KNOWN if KNOWN[name].promise is not None and getattr(KNOWN[name].kind, "pairs", None)]


def promising(claim, rho=1, more=0):
    """A claim that promises a multiple of its rho, and a larger delta."""

    def promise(A, **at):
        lost, cost = claim.promise(A, **at)
        return lost + A.number(more), cost * A.number(rho)

    return replace(claim, promise=promise)


@pytest.mark.parametrize("name", PROMISING)
def test_the_promise_is_that_of_the_pairs(name):
    """Twice the rho would hide a violation from the check of Renyi divergences; so would a larger delta."""
    claim = KNOWN[name]
    check_promise(claim)
    for wrong in (promising(claim, rho=2), promising(claim, rho="1.000001"), promising(claim, more="1e-9")):
        with pytest.raises(TacticError, match="promised"):
            prove(wrong, KNOWN)
    with pytest.raises(TacticError, match="promised"):
        check_promise(replace(claim, promise=lambda A, **at: (A.number(0), A.number(1))))


def test_eight_promises_are_compared_and_those_of_other_pairs_are_refused():
    """A sparse histogram has no single rho."""
    assert len(PROMISING) == 8
    with pytest.raises(TacticError, match="expected pairs with a rho behind a promise"):
        prove(replace(ROWS, promise=lambda A, **at: (A.number(0), A.number(1))), KNOWN)
