"""Small claims whose truth is known, for the tests of the checks."""

from fractions import Fraction
from typing import Any

from auditor.checks.check import Context
from auditor.engine.registry import Registry
from auditor.profile import profile
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Source
from proofs_numeric.statements.kinds import Inequality, Kind, Relation
from proofs_numeric.statements.verdict import Expectation

SOURCE = Source(paper="test", locator="Lemma 1")
UNIT = Parameter("x", "a number", lower=0, upper=1)
REAL = Parameter("x", "a number", lower=0, upper=10)


def claim(kind: Kind, *, domain: Box | None = None, expected: Expectation = Expectation.HOLDS, **rest: Any) -> Claim:
    """A claim with the least that a claim needs."""
    identifier = rest.pop("id", "test.lemma")
    return Claim(
        id=identifier,
        source=SOURCE,
        title="a test claim",
        statement="x",
        kind=kind,
        domain=Box((UNIT,)) if domain is None else domain,
        expected=expected,
        **rest,
    )


def context(name: str = "quick", **registered: Any) -> Context:
    """A context over a registry that holds only what a test registers."""
    verdicts = registered.pop("verdicts", {})
    return Context(profile(name), 1, Fraction(1, 10**6), Registry(**registered), verdicts)


def square(A: Arithmetic, *, x: Any) -> Any:
    """Square of x."""
    return x * x


def identity(A: Arithmetic, *, x: Any) -> Any:
    """The identity of x."""
    return x + A.number(0)


def square_below(relation: Relation = Relation.LESS_EQUAL, *, upper: int = 1) -> Claim:
    """x^2 <= x on [0, upper]: true on the unit interval only."""
    box = Box((Parameter("x", "a number", lower=0, upper=upper),))
    return claim(Inequality(square, identity, relation), domain=box)
