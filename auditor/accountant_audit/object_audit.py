"""Audit of an accountant with several parts: a class with delta, epsilon, sigma, compose.

With a claim, each part is compared with it, and the parts with each other. Without a claim only the consistency of
answers is checked: it can show that answers are wrong, not that they are right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.judge import Judge, Kind
from auditor.accountant_audit.log import FEWEST, MOST_OPEN
from auditor.accountant_audit.object_request import ObjectRequest
from auditor.accountant_audit.relations import (
    COMPOSED,
    EPSILON_NAME,
    FARTHEST,
    Compared,
    Declaration,
    PartCall,
    Parts,
    Relation,
    compared,
)
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.result import EXIT, AccountantAudit
from auditor.accountant_audit.solved import DELTA, solved
from auditor.accountant_audit.untaken import Untaken, some, untaken
from auditor.errors import ExitCode, UsageError, counted
from auditor.extras import required
from auditor.findings.card import WORDS, again, card, render_image
from auditor.search.parameter_points import search_box
from auditor.target.target import Part, Target
from auditor.target.worker import ANOTHER
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from pandas import DataFrame

Watch = Callable[[str, int, float], object]
"""Called after each call with the name of the audited part, its number of calls, and their CPU seconds."""
ALSO_EPSILON = ("eps",)
"""Other argument names for epsilon."""
TOGETHER = frozenset({"inverse", "composition"})
"""Consistency relations between parts; relations within one part are decided better by a claim."""


@dataclass(frozen=True)
class RelationResult:
    """One consistency relation: number of comparisons, and contradictions with the simplest and the largest.

    Args:
        says: the relation as text.
        comparisons: number of comparisons.
        contradictions: number of contradictions among them.
        simplest: the most readable contradiction, as text.
        largest: the contradiction with the largest factor, as text.
        factor: factor over/allowed of the largest contradiction, as a decimal string.
        corners: number of contradictions in corners, which do not count.
        needs: requirements of a comparison, as text.
    """

    says: str
    comparisons: int
    contradictions: int
    simplest: str = ""
    largest: str = ""
    factor: str = ""
    corners: int = 0
    needs: str = ""

    @property
    def summary(self) -> str:
        """The result of the comparisons in one line."""
        if self.contradictions:
            return f"{self.contradictions} contradict, the simplest {self.simplest}"
        corners = (
            f"; {counted(self.corners, 'contradiction')} outside the practical range, the simplest {self.simplest}"
        )
        return self.says + (corners if self.corners else "")


@dataclass(frozen=True)
class ObjectAudit:
    """Result of `audit_object`; `to_json` is the contract's document.

    Args:
        target: name of the target.
        claim: id of the claim; None without one.
        verdict: refuted if a part is refuted or answers contradict each other; undecided if a part is undecided or a
            relation was compared fewer than `FEWEST` times; else no violation seen.
        parts: the audit of each part against the claim.
        relations: comparisons without a truth, by relation.
        left_out: public methods that were not audited, with the reason.
        calls: number of calls for the relations.
        box: searched ranges, exact text.
        tolerance: relative accuracy of the answers.
        seed: seed of the searches.
        reproduce: command line that repeats the search.
        live: whether the target is an object of the caller, which `reproduce` names but no command can import.
        declined: number of calls of the relations that the target refused, with an example; empty without one.
        untaken: without a claim, branches of the target's own source that no call took.
    """

    target: str
    claim: str | None
    verdict: Verdict
    parts: Mapping[str, AccountantAudit]
    relations: Mapping[str, RelationResult]
    left_out: Mapping[str, str]
    calls: int
    box: Mapping[str, tuple[str, str]]
    tolerance: str
    seed: int
    reproduce: str
    live: bool = False
    declined: str = ""
    untaken: tuple[Untaken, ...] = ()

    def __repr__(self) -> str:
        return f"<{WORDS[self.verdict]}: {self._subject}: {self.detail}>"

    @property
    def _subject(self) -> str:
        return f"{self.target} against {self.claim or 'itself'}"

    @property
    def headline(self) -> str:
        """The verdict in one line; for a refutation only what is wrong, since the evidence has the judged calls."""
        return "; ".join(self._wrong()) or self.detail

    @property
    def detail(self) -> str:
        """The verdict with its reasons in one line."""
        sentences = [f"{name}: {part.detail}" for name, part in self.parts.items() if part.verdict is Verdict.UNDECIDED]
        sentences += self.open
        compared = ", ".join(f"{name} {one.comparisons}" for name, one in self.relations.items())
        unheld = "" if self.claim else "no exact value was given: an error that all answers share cannot be detected"
        scope = f"compared {compared or 'nothing'}, in {counted(self.calls, 'call')}"
        return "; ".join(filter(None, [*(self._wrong() or sentences or ["no contradiction seen"]), scope, unheld]))

    def _wrong(self) -> list[str]:
        wrong = [f"{name}: {part.headline}" for name, part in self.parts.items() if part.verdict is Verdict.REFUTED]
        return wrong + [f"{name}: {one.simplest}" for name, one in self.relations.items() if one.contradictions]

    @property
    def brief(self) -> list[str]:
        """The reason for a refutation or an undecided verdict, in at most two lines."""
        wrong = [
            [f"{name}: {first}", *more]
            for name, part in self.parts.items()
            if part.verdict is self.verdict
            for first, *more in [part.brief]
        ]
        wrong += [[f"{name}: {one.simplest}"] for name, one in self.relations.items() if one.contradictions]
        return next(iter(wrong), self.detail.split("; ")[:2])

    @property
    def open(self) -> list[str]:
        """Reasons why the relations are undecided, one line each."""
        return [text for text in (self.unrelated, self.seldom, self.declined, some(self.untaken)) if text]

    @property
    def unrelated(self) -> str:
        """Why answers were not compared with each other, with the remedy; empty if they were."""
        if self.claim is not None or self.relations.keys() != {"range"}:
            return ""
        return (
            "only the range of the answers was checked: --against CLAIM of `auditor list truths` gives a truth, "
            "--rises and --falls declare how answers move"
        )

    @property
    def seldom(self) -> str:
        """The relations with too few comparisons, with the remedy; empty without one."""
        few = [f"{name}: {one.needs}" for name, one in self.relations.items() if one.comparisons < FEWEST]
        remedy = "give that, or more --max-examples or --budget"
        return f"compared fewer than {FEWEST} times, and needs: {', '.join(few)}; {remedy}" if few else ""

    @property
    def exit_code(self) -> ExitCode:
        """0 without a violation, 1 if refuted, 3 if undecided."""
        return EXIT[self.verdict]

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook."""
        facts = [(name, f"{WORDS[part.verdict]}: {part.detail}") for name, part in self.parts.items()]
        facts += [(name, f"{one.summary}: {one.comparisons}") for name, one in self.relations.items()]
        says = ", ".join(f"{name} compared {one.comparisons} times" for name, one in self.relations.items())
        figure = render_image(lambda figure: self._draw(figure.subplots()), says, (6.4, 3)) if self.relations else ""
        return card(
            self.verdict,
            self._subject,
            self.detail,
            [*facts, ("see it again", again(self.reproduce, self.seed, live=self.live))],
            figure,
        )

    def to_frame(self) -> DataFrame:
        """Return a pandas frame with a row per part (judged calls) and per relation (comparisons).

        Raises:
            MissingPackageError: pandas is not installed.
        """
        rows: list[tuple[Any, ...]]
        rows = [(name, "part", part.judged, None, part.detail) for name, part in self.parts.items()]
        rows += [
            (name, "relation", one.comparisons, one.contradictions, one.says) for name, one in self.relations.items()
        ]
        columns = ["name", "kind", "compared", "contradictions", "what"]
        return required("pandas").DataFrame(rows, columns=columns).set_index("name")

    def plot(self) -> Any:
        """Draw the numbers of comparisons and contradictions of each relation; return the matplotlib axes.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        axes = required("matplotlib.pyplot").subplots(figsize=(6.4, 3))[1]
        self._draw(axes)
        return axes

    def _draw(self, axes: Any) -> None:
        names = list(self.relations)
        axes.barh(names, [one.comparisons for one in self.relations.values()], label="compared")
        axes.barh(names, [one.contradictions for one in self.relations.values()], color="C3", label="contradicted")
        axes.set(xlabel="comparisons", xscale="symlog")
        axes.legend()

    def to_json(self) -> dict[str, Any]:
        """Return the contract's JSON document."""
        return {
            "verdict": self.verdict.value,
            "detail": self.detail,
            "target": self.target,
            "claim": self.claim,
            "parts": {name: part.to_json() for name, part in self.parts.items()},
            "relations": {name: vars(one) for name, one in self.relations.items()},
            "left_out": dict(self.left_out),
            "calls": self.calls,
            "box": {name: {"lower": lower, "upper": upper} for name, (lower, upper) in self.box.items()},
            "tolerance": self.tolerance,
            "declined": self.declined,
            "untaken": [one.text for one in self.untaken],
            "reproduce": None if self.live else self.reproduce,
        }


