"""The Python API: a few functions that call the engine.

They also work in a process with its own packages `mechanisms` or `proofs_numeric`: see `auditor.target.isolation`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from auditor.mechanism_audit.options import documented, split
from auditor.target import isolation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from auditor.accountant_audit.log import Call
    from auditor.accountant_audit.object_audit import ObjectAudit
    from auditor.accountant_audit.object_request import ObjectOptions
    from auditor.accountant_audit.request import AccountantOptions
    from auditor.accountant_audit.result import AccountantAudit
    from auditor.engine.evaluation import Evaluation
    from auditor.experiments.result import Result
    from auditor.findings.finding import Finding
    from auditor.mechanism_audit.progress import Progress
    from auditor.mechanism_audit.result import MechanismAudit
    from auditor.report.model import AuditReport


def run(
    selection: Sequence[str] | str = (),
    *,
    profile: str = "standard",
    seed: int = 0,
    alpha: str = "1e-6",
    jobs: int = 1,
    out: str | Path | None = None,
    resume: bool = False,
    evidence: str | Path | None = None,
    backend: str | None = None,
    progress: Callable[[int, int, Sequence[Finding]], object] | None = None,
    cache: str | Path | None = None,
) -> AuditReport:
    """Run every check that applies to the selection and return the report.

    Args:
        selection: globs over ids of claims, mechanisms, faults, controls and accountants; empty selects all.
        profile: quick, standard or deep.
        seed: seed of all random numbers.
        alpha: false-alarm probability of the whole run, in (0, 1), as an exact decimal string.
        jobs: worker processes; the report does not depend on their number.
        out: folder for the checkpoint; None writes no checkpoint.
        resume: whether to continue from the checkpoint in `out`.
        evidence: file that accumulates the black-box evidence of the one selected mechanism.
        backend: `dask://host:port` to run on a cluster.
        progress: called after each check with the number of finished checks, the number of all checks, and the
            findings.
        cache: folder that stores findings between runs; a check whose inputs have not changed is not run again. None:
            the folder in the environment variable AUDITOR_CACHE, if it is set.

    Raises:
        EmptySelectionError: a glob matches nothing.
        UsageError: profile, seed, alpha, jobs or backend is not allowed; evidence for several mechanisms.
        ReportError: the evidence file cannot be trusted.
        MissingPackageError: the package of the backend or of the cache is not installed.
    """
    with isolation.ours():
        from auditor.engine import runner
        from auditor.engine.runner import Event, Started, UnitDone
        from auditor.settings import CACHE_VARIABLE, checked_settings
        from auditor.writing import writable_directory

        checked_settings(profile, seed, alpha, jobs)
        done = total = 0

        def follow(event: Event) -> None:
            nonlocal done, total
            if isinstance(event, Started):
                total = event.total
            elif isinstance(event, UnitDone) and progress is not None:
                done += 1
                progress(done, total, event.findings)

        folder = cache or os.environ.get(CACHE_VARIABLE)
        return runner.run(
            [selection] if isinstance(selection, str) else selection,
            profile=profile,
            seed=seed,
            alpha=alpha,
            jobs=jobs,
            out=None if out is None else writable_directory(Path(out)),
            resume=resume,
            evidence=None if evidence is None else Path(evidence),
            backend=backend,
            events=follow,
            cache=None if folder is None else Path(folder),
        )


def evaluate(
    claim: str, *, arithmetic: str = "mpmath", digits: int = 30, **parameters: int | Fraction | str
) -> Evaluation:
    """Evaluate a claim at exact parameters.

    Args:
        claim: id of a claim that has a value.
        arithmetic: mpmath (a value that lies in its ball), ball (certified lower and upper) or float64.
        digits: significant decimal digits.
        parameters: integers, fractions or decimal strings by the claim's names. A float is refused, because its binary
            value differs from its decimal text.

    Raises:
        UnknownIdError: no such claim.
        UsageError: the claim has no value, or a parameter is missing, unknown, not exact or outside its domain.
    """
    with isolation.ours():
        from auditor.engine import evaluation

        return evaluation.evaluate(claim, parameters, arithmetic, digits)


@documented()
def audit_mechanism(
    target: Any, claim: str | None = None, *, progress: Callable[[Progress], object] | None = None, **options: Any
) -> MechanismAudit:
    """Audit a mechanism by its releases, against a claim at given parameters or against promised numbers.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a callable
            `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`, or a registered id.
        claim: id of the claim that the mechanism should keep, at `parameters`. A registered target has its own claim.
        progress: called after each batch of releases with the progress; its `str` is one line.
        options: see `auditor.mechanism_audit.options`.

    Raises:
        UnknownIdError: no such claim.
        TargetError: the target does not import.
        UsageError: numbers, pair, direction or budget cannot be used.
    """
    guest = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.engine.registered import mechanism_request
        from auditor.mechanism_audit import audit as mechanism_audit

        request = mechanism_request(guest, claim, *split(options))
        return mechanism_audit.audit_mechanism(request, progress)


def audit_accountant(
    target: str | Callable[..., Any],
    against: str | None = None,
    *,
    progress: Callable[[Sequence[Call], float], object] | None = None,
    **options: Unpack[AccountantOptions],
) -> AccountantAudit:
    """Search a claim's domain for inputs at which an accountant is unsafe, invalid, inconsistent or loose.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a callable, or the id of a registered accountant
            or planted fault. It takes the claim's parameters by keyword and returns a number.
        against: id of the claim. A registered target declares its own claim.
        progress: called after each call with all earlier calls and their CPU seconds.
        options: box, tolerance, max_examples, seed, call_timeout, budget, returns, solves and python: see
            `AccountantRequest`.

    Raises:
        UnknownIdError: no such claim, accountant or fault.
        TargetError: the target does not import or cannot be called.
        UsageError: the claim states no number, or an option cannot be used.
    """
    guest = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.accountant_audit import audit
        from auditor.front.accountants import accountant_request

        return audit.audit_accountant(accountant_request(guest, against, **options), progress)


def audit_object(
    target: str | Callable[..., Any],
    against: str | None = None,
    *,
    progress: Callable[[str, int, float], object] | None = None,
    **options: Unpack[ObjectOptions],
) -> ObjectAudit:
    """Audit the methods of a class against a claim and against each other; without a claim only against each other.

    Args:
        target: a class with methods delta, epsilon, sigma ..., compose; without a claim also a function.
        against: id of a claim about delta. None: no truth is known.
        progress: called after each call with the audited method, the number of its calls and their CPU seconds.
        options: see `ObjectRequest`.

    Raises:
        UnknownIdError: no such claim.
        TargetError: the target does not import or cannot be called.
        UsageError: no part that can be audited, a parameter without a range, or an option that cannot be used.
    """
    guest = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.accountant_audit import object_audit
        from auditor.front.accountants import object_request

        return object_audit.audit_object(object_request(guest, against, **options), progress)


def experiment(
    identifier: str, *, full: bool = False, seed: int = 0, progress: Callable[[str], object] | None = None
) -> Result:
    """Compute a figure of a paper or of this project: every curve on every panel, as numbers and as a drawing.

    Args:
        identifier: id of an experiment; `auditor list experiments` prints all ids.
        full: whether to compute every size and every epsilon.
        seed: seed of all random numbers.
        progress: called before each curve of a panel with the name of the curve.

    Raises:
        UnknownIdError: no such experiment.
    """
    with isolation.ours():
        from auditor.engine.registry import registry
        from auditor.errors import UnknownIdError

        experiments = registry().experiments
        if identifier not in experiments:
            raise UnknownIdError("experiment", identifier, experiments)
        return experiments[identifier].run(full=full, seed=seed, progress=progress)
