"""Report-noisy-max with Gumbel noise: the key of the largest noisy count, never the count.

The law is the exponential mechanism's.
"""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.baselines.exponential_mechanism import CALIBRATOR as ONE_PICK
from mechanisms.baselines.exponential_mechanism import Selection, choices, law_of
from mechanisms.mechanism import MechanismSpec, of_numbers
from mechanisms.noise import gumbel
from mechanisms.unknown_domain.release import check_scale
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.rogers2024.neighbours import SELECTED_AMONG, SELECTION


class ReportNoisyMax(Selection):
    """The largest of counts plus Gumbel(beta) noise."""

    def choose(self, scores: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Indices of n choices."""
        return np.asarray(np.argmax(scores + gumbel.sample(rng, (n, scores.size), scale=1.0), axis=1))


@of_numbers
def build(*, beta: Value) -> ReportNoisyMax:
    """Report-noisy-max on the universe a, b, c."""
    return ReportNoisyMax(SELECTED_AMONG, check_scale("beta", beta))


MECHANISM = MechanismSpec(
    id="report_noisy_max", title="Report-noisy-max with Gumbel noise", build=build, parameters={"beta": 1},
    guarantee_claim="rogers2024.thm5.profile", privacy=SELECTION, law=partial(law_of, choices),
    source="rogers2024, Section 4.2.1",
)  # fmt: skip

CALIBRATOR = replace(ONE_PICK, id=MECHANISM.id)
"""Its law is the exponential mechanism's, whose delta is less than that of Theorem 5."""
