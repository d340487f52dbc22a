"""Attacks on Gaussians restricted to half-spaces: the bound without them closes, nothing below it."""

import pytest

from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from tests.proofs_numeric.kernel.rules.gaussians import BOUND, HALF_SPACES, KNOWN, STREAMS, fixed, said, times

WRONG = {
    "half-spaces: half of the bound": said(HALF_SPACES, bound=times(BOUND, "1/2")),
    "half-spaces: a little less": said(HALF_SPACES, bound=times(BOUND, "0.999999999")),
    "half-spaces: of order one": said(HALF_SPACES, bound=fixed(BOUND, alpha=1)),
    "half-spaces: by the distance": said(
        HALF_SPACES, bound=lambda A, *, squared, **at: BOUND(A, squared=A.sqrt(A.number(squared)), **at)
    ),
    "half-spaces: of means that are near": said(HALF_SPACES, box={"squared": {"upper": 1}}),
    "half-spaces: of means that are apart": said(HALF_SPACES, box={"squared": {"lower": 1}}),
    "half-spaces: an order of one half": said(HALF_SPACES, box={"alpha": {"lower": "1/2"}}),
    "half-spaces: by the tactic of the other": said(HALF_SPACES, proof=STREAMS.kind.proof),
}


@pytest.mark.slow
@pytest.mark.parametrize("attack", WRONG)
def test_a_statement_beside_the_theorem_is_refused(attack):
    """Each is false, or says more than its lemmas."""
    with pytest.raises(TacticError):
        prove(WRONG[attack], KNOWN)
