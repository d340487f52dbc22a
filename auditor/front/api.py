"""The Python API: a few functions that call the engine.

They also work in a process with its own packages `mechanisms` or `proofs_numeric`: see `auditor.target.isolation`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from auditor.settings import shortest_decimal
from auditor.target import isolation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
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


def audit_mechanism(
    target: Any,
    claim: str | None = None,
    *,
    epsilon: float | Fraction | str | None = None,
    delta: float | Fraction | str | None = None,
    rho: float | Fraction | str | None = None,
    mu: float | Fraction | str | None = None,
    profile: str | Callable[..., Any] | None = None,
    pair: Mapping[str, Mapping[str, int]] | None = None,
    dataset: Any = None,
    strategy: Any = None,
    neighbours: str | Callable[..., Any] | None = None,
    input: str | None = None,  # noqa: A002 - the name of the option
    columns: Mapping[str, str] | None = None,
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
    floating_point: Literal["report", "ignore"] = "report",
    one_run: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    **parameters: float | Fraction | str,
) -> MechanismAudit:
    """Audit a mechanism by its releases, against a claim at given parameters or against promised numbers.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a callable
            `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`, or a registered id.
        claim: id of the claim that the mechanism should keep, at `parameters`. A registered target has its own claim.
        epsilon: promised epsilon >= 0. With a claim: its parameter of this name, as for delta, rho and mu. A float
            stands for its shortest decimal: 0.1 is 1/10.
        delta: promised delta in [0, 1); 0 if only epsilon is given.
        rho: promised rho-zCDP; delta-approximate with `delta`.
        mu: promised mu-GDP.
        profile: `FILE:callable` or a callable that returns the promised delta for `epsilon=`.
        pair: the pair of neighbours to test. None: the claim's worst cases and searched pairs.
        dataset: the user's own data: a file (CSV, JSON, Parquet; rows of user, partition and value, or of key and
            count, or columns of their own), `FILE.py:callable`, a callable of a generator, a histogram, a list of rows,
            a frame of pandas or polars, an array of NumPy, a list of numbers or a list of dictionaries. A strategy of
            Hypothesis is taken as `strategy`.
        strategy: a strategy of Hypothesis, a function that returns one, or its name. A tuple of two is a pair of
            neighbours; anything else is a data set, from which neighbours are made. Without `dataset` its largest data
            set is the dataset.
        neighbours: function `(dataset, rng)` -> (left, right), or its name. It makes neighbours from the data. No other
            pairs are tried unless a claim or `adjacency` is given.
        input: form in which the target takes its input: histogram, rows, records, numbers, numpy, pandas or polars.
            None: the annotation of its first argument names it, else the form of the data.
        columns: names of the columns `user` and `value` of the data. Without a column of users each record is one user.
        rows: True if the target takes rows (user, partition, value) instead of a histogram; implied when `dataset` has
            rows.
        only_input_keys: declares that only keys of the input are released; new keys are then tested on one sample.
        largest_count: most users of an invented input. None: the users in the data, but at least 1,000.
        answer_seconds: seconds without an answer after which the target counts as hanging. None: 10.
        jobs: processes that draw the releases of a slow target; the result does not depend on their number.
        keys: names of the keys that the target knows; the search uses only these keys.
        direction: both, forward (left against right) or backward.
        detect: smallest delta that the audit must be able to detect before it may report no violation, as a multiple of
            the claimed delta (3x) or as a number; with less power the verdict is undecided.
        budget: CPU seconds of target and auditor together.
        samples: releases per dataset of each test. None: 100,000, or as many as `detect` requires.
        alpha: false-alarm probability of this audit.
        seed: seed of all random numbers.
        adjacency: without a claim: one user more or less, one user replaced, or each answer changed.
        c_u: most keys of one user; with a claim: its parameter. None: 1, or the largest number in a dataset of rows.
        per_key: without a claim: most that one user adds to a key. None: 1, or the largest number in a dataset of rows.
        values: least and largest value of a row, then NaN and infinities, if any. None: those of the data.
        python: the interpreter that imports the target. None: this interpreter.
        steer: whether importance sampling may be used for a small delta.
        floating_point: `report` what the last bits of released doubles give away, or `ignore` it.
        one_run: number of single-user keys of one release that replaces many releases. Valid only if keys get
            independent noise and only keys of the input are released.
        progress: called after each batch of releases with the progress; its `str` is one line.
        parameters: values by the claim's names.

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

        numbers = {"epsilon": epsilon, "delta": delta, "rho": rho, "mu": mu}
        request = asked(
            given,
            claim,
            {name: shortest_decimal(value) for name, value in parameters.items()},
            {**{name: shortest_decimal(value) for name, value in numbers.items()}, "profile": profile},
            adjacency=adjacency,
            c_u=c_u,
            per_key=per_key,
            values=values,
            pair=pair,
            dataset=dataset,
            custom=neighbours,
            strategy=strategy,
            input=input,
            columns=columns or {},
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
            floating_point=floating_point,
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
    given = target if isinstance(target, str) else isolation.guest(target)
    with isolation.ours():
        from auditor.accountant_audit import object_audit
        from auditor.front.accountants import object_request

        return object_audit.audit_object(object_request(given, against, **options), progress)


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

        known = registry().experiments
        if identifier not in known:
            raise UnknownIdError("experiment", identifier, known)
        return known[identifier].run(full=full, seed=seed, progress=progress)
