"""Conversion of user input to accountant audit requests, shared by the command line, the API and pytest."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any, Unpack

from auditor.engine.registry import registry
from auditor.errors import UnknownIdError, UsageError, closest
from auditor.printable import printable
from auditor.settings import shortest_decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from auditor.accountant_audit.object_request import ObjectOptions, ObjectRequest
    from auditor.accountant_audit.request import AccountantOptions, AccountantRequest
    from proofs_numeric.statements.claim import Claim


def accountant_request(
    target: str | Callable[..., Any], against: str | None = None, **options: Unpack[AccountantOptions]
) -> AccountantRequest:
    """Return the request for a callable, or for the id of a registered accountant or planted fault.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a live callable, or a registered id.
        against: id of the claim, or `path/to/file.py:CLAIM`; a registered target declares its own claim. If the claim
            lacks a parameter of `solves`, a claim about the same delta that has it takes its place.
        options: other fields of `AccountantRequest`; a registered accountant declares its box and tolerance.

    Errors:
        UnknownIdError: no such claim, accountant or fault.
        UsageError: no claim for a target that declares none, or an option outside its allowed values.
        MissingPackageError: the library of a registered accountant is not installed.
    """
    if isinstance(target, str) and ":" not in target:
        return _find_registered(target, against, **options)
    if against is None:
        raise UsageError(f"expected --against CLAIM for the target '{target}'; `auditor list truths` prints them")
    from auditor.accountant_audit.request import AccountantOptions, AccountantRequest

    chosen_options = normalise_options(options, AccountantOptions.__optional_keys__)
    claim = claim_of(against)
    if (same := _claim_with_parameters(claim, chosen_options.get("solves", ()))) is not claim:
        claim, against = same, same.id
    return AccountantRequest(target=target, claim=claim, against=against, **chosen_options)


NAME_LISTS = ("solves", "returns", "rises", "falls", "integers", "methods")
MOST_SUGGESTED = 3
"""Maximum number of alternative claims in an error message."""


def normalise_options(options: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return options with floats as their shortest decimals, and a string of names as a tuple of names.

    Errors:
        UsageError: an unknown option.
    """
    values = dict(options)
    if stray := next((name for name in values if name not in names), None):
        raise UsageError(f"no option {stray}; closest: '{closest(stray, sorted(names))}'; {', '.join(sorted(names))}")
    for name in NAME_LISTS:
        if isinstance(values.get(name), str):
            values[name] = tuple(values[name].split(","))
    values |= {name: shortest_decimal(values[name]) for name in ("tolerance", "floor") if name in values}
    if isinstance(box := values.get("box"), Mapping):
        values["box"] = {name: _decimals(ends) for name, ends in box.items()}
    return values


def _decimals(ends: Any) -> Any:
    """Return the ends of a range; a single number is both ends."""
    if isinstance(ends, list | tuple):
        return tuple(map(shortest_decimal, ends))
    return ends if isinstance(ends, str) else (shortest_decimal(ends),) * 2


def _claim_with_parameters(claim: Claim, names: Sequence[str]) -> Claim:
    """Return a claim about the same delta that has parameters of these names; the claim itself if it has them.

    Errors:
        UsageError: no such claim; the message names claims that have all of the parameters.
    """
    strange = [name for name in names if name not in {*claim.domain.names, "delta"}]
    if not strange:
        return claim
    candidates = [
        each for each in registry().claims.values() if each.quantity == claim.quantity and each.formula is not None
    ]
    fitting = [each for each in candidates if {*names} - {"delta"} <= {*each.domain.names}]
    here = _value_at_one(claim)

    def distance(each: Claim) -> tuple[bool, bool, str]:
        return not math.isclose(_value_at_one(each), here), not each.id.startswith("standard."), each.id

    nearest = sorted(fitting, key=distance)
    for each in nearest:
        more = (one for one in each.domain.parameters if one.name not in {*claim.domain.names, *names})
        if math.isclose(_value_at_one(each), here) and all(one.default is not None for one in more):
            return each
    first, *others = [each.id for each in nearest[:MOST_SUGGESTED]] or [""]
    remedy = f"use --against {first} --solves {','.join(names)}" if first else "no truth has"
    also = f"; other truths with {', '.join(strange)}: {', '.join(others)}" if others else ""
    raise UsageError(
        f"--solves {','.join(names)}: {claim.id} has no parameter {', '.join(strange)}, only "
        f"{', '.join(claim.domain.names)}; {remedy}{also}"
    )


