"""From what a user writes to the request of an accountant audit: the same for the command line, the API and pytest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any, Unpack

from auditor.accountant_audit.adapter import Accountant
from auditor.accountant_audit.request import AccountantOptions, AccountantRequest
from auditor.engine.registry import registry
from auditor.errors import UnknownIdError, UsageError
from auditor.printable import printable
from mechanisms.mechanism import AccountantFault
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
    known = registry()
    if isinstance(target, str) and ":" not in target:
        subjects: dict[str, Accountant | AccountantFault] = {**known.accountants}
        subjects |= {name: fault for name, fault in known.faults.items() if isinstance(fault, AccountantFault)}
        if target not in subjects:
            raise UnknownIdError("accountant", target, subjects)
        subject = subjects[target]
        declared = subject.violates if isinstance(subject, AccountantFault) else subject.against
        return AccountantRequest.registered(subject, claim_of(against or declared), **options)
    if against is None:
        raise UsageError(f"expected --against CLAIM for the target '{target}'; `auditor list truths` shows them")
    return AccountantRequest(target=target, claim=claim_of(against), against=against, **options)


def claim_of(text: str) -> Claim:
    """Return the claim of an id, or the one that a file of the user's holds: `path/to/file.py:CLAIM`.

    Errors:
        UnknownIdError: no such claim.
        UsageError: no such file, or it does not import, or holds no claim of that name.

    """
    location, colon, name = text.rpartition(":")
    if not colon:
        return registry().claim(text)
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
