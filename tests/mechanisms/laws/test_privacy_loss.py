"""Privacy losses: cumulant, slope and tilted sampler of each law agree, and the pairs' losses give their profiles."""

import math
import pickle

import numpy as np
import pytest

from mechanisms.baselines import analytic_gaussian
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM as SPARSE_HISTOGRAM
from mechanisms.laws.privacy_loss import DiscreteLoss, GaussianLoss, LaplaceLoss, Loss, SumLoss, unreleased_keys_loss
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.neighbours import Direction

LOSSES: list[Loss] = [
    GaussianLoss(0.4),
    LaplaceLoss(0.5),
    LaplaceLoss(20.0, 3.0),
    DiscreteLoss((-1.0, 0.0, 2.0), (0.3, 0.3, 0.3)),
    unreleased_keys_loss(3, 1.5, Direction.FORWARD),
    SumLoss((GaussianLoss(0.3), LaplaceLoss(2.0), unreleased_keys_loss(2, 4.0, Direction.BACKWARD))),
]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)
@pytest.mark.parametrize("theta", [0.2, 1.0, 6.0])
def test_tilted_mean_is_the_slope_of_the_cumulant_and_the_mean_of_the_samples(loss: Loss, theta: float) -> None:
    """Cumulant, its derivative and the tilted sampler describe one law."""
    slope = (loss.cumulant(theta + 1e-5) - loss.cumulant(theta - 1e-5)) / 2e-5
    samples, _ = loss.sample(theta, 100_000, np.random.default_rng(17))
    error = 7 * samples.std() / math.sqrt(len(samples)) + 1e-4
    assert math.isclose(loss.tilted_mean(theta), slope, rel_tol=1e-6, abs_tol=1e-9)
    assert abs(samples.mean() - loss.tilted_mean(theta)) <= error


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)
def test_the_cumulant_at_zero_is_the_mass_of_finite_losses(loss: Loss) -> None:
    """exp(kappa(0)) = P[L finite]."""
    assert math.isclose(loss.cumulant(0.0), loss.log_finite, abs_tol=1e-12)


def test_probabilities_above_one_are_refused() -> None:
    """A loss law with more mass than one is named."""
    with pytest.raises(ValueError, match="of sum"):
        DiscreteLoss((0.0, 1.0), (0.7, 0.7))


PAIRS = [
    *SPARSE_HISTOGRAM.pairs({"c_u": 3, "sigma": 2, "gap": 1, "mu_o": "1/2", "tau": 2}),
    *analytic_gaussian.MECHANISM.pairs({"mu": 1}),
]
DECLARING = [pair for pair in PAIRS if pair.loss is not None]


def test_the_pairs_at_the_threshold_and_far_above_declare_their_loss() -> None:
    """WC1, WC2, WC3 and WC6 have a law of the loss; a row near the threshold has not."""
    assert [pair.id for pair in DECLARING] == ["wc1", "wc2", "wc3", "wc6", "one"]


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("pair", DECLARING, ids=lambda pair: pair.id)
def test_the_declared_loss_gives_the_exact_profile(pair, direction) -> None:
    """delta(epsilon) = P[L infinite] + E[(1 - e^(epsilon - L))_+], by plain sampling, within seven standard errors."""
    loss = pickle.loads(pickle.dumps(pair.loss))(direction)  # noqa: S301 - our own bytes
    losses, _ = loss.sample(0.0, 200_000, np.random.default_rng(37))
    for epsilon in (0.0, 0.5, 1.5):
        excess = np.where(losses > epsilon, -np.expm1(epsilon - losses), 0.0) * math.exp(loss.log_finite)
        exact = float(pair.profile(Float64(), np.float64(epsilon), direction))
        error = 7 * float(excess.std()) / math.sqrt(len(losses)) + 1e-12
        assert abs(-math.expm1(loss.log_finite) + float(excess.mean()) - exact) <= error
