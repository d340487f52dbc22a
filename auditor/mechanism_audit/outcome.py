"""Outcome of an audit: the deciding result, the other tests, and reasons for doubt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from auditor.mechanism_audit.draws import Where

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.black_box.audit import BlackBoxResult
    from auditor.mechanism_audit.draws import Explored, SteeredTest
    from auditor.mechanism_audit.many_keys import ManyKeysTest
    from auditor.mechanism_audit.representation import Detail
    from auditor.mechanism_audit.shared_keys import SharedKeysTest
    from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class Outcome:
    """Outcome of an audit.

    Attributes:
        result: deciding result.
        pair: its pair.
        pairs: all pairs tested.
        steered: importance-sampling tests of keys that a neighbour lacks.
        where: lines of the target that draw noise, the suspected line among them.
        suspected: test of a value with Gaussian noise that rejects under an unproved assumption.
        beyond: reason for doubt from data beyond the user's; None if there is none.
        bounds: options that exclude data beyond the user's.
        coverage_doubt: reason for doubt from lines that never ran; None if there is none.
        counts_lines: whether lines of the target were counted, or none because the caller names the data.
        alone: detail of releases that alone refutes the claim, last bits or the order of keys; None otherwise.
        rare: exploration of rare events; None if counting covers them.
        counted: delta that counting was required to detect.
        many_keys: test on releases of many single-user keys; None if it does not apply.
        shared_keys: test by guesses of who holds shared keys; None if counting has the time.
    """

    result: BlackBoxResult
    pair: Neighbours
    pairs: tuple[Neighbours, ...]
    steered: tuple[SteeredTest, ...] = ()
    where: Where = field(default_factory=Where)
    suspected: SteeredTest | None = None
    beyond: str | None = None
    bounds: Mapping[str, Any] = field(default_factory=dict)
    coverage_doubt: str | None = None
    counts_lines: bool = True
    alone: Detail | None = None
    rare: Explored | None = None
    counted: float = 0.0
    many_keys: ManyKeysTest | None = None
    shared_keys: SharedKeysTest | None = None

    @property
    def leak(self) -> SteeredTest | None:
        """Return the importance-sampling test that refutes the claim; None if there is none."""
        return next((test for test in self.steered if test.rejected), None)
