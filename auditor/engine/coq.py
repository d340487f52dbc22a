"""Closed goals of proofs as lemmas of Coq, written from the claims' own formulas, and what Coq proves of them.

A second check that shares neither SymPy nor ball arithmetic with the kernel.  It is no verdict: Coq proves a goal or
leaves it open, and the steps above the closed goals, and where formulas are defined, stay the kernel's.
"""

from __future__ import annotations

import math
import re
import resource
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from auditor.errors import UsageError
from proofs_numeric.arithmetic.arithmetic import exact
from proofs_numeric.arithmetic.coq import Coq, Order, Term, text
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.statement import Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from proofs_numeric.arithmetic.formula import Formula
    from proofs_numeric.kernel.prove import Theorem
    from proofs_numeric.statements.box import Parameter

PRELUDE = Path(__file__).with_suffix(".v")
"""Lemmas on exponentials, logarithms and signs, and the tactic ``close``, whose parts have so many seconds each."""
ELSEWHERE = 20
"""How many times as long they have in a file: who compiles it may have a slower or a busier machine."""
_A = Coq()


@dataclass(frozen=True)
class Closed:
    """A goal that the kernel closed itself: ``says`` is the proposition, or empty and ``why`` there is none."""

    claim: str
    path: str
    says: str
    why: str = ""

    @property
    def name(self) -> str:
        """Name of the lemma: the claim's id and the path in its tree."""
        return re.sub(r"\W", "_", f"{self.claim}_at_{self.path}")


def closed_goals(theorem: Theorem) -> Iterator[Closed]:
    """The goals that the kernel closed in the claim's own tree; those of other claims are found with these."""
    for path, leaf in theorem.root.leaves():
        if leaf.claim:
            continue
        try:
            says, why = proposition(leaf.goal), ""
        except Exception as error:  # noqa: BLE001 - whatever a formula does with a term that it cannot be written in
            says, why = "", " ".join(f"{type(error).__name__}: {error}".split())
        yield Closed(theorem.claim, path, says, why)


def proposition(goal: object) -> str:
    """The goal in Coq's syntax, for all real parameters in their ranges under the goal's hypotheses.

    A hypothesis that cannot be written is left out, and so is that a parameter is an integer: Coq has more to prove.

    Raises:
        TypeError: no comparison, or a parameter that is a word.
        Exception: whatever a formula raises that holds a special function or branches on a value.
    """
    if not isinstance(goal, Statement):
        raise TypeError(f"expected a comparison of numbers, got {type(goal).__name__.lower()}")
    box, values, said = goal.box, {}, []
    for parameter in box.parameters:
        values[parameter.name], ranges = _value(parameter)
        said.extend(ranges)
    names = [value.text for value in values.values() if isinstance(value, Term)]
    for hypothesis in (*goal.given, box.constraint):
        said.extend(_hypothesis(hypothesis, values))
    left, right = (_side(side, values) for side in (goal.left, goal.right))
    quantified = f"forall {' '.join(names)} : R, " if names else ""
    return quantified + " -> ".join((*said, f"{left} {goal.relation} {right}"))


def _value(parameter: Parameter) -> tuple[object, list[str]]:
    """The parameter as a term, or its one value, and its range."""
    if parameter.choices:
        raise TypeError(f"expected numbers, got the words of {parameter.name}")
    name, ranges = f"v_{parameter.name}", []
    ends = [None if "infinity" in str(end) else exact(end) for end in (parameter.lower, parameter.upper)]
    if ends[0] is not None and ends[0] == ends[1]:
        return ends[0], []
    if ends[0] is not None:
        ranges.append(f"{text(ends[0])} {'<' if parameter.open_lower else '<='} {name}")
    if ends[1] is not None:
        ranges.append(f"{name} {'<' if parameter.open_upper else '<='} {text(ends[1])}")
    return Term(name), ranges


