"""Whether a false claim is found false by the search alone."""

from auditor.checks.witness import points_of, search
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.statement import statement_of


def refuted(claim: Claim, examples: int = 80) -> bool:
    """Whether the search from the domain alone finds a counterexample."""
    statement = statement_of(claim)
    return search(statement, points_of(statement.box, claim.points, 1, 24), examples, seed=7).witness is not None
