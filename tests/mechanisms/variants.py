"""Mechanisms held to other neighbours, or with another law, than their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mechanisms.pair import ExactLaw
from proofs_numeric.statements.neighbours import Neighbours, Privacy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mechanisms.mechanism import MechanismSpec
    from mechanisms.pair import Pair


def with_pairs(spec: MechanismSpec, pairs: Sequence[Pair], **rest: Any) -> MechanismSpec:
    """Return the mechanism with these pairs and their laws, whatever its parameters are."""
    laws = {pair.id: ExactLaw(pair.profile, pair.loss) for pair in pairs}
    found = tuple(Neighbours(pair.id, pair.left, pair.right, pair.description) for pair in pairs)
    privacy = Privacy(spec.privacy.adjacency, lambda _parameters: found)
    return replace(spec, privacy=privacy, law=lambda neighbours, _parameters: laws[neighbours.id], **rest)