def _hypothesis(said: Callable[..., object] | None, values: Mapping[str, object]) -> Iterator[str]:
    try:
        if isinstance(said, AtMost):
            left, right = (_side(side, values) for side in (said.left, said.right))
            yield f"{left} {'<' if said.strict else '<='} {right}"
        elif said is not None and isinstance(order := said(**values), Order):
            yield order.text
    except Exception:  # noqa: BLE001 - without it Coq has more to prove
        return


def _side(formula: Formula, values: Mapping[str, object]) -> str:
    return _A.number(formula(_A, **values)).text


def coqtop() -> str:
    """Where Coq is.

    Raises:
        UsageError: it is not installed.
    """
    path = shutil.which("coqtop")
    if path is None:
        raise UsageError("expected Coq, got no coqtop on the PATH; install it: apt install coq libcoq-interval")
    return path


def proved_by_coq(goals: Sequence[Closed]) -> frozenset[str]:
    """The propositions, of those written, that Coq proves by the prelude's ``close``, each in its time.

    Coq counts seconds by the clock. Where it had less than half of a processor, what it left open is tried once more,
    as much longer: on a busy machine, too, no less is proved.

    Raises:
        UsageError: Coq, or its library of interval arithmetic, is not installed.
    """
    path = coqtop()
    proved: set[str] = set()
    longer, share = 1, 0.0
    left = list(dict.fromkeys(goal.says for goal in goals if goal.says))
    while left and longer * share < 1 / 2:
        longer = math.ceil(2 / share) if share else 1
        found, share = _answered(path, left, longer)
        proved |= found
        left = [says for says in left if says not in found]
    return frozenset(proved)


def _answered(path: str, written: Sequence[str], longer: int) -> tuple[set[str], float]:
    """Those that Coq proves with so many times the seconds of each part of ``close``, and its share of a processor."""
    commands = [prelude(longer), "Lemma ready : 0 < 1.\nProof. close. Qed.\nAbort All.\nCheck ready."]
    for number, says in enumerate(written):
        commands.append(f"Lemma goal_{number} : {says}.\nProof. close. Qed.\nAbort All.\nCheck goal_{number}.")
    begun, spent = time.monotonic(), _spent()
    with TemporaryDirectory() as folder:  # nra leaves a cache where it runs
        done = subprocess.run(  # noqa: S603 - the command is Coq
            [path, "-q"], input="\n".join(commands), capture_output=True, text=True, check=False, cwd=folder
        )
    share = (_spent() - spent) / (time.monotonic() - begun)
    names = re.findall(r"^(?:Coq < )*(ready|goal_\d+)\s*:\s", done.stdout, re.MULTILINE)
    if "ready" not in names:
        error = re.search(r"Error:\s*(.+?)\n\n", done.stderr, re.DOTALL)
        said = " ".join((error[1] if error else done.stderr).split())
        raise UsageError(f"expected Coq with coq-interval, got {said or 'no answer'}; apt install coq libcoq-interval")
    return {written[int(name.removeprefix("goal_"))] for name in names if name != "ready"}, share


def _spent() -> float:
    """CPU seconds of the processes that this one started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prelude(longer: int) -> str:
    """The prelude, in which each part of ``close`` has so many times its seconds."""
    return re.sub(r"(?<=timeout )\d+", lambda seconds: str(longer * int(seconds[0])), PRELUDE.read_text("utf-8"))


def document(goals: Iterable[Closed], proved: frozenset[str]) -> str:
    """A file that ``coqc`` compiles: the prelude, each proposition proved, and as comments what is left open."""
    parts, seen = [prelude(ELSEWHERE)], set()
    for goal in goals:
        if goal.says in seen:
            continue
        seen.add(goal.says)
        if goal.says in proved:
            parts.append(f"Lemma {goal.name} :\n  {goal.says}.\nProof. close. Qed.\n")
        elif goal.says:
            parts.append(f"(* open: {goal.name} :\n  {goal.says} *)\n")
    return "\n".join(parts)
