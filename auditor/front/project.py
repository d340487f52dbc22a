"""The targets of a project: the table `tool.auditor` of its pyproject.toml.

    [tool.auditor]
    alpha = "1e-6"

    [[tool.auditor.mechanism]]
    target = "noise.py:release"
    epsilon = 1
    budget = 30

    [[tool.auditor.accountant]]
    target = "accounting.py:delta"
    against = "wilkins2024.thm2.2"
    box = { epsilon = "0:5" }

An entry has the options of `auditor mechanism` or `auditor accountant` by name, and values of the claim's parameters.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, Context, Decimal
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from auditor.errors import TargetError, UsageError, closest
from auditor.front.audited import ALPHA, error_finding
from auditor.reading import text_of
from auditor.settings import checked_probability, checked_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.findings.finding import Finding

CONFIGURATION = "pyproject.toml"
KINDS = ("mechanism", "accountant")
SETTINGS = ("alpha", "seed")
REMEDY = "`auditor init` writes one"


@dataclass(frozen=True)
class Project:
    """The targets of a project.

    Attributes:
        file: the configuration file.
        alpha: false-alarm probability of all mechanisms together, a decimal.
        seed: seed of all random numbers.
        entries: kind, target and options of each audit, in the order of the file.
    """

    file: Path
    alpha: str
    seed: int
    entries: tuple[tuple[str, str, Mapping[str, Any]], ...]

    def level(self) -> str:
        """Return the false-alarm probability of one mechanism: equal shares, rounded down."""
        mechanisms = sum(kind == "mechanism" for kind, _, _ in self.entries)
        share = Context(prec=6, rounding=ROUND_DOWN).divide(Decimal(self.alpha), Decimal(max(1, mechanisms)))
        return f"{share:.5e}"


def read(file: Path) -> Project:
    """Read the targets of a project.

    Raises:
        UsageError: the file is unreadable, has no targets, or an entry has another form.
    """
    try:
        document = tomllib.loads(text_of(file))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {(error.strerror or '').lower()}; {REMEDY}") from None
    except ValueError as error:
        raise UsageError(f"expected TOML in {file}, got {error}") from None
    table = document.get("tool", {}).get("auditor")
    if not isinstance(table, dict):
        raise UsageError(f"expected a table [tool.auditor] in {file}, got none; {REMEDY}")
    for name in table:
        if name not in (*KINDS, *SETTINGS):
            names = ", ".join((*SETTINGS, *KINDS))
            raise UsageError(f"expected {names} in [tool.auditor] of {file}, got {name}")
    entries = [_entry(kind, each, file) for kind in KINDS for each in _entries_of(table, kind, file)]
    if not entries:
        raise UsageError(f"expected [[tool.auditor.mechanism]] or [[tool.auditor.accountant]] in {file}, got none")
    seed = table.get("seed", 0)
    checked_seed(seed)
    return Project(file, checked_probability(str(table.get("alpha", ALPHA)), "alpha"), seed, tuple(entries))


def _entries_of(table: Mapping[str, Any], kind: str, file: Path) -> list[Any]:
    entries = table.get(kind, [])
    if not isinstance(entries, list):
        raise UsageError(f"expected [[tool.auditor.{kind}]] with double brackets in {file}, got one table")
    return entries


def _entry(kind: str, entry: Any, file: Path) -> tuple[str, str, Mapping[str, Any]]:
    target = entry.get("target") if isinstance(entry, dict) else None
    if not isinstance(target, str):
        raise UsageError(f'expected target = "path/to/file.py:callable" in [[tool.auditor.{kind}]] of {file}')
    options = {name.replace("-", "_"): value for name, value in entry.items() if name != "target"}
    if setting := next((name for name in options if name in SETTINGS), None):
        raise UsageError(f"expected {setting} in [tool.auditor] of {file}, got it in the entry of {target}")
    path, colon, name = target.rpartition(":")
    if colon and path.endswith(".py"):
        target = f"{os.path.relpath(file.parent / path)}:{name}"
    return kind, target, options


def audit(project: Project, kind: str, target: str, options: Mapping[str, Any], show: Any = None) -> Finding:
    """Audit one target and return its finding; a target that cannot be audited has the verdict error.

    Raises:
        UsageError: the entry has an option with another name.
        UsageError: see `auditor mechanism` and `auditor accountant`.
    """
    audits: Mapping[str, Callable[..., Finding]] = {"mechanism": _mechanism, "accountant": _accountant}
    try:
        return audits[kind](project, target, dict(options), show)
    except TargetError as error:
        return error_finding(
            kind, target, str(error), f"auditor check --config {quote(str(project.file))} {quote(target)}"
        )


def _mechanism(project: Project, target: str, options: dict[str, Any], show: Any) -> Finding:
    from auditor.engine.registered import mechanism_request
    from auditor.engine.registry import registry
    from auditor.front.audited import mechanism_finding
    from auditor.mechanism_audit.audit import audit_mechanism
    from auditor.mechanism_audit.options import OPTIONS, split

    claim = options.pop("claim", None)
    values = {
        name: OPTIONS[name][0].read_from(value) if name in OPTIONS and isinstance(value, str) else value
        for name, value in options.items()
    }
    parameters, selected = split(values)
    claim_names = () if claim is None else registry().claim(claim).domain.names
    if stray := next((name for name in parameters if name not in claim_names), None):
        raise _unknown_option(stray, [*OPTIONS, *claim_names, "claim"], "mechanism", target)
    selected |= {"alpha": project.level(), "seed": project.seed}
    audit = audit_mechanism(mechanism_request(target, claim, parameters, selected), show)
    return mechanism_finding(audit, claim, "audit.mechanism", audit.reproduce)


def _accountant(project: Project, target: str, options: dict[str, Any], _show: Any) -> Finding:
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.accountant_audit.object_audit import audit_object
    from auditor.accountant_audit.object_request import ObjectOptions
    from auditor.accountant_audit.request import AccountantOptions
    from auditor.front.accountants import accountant_request, is_whole, object_request
    from auditor.front.audited import accountant_finding
    from auditor.front.verbs.output import box_ends

    against = options.pop("against", None)
    names = sorted(AccountantOptions.__optional_keys__ | ObjectOptions.__optional_keys__)
    if stray := next((name for name in options if name not in names), None):
        raise _unknown_option(stray, [*names, "against"], "accountant", target)
    if isinstance(options.get("box"), Mapping):
        options["box"] = box_ends([f"{name}={ends}" for name, ends in options["box"].items()])
    options["seed"] = project.seed
    if options.get("methods") or is_whole(target, against, options.get("python")):
        whole = audit_object(object_request(target, against, **options))
        return accountant_finding(whole, "audit.accountant", whole.reproduce)
    audit = audit_accountant(accountant_request(target, against, **options))
    return accountant_finding(audit, "audit.accountant", audit.reproduce)


def _unknown_option(name: str, names: list[str], kind: str, target: str) -> UsageError:
    return UsageError(
        f"no option {name} of [[tool.auditor.{kind}]] ({target}); closest: '{closest(name, names)}'; "
        f"`auditor {kind} --help` lists all"
    )
