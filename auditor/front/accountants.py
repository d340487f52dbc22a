"""From what a user writes to the request of an accountant audit: the same for the command line, the API and pytest."""

from __future__ import annotations

import inspect
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any, Unpack

from auditor.engine.registry import registry
from auditor.errors import UnknownIdError, UsageError
from auditor.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.accountant_audit.object_audit import ObjectOptions, ObjectRequest
    from auditor.accountant_audit.request import AccountantOptions, AccountantRequest
    from proofs_numeric.statements.claim import Claim


def accountant_request(
    target: str | Callable[..., Any], against: str | None = None, **options: Unpack[AccountantOptions]
) -> AccountantRequest:
    """Return the request for a callable, or for the id of a registered accountant or planted fault.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a live callable, or a registered id.
        against: id of the claim, or `path/to/file.py:CLAIM`; what is registered declares its own.
        options: other fields of `AccountantRequest`; a registered accountant declares its box and tolerance.

    Errors:
        UnknownIdError: no such claim, accountant or fault.
        UsageError: no claim for a target that declares none, or a field outside what is allowed.
        MissingPackageError: the library of a registered accountant is not installed.
    """
    if isinstance(target, str) and ":" not in target:
        return _registered(target, against, **options)
    if against is None:
        raise UsageError(f"expected --against CLAIM for the target '{target}'; `auditor list truths` shows them")
    claim = claim_of(against)
    from auditor.accountant_audit.request import AccountantRequest

    return AccountantRequest(target=target, claim=claim, against=against, **options)


def object_request(
    target: str | Callable[..., Any], against: str | None = None, **options: Unpack[ObjectOptions]
) -> ObjectRequest:
    """Return the request for a class, or for a function without a claim.

    Errors:
        UnknownIdError: no such claim.
        UsageError: neither claim nor ranges, or a field outside what is allowed.
    """
    from auditor.accountant_audit.object_audit import ObjectRequest

    claim = None if against is None else claim_of(against)
    return ObjectRequest(target=target, claim=claim, against=against or "", **options)


def is_whole(target: str | Callable[..., Any], against: str | None, python: str | None) -> bool:
    """Whether the target is audited in parts, or without a truth: a class, or neither registered nor given a claim."""
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


def _registered(identifier: str, against: str | None, **options: Unpack[AccountantOptions]) -> AccountantRequest:
    known = registry()
    subject = known.accountants.get(identifier) or known.faults.get(identifier)
    if subject is not None:
        from auditor.accountant_audit.request import AccountantRequest
        from mechanisms.mechanism import AccountantFault, Fault

        if not isinstance(subject, Fault):
            declared = subject.violates if isinstance(subject, AccountantFault) else subject.against
            return AccountantRequest.registered(subject, claim_of(against or declared), **options)
    raise UnknownIdError("accountant", identifier, [*known.accountants, *known.faults])


def claim_of(text: str) -> Claim:
    """Return the claim of an id, or the one that a file of the user's holds: `path/to/file.py:CLAIM`.

    Errors:
        UnknownIdError: no such claim.
        UsageError: no such file, or it does not import, or holds no claim of that name.
    """
    location, colon, name = text.rpartition(":")
    if not colon:
        return registry().claim(text)
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
