"""The attack on the catalogue: claims made false by small changes, and which check sees each of them."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import chain, islice

import joblib

from auditor.checks.check import Context
from auditor.checks.formula_mutation import OF_LAWS, Change, Original, changed_throughout, formula_mutants, uses
from auditor.checks.lemma import PROVABLE, SEARCH, check_proof, proof_dependencies
from auditor.checks.mutation import mutants
from auditor.checks.numeric import ORACLE
from auditor.checks.witness import points_of
from auditor.engine.foreign import called_apart
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
_SEEN = {Verdict.REFUTED, Verdict.ERROR}


class Fate(StrEnum):
    """What became of a mutant."""

    REFUTED = "refuted"
    """A check refuted it, or found a number that is none."""
    UNPROVED = "its proof does not close"
    """No check refuted it, and the kernel no longer proves it, or a step of its derivation is refused."""
    ELSEWHERE = "refuted of another claim"
    """Nothing objects to this claim; of another claim that uses the changed function, a check refutes it."""
    UNDEFINED = "undefined"
    """It cannot be evaluated."""
    CRASHED = "its process ended"
    """Killed for its memory, or gone with the code that it called: nothing is known of it."""
    SAME = "the same at every point"
    """Its sides and the claim's have common enclosures wherever they were compared: no other claim, or nearly none."""
    WEAKER = "weaker at every point"
    """What it says follows from the claim wherever they were compared: it is no false statement."""
    TRUE = "true as well"
    """Without parameters, and its enclosed sides decide that it holds: nothing could refute it."""
    UNSEEN = "unseen"
    """It says something else, and no check objects."""
    TOO_LONG = "not decided in its time"


@dataclass(frozen=True)
class Attacked:
    """One mutant of a claim: the change, what became of it, and the check or the reason."""

    claim: str
    change: str
    fate: Fate
    by: str = ""


@dataclass(frozen=True)
class Attack:
    """The mutants of one claim that were tried, evenly thinned, and how many there are."""

    claim: str
    tried: tuple[Attacked, ...]
    mutants: int


def attack(
    claims: Sequence[str], *, most: int, seconds: float, jobs: int = 1, progress: Callable[[str], object] | None = None
) -> list[Attack]:
    """Try at most ``most`` mutants of the formulas of each claim, each in a process of its own for ``seconds``.

    ``progress`` is called with a line after each claim, and by one job before each mutant.
    """
    tell = progress or (lambda _line: None)
    told = progress if jobs == 1 else None
    found: list[Attack] = []
    parallel = joblib.Parallel(n_jobs=jobs, batch_size=1, return_as="generator")
    for one in parallel(joblib.delayed(attacked)(identifier, most, seconds, told) for identifier in claims):
        found.append(one)
        fates = [each.fate for each in chain.from_iterable(claim.tried for claim in found)]
        tell(f"{len(found)} of {len(claims)} claims, {len(fates)} mutants, {fates.count(Fate.UNSEEN)} of them unseen")
    return found


