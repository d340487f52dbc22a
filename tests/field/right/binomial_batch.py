"""One gradient step on a Poisson batch: its size is binomial, and its records are drawn without replacement.

github.com/google-deepmind/jax_privacy issue 121 takes this for wrong: it is the same law as one coin for each record.
"""

import numpy as np

RATE, SIGMA = 0.5, 1.0


def release(rows, rng):
    """Return the noisy sum of the batch."""
    gradients = np.clip(np.nan_to_num([value for _user, _task, value in rows]), -1.0, 1.0)
    batch = rng.choice(len(gradients), size=rng.binomial(len(gradients), RATE), replace=False) if len(gradients) else []
    return round(float(sum(gradients[i] for i in batch)) + rng.normal(0, SIGMA), 3)
