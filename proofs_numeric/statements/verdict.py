"""What a check may conclude, and what a claim is expected to be."""

from enum import StrEnum


class Verdict(StrEnum):
    """Outcome of a check; none of them but PROVED, DERIVED and REFUTED is a statement about every parameter."""

    PROVED = "PROVED"
    """The kernel went from the statement itself to closed goals, or enumerated every case, over the stated scope."""
    DERIVED = "DERIVED"
    """Steps that hold, and a written argument from them to the statement that no machine has checked."""
    CONSISTENT = "CONSISTENT"
    """Searched or sampled; no violation seen.  States what would have been caught."""
    REFUTED = "REFUTED"
    """A witness: parameters with both sides enclosed, or a test at the run's level."""
    UNDECIDED = "UNDECIDED"
    """Enclosures overlap at the last precision, or the budget ran out."""
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """A precondition or an optional package is missing; the remedy is given."""
    NOT_CHECKABLE = "NOT_CHECKABLE"
    """Editorial, or rests on data nobody has."""
    ERROR = "ERROR"
    """The check broke, or its target cannot be audited (hangs, dies, gives no release): says nothing about privacy."""

    @property
    def words(self) -> str:
        """The only words that a reader sees for it; sampling never proves."""
        return "no violation seen" if self is Verdict.CONSISTENT else self.value.lower().replace("_", " ")


class Expectation(StrEnum):
    """The expected verdict of a claim, which is compared with the computed verdict in both directions."""

    HOLDS = "HOLDS"
    REFUTED = "REFUTED"
    NOT_CHECKABLE = "NOT_CHECKABLE"

    @property
    def words(self) -> str:
        """The words that a reader sees for it."""
        return self.value.lower().replace("_", " ")