def audit_object(request: ObjectRequest, watch: Watch | None = None) -> ObjectAudit:
    """Audit each part of an accountant against the claim, and all parts against each other.

    Args:
        request: target, claim or declarations, and the size of the search.
        watch: called after each call; None: no callback.

    Errors:
        TargetError: the target does not import or cannot be called.
        UsageError: no part can be audited, the target is a function with a claim, or a needed parameter has no range.
    """
    with request.located() as loaded:
        if loaded.parts is None and request.claim is not None:
            raise UsageError(f"{loaded.name} is a function: `audit_accountant` compares it with a claim")
        paths, left_out = _chosen(request, loaded)
        shares = len(paths) + 1 if request.claim is not None else 1
        audits = {} if request.claim is None else {path: _part(request, loaded, path, shares, watch) for path in paths}
        domain = request.declared.domain
        if request.claim is not None and "delta" not in paths:
            domain = replace(domain, parameters=(*domain.parameters, DELTA))
        with ExitStack() as stack:
            targets = {
                path: stack.enter_context(loaded.part(path) if loaded.parts is not None else loaded) for path in paths
            }
            accepted = [target.accepts for target in targets.values()]
            takes = None if None in accepted else frozenset[str]().union(*(names or () for names in accepted))
            _check_taken(loaded.name, request, takes)
            ranges = {name: ends for name, ends in request.box.items() if name in domain.names}
            box = search_box(domain, ranges, takes)
            parts = Parts(
                targets,
                replace(request.declared, domain=domain),
                box,
                Fraction(request.tolerance),
                request.budget / shares,
                pairs=COMPOSED in paths and ANOTHER in (loaded.parts or {})["compose"].own_names,
                watch=None if watch is None else partial(watch, "consistency of answers"),
                right=partial(_is_right, request, box.constants),
            )
            together = TOGETHER if request.claim is not None else None
            results = {
                relation.name: _result(relation, comparisons, strict=request.strict)
                for relation, comparisons in compared(parts, request.max_examples, request.seed, together)
            }
        verdicts = {part.verdict for part in audits.values()}
        contradicted = any(one.contradictions for one in results.values())
        refusals = parts.refusals
        one = next(iter(targets.values()))
        open_branches = tuple(untaken(one.branches, one.ways, box)) if request.claim is None else ()
        few = any(one.comparisons < FEWEST for one in results.values()) or len(refusals) > MOST_OPEN * parts.calls
        few = few or any(one.decides for one in open_branches)
        audit = ObjectAudit(
            target=loaded.name,
            claim=None if request.claim is None else request.claim.id,
            verdict=Verdict.REFUTED
            if contradicted or Verdict.REFUTED in verdicts
            else Verdict.UNDECIDED
            if few or Verdict.UNDECIDED in verdicts
            else Verdict.CONSISTENT,
            parts=audits,
            relations=results,
            left_out=left_out,
            calls=parts.calls,
            box=box.text(),
            tolerance=request.tolerance,
            seed=request.seed,
            reproduce=request.words(loaded.name),
            live=not isinstance(request.target, str),
            untaken=open_branches,
            declined=f"declines in {len(refusals)} of {counted(parts.calls, 'call')}, for one {refusals[0]}"
            if refusals
            else "",
        )
    weak = audit.verdict is Verdict.CONSISTENT and audit.unrelated
    return replace(audit, verdict=Verdict.UNDECIDED) if weak else audit