def _value_at_one(claim: Claim) -> float:
    """Return the claim's value with every number equal to 1, as a mark of its mechanism; NaN if it has none."""
    from proofs_numeric.arithmetic import Float64
    from proofs_numeric.arithmetic.formula import evaluate_in

    point = {each.name: each.choices[0] if each.choices else 1 for each in claim.domain.parameters}
    try:
        return float(evaluate_in(Float64(), claim.formula, point)) if claim.formula is not None else math.nan
    except (ArithmeticError, ValueError, TypeError):
        return math.nan


def object_request(
    target: str | Callable[..., Any], against: str | None = None, **options: Unpack[ObjectOptions]
) -> ObjectRequest:
    """Return the request for a class, or for a function without a claim.

    Errors:
        UnknownIdError: no such claim.
        UsageError: neither claim nor ranges, or an option outside its allowed values.
    """
    from auditor.accountant_audit.object_request import ObjectOptions, ObjectRequest

    claim = None if against is None else claim_of(against)
    values = normalise_options(options, ObjectOptions.__optional_keys__)
    return ObjectRequest(target=target, claim=claim, against=against or "", **values)


def is_whole(target: str | Callable[..., Any], against: str | None, python: str | None) -> bool:
    """Return whether the target is audited in parts or without a truth: a class, or no id and no claim given."""
    if not isinstance(target, str):
        return against is None or isinstance(inspect.unwrap(target), type)
    if ":" not in target or against is None:
        return ":" in target
    claim_of(against)
    from auditor.target.target import PROGRAM, as_target

    if target.startswith(PROGRAM):
        return False
    with as_target(target, "accountant", python=python) as loaded:
        return loaded.parts is not None


def _find_registered(identifier: str, against: str | None, **options: Unpack[AccountantOptions]) -> AccountantRequest:
    catalogue = registry()
    subject = catalogue.accountants.get(identifier) or catalogue.faults.get(identifier)
    if subject is not None:
        from auditor.accountant_audit.request import AccountantOptions, AccountantRequest
        from mechanisms.mechanism import AccountantFault, Fault

        if not isinstance(subject, Fault):
            declared = subject.violates if isinstance(subject, AccountantFault) else subject.against
            values = normalise_options(options, AccountantOptions.__optional_keys__)
            return AccountantRequest.registered(subject, claim_of(against or declared), **values)
    raise UnknownIdError("accountant", identifier, [*catalogue.accountants, *catalogue.faults])


def claim_of(text: str) -> Claim:
    """Return the claim of an id, or a claim in a user's file: `path/to/file.py:CLAIM`.

    Errors:
        UsageError: no such claim; the file does not exist, does not import, or has no claim of that name.
    """
    location, colon, name = text.rpartition(":")
    if not colon:
        try:
            return registry().claim(text)
        except UnknownIdError as error:
            raise UsageError(f"{error}; `auditor list truths '*WORD*'` searches the truths") from None
    from proofs_numeric.statements.claim import Claim

    path = Path(location)
    if path.suffix != ".py" or not path.is_file():
        raise UsageError(f"expected --against ID or path/to/file.py:CLAIM, got '{text}'")
    try:
        claim = run_path(str(path)).get(name)
    except Exception as error:  # noqa: BLE001 - the file is the user's own
        raise UsageError(f"{location} does not import: {type(error).__name__}: {printable(str(error))}") from None
    if not isinstance(claim, Claim):
        raise UsageError(f"expected a Claim named {name} in {location}, got {type(claim).__name__}")
    return claim
