"""What opendp 0.16.0 reports for thresholds on integers (its issue 2922), against the exact delta."""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.thresholds.integer import NEW_KEYS, gaussian_integer
from proofs_numeric.thresholds.laplace import laplace_integer, laplace_passing
from proofs_numeric.thresholds.parameters import own

# What opendp 0.16.0 answers for scale (sigma) 1, threshold 4 and the input distance (1, 1, 1) on integer counts.
OPENDP_LAPLACE = "0.01338980493269848"
OPENDP_GAUSSIAN = "0.0013498987536877394"
_AT = {"threshold": 4, "c_u": 1, "per_key": 1}
_frozen_laplace, _frozen_gaussian = laplace_integer(**_AT, scale=1), gaussian_integer(**_AT, sigma=1)

CLAIMS = (
    own(
        "opendp2922.exact", "opendp issue 2922, opendp 0.16.0, T=int",
        "Exact delta at scale 1 and threshold 4 on integers", r"P[Z \ge 3] = e^{-3}/(1 + e^{-1}) = 0.0364",
        Quantity(_frozen_laplace, "0.0364", Reading.NEAREST), quantity=QuantityKind.DELTA, privacy=NEW_KEYS,
    ),
    own(
        "opendp2922.origin", "opendp issue 2922, opendp 0.16.0, T=int",
        "The reported delta is the tail one integer too far: > in place of >=", rf"P[Z > 3] = {OPENDP_LAPLACE}",
        # What is computed when the released value is taken to be strictly above: P[Z > threshold - 1].
        Quantity(laplace_passing(scale=1, margin=4), "0.0133898049327", Reading.NEAREST), quantity=QuantityKind.DELTA,
    ),
    own(
        "opendp2922.laplace", "opendp issue 2922, opendp 0.16.0, T=int",
        "The delta reported for integer counts and Laplace noise is an upper bound",
        rf"P[Z \ge 3] \le {OPENDP_LAPLACE}", _frozen_laplace <= lift(OPENDP_LAPLACE), expected=Expectation.REFUTED,
        corrected_by="thresholds.laplace.integer", note="The true delta is e^(1/scale) times the reported one.",
    ),
    own(
        "opendp2922.gaussian", "opendp issue 2922, opendp 0.16.0, T=int",
        "The delta reported for integer counts and Gaussian noise is an upper bound",
        rf"P[Z \ge 3] \le {OPENDP_GAUSSIAN}", _frozen_gaussian <= lift(OPENDP_GAUSSIAN), expected=Expectation.REFUTED,
        corrected_by="thresholds.gaussian.integer",
        note="The reported number bounds the continuous tail at threshold - 1; the discrete tail there is larger.",
    ),
)  # fmt: skip
