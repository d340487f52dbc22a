"""How the claims of one paper are declared: by the row of their id, the place, a title, a statement and a kind."""

from dataclasses import dataclass, field
from typing import Any

from proofs_numeric.expression.printing import Notation
from proofs_numeric.expression.statements import claim
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.kinds import Kind
from proofs_numeric.statements.verdict import Expectation


@dataclass(frozen=True)
class Paper:
    """A paper and its notation.

    Every claim takes a ``statement`` in LaTeX, or None to print the statement from the formulas of the kind.
    """

    name: str
    notation: Notation = field(default_factory=dict)

    def printed(self, locator: str, equation: str = "", *, reconstruction: bool = False) -> Source:
        """Return a place in the paper; ``reconstruction`` where the text lost the formula."""
        return Source(self.name, locator, equation, reconstruction=reconstruction)

    def ours(self, locator: str) -> Source:
        """Return the source of a statement of this project about the paper."""
        return Source(self.name, locator, ours=True)

    def stated(
        self,
        row: str,
        locator: str,
        title: str,
        statement: str | None,
        kind: Kind,
        *,
        equation: str = "",
        reconstruction: bool = False,
        **more: Any,
    ) -> Claim:
        """Return a claim of the paper, as printed or as repaired."""
        source = self.printed(locator, equation, reconstruction=reconstruction)
        return self._claim(row, source, title, statement, kind, **more)

    def refuted(
        self, row: str, locator: str, title: str, statement: str | None, kind: Kind, *, by: str, **more: Any
    ) -> Claim:
        """Return a claim that is false as printed; ``by`` is the row that corrects it."""
        more = {"expected": Expectation.REFUTED, "corrected_by": f"{self.name}.{by}", **more}
        return self.stated(row, locator, title, statement, kind, **more)

    def own(self, row: str, locator: str, title: str, statement: str | None, kind: Kind, **more: Any) -> Claim:
        """Return a claim of this project."""
        return self._claim(row, self.ours(locator), title, statement, kind, **more)

    def uncheckable(self, row: str, locator: str, title: str, statement: str, kind: Kind, **more: Any) -> Claim:
        """Return a remark or misprint with nothing to evaluate."""
        return self.stated(row, locator, title, statement, kind, expected=Expectation.NOT_CHECKABLE, **more)

    def _claim(self, row: str, source: Source, title: str, statement: str | None, kind: Kind, **more: Any) -> Claim:
        return claim(f"{self.name}.{row}", source, title, statement, kind, notation=self.notation, **more)
