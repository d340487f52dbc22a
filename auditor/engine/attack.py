"""The attack on the catalogue: claims made false by small changes, and which check sees each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import islice

import joblib

from auditor.checks.check import Context
from auditor.checks.formula_mutation import formula_mutants
from auditor.checks.lemma import PROVABLE, SEARCH
from auditor.checks.mutation import mutants
from auditor.checks.witness import points_of
from auditor.engine.foreign import called_apart
from auditor.engine.plan import checks_for
from auditor.engine.registry import Registry, registry
from auditor.profile import profile
from auditor.target.target import MisbehavedError
from proofs_numeric.arithmetic.enclosure import NotEnclosedError, Order, compare
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Quantity
from proofs_numeric.statements.statement import Statement, meets_target, statement_of
from proofs_numeric.statements.tactics import Tactic
from proofs_numeric.statements.verdict import Expectation, Verdict

_BITS = 256
_POINTS = 24
_SEEN = {Verdict.REFUTED, Verdict.ERROR}


class Fate(StrEnum):
    """What became of a mutant."""

    REFUTED = "refuted"
    """A check refuted it, or found a number that is none."""
    UNPROVED = "its proof does not close"
    """No check refuted it, and the kernel no longer proves it."""
    UNDEFINED = "undefined"
    """It cannot be evaluated."""
    SAME = "the same at every point"
    """Its sides and the claim's have common enclosures wherever they were compared: no other claim, or nearly none."""
    WEAKER = "weaker at every point"
    """What it says follows from the claim wherever they were compared: it is no false statement."""
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


def attack(claims: Sequence[str], *, most: int, seconds: float, jobs: int = 1) -> list[Attack]:
    """Try at most ``most`` mutants of the formulas of each claim, each in a process of its own for ``seconds``."""
    parallel = joblib.Parallel(n_jobs=jobs, batch_size=1)
    return list(parallel(joblib.delayed(attacked)(identifier, most, seconds) for identifier in claims))


def attacked(identifier: str, most: int, seconds: float) -> Attack:
    """Try the mutants of one claim's formulas."""
    known = registry()
    claim = known.claims[identifier]
    found = list(formula_mutants(claim))
    step = max(1, -(-len(found) // most))
    tried = []
    for change, mutant in islice(found, 0, None, step):
        try:
            fate, by = called_apart(partial(_judged, claim, mutant, known), seconds)
        except MisbehavedError as error:
            fate, by = (Fate.TOO_LONG if error.what.name == "hangs" else Fate.UNDEFINED), str(error)
        tried.append(Attacked(identifier, str(change), Fate(fate), by))
    return Attack(identifier, tuple(tried), len(found))


def _judged(claim: Claim, mutant: Callable[[], Claim], known: Registry) -> tuple[Fate, str]:
    return judged(claim, mutant(), known)


def judged(claim: Claim, mutant: Claim, known: Registry) -> tuple[Fate, str]:
    """What becomes of a mutant of a claim, by the searching and sampling checks first, then by its proof."""
    try:
        by = refuted_by(mutant, known)
    except Exception as error:  # noqa: BLE001 - a formula that was changed may raise anything
        return Fate.UNDEFINED, type(error).__name__
    if by:
        return Fate.REFUTED, by
    if (fate := _beside(claim, mutant)) is not None:
        return fate, ""
    if isinstance(getattr(mutant.kind, "proof", None), Tactic):
        from proofs_numeric.kernel.prove import TacticError, prove  # SymPy is optional

        try:
            prove(mutant, known.claims)
        except TacticError as error:
            return Fate.UNPROVED, str(error)
        return Fate.UNSEEN, "and the kernel proves it"
    return Fate.UNSEEN, ""


def refuted_by(mutant: Claim, known: Registry) -> str:
    """The first check, proofs apart, that refutes a claim; empty where none does."""
    quick = profile("quick")
    kind = mutant.kind
    bare = replace(mutant, kind=replace(kind, proof=None)) if isinstance(kind, PROVABLE) else mutant
    for check in checks_for(bare, known):
        # What fails on the grid fails: only what does not is searched for, and no witness is shown, so none is shrunk.
        for budget in (replace(quick, examples=0), quick) if check.name == SEARCH else (quick,):
            context = Context(budget, 0, Fraction(1, 10**6), known)
            if not check.after(bare) and any(finding.verdict in _SEEN for finding in check.run(bare, context)):
                return check.name
    return ""


def _beside(claim: Claim, mutant: Claim) -> Fate | None:
    """Whether the mutant says the same as the claim, or less, at every point of a grid; None where it says more."""
    if isinstance(claim.kind, Quantity):
        return Fate.SAME  # what reads as printed is the printed number
    stated, changed = _said(claim), _said(mutant)
    if stated is None or changed is None:
        return None
    points = points_of(stated.box, claim.points, 2, _POINTS)
    orders: dict[str, set[Order]] = {"left": set(), "right": set()}
    for point in points:
        for side, found in orders.items():
            try:
                found.add(compare(getattr(stated, side), getattr(changed, side), point, _BITS).order)
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
    if isinstance(kind, DeltaBound):
        above = claim.role is Role.UPPER
        return Statement(lambda A, **_p: A.number(0), kind.formula, "<=" if above else "=", claim.domain)
    return None


# --- the statements themselves ----------------------------------------------------------------------------------------


def survivors(known: Registry, jobs: int = 1) -> dict[str, str]:
    """Claims expected to hold of which a changed statement is refuted by no check, with what was changed."""
    holding = [claim.id for claim in known.claims.values() if claim.expected is Expectation.HOLDS]
    parallel = joblib.Parallel(n_jobs=jobs, batch_size=1)
    unseen = parallel(joblib.delayed(survivor)(identifier) for identifier in holding)
    return {identifier: what for identifier, what in zip(holding, unseen, strict=True) if what}


def survivor(identifier: str) -> str:
    """What was changed in the last mutant of a claim that no check refutes; empty when every mutant is refuted."""
    known = registry()
    tried = list(mutants(known.claims[identifier]))
    unseen = "" if tried else "no meaningful mutant"
    for what, mutant in tried:
        if not refuted_by(mutant, known):
            unseen = what
    return unseen
