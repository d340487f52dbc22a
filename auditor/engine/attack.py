"""The attack on the catalogue: mutants of claims by small changes, and the checks that catch them."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import chain, islice

import joblib

from auditor.checks.check import Context
from auditor.checks.formula_mutation import OF_LAWS, Change, Original, change_throughout, formula_mutants, uses
from auditor.checks.lemma import PROVABLE, SEARCH, check_proof, proof_dependencies
from auditor.checks.mutation import mutants
from auditor.checks.numeric import ORACLE
from auditor.checks.witness import points_of
from auditor.engine.foreign import call_apart
from auditor.engine.plan import checks_for
from auditor.engine.registry import Registry, registry
from auditor.profile import profile
from auditor.target.target import MisbehavedError
from proofs_numeric.arithmetic.ball import ContradictionError
from proofs_numeric.arithmetic.enclosure import NotEnclosedError, Order, compare
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.derivation import Derivation
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Law, Quantity
from proofs_numeric.statements.statement import Statement, meets_target, statement_of
from proofs_numeric.statements.tactics import Tactic
from proofs_numeric.statements.verdict import Expectation, Verdict

_BITS = 256
_POINTS = 24
_CONTRADICTED = "two enclosures of one number do not meet"
_KILLING_VERDICTS = {Verdict.REFUTED, Verdict.ERROR}


class Fate(StrEnum):
    """Result of an attack by one mutant."""

    REFUTED = "refuted"
    """A check refuted it, or found an invalid number."""
    UNPROVED = "its proof does not close"
    """No check refuted it, but the kernel no longer proves it, or rejects a step of its derivation."""
    ELSEWHERE = "refuted of another claim"
    """No check refuted this claim, but one refuted another claim that uses the changed function."""
    UNDEFINED = "undefined"
    """It cannot be evaluated."""
    CRASHED = "its process ended"
    """Its process exceeded the memory limit or crashed; the mutant is undecided."""
    SAME = "the same at every point"
    """Enclosures of its sides overlap those of the claim at every compared point: an equal or nearly equal claim."""
    WEAKER = "weaker at every point"
    """It follows from the claim at every compared point, so it is no false statement."""
    TRUE = "true as well"
    """It has no parameters, and the enclosures of its sides prove it."""
    UNSEEN = "unseen"
    """Its statement differs, and no check refuted it."""
    TOO_LONG = "not decided in its time"


@dataclass(frozen=True)
class Attacked:
    """One mutant of a claim: the change, its fate, and the check or the reason."""

    claim: str
    change: str
    fate: Fate
    by: str = ""


@dataclass(frozen=True)
class Attack:
    """An evenly spaced sample of the mutants of one claim, and the number of all mutants."""

    claim: str
    trials: tuple[Attacked, ...]
    mutants: int


def attack(
    claims: Sequence[str], *, most: int, seconds: float, jobs: int = 1, progress: Callable[[str], object] | None = None
) -> list[Attack]:
    """Return the attacks on the formulas of claims, each mutant in a separate process.

    Args:
        claims: ids of the claims.
        most: most mutants of a claim.
        seconds: time limit of a mutant.
        jobs: worker processes.
        progress: called with a line after each claim; with one job also before each mutant.
    """
    report = progress or (lambda _line: None)
    by_mutant = progress if jobs == 1 else None
    attacks: list[Attack] = []
    parallel = joblib.Parallel(n_jobs=jobs, batch_size=1, return_as="generator")
    for one in parallel(joblib.delayed(attack_claim)(identifier, most, seconds, by_mutant) for identifier in claims):
        attacks.append(one)
        fates = [each.fate for each in chain.from_iterable(claim.trials for claim in attacks)]
        report(
            f"{len(attacks)} of {len(claims)} claims, {len(fates)} mutants, {fates.count(Fate.UNSEEN)} of them unseen"
        )
    return attacks


def attack_claim(identifier: str, most: int, seconds: float, progress: Callable[[str], object] | None = None) -> Attack:
    """Return the attack on one claim's formulas; see `attack`."""
    catalogue = registry()
    claim = catalogue.claims[identifier]
    mutants = list(formula_mutants(claim))
    step = max(1, -(-len(mutants) // most))
    fates: list[Attacked] = []
    for change, mutant in islice(mutants, 0, None, step):
        if progress is not None:
            progress(f"{identifier}: mutant {len(fates) + 1} of {-(-len(mutants) // step)}, each at most {seconds:g} s")
        try:
            fate, by = call_apart(partial(_classify_mutant, claim, mutant, catalogue), seconds)
            if fate == Fate.UNSEEN:
                users = [catalogue.claims[name] for name in _users()[change.original] if name != identifier]
                other = call_apart(partial(refuted_of, change, users, catalogue), seconds)
                fate, by = (Fate.ELSEWHERE, other) if other else (fate, by)
        except MisbehavedError as error:
            fate, by = (Fate.TOO_LONG if error.what.name == "hangs" else Fate.CRASHED), str(error)
        fates.append(Attacked(identifier, str(change), Fate(fate), by))
    return Attack(identifier, tuple(fates), len(mutants))


def _classify_mutant(claim: Claim, mutant: Callable[[], Claim], catalogue: Registry) -> tuple[Fate, str]:
    return classify(claim, mutant(), catalogue)


def refuted_of(change: Change, claims: Sequence[Claim], catalogue: Registry) -> str:
    """Return the id of the first claim that a check refutes after a change in all its formulas; empty if none."""
    for claim in claims:
        try:
            if refuted_by(change_throughout(claim, change), catalogue):
                return claim.id
        except ContradictionError:
            return f"{claim.id}: {_CONTRADICTED}"
        except Exception:  # noqa: BLE001, S112 - a changed formula may raise anything
            continue
    return ""


@functools.cache
def _users() -> Mapping[Original, Sequence[str]]:
    """Return, for each function or node of the papers, the ids of the claims expected to hold that use it, by cost."""
    users: dict[Original, list[str]] = {}
    holding = (claim for claim in registry().claims.values() if claim.expected is Expectation.HOLDS)
    for claim in sorted(holding, key=lambda claim: claim.cost):
        for code in set(uses(claim)):
            users.setdefault(code, []).append(claim.id)
    return users


def classify(claim: Claim, mutant: Claim, catalogue: Registry) -> tuple[Fate, str]:
    """Return the fate of a mutant and its reason: searching and sampling checks run first, then its proof."""
    try:
        return _fate(claim, mutant, catalogue)
    except ContradictionError:
        return Fate.REFUTED, _CONTRADICTED
    except Exception as error:  # noqa: BLE001 - a changed formula may raise anything
        return Fate.UNDEFINED, type(error).__name__


def _fate(claim: Claim, mutant: Claim, catalogue: Registry) -> tuple[Fate, str]:
    by = refuted_by(mutant, catalogue)
    if by:
        return Fate.REFUTED, by
    if (fate := _beside(claim, mutant)) is not None:
        return fate, ""
    if _is_certain(mutant):
        return Fate.TRUE, "decided by enclosures of its sides"
    proof = getattr(mutant.kind, "proof", None)
    if isinstance(proof, Derivation) and not _is_derived(mutant, catalogue):
        return Fate.UNPROVED, "a step of its derivation is refused"
    if isinstance(proof, Tactic):
        from proofs_numeric.kernel.goals import TacticError
        from proofs_numeric.kernel.prove import prove  # SymPy is optional

        try:
            prove(mutant, catalogue.claims)
        except TacticError as error:
            return Fate.UNPROVED, str(error)
        return Fate.UNSEEN, "and the kernel proves it"
    if by := refuted_by(mutant, catalogue, "standard"):
        return Fate.REFUTED, f"{by}, in the standard profile"
    return Fate.UNSEEN, _holds(mutant)


def _holds(mutant: Claim) -> str:
    """Return a note if the mutant holds at every point of a grid at which enclosures decide it.

    Empty if a point decides against it, if no point decides it, and for equalities, which no enclosure proves.
    """
    comparison = _comparison_of(mutant)
    if comparison is None or comparison.relation == "=":
        return ""
    compared = (comparison.compare(point) for point in points_of(comparison.box, mutant.points, 2, _POINTS))
    differing = [
        one for one in compared if one is not None and (comparison.tested_by(one) or comparison.violated_by(one))
    ]
    if not differing or any(map(comparison.violated_by, differing)):
        return ""
    return f"and true at all {len(differing)} points that decide it"


def _is_derived(mutant: Claim, catalogue: Registry) -> bool:
    """Return whether the steps of a derivation hold, given its premises."""
    verdicts = dict.fromkeys(proof_dependencies(mutant), Verdict.DERIVED)
    context = Context(profile("quick"), 0, Fraction(1, 10**6), catalogue, verdicts=verdicts)
    return all(finding.verdict is Verdict.DERIVED for finding in check_proof(mutant, context))


def _is_certain(mutant: Claim) -> bool:
    """Return whether the mutant has no parameters, compares two numbers, and is certainly true."""
    statement = statement_of(mutant)
    if mutant.domain.names or statement is None or statement.relation == "=":
        return False
    comparison = statement.compare({})
    return comparison is not None and comparison.order is Order.LESS


def refuted_by(mutant: Claim, catalogue: Registry, budget: str = "quick") -> str:
    """Return the first check, except proofs, that refutes a claim in a profile; empty if none."""
    run = profile(budget)
    kind = mutant.kind
    bare = replace(mutant, kind=replace(kind, proof=None)) if isinstance(kind, PROVABLE) else mutant
    # The definition comes first: it refutes a wrong probability at its first point.
    for check in sorted(checks_for(bare, catalogue), key=lambda check: check.name != ORACLE):
        # The grid comes before the search, without shrinking of a witness.
        for one in (replace(run, examples=0), run) if check.name == SEARCH else (run,):
            context = Context(one, 0, Fraction(1, 10**6), catalogue)
            if not check.after(bare) and any(
                finding.verdict in _KILLING_VERDICTS for finding in check.run(bare, context)
            ):
                return check.name
    return ""


def _beside(claim: Claim, mutant: Claim) -> Fate | None:
    """Return WEAKER or SAME if the mutant is weaker than or equal to the claim on a grid; otherwise None."""
    if isinstance(claim.kind, Quantity):
        return Fate.SAME  # the mutant rounds to the printed number
    comparison, changed = _comparison_of(claim), _comparison_of(mutant)
    other_laws = any(getattr(claim.kind, part, None) is not getattr(mutant.kind, part, None) for part in OF_LAWS)
    if comparison is None or changed is None or other_laws:
        return None
    points = points_of(comparison.box, claim.points, 2, _POINTS)
    orders: dict[str, set[Order]] = {"left": set(), "right": set()}
    for point in points:
        for side, order in orders.items():
            try:
                order.add(compare(getattr(comparison, side), getattr(changed, side), point, (128, _BITS)).order)
            except (ArithmeticError, NotEnclosedError, ValueError):
                continue
    differ = {side: order & {Order.LESS, Order.GREATER} for side, order in orders.items()}
    if not any(differ.values()):
        return Fate.SAME
    weaker = comparison.relation != "=" and differ["left"] <= {Order.GREATER} and differ["right"] <= {Order.LESS}
    return Fate.WEAKER if weaker else None


def _comparison_of(claim: Claim) -> Statement | None:
    """Return the comparison of a claim, whose sides a mutant may change; None if it has none."""
    kind = claim.kind
    if isinstance(kind, Calibration):
        return replace(meets_target(kind, claim.domain), relation="<=")
    if (statement := statement_of(claim)) is not None:
        return statement
    if isinstance(kind, Law):
        return Statement(lambda A: A.number(0), kind.probability, "=", claim.domain)
    if isinstance(kind, DeltaBound):
        above = claim.role is Role.UPPER
        return Statement(lambda A, **_p: A.number(0), kind.formula, "<=" if above else "=", claim.domain)
    return None


# --- the statements themselves ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stated:
    """Attack on a claim's statement: number of mutants, number refuted, and the change of the last one not refuted."""

    mutants: int
    refuted: int
    unseen: str


def statements_attacked(catalogue: Registry, jobs: int = 1) -> dict[str, Stated]:
    """Return the attacks on the statements of all claims expected to hold, by id; proofs are removed."""
    holding = [claim.id for claim in catalogue.claims.values() if claim.expected is Expectation.HOLDS]
    parallel = joblib.Parallel(n_jobs=jobs, batch_size=1)
    return dict(zip(holding, parallel(joblib.delayed(statement_attacked)(name) for name in holding), strict=True))


def statement_attacked(identifier: str) -> Stated:
    """Return the attack on one claim's statement."""
    catalogue = registry()
    changes = list(mutants(catalogue.claims[identifier]))
    unseen = [what for what, mutant in changes if not refuted_by(mutant, catalogue)]
    last = unseen[-1] if unseen else "" if changes else "no meaningful mutant"
    return Stated(len(changes), len(changes) - len(unseen), last)