def _check_taken(name: str, request: ObjectRequest, takes: frozenset[str] | None) -> None:
    """Raise UsageError if, without a claim, a range is for a parameter that no part takes."""
    strange = [each for each in request.box if request.claim is None and takes is not None and each not in takes]
    if takes is not None and strange and strange != [DELTA.name]:
        taken = ", ".join(sorted(takes))
        raise UsageError(f"--box {strange[0]}: {name} does not take {strange[0]}; it takes {taken}")


def _chosen(request: ObjectRequest, loaded: Target) -> tuple[list[str], dict[str, str]]:
    """Return the audited parts, and the reasons why others are not audited."""
    declared = request.declared
    names = {*declared.domain.names, DELTA.name, *(() if request.claim else (EPSILON_NAME,))}
    if loaded.parts is None:
        path = request.solves[0] if request.solves else _returned(loaded, request)
        if path in (loaded.accepts or ()):
            raise UsageError(f"--solves {path}: {loaded.name} takes {path}; expected the parameter that it returns")
        _bounded(request, path, loaded.needs)
        return [path], {}
    paths, left_out = [], {}
    for name, part in loaded.parts.items():
        is_known = name in names or name == "compose"
        unnamed = "no parameter of the claim has this name" if request.claim else f"--box gives no range of {name}"
        reason = _unusable(name, part, declared, names) if is_known else unnamed
        if reason:
            left_out[name] = reason
        elif name != "compose":
            paths.append(name)
    if "compose" not in left_out and "compose" in loaded.parts:
        if "delta" in paths:
            paths.append(COMPOSED)
        else:
            left_out["compose"] = "the composition has no delta to compare"
    if not paths:
        part_names = ", ".join(["delta", *(name for name in declared.domain.names if name != DELTA.name), "compose"])
        reasons = "; ".join(f"{name}: {reason}" for name, reason in left_out.items()) or "it has no public method"
        raise UsageError(f"{loaded.name} has no part to audit, of {part_names}: {reasons}")
    for path in paths if request.claim is None else ():
        needs = frozenset() if path == COMPOSED else loaded.parts[path].needs
        _bounded(request, path, needs - {DELTA.name})
    return sorted(paths, key=lambda path: (path != "delta", path == COMPOSED)), left_out


