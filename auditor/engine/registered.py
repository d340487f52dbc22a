"""Mechanisms, faults and controls of this suite as targets of an audit, by id.

The modules of an audit are imported after the id is found, so a misspelt id is reported without delay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.errors import UnknownIdError, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.engine.registry import Registry
    from auditor.mechanism_audit.request import MechanismRequest
    from proofs_numeric.arithmetic.formula import Value


def find_registered(identifier: str, values: Mapping[str, Any], catalogue: Registry) -> MechanismRequest | None:
    """Return the request to audit a registered mechanism against its claim; None if the id is not registered.

    Values of the mechanism's parameters build a new mechanism. A fault or a control has its stated law at its declared
    parameters only; its epsilon is the declared one unless `values` has another.

    Args:
        identifier: id of a mechanism, fault or control.
        values: exact parameters of the mechanism or of the claim.
        catalogue: all registered items.

    Raises:
        UsageError: other parameters for a fault or a control, or parameters that the mechanism rejects.
    """
    subject = (
        catalogue.mechanisms.get(identifier) or catalogue.faults.get(identifier) or catalogue.controls.get(identifier)
    )
    if subject is None:
        return None
    from auditor.mechanism_audit.request import MechanismRequest
    from auditor.target.target import Target
    from mechanisms.mechanism import Control, Fault, MechanismSpec
    from proofs_numeric.arithmetic import exact
    from proofs_numeric.statements.neighbours import Neighbours

    if not isinstance(subject, MechanismSpec | Fault | Control):
        return None
    try:
        parameters = {
            **subject.parameters,
            **{name: exact(values[name]) for name in subject.parameters if name in values},
        }
        mechanism = subject.build(**parameters)
    except ValueError as error:
        raise UsageError(f"{identifier}: {error}") from None
    pairs: tuple[Neighbours, ...] = ()
    if not isinstance(subject, MechanismSpec):
        _check_unchanged(identifier, subject.parameters, values)
        parameters = {"epsilon": subject.epsilon, **parameters}
        pairs = (Neighbours(f"own {subject.pair.id}", subject.pair.left, subject.pair.right, subject.pair.description),)
    claim = catalogue.claim(subject.held_to)
    try:
        read, placing = (parameters, {}) if claim.privacy is None else claim.privacy.reads(parameters)
    except ValueError:
        if not pairs or claim.privacy is None:
            raise
        # A fault at a parameter that the claim excludes: use the default position of the neighbours.
        read, placing = claim.privacy.reads({n: value for n, value in parameters.items() if n in claim.domain.names})
    of_claim = {name: value for name, value in read.items() if name in claim.domain.names}
    return MechanismRequest(
        target=Target(identifier, "mechanism", live_object=mechanism),
        claim=claim,
        parameters={**of_claim, **placing, **values},
        registered_pairs=pairs,
    )


def mechanism_request(
    target: Any, claim: str | None, parameters: Mapping[str, Any], options: Mapping[str, Any]
) -> MechanismRequest:
    """Return the request to audit a target: a registered id, a callable of a file or module, or a live object.

    Args:
        target: an id, `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND`, or a live mechanism.
        claim: id of the claim to test; a registered target has its own.
        parameters: exact parameters of the claim or of the registered target.
        options: values of `MechanismOptions` by name.

    Raises:
        UnknownIdError: the claim or the id is not registered.
        UsageError: see `find_registered` and `MechanismRequest.of`.
    """
    from auditor.engine.registry import registry

    catalogue = registry()
    claim_named = None if claim is None else catalogue.claim(claim)
    request = find_registered(target, parameters, catalogue) if isinstance(target, str) else None
    if request is None and isinstance(target, str) and ":" not in target and not target.endswith(".py"):
        raise UnknownIdError("mechanism", target, [*catalogue.mechanisms, *catalogue.faults, *catalogue.controls])
    promise = ("epsilon", "delta", "rho", "mu", "privacy_profile")
    values = {name: options[name] for name in promise if options.get(name) is not None}
    if (
        request is not None
        and claim_named is not None
        and claim_named is request.claim
        and values.keys() <= set(claim_named.domain.names)
    ):
        request, values = find_registered(target, {**parameters, **values}, catalogue), {}
    if request is not None and (claim_named is None or claim_named is request.claim) and not values:
        return request.at(**{name: value for name, value in options.items() if name not in (*promise, "c_u")})
    from auditor.mechanism_audit.request import MechanismRequest

    return MechanismRequest.of(target if request is None else request.target, claim_named, parameters, **options)


def _check_unchanged(identifier: str, parameters: Mapping[str, Value], values: Mapping[str, Any]) -> None:
    from proofs_numeric.arithmetic import exact

    for name, value in parameters.items():
        if name in values and exact(values[name]) != exact(value):
            raise UsageError(f"the parameters of {identifier} are fixed: expected {name}={value}, got {values[name]}")
