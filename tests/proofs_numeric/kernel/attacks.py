"""Claims made wrong in one thing, which the kernel must refuse, and tables of them as cases of a test."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from auditor.checks.mutation import scale_formula
from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import FiniteStatement


def cases(names: Iterable[str], slow: tuple[str, ...]) -> list[object]:
    """Names as cases; those that begin so are left to `make test`, as SymPy takes long to give up on them."""
    return [pytest.param(name, marks=[pytest.mark.slow] if name.startswith(slow) else []) for name in names]


def refusals(wrong: Mapping[str, Claim], slow: tuple[str, ...] = ()) -> Callable[[str], None]:
    """Return the test that each of the claims, which is false or not what its tactics say, has no proof."""

    @pytest.mark.parametrize("attack", cases(wrong, slow))
    def test(attack: str) -> None:
        with pytest.raises(TacticError):
            prove(replace(wrong[attack], privacy=None), registry().claims)

    return test


def times(claim: Claim, factor: str) -> Claim:
    """The claim of a multiple of its value."""
    return replace(claim, kind=replace(claim.kind, formula=scale_formula(claim.kind.formula, Fraction(factor))))


def untied(_case: object) -> bool:
    """What says nothing of a general form: its tactics alone refuse it."""
    return True


def of_tactics(claim: Claim) -> Claim:
    """The claim, without a tie between its cases and its general form."""
    return replace(claim, kind=replace(claim.kind, holds=untied)) if isinstance(claim.kind, FiniteStatement) else claim


def over(claim: Claim, name: str, **changed: Any) -> Claim:
    """The claim over another range of a parameter."""
    parts = tuple(replace(one, **changed) if one.name == name else one for one in claim.domain.parameters)
    return replace(claim, domain=replace(claim.domain, parameters=parts))