def _returned(loaded: Target, request: ObjectRequest) -> str:
    """Return the quantity that a function returns, inferred from its argument names."""
    names = loaded.accepts if loaded.accepts is not None else frozenset(request.box)
    if DELTA.name not in names:
        return DELTA.name
    if names & {EPSILON_NAME, *ALSO_EPSILON}:
        raise UsageError(
            f"{loaded.name} takes {', '.join(sorted(names))}: --solves NAME names the returned parameter, such as sigma"
        )
    return EPSILON_NAME


def _unusable(name: str, part: Part, declared: Declaration, names: set[str]) -> str:
    """Return why a method is not audited; empty if it is."""
    takes = part.accepts
    if name == "compose":
        usable = ANOTHER in part.own_names or (declared.counts and declared.counts in part.own_names)
        what = f"{declared.counts} or {ANOTHER}" if declared.counts else ANOTHER
        return "" if usable else f"takes {', '.join(sorted(part.own_names)) or 'nothing'}; expected {what}"
    if name != "delta" and takes is not None and (name in takes or DELTA.name not in takes):
        return f"takes {name} itself" if name in takes else "takes no delta"
    missing = sorted(part.needs - names)
    return f"needs {', '.join(missing)}, which is no parameter" if missing else ""


def _bounded(request: ObjectRequest, part: str, needs: frozenset[str]) -> None:
    """Raise UsageError if a parameter that a part needs has no range."""
    missing = sorted(needs - {*request.box})
    if missing:
        raise UsageError(f"{part} needs {', '.join(missing)}: give --box {missing[0]}=LO:HI")


