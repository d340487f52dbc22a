"""The mechanisms that the experiments of bharadwaj2022 compare, each at a stated privacy and with one estimator.

What every curve promises is said for neighbours of the paper's kind, one client's item replaced, and delta = 1e-8:

- sample-and-threshold promises it for the population, with the paper's threshold or the least one;
- a baseline "on the sample" promises epsilon for the sampled clients only, as in the paper (Laplace noise of scale
  1/epsilon there, the least that any reading of the paper allows: it is enough for add/remove);
- a baseline "on the population" promises epsilon for the population, as sample-and-threshold does: it may use more on
  the sample, as long as nobody learns who is in it. Laplace noise, on Poisson samples: `laplace_scale`, exact. Coins
  and Hadamard response, on m of n clients drawn without replacement: epsilon_0 = ln(1 + (n/m)(e^epsilon - 1)) and
  delta n/m (Balle, Barthe and Gaboardi 2020).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from auditor.experiments.measures import Estimates
from auditor.experiments.populations import Counts
from mechanisms.baselines.hadamard_response import HadamardResponse
from mechanisms.baselines.shuffle_bernoulli import ShuffleBernoulli, least_flip
from mechanisms.noise import laplace
from mechanisms.sample_and_threshold import accountant
from mechanisms.sample_and_threshold.mechanism import SampleAndThreshold, sampled
from proofs_numeric.arithmetic import Float64
from proofs_numeric.bharadwaj2022.section_5.experiments import laplace_scale

DELTA = 1e-8
ALPHA = 1 / 6
Parameters = Mapping[str, float]


@dataclass(frozen=True)
class Curve:
    """One mechanism at every epsilon.

    Attributes:
        id: short name.
        title: what figures call it.
        family: curves of one family share a colour.
        dashed: drawn dashed.
        calibrate: parameters at (epsilon, clients by bucket); ValueError where no parameters keep the promise.
        estimate: estimated frequencies (repetitions, B) from (counts, parameters, repetitions, generator).
    """

    id: str
    title: str
    family: str
    dashed: bool
    calibrate: Callable[[float, Counts], Parameters]
    estimate: Callable[[Counts, Parameters, int, np.random.Generator], Estimates]


def _sizes(epsilon: float, counts: Counts) -> tuple[int, int]:
    """Clients n and expected sample size m = p n, as numbers of clients."""
    clients = int(counts.sum())
    return clients, round(accountant.rate(epsilon, ALPHA) * clients)


@lru_cache
def _least_tau(epsilon: float) -> int:
    return accountant.least_tau(epsilon, DELTA, alpha=ALPHA, replacement=True)


@lru_cache
def _least_flip(epsilon: float, delta: float, clients: int) -> float:
    return least_flip(epsilon, delta, clients=clients)


# --- calibrations -----------------------------------------------------------------------------------------------------


def _threshold_of_lemma_3(epsilon: float, _counts: Counts) -> Parameters:
    return {"p": accountant.rate(epsilon, ALPHA), "tau": accountant.lemma_3_threshold(DELTA, alpha=ALPHA)}


def _least_threshold(epsilon: float, _counts: Counts) -> Parameters:
    return {"p": accountant.rate(epsilon, ALPHA), "tau": _least_tau(epsilon)}


def _laplace_on_sample(epsilon: float, _counts: Counts) -> Parameters:
    return {"p": accountant.rate(epsilon, ALPHA), "b": 1 / epsilon}


def _laplace_on_population(epsilon: float, _counts: Counts) -> Parameters:
    p = accountant.rate(epsilon, ALPHA)
    return {"p": p, "b": float(laplace_scale(Float64(), epsilon=epsilon, p_s=p))}


def _hadamard_on_sample(epsilon: float, counts: Counts) -> Parameters:
    return {"m": _sizes(epsilon, counts)[1], "epsilon_0": epsilon}


def _hadamard_on_population(epsilon: float, counts: Counts) -> Parameters:
    clients, m = _sizes(epsilon, counts)
    return {"m": m, "epsilon_0": accountant.base_epsilon(epsilon, m / clients)}


def _shuffle_on_sample(epsilon: float, counts: Counts) -> Parameters:
    _clients, m = _sizes(epsilon, counts)
    return {"m": m, "f": _least_flip(epsilon, DELTA, m)}


def _shuffle_on_population(epsilon: float, counts: Counts) -> Parameters:
    clients, m = _sizes(epsilon, counts)
    return {"m": m, "f": _least_flip(accountant.base_epsilon(epsilon, m / clients), DELTA * clients / m, m)}


# --- estimates --------------------------------------------------------------------------------------------------------


def _sample_and_threshold(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Estimates:
    width = len(str(counts.size))
    histogram = {f"{bucket:0{width}}": int(count) for bucket, count in enumerate(counts)}
    _keys, released = SampleAndThreshold(at["p"], int(at["tau"])).release_many(histogram, repetitions, rng)
    return np.asarray(released / (at["p"] * counts.sum()))


def _laplace(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Estimates:
    noisy = sampled(counts, at["p"], repetitions, rng) + laplace.sample(rng, (repetitions, counts.size), scale=at["b"])
    return np.asarray(noisy / (at["p"] * counts.sum()))


def _samples(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Counts:
    """Counts of m clients drawn without replacement, shape (repetitions, B)."""
    return rng.multivariate_hypergeometric(counts, int(at["m"]), size=repetitions, method="marginals")


def _hadamard(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Estimates:
    mechanism = HadamardResponse(at["epsilon_0"], counts.size)
    items = (np.repeat(np.arange(counts.size), sample) for sample in _samples(counts, at, repetitions, rng))
    return np.stack([mechanism.frequencies(mechanism.reports(item, rng)) for item in items])


def _shuffle(counts: Counts, at: Parameters, repetitions: int, rng: np.random.Generator) -> Estimates:
    mechanism = ShuffleBernoulli(int(at["m"]), at["f"])
    return np.stack([mechanism.release(sample, rng) for sample in _samples(counts, at, repetitions, rng)]) / at["m"]


_FAMILY = "sample-and-threshold"
PAPER = Curve("threshold_paper", "sample-and-threshold, the paper's tau", _FAMILY, dashed=True,
              calibrate=_threshold_of_lemma_3, estimate=_sample_and_threshold)  # fmt: skip
EXACT = Curve("threshold_exact", "sample-and-threshold, least tau", _FAMILY, dashed=False,
              calibrate=_least_threshold, estimate=_sample_and_threshold)  # fmt: skip
LAPLACE_SAMPLE = Curve("laplace_sample", "Laplace, on the sample", "Laplace", dashed=True,
                       calibrate=_laplace_on_sample, estimate=_laplace)  # fmt: skip
LAPLACE_POPULATION = Curve("laplace_population", "Laplace, on the population", "Laplace", dashed=False,
                           calibrate=_laplace_on_population, estimate=_laplace)  # fmt: skip
SHUFFLE_SAMPLE = Curve("shuffle_sample", "shuffled coins, on the sample", "shuffle", dashed=True,
                       calibrate=_shuffle_on_sample, estimate=_shuffle)  # fmt: skip
SHUFFLE_POPULATION = Curve("shuffle_population", "shuffled coins, on the population", "shuffle", dashed=False,
                           calibrate=_shuffle_on_population, estimate=_shuffle)  # fmt: skip
HADAMARD_SAMPLE = Curve("hadamard_sample", "Hadamard response, on the sample", "Hadamard", dashed=True,
                        calibrate=_hadamard_on_sample, estimate=_hadamard)  # fmt: skip
HADAMARD_POPULATION = Curve("hadamard_population", "Hadamard response, on the population", "Hadamard", dashed=False,
                            calibrate=_hadamard_on_population, estimate=_hadamard)  # fmt: skip
CURVES = (
    PAPER,
    EXACT,
    LAPLACE_SAMPLE,
    LAPLACE_POPULATION,
    SHUFFLE_SAMPLE,
    SHUFFLE_POPULATION,
    HADAMARD_SAMPLE,
    HADAMARD_POPULATION,
)
"""Dashed: the paper's comparison. Solid: every mechanism promises (epsilon, 1e-8) to the population."""
