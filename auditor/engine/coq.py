"""Closed goals of proofs as Coq lemmas, generated from the claims' formulas, and their proofs by Coq.

The check shares neither SymPy nor ball arithmetic with the kernel. It gives no verdict: Coq proves a goal or leaves it
open. The proof steps above the closed goals, and the domains of formulas, are checked by the kernel alone.
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
"""Lemmas on exponentials, logarithms and signs, and the tactic ``close``, with a time limit for each part."""
ELSEWHERE = 20
"""Factor of the time limits in a written file, which a slower machine may compile."""
_A = Coq()


@dataclass(frozen=True)
class Closed:
    """A goal that the kernel closed: ``says`` is the proposition; if it is empty, ``why`` is the reason."""

    claim: str
    path: str
    says: str
    why: str = ""

    @property
    def name(self) -> str:
        """Name of the lemma: the claim's id and the path in its tree."""
        return re.sub(r"\W", "_", f"{self.claim}_at_{self.path}")


def closed_goals(theorem: Theorem) -> Iterator[Closed]:
    """Yield the goals that the kernel closed in the claim's tree, without the goals of other claims."""
    for path, leaf in theorem.root.leaves():
        if leaf.claim:
            continue
        try:
            says, why = proposition(leaf.goal), ""
        except Exception as error:  # noqa: BLE001 - a formula may fail on a term of Coq in any way
            says, why = "", " ".join(f"{type(error).__name__}: {error}".split())
        yield Closed(theorem.claim, path, says, why)


def proposition(goal: object) -> str:
    """Return the goal in Coq's syntax, for all real parameters in their ranges under the goal's hypotheses.

    The lemma omits hypotheses that cannot be written and the integrality of parameters, so it is stronger.

    Raises:
        TypeError: the goal is no comparison, or a parameter is a word.
        Exception: any error of a formula that has a special function or branches on a value.
    """
    if not isinstance(goal, Statement):
        raise TypeError(f"expected a comparison of numbers, got {type(goal).__name__.lower()}")
    box, values, premises = goal.box, {}, []
    for parameter in box.parameters:
        values[parameter.name], ranges = _value(parameter)
        premises.extend(ranges)
    names = [value.text for value in values.values() if isinstance(value, Term)]
    for hypothesis in (*goal.hypotheses, box.constraint):
        premises.extend(_hypothesis(hypothesis, values))
    left, right = (_side(side, values) for side in (goal.left, goal.right))
    quantified = f"forall {' '.join(names)} : R, " if names else ""
    return quantified + " -> ".join((*premises, f"{left} {goal.relation} {right}"))


def _value(parameter: Parameter) -> tuple[object, list[str]]:
    """Return the parameter as a term, or its one value, and its range as premises."""
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


def _hypothesis(hypothesis: Callable[..., object] | None, values: Mapping[str, object]) -> Iterator[str]:
    try:
        if isinstance(hypothesis, AtMost):
            left, right = (_side(side, values) for side in (hypothesis.left, hypothesis.right))
            yield f"{left} {'<' if hypothesis.strict else '<='} {right}"
        elif hypothesis is not None and isinstance(order := hypothesis(**values), Order):
            yield order.text
    except Exception:  # noqa: BLE001 - without it Coq has more to prove
        return


def _side(formula: Formula, values: Mapping[str, object]) -> str:
    return _A.number(formula(_A, **values)).text


def coqtop() -> str:
    """Return the path of Coq.

    Raises:
        UsageError: Coq is not installed.
    """
    path = shutil.which("coqtop")
    if path is None:
        raise UsageError("expected Coq, got no coqtop on the PATH; install it: apt install coq libcoq-interval")
    return path


def proved_by_coq(goals: Sequence[Closed]) -> frozenset[str]:
    """Return the propositions that Coq proves by the prelude's ``close`` within its time limits.

    Coq counts wall-clock seconds. If it had less than half of a processor, the open goals are tried again with
    proportionally longer limits, so a busy machine does not prove less.

    Raises:
        UsageError: Coq, or its library of interval arithmetic, is not installed.
    """
    path = coqtop()
    proved: set[str] = set()
    longer, share = 1, 0.0
    left = list(dict.fromkeys(goal.says for goal in goals if goal.says))
    while left and longer * share < 1 / 2:
        longer = math.ceil(2 / share) if share else 1
        answered, share = _ask_coq(path, left, longer)
        proved |= answered
        left = [says for says in left if says not in answered]
    return frozenset(proved)


def _ask_coq(path: str, goals: Sequence[str], longer: int) -> tuple[set[str], float]:
    """Return the propositions proved with time limits multiplied by `longer`, and Coq's share of a processor."""
    commands = [prelude(longer), "Lemma ready : 0 < 1.\nProof. close. Qed.\nAbort All.\nCheck ready."]
    for number, says in enumerate(goals):
        commands.append(f"Lemma goal_{number} : {says}.\nProof. close. Qed.\nAbort All.\nCheck goal_{number}.")
    start, cpu_start = time.monotonic(), _cpu_seconds()
    with TemporaryDirectory() as folder:  # nra leaves a cache where it runs
        done = subprocess.run(  # noqa: S603 - the command is Coq
            [path, "-q"], input="\n".join(commands), capture_output=True, text=True, check=False, cwd=folder
        )
    share = (_cpu_seconds() - cpu_start) / (time.monotonic() - start)
    names = re.findall(r"^(?:Coq < )*(ready|goal_\d+)\s*:\s", done.stdout, re.MULTILINE)
    if "ready" not in names:
        error = re.search(r"Error:\s*(.+?)\n\n", done.stderr, re.DOTALL)
        reason = " ".join((error[1] if error else done.stderr).split())
        raise UsageError(
            f"expected Coq with coq-interval, got {reason or 'no answer'}; apt install coq libcoq-interval"
        )
    return {goals[int(name.removeprefix("goal_"))] for name in names if name != "ready"}, share


def _cpu_seconds() -> float:
    """Return the CPU seconds of this process's finished children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def prelude(longer: int) -> str:
    """Return the prelude with the time limits of ``close`` multiplied by `longer`."""
    return re.sub(r"(?<=timeout )\d+", lambda seconds: str(longer * int(seconds[0])), PRELUDE.read_text("utf-8"))


def document(goals: Iterable[Closed], proved: frozenset[str]) -> str:
    """Return a file for ``coqc``: the prelude, each proved proposition, and the open ones as comments."""
    parts, names = [prelude(ELSEWHERE)], set()
    for goal in goals:
        if goal.says in names:
            continue
        names.add(goal.says)
        if goal.says in proved:
            parts.append(f"Lemma {goal.name} :\n  {goal.says}.\nProof. close. Qed.\n")
        elif goal.says:
            parts.append(f"(* open: {goal.name} :\n  {goal.says} *)\n")
    return "\n".join(parts)
