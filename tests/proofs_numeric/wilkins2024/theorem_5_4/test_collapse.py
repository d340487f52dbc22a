"""The collapse of Theorem 5.4: it is proved, and its statements fail when they are changed."""

from dataclasses import replace

import pytest

from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.kinds import Identity
from proofs_numeric.wilkins2024.theorem_5_4 import collapse, hazard
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as topic_54
from tests.proofs_numeric.refuted import refuted

ALL = (*collapse.CLAIMS, *hazard.CLAIMS)
CLAIMS = {claim.id.removeprefix("wilkins2024."): claim for claim in ALL}


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, c in CLAIMS.items() if isinstance(c.kind, Identity)])
def test_each_identity_claim_is_refuted_when_a_factor_is_wrong(name):
    """The right side times 101/100 has a counterexample that the search finds."""
    claim = CLAIMS[name]

    def scaled(A, **values):
        return claim.kind.right(A, **values) * A.number("1.01")

    assert refuted(replace(claim, kind=replace(claim.kind, right=scaled)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["thm5.4.collapse.g_below_G", "thm5.4.collapse.rho.rises"])
def test_an_end_that_is_not_left_out_is_refused(name):
    """At mu = 0 there is no g; and rho does not fall."""
    claim = CLAIMS[name]
    if isinstance(claim.kind, type(CLAIMS["thm5.4.collapse.g_below_G"].kind)):
        other = replace(claim, domain=collapse.MODERATE, kind=replace(claim.kind, left=collapse.G, right=collapse.g))
    else:
        other = replace(claim, kind=replace(claim.kind, increasing=False))
    with pytest.raises(TacticError):
        prove(other, registry().claims)


@pytest.mark.slow
def test_the_maximum_is_not_the_sum_nor_either_delta_alone():
    """Replacing the maximum by the sum, or by delta_Gaussian alone, is refuted."""
    claim = CLAIMS["thm5.4.collapse"]

    def summed(A, **values):
        rest = {key: values[key] for key in ("c_u", "sigma", "gap")}
        noise = {key: values[key] for key in ("epsilon", "c_u", "sigma", "mu_o")}
        return topic_54.delta_infinite(A, **rest) + topic_54.delta_gaussian(A, **noise)

    def gaussian(A, **values):
        noise = {key: values[key] for key in ("epsilon", "c_u", "sigma", "mu_o")}
        return topic_54.delta_gaussian(A, **noise)

    assert refuted(replace(claim, kind=replace(claim.kind, left=summed)))
    assert refuted(replace(claim, kind=replace(claim.kind, left=gaussian)))