def _part(request: ObjectRequest, loaded: Target, path: str, shares: int, watch: Watch | None) -> AccountantAudit:
    """Audit one part against the claim."""
    claim = request.claim
    assert claim is not None and loaded.parts is not None  # noqa: PT018, S101 - the caller's condition
    if path == COMPOSED and ANOTHER in loaded.parts["compose"].own_names:
        claim = twice(claim)
    solves = () if path in {"delta", COMPOSED} else (path,)
    names = {*claim.domain.names, DELTA.name} - {*solves, *(() if solves else (DELTA.name,))}
    return audit_accountant(
        AccountantRequest(
            target=loaded.part(path),
            claim=claim,
            against=request.against,
            box={name: ends for name, ends in request.box.items() if name in names},
            tolerance=request.tolerance,
            max_examples=request.max_examples,
            seed=request.seed,
            call_timeout=request.call_timeout,
            budget=request.budget / shares,
            returns=request.returns,
            solves=solves,
            python=request.python,
            floor=request.floor,
            memory=request.memory,
            strict=request.strict,
        ),
        None if watch is None else lambda calls, seconds: watch(path, len(calls), seconds),
    )


def _is_right(request: ObjectRequest, constants: Mapping[str, Any], call: PartCall) -> bool:
    """Return whether the claim confirms that a part's returned value achieves its delta; False without a claim."""
    if request.claim is None:
        return False
    judge = Judge(solved(request.claim, (call.part,)), Fraction(request.tolerance), tuple(request.returns))
    return judge({**constants, **call.point}, call.answer).kind in {Kind.RIGHT, Kind.LOOSE}


def twice(claim: Claim) -> Claim:
    """Return the claim for an accountant composed with an equal one: twice as many releases."""
    counts, kind = claim.counts, claim.kind
    if not counts or not isinstance(kind, DeltaBound):
        raise UsageError(f"{claim.id} counts no releases: it does not apply to compositions")

    def doubled(formula: Any) -> Any:
        return None if formula is None else lambda A, **p: formula(A, **{**p, counts: 2 * p[counts]})

    return replace(claim, kind=DeltaBound(doubled(kind.formula), exact=doubled(kind.exact)), evaluates=None, points=())


def _result(relation: Relation, comparisons: Sequence[Compared], *, strict: bool) -> RelationResult:
    inside = [one for one in comparisons if not one.corner]
    deciding = inside if not strict and len(inside) >= FEWEST else comparisons
    every, bad = ([one for one in some if one.excess > 0] for some in (comparisons, deciding))
    if not bad:
        corner = str(min(every, key=lambda one: one.reading)) if every else ""
        return RelationResult(relation.says, len(comparisons), 0, corner, corners=len(every), needs=relation.needs)
    simplest = min(bad, key=lambda one: one.reading)
    largest = max(bad, key=lambda one: one.excess)
    factor = "" if largest.excess > FARTHEST else f"{math.exp(largest.excess):.6g}"
    corners = len(every) - len(bad)
    return RelationResult(
        relation.says, len(comparisons), len(bad), str(simplest), str(largest), factor, corners, relation.needs
    )
