"""An accountant as an audit target: its data and the check for its library."""

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
    """A function that returns a delta, an epsilon, a threshold or a scale, and the claim that it is compared with."""

    id: str
    title: str
    against: str
    """Id of the claim; the function takes the claim's parameters by keyword."""
    function: str
    """``package.module:callable``; imported only if the library is installed."""
    library: str = ""
    """Distribution on the package index; empty for accountants of this project."""
    box: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Searched ranges (exact strings) that are narrower than the claim's domain."""
    tolerance: str = "1e-9"
    """Documented relative accuracy: a right answer is below the truth by at most this part; 0 for outward rounding."""
    floor: str = "0"
    """Documented absolute accuracy: an answer below the truth by less is rounding. `1 - beta` of a double has 1e-15."""
    solves: tuple[str, ...] = ()
    """Parameters of the claim that the function returns instead of taking them, as in `AccountantRequest`."""
    returns: tuple[str, ...] = ()
    """The meaning of each number of an answer, as in `AccountantRequest`."""
    points: tuple[Mapping[str, Value], ...] = ()
    """Points of known errors, which a search calls first."""
    cost: int = 1
    """Cost of a call in units of a closed form's call; a run makes this many times fewer calls."""
    budget: float = 0.0
    """Minimum budget in the recorded table, in CPU seconds, if a call or its truth takes a tenth of a second or
    more."""
    expected: Expectation = Expectation.HOLDS
    note: str = ""
    subject_kind: ClassVar[str] = "accountant"

    @property
    def held_to(self) -> str:
        """Id of the claim that it is compared with."""
        return self.against

    @property
    def installed_version(self) -> str | None:
        """Version of the library, None if it is not installed; the suite's version for our own accountants."""
        return installed_version(self.library)

    @property
    def remedy(self) -> str:
        """The command that installs the library."""
        return remedy(self.library)

    @property
    def module(self) -> str:
        """The module of this suite that contains the function or its adapter."""
        return self.function.partition(":")[0]

    @property
    def rests_on(self) -> Mapping[str, str] | None:
        """Digests of the installed code that the accountant calls, by distribution; None if unknown."""
        return None if self.library else {}

    @property
    def called(self) -> dict[str, Any]:
        """Fields of `AccountantRequest` that define the call and its interpreter."""
        from auditor.target.target import locate_own

        return {"target": locate_own(self.module, self.function.rpartition(":")[2], "accountant")}


def installed_version(library: str) -> str | None:
    """Return the version of a distribution, the suite's for an empty name; None if it is not installed."""
    try:
        return version(library or "sparse-histogram-auditor")
    except PackageNotFoundError:
        return None if library else "source tree"
