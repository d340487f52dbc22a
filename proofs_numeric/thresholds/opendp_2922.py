"""What opendp 0.16.0 reports for thresholds on integers (its issue 2922), against the exact delta."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.statements.claim import Claim, QuantityKind, Source
from proofs_numeric.statements.kinds import Inequality, Quantity, Reading, Relation
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.thresholds.integer import NEW_KEYS, PAPER, gaussian_integer
from proofs_numeric.thresholds.laplace import discrete_laplace_tail, laplace_integer

# What opendp 0.16.0 answers for scale (sigma) 1, threshold 4 and the input distance (1, 1, 1) on integer counts.
OPENDP_LAPLACE = "0.01338980493269848"
OPENDP_GAUSSIAN = "0.0013498987536877394"
_ISSUE = Source(PAPER, "opendp issue 2922, opendp 0.16.0, T=int", ours=True)


def _frozen_laplace(A: Arithmetic) -> Number:
    return laplace_integer(A, scale=1, threshold=4, c_u=1, per_key=1)


def _frozen_laplace_strict(A: Arithmetic) -> Number:
    """What is computed when the released value is taken to be strictly above: P[Z > threshold - 1]."""
    return discrete_laplace_tail(A, 1, 4)


def _frozen_gaussian(A: Arithmetic) -> Number:
    return gaussian_integer(A, sigma=1, threshold=4, c_u=1, per_key=1)


CLAIMS = (
    Claim(
        id="thresholds.opendp2922.exact",
        source=_ISSUE,
        title="Exact delta at scale 1 and threshold 4 on integers",
        statement=r"P[Z \ge 3] = e^{-3}/(1 + e^{-1}) = 0.0364",
        kind=Quantity(_frozen_laplace, "0.0364", Reading.NEAREST),
        quantity=QuantityKind.DELTA,
        privacy=NEW_KEYS,
    ),
    Claim(
        id="thresholds.opendp2922.origin",
        source=_ISSUE,
        title="The reported delta is the tail one integer too far: > in place of >=",
        statement=rf"P[Z > 3] = {OPENDP_LAPLACE}",
        kind=Quantity(_frozen_laplace_strict, "0.0133898049327", Reading.NEAREST),
        quantity=QuantityKind.DELTA,
    ),
    Claim(
        id="thresholds.opendp2922.laplace",
        source=_ISSUE,
        title="The delta reported for integer counts and Laplace noise is an upper bound",
        statement=rf"P[Z \ge 3] \le {OPENDP_LAPLACE}",
        kind=Inequality(_frozen_laplace, lambda A: A.number(OPENDP_LAPLACE), Relation.LESS_EQUAL),
        expected=Expectation.REFUTED,
        corrected_by="thresholds.laplace.integer",
        note="The true delta is e^(1/scale) times the reported one.",
    ),
    Claim(
        id="thresholds.opendp2922.gaussian",
        source=_ISSUE,
        title="The delta reported for integer counts and Gaussian noise is an upper bound",
        statement=rf"P[Z \ge 3] \le {OPENDP_GAUSSIAN}",
        kind=Inequality(_frozen_gaussian, lambda A: A.number(OPENDP_GAUSSIAN), Relation.LESS_EQUAL),
        expected=Expectation.REFUTED,
        corrected_by="thresholds.gaussian.integer",
        note="The reported number bounds the continuous tail at threshold - 1; the discrete tail there is larger.",
    ),
)
