"""An accountant as an audit target: data, plus the rule for whether its library is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar

from auditor.extras import remedy
from proofs_numeric.statements.verdict import Expectation

if TYPE_CHECKING:
    from proofs_numeric.arithmetic.formula import Value


@dataclass(frozen=True, kw_only=True)
class Accountant:
    """A function that reports a delta, an epsilon, a threshold or a scale, and the claim it is held against."""

    id: str
    title: str
    against: str
    """Id of the claim whose parameters the function takes by keyword."""
    function: str
    """``package.module:callable``; imported only where the library is installed."""
    library: str = ""
    """Distribution on the package index; empty for accountants of this project."""
    box: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Searched ranges (exact strings) where they are narrower than the claim's domain."""
    tolerance: str = "1e-9"
    """The documented accuracy: how far below the truth, relatively, an answer is right; 0 for what rounds outward."""
    floor: str = "0"
    """The documented absolute accuracy: an answer below the truth by less is rounding."""
    solves: tuple[str, ...] = ()
    """Parameters of the claim that it returns in place of taking them, as in `AccountantRequest`."""
    returns: tuple[str, ...] = ()
    """What each number of an answer is, as in `AccountantRequest`."""
    points: tuple[Mapping[str, Value], ...] = ()
    """Where it is known to be wrong: a search asks there first."""
    cost: int = 1
    """How many times as dear as a closed form a call is: a run makes so many times fewer of them."""
    budget: float = 0.0
    """CPU seconds that it has in the table at least: where a call, or its truth, takes a tenth of one and more."""
    expected: Expectation = Expectation.HOLDS
    note: str = ""
    subject_kind: ClassVar[str] = "accountant"

    @property
    def held_to(self) -> str:
        """Id of the claim that it is held against."""
        return self.against

    @property
    def installed_version(self) -> str | None:
        """Version of the library, or None where it is not installed; ours have the suite's version."""
        return installed_version(self.library)

    @property
    def remedy(self) -> str:
        """The command that installs the library."""
        return remedy(self.library)

    @property
    def module(self) -> str:
        """The module of this suite that has the function; of a library, that calls it."""
        return self.function.partition(":")[0]

    @property
    def rests_on(self) -> Mapping[str, str] | None:
        """Digests of the installed code that it calls, by distribution; None where that cannot be told."""
        return None if self.library else {}

    @property
    def called(self) -> dict[str, Any]:
        """The fields of `AccountantRequest` that say what is called, and where."""
        from auditor.target.target import locate_own

        return {"target": locate_own(self.module, self.function.rpartition(":")[2], "accountant")}


def installed_version(library: str) -> str | None:
    """Version of a distribution, the suite's where the name is empty; None where it is not installed."""
    try:
        return version(library or "sparse-histogram-auditor")
    except PackageNotFoundError:
        return None if library else "source tree"
