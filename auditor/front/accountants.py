"""From what a user writes to the request of an accountant audit: the same for the command line, the API and pytest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from auditor.accountant_audit.adapter import Accountant
from auditor.accountant_audit.request import AccountantOptions, AccountantRequest
from auditor.engine.registry import registry
from auditor.errors import UnknownIdError, UsageError
from mechanisms.mechanism import AccountantFault


def accountant_request(
    target: str | Callable[..., Any], against: str | None = None, **options: Unpack[AccountantOptions]
) -> AccountantRequest:
    """Return the request for a callable, or for the id of a registered accountant or planted fault.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, a live callable, or a registered id.
        against: id of the claim; what is registered declares its own.
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
        return AccountantRequest.registered(subject, known.claim(against or declared), **options)
    if against is None:
        raise UsageError(f"expected --against CLAIM for the target '{target}'; `auditor list claims` shows them")
    return AccountantRequest(target=target, claim=known.claim(against), **options)
