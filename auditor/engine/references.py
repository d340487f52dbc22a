"""References between declarations: each must be the id of a declaration of the right kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from auditor.errors import article, unknown_id_message

if TYPE_CHECKING:
    from auditor.checks.check import Catalogue


@dataclass(frozen=True)
class Reference:
    """A reference to another declaration: the attribute with the id, the id, and the collection that must have it."""

    attribute: str
    value: str
    collection: str


_OF_ITEMS: Mapping[str, Mapping[str, str]] = {
    "mechanisms": {"guarantee_claim": "claims"},
    "faults": {"mechanism": "mechanisms", "violates": "claims", "caught_by": "checks"},
    "controls": {"mechanism": "mechanisms", "satisfies": "claims"},
    "accountants": {"against": "claims"},
    "calibrators": {"of": "mechanisms", "claim": "claims"},
}
"""By collection: the attributes that are references, and their target collections."""
_WITH_A_VALUE = frozenset({"guarantee_claim", "violates", "satisfies", "against", "claim"})
"""Attributes whose claim must have a value."""


def references(collection: str, item: Any) -> Iterator[Reference]:
    """Yield every reference of a declaration."""
    for attribute, target in _OF_ITEMS.get(collection, {}).items():
        yield Reference(attribute, getattr(item, attribute), target)
    if collection == "calibrators":
        yield from (Reference(f"least[{name}]", claim, "claims") for name, claim in item.least.items())
        yield from (Reference(f"stated[{name}]", claim, "claims") for name, (claim, _formulas) in item.stated.items())
    if collection == "claims":
        if item.corrected_by is not None:
            yield Reference("corrected_by", item.corrected_by, "claims")
        if hasattr(item.kind, "mechanism"):  # a law
            yield Reference("kind.mechanism", item.kind.mechanism, "mechanisms")
        if getattr(item.kind, "by", None) is not None:  # a calibration
            yield Reference("kind.by.claim", item.kind.by.claim, "claims")
        yield from _claims_in("kind.proof", getattr(item.kind, "proof", None))
        for name, argument in item.moves.items():
            # A direction may rest on its own claim, as on any other that is decided apart from it.
            yield from (one for one in _claims_in(f"moves[{name}]", argument) if one.value != item.id)


def _claims_in(attribute: str, proof: Any) -> Iterator[Reference]:
    """The claims that a proof rests on."""
    if hasattr(proof, "claims_named"):  # a tree of tactics
        yield from (Reference(f"{attribute} ByClaim", claim, "claims") for claim in proof.claims_named())
    for number, step in enumerate(getattr(proof, "steps", ())):
        if hasattr(step, "claim"):  # the step is another claim
            yield Reference(f"{attribute}.steps[{number}].claim", step.claim, "claims")


def wrong_with(collection: str, item: Any, catalogue: Catalogue) -> Iterator[str]:
    """Yield each error in a declaration's references, in one line with the remedy."""
    identifiers = list(references(collection, item))
    dangling = [one for one in identifiers if one.value not in _of(catalogue, one.collection)]
    for one in dangling:
        noun, ids = one.collection.removesuffix("s"), sorted(_of(catalogue, one.collection))
        yield f"{one.attribute}={one.value!r}: {unknown_id_message(noun, str(one.value), ids)}"
    if dangling:
        return
    if collection == "claims" and (circle := _circle(item, catalogue)):
        yield (
            f"kind.proof: expected a proof that does not rest on its own claim, got {' -> '.join(circle)}; remove one "
            "of these references"
        )
    for one in identifiers:
        if one.attribute in _WITH_A_VALUE and catalogue.claims[one.value].formula is None:
            title = catalogue.claims[one.value].kind.title
            yield f"{one.attribute}={one.value!r}: expected a claim with a value, got {article(title)} {title}"
    if collection == "mechanisms" and catalogue.claims[item.guarantee_claim].privacy is None:
        yield (
            f"guarantee_claim={item.guarantee_claim!r}: expected a claim with adjacency and worst-case neighbours, got "
            "none; give that claim its privacy=Privacy(adjacency, worst_cases)"
        )
    if collection == "faults" and not catalogue.checks[item.caught_by].applies(item, catalogue):
        able = [name for name, check in catalogue.checks.items() if check.applies(item, catalogue)]
        yield (
            f"caught_by={item.caught_by!r}: expected a check that applies to this fault, got one that does not; "
            f"those that would, were they named: {', '.join(able) or 'none'}"
        )


_ARGUMENTS = ("kind.proof", "kind.by", "moves")
"""Beginnings of the attributes by which a claim rests on others."""


def _circle(claim: Any, catalogue: Catalogue) -> list[str]:
    """Return a circle of ids from the claim to itself, each used in the proof of the previous one; empty if none."""
    trails, visited = [[claim.id]], set()
    while trails:
        trail = trails.pop()
        item = claim if trail[-1] == claim.id else catalogue.claims[trail[-1]]
        rests_on = [one.value for one in references("claims", item) if one.attribute.startswith(_ARGUMENTS)]
        for name in rests_on:
            if name == claim.id:
                return [*trail, claim.id]
            if name not in visited and name in catalogue.claims:
                visited.add(name)
                trails.append([*trail, name])
    return []


def _of(catalogue: Catalogue, collection: str) -> Mapping[str, Any]:
    items: Mapping[str, Any] = getattr(catalogue, collection)
    return items