def attacked(identifier: str, most: int, seconds: float, progress: Callable[[str], object] | None = None) -> Attack:
    """Try the mutants of one claim's formulas."""
    known = registry()
    claim = known.claims[identifier]
    found = list(formula_mutants(claim))
    step = max(1, -(-len(found) // most))
    tried: list[Attacked] = []
    for change, mutant in islice(found, 0, None, step):
        if progress is not None:
            progress(f"{identifier}: mutant {len(tried) + 1} of {-(-len(found) // step)}, each at most {seconds:g} s")
        try:
            fate, by = called_apart(partial(_judged, claim, mutant, known), seconds)
            if fate == Fate.UNSEEN:
                users = [known.claims[name] for name in _users()[change.original] if name != identifier]
                other = called_apart(partial(refuted_of, change, users, known), seconds)
                fate, by = (Fate.ELSEWHERE, other) if other else (fate, by)
        except MisbehavedError as error:
            fate, by = (Fate.TOO_LONG if error.what.name == "hangs" else Fate.CRASHED), str(error)
        tried.append(Attacked(identifier, str(change), Fate(fate), by))
    return Attack(identifier, tuple(tried), len(found))


def _judged(claim: Claim, mutant: Callable[[], Claim], known: Registry) -> tuple[Fate, str]:
    return judged(claim, mutant(), known)


def refuted_of(change: Change, claims: Sequence[Claim], known: Registry) -> str:
    """The first of the claims that a check refutes with a change in all its formulas; empty where it refutes none."""
    for claim in claims:
        try:
            if refuted_by(changed_throughout(claim, change), known):
                return claim.id
        except ContradictionError:
            return f"{claim.id}: {_CONTRADICTED}"
        except Exception:  # noqa: BLE001, S112 - a formula that was changed may raise anything
            continue
    return ""


@functools.cache
def _users() -> Mapping[Original, Sequence[str]]:
    """Ids of the claims, expected to hold, that use each function or node of the papers, the cheapest first."""
    users: dict[Original, list[str]] = {}
    holding = (claim for claim in registry().claims.values() if claim.expected is Expectation.HOLDS)
    for claim in sorted(holding, key=lambda claim: claim.cost):
        for code in set(uses(claim)):
            users.setdefault(code, []).append(claim.id)
    return users


def judged(claim: Claim, mutant: Claim, known: Registry) -> tuple[Fate, str]:
    """What becomes of a mutant of a claim, by the searching and sampling checks first, then by its proof."""
    try:
        return _fate(claim, mutant, known)
    except ContradictionError:
        return Fate.REFUTED, _CONTRADICTED
    except Exception as error:  # noqa: BLE001 - a formula that was changed may raise anything
        return Fate.UNDEFINED, type(error).__name__


def _fate(claim: Claim, mutant: Claim, known: Registry) -> tuple[Fate, str]:
    by = refuted_by(mutant, known)
    if by:
        return Fate.REFUTED, by
    if (fate := _beside(claim, mutant)) is not None:
        return fate, ""
    if _decided(mutant):
        return Fate.TRUE, "decided by enclosures of its sides"
    proof = getattr(mutant.kind, "proof", None)
    if isinstance(proof, Derivation) and not _derived(mutant, known):
        return Fate.UNPROVED, "a step of its derivation is refused"
    if isinstance(proof, Tactic):
        from proofs_numeric.kernel.goals import TacticError
        from proofs_numeric.kernel.prove import prove  # SymPy is optional

        try:
            prove(mutant, known.claims)
        except TacticError as error:
            return Fate.UNPROVED, str(error)
        return Fate.UNSEEN, "and the kernel proves it"
    if by := refuted_by(mutant, known, "standard"):
        return Fate.REFUTED, f"{by}, in the standard profile"
    return Fate.UNSEEN, _holds(mutant)


def _holds(mutant: Claim) -> str:
    """That enclosures decide for the mutant wherever they decide it, so that no evaluation there can refute it.

    Empty where a point decides against it, where none decides it, and for equalities, which no enclosure shows.
    """
    stated = _said(mutant)
    if stated is None or stated.relation == "=":
        return ""
    compared = (stated.compare(point) for point in points_of(stated.box, mutant.points, 2, _POINTS))
    found = [one for one in compared if one is not None and (stated.tested_by(one) or stated.violated_by(one))]
    if not found or any(map(stated.violated_by, found)):
        return ""
    return f"and true at all {len(found)} points that decide it"


def _derived(mutant: Claim, known: Registry) -> bool:
    """Whether the steps of a derivation hold, its premises granted."""
    granted = dict.fromkeys(proof_dependencies(mutant), Verdict.DERIVED)
    context = Context(profile("quick"), 0, Fraction(1, 10**6), known, verdicts=granted)
    return all(found.verdict is Verdict.DERIVED for found in check_proof(mutant, context))


def _decided(mutant: Claim) -> bool:
    """Whether the mutant has no parameters, compares two numbers, and is certainly true."""
    stated = statement_of(mutant)
    if mutant.domain.names or stated is None or stated.relation == "=":
        return False
    comparison = stated.compare({})
    return comparison is not None and comparison.order is Order.LESS


def refuted_by(mutant: Claim, known: Registry, budget: str = "quick") -> str:
    """The first check, proofs apart, that refutes a claim in a profile; empty where none does."""
    run = profile(budget)
    kind = mutant.kind
    bare = replace(mutant, kind=replace(kind, proof=None)) if isinstance(kind, PROVABLE) else mutant
    # A definition tells the most: what is a probability, and not the right one, is refuted at the first of its points.
    for check in sorted(checks_for(bare, known), key=lambda check: check.name != ORACLE):
        # What fails on the grid fails: only what does not is searched for, and no witness is shown, so none is shrunk.
        for one in (replace(run, examples=0), run) if check.name == SEARCH else (run,):
            context = Context(one, 0, Fraction(1, 10**6), known)
            if not check.after(bare) and any(finding.verdict in _SEEN for finding in check.run(bare, context)):
                return check.name
    return ""


def _beside(claim: Claim, mutant: Claim) -> Fate | None:
    """Whether the mutant says the same as the claim, or less, at every point of a grid; None where it says more."""
    if isinstance(claim.kind, Quantity):
        return Fate.SAME  # what reads as printed is the printed number
    stated, changed = _said(claim), _said(mutant)
    other_laws = any(getattr(claim.kind, part, None) is not getattr(mutant.kind, part, None) for part in OF_LAWS)
    if stated is None or changed is None or other_laws:
        return None
    points = points_of(stated.box, claim.points, 2, _POINTS)
    orders: dict[str, set[Order]] = {"left": set(), "right": set()}
    for point in points:
        for side, found in orders.items():
            try:
                found.add(compare(getattr(stated, side), getattr(changed, side), point, (128, _BITS)).order)
            except (ArithmeticError, NotEnclosedError, ValueError):
                continue
    differ = {side: found & {Order.LESS, Order.GREATER} for side, found in orders.items()}
    if not any(differ.values()):
        return Fate.SAME
    weaker = stated.relation != "=" and differ["left"] <= {Order.GREATER} and differ["right"] <= {Order.LESS}
    return Fate.WEAKER if weaker else None


def _said(claim: Claim) -> Statement | None:
    """What a claim compares: the sides that a mutant may move."""
    kind = claim.kind
    if isinstance(kind, Calibration):
        return replace(meets_target(kind, claim.domain), relation="<=")
    if (stated := statement_of(claim)) is not None:
        return stated
    if isinstance(kind, Law):
        return Statement(lambda A: A.number(0), kind.probability, "=", claim.domain)
    if isinstance(kind, DeltaBound):
        above = claim.role is Role.UPPER
        return Statement(lambda A, **_p: A.number(0), kind.formula, "<=" if above else "=", claim.domain)
    return None


# --- the statements themselves ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stated:
    """The mutants of a claim's statement: how many, how many a check refutes, the change in the last that none does."""

    mutants: int
    refuted: int
    unseen: str


def statements_attacked(known: Registry, jobs: int = 1) -> dict[str, Stated]:
    """Claims expected to hold, with what became of their statements when changed; proofs are taken off."""
    holding = [claim.id for claim in known.claims.values() if claim.expected is Expectation.HOLDS]
    parallel = joblib.Parallel(n_jobs=jobs, batch_size=1)
    return dict(zip(holding, parallel(joblib.delayed(statement_attacked)(name) for name in holding), strict=True))


def statement_attacked(identifier: str) -> Stated:
    """What becomes of one claim's statement when changed."""
    known = registry()
    tried = list(mutants(known.claims[identifier]))
    unseen = [what for what, mutant in tried if not refuted_by(mutant, known)]
    last = unseen[-1] if unseen else "" if tried else "no meaningful mutant"
    return Stated(len(tried), len(tried) - len(unseen), last)
