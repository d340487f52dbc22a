"""The Python API: a few functions, each a thin door to the engine.

They work in a process whose own packages are called `mechanisms` or `proofs_numeric`, too: see
`auditor.target.isolation`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from auditor.target import isolation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    from auditor.accountant_audit.log import Call
    from auditor.accountant_audit.object_audit import ObjectAudit, ObjectOptions
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
        selection: globs over ids of claims, mechanisms, faults, controls and accountants; all when empty.
        profile: quick, standard or deep.
        seed: all randomness derives from it.
        alpha: false-alarm probability of the whole run, in (0, 1), as an exact decimal string.
        jobs: worker processes; the report does not depend on it.
        out: folder for the checkpoint that `resume` goes on from; None keeps none.
        resume: go on from the checkpoint in `out`.
        evidence: file in which the black-box runs of the one selected mechanism accumulate.
        backend: `dask://host:port` to run on a cluster.
        progress: called after each check with how many are done, how many there are, and what this one found.
        cache: folder of findings that are kept between runs: a check for which nothing has changed is not run again.
            None: the folder that the environment names as AUDITOR_CACHE, if it does.

    Raises:
        EmptySelectionError: a glob matches nothing.
        UsageError: profile, seed, alpha, jobs or backend outside what is allowed; evidence for several mechanisms.
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

        kept = cache or os.environ.get(CACHE_VARIABLE)
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
            cache=None if kept is None else Path(kept),
        )


def evaluate(
    claim: str, *, arithmetic: str = "mpmath", digits: int = 30, **parameters: int | Fraction | str
) -> Evaluation:
    """Evaluate a claim at exact parameters, by the claim's own names.

    Args:
        claim: id of a claim that has a value.
        arithmetic: mpmath (a value that lies in its ball), ball (certified lower and upper) or float64.
        digits: significant decimal digits.
        parameters: integers, fractions or decimal strings; a float is refused, since it is not what it shows.

    Raises:
        UnknownIdError: no such claim.
        UsageError: the claim has no value, or a parameter is missing, unknown, not exact or outside its domain.
    """
    with isolation.ours():
        from auditor.engine import evaluation

        return evaluation.evaluate(claim, parameters, arithmetic, digits)


def audit_mechanism(
    target: Any,
    claim: str | None = None,
    *,
    epsilon: int | Fraction | str | None = None,
    delta: int | Fraction | str | None = None,
    rho: int | Fraction | str | None = None,
    mu: int | Fraction | str | None = None,
    profile: str | Callable[..., Any] | None = None,
    pair: Mapping[str, Mapping[str, int]] | None = None,
    dataset: Any = None,
    neighbours: str | Callable[..., Any] | None = None,
    rows: bool = False,
    only_input_keys: bool = False,
    largest_count: int | None = None,
    answer_seconds: float | None = None,
    jobs: int | None = None,
    keys: Sequence[str] = (),
    direction: Literal["both", "forward", "backward"] = "both",
    detect: str = "3x",
    budget: float = 60.0,
    samples: int | None = None,
    alpha: str = "1e-6",
    seed: int = 0,
    adjacency: Literal["add-remove", "replace", "each-answer"] | None = None,
    c_u: int | None = None,
    per_key: int | None = None,
    values: tuple[float, ...] | None = None,
    python: str | None = None,
    steer: bool = True,
    one_run: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    **parameters: int | Fraction | str,
) -> MechanismAudit:
    """Audit a mechanism by its releases, against a claim at given parameters or against what is stated in numbers.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a callable
            `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`, or a registered id.
        claim: id of the claim it should keep, at `parameters`; what is registered has its own.
        epsilon: exact, >= 0; the claim's own parameter where a claim is given.
        delta: exact, in [0, 1), 0 where only epsilon is given; the claim's own parameter where a claim is given.
        rho: rho-zCDP, exact, with `delta` delta-approximate; the claim's own parameter where a claim is given.
        mu: mu-GDP, exact; the claim's own parameter where a claim is given.
        profile: `FILE:callable` or a callable that returns the delta claimed at `epsilon=`.
        pair: neighbours to use; else the claim's worst cases, and searched pairs.
        dataset: the user's own data: a file (CSV, JSON, Parquet; rows of user, partition and value, or of key and
            count), `FILE.py:callable`, a callable of a generator, a histogram or a list of rows.
        neighbours: `(dataset, rng)` -> (left, right), or its name: makes neighbours of the data; nothing else is tried
            unless a claim or `adjacency` says what else neighbours are.
        rows: it takes rows of (user, partition, value), not a histogram; so it is where the data are rows.
        only_input_keys: it releases keys of its input only: new keys are tested on one sample.
        largest_count: most users of an input that the audit makes up; None: as many as the data have, 1,000 at least.
        answer_seconds: silence after which it counts as hanging; None: 10.
        jobs: processes that draw releases of a slow one together; any number draws the same.
        keys: names of keys that the target knows; searched pairs use them.
        direction: both, forward (left first) or backward.
        detect: the delta that a silence must have been able to see, as a multiple of the claimed one (3x) or a number;
            a silence of less power is undecided.
        budget: CPU seconds to spend.
        samples: releases a side to draw, by one test; None: 100,000, and as many more as `detect` takes.
        alpha: false-alarm probability of this audit.
        seed: all randomness derives from it.
        adjacency: without a claim: one user more or less, one for another, or answers that move any way.
        c_u: most keys that one user changes; the claim's own parameter where one is given. None: 1, or as many as a
            user of the dataset's rows has.
        per_key: without a claim: most by which one user changes each. None: 1, or as many rows as a user has in one.
        values: least and largest value of a row, then NaN and infinities that rows may have; None: those of the data.
        python: the interpreter that imports the target; None: this one.
        steer: whether draws may be tilted to see a delta below 1e-3 in few releases.
        one_run: instead of many releases, one of so many keys of a single user each; valid only where keys get
            independent noise and only keys of the input are released.
        progress: called after each batch of releases with how far the audit is; `str` of it is a line.
        parameters: exact values by the claim's names.

    Raises:
        UnknownIdError: no such claim.
        TargetError: the target does not import.
        UsageError: numbers, pair, direction or budget cannot be used.
    """
    given = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.engine.registered import asked
        from auditor.mechanism_audit import audit as mechanism_audit
        from auditor.target.target import Limits

        request = asked(
            given,
            claim,
            parameters,
            {"epsilon": epsilon, "delta": delta, "rho": rho, "mu": mu, "profile": profile},
            adjacency=adjacency,
            c_u=c_u,
            per_key=per_key,
            values=values,
            pair=pair,
            dataset=dataset,
            custom=neighbours,
            rows=rows,
            only_input_keys=only_input_keys,
            largest_count=largest_count,
            limits=Limits.answering(answer_seconds),
            jobs=jobs,
            keys=tuple(keys),
            direction=direction,
            detect=detect,
            budget=budget,
            samples=samples,
            alpha=alpha,
            seed=seed,
            python=python,
            steer=steer,
            one_run=one_run,
        )
        return mechanism_audit.audit_mechanism(request, progress)


def audit_accountant(
    target: str | Callable[..., Any],
    against: str | None = None,
    *,
    progress: Callable[[Sequence[Call], float], object] | None = None,
    **options: Unpack[AccountantOptions],
) -> AccountantAudit:
    """Search a claim's domain for inputs at which somebody's accountant is unsafe, invalid, inconsistent or loose.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a callable, or the id of a registered accountant
            or planted fault; it takes the claim's parameters by keyword and returns a number.
        against: id of the claim; what is registered declares its own.
        progress: called after each call with all calls so far and the CPU seconds that they took.
        options: box, tolerance, max_examples, seed, call_timeout, budget, returns, solves and python: see
            `AccountantRequest`.

    Raises:
        UnknownIdError: no such claim, accountant or fault.
        TargetError: the target does not import or cannot be called.
        UsageError: the claim states no number, or an option cannot be used.
    """
    given = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.accountant_audit import audit
        from auditor.front.accountants import accountant_request

        return audit.audit_accountant(accountant_request(given, against, **options), progress)


def audit_object(
    target: str | Callable[..., Any],
    against: str | None = None,
    *,
    progress: Callable[[str, int, float], object] | None = None,
    **options: Unpack[ObjectOptions],
) -> ObjectAudit:
    """Audit a class in its parts, each against a claim and all against each other, or without one in their relations.

    Args:
        target: a class with methods delta, epsilon, sigma ..., compose; without a claim also a function.
        against: id of a claim about delta; None: nothing is known to be true.
        progress: called after each call with what is audited, the calls of it so far and their CPU seconds.
        options: see `ObjectRequest`.

    Raises:
        UnknownIdError: no such claim.
        TargetError: the target does not import or cannot be called.
        UsageError: no part that can be audited, a parameter without a range, or an option that cannot be used.
    """
    given = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.accountant_audit import object_audit
        from auditor.front.accountants import object_request

        return object_audit.audit_object(object_request(given, against, **options), progress)


def experiment(
    identifier: str, *, full: bool = False, seed: int = 0, progress: Callable[[str], object] | None = None
) -> Result:
    """Re-run a figure of a paper, or of this project: every curve on every panel, as numbers and drawn.

    Args:
        identifier: id of an experiment, as `auditor list experiments` shows them.
        full: every size and every epsilon.
        seed: root of all randomness.
        progress: called before each curve of a panel with which it is.

    Raises:
        UnknownIdError: no such experiment.
    """
    with isolation.ours():
        from auditor.engine.registry import registry
        from auditor.errors import UnknownIdError

        known = registry().experiments
        if identifier not in known:
            raise UnknownIdError("experiment", identifier, known)
        return known[identifier].run(full=full, seed=seed, progress=progress)
