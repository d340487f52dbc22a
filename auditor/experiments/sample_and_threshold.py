"""bharadwaj2022: accuracy (Figure 1), recall (Figure 2), range queries (Section 4.2), and the least thresholds."""

from collections.abc import Callable
from functools import partial

from auditor.experiments import computed, range_queries
from auditor.experiments.curves import ALPHA, CURVES, DELTA
from auditor.experiments.experiment import Experiment
from auditor.experiments.measures import Measure
from mechanisms.sample_and_threshold import accountant

_EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
_FULL_EPSILONS = tuple(tenth / 10 for tenth in range(1, 11))
_SIZES = tuple(2**power for power in (6, 8, 10, 12, 14))
_SETTINGS = (
    "alpha = 1/6, p = alpha (1 - e^-epsilon), delta = 1e-8, tau = 20",
    "a million clients; Binomial and Geometric data; Shakespeare's words in B buckets",
    "10 repetitions, bars are one standard error",
)
_UNSTATED = (
    "number of Shakespeare's clients: every occurrence of a word is one here (the edition is not stated either)",
    "hash of words: SHA-256; values outside the B buckets: modulo B; where the Geometric law starts: at 0",
    "whether the population is drawn once: yes here, only the mechanism is repeated",
    "estimate from a sampled count: divided by p n; a bucket not reported counts as zero",
    "scale of the Laplace noise: 1/epsilon on the sample, which suits add/remove; replacement would need 2/epsilon",
    "calibration of the shuffled coins: the least probability with an exact delta of at most 1e-8 under replacement",
    "ties in recall: every bucket tied at the k-th count is right; tied estimates are in random order; k = B // 10",
    "epsilons between 0.1 and 1",
)

FIGURE_1 = Experiment(
    id="bharadwaj2022.figure1", title="Accuracy: mean absolute error of the estimated frequencies", source="Figure 1",
    measure=Measure.ERROR, curves=CURVES, buckets=(2**6, 2**10, 2**14), full_buckets=_SIZES, epsilons=_EPSILONS,
    full_epsilons=_FULL_EPSILONS, settings=(*_SETTINGS, "B = 2^6 in the first row and 2^14 in the last of three"),
    unstated=(*_UNSTATED, "B of the middle row: 2^10"),
)  # fmt: skip
FIGURE_2 = Experiment(
    id="bharadwaj2022.figure2", title="Recall of the top tenth of the buckets", source="Figure 2",
    measure=Measure.RECALL, curves=CURVES, buckets=(2**8, 2**12), full_buckets=_SIZES, epsilons=_EPSILONS,
    full_epsilons=_FULL_EPSILONS, settings=(*_SETTINGS, "B = 2^8 in the first row of two, k = B/10"),
    unstated=(*_UNSTATED, "B of the second row: 2^12"),
)  # fmt: skip
RANGES = Experiment(
    id="bharadwaj2022.ranges",
    title="Range queries from hierarchical histograms: shares of epsilon against convolved levels",
    source="Section 4.2 (the paper has no experiment on it)", measure=Measure.RANGE, curves=range_queries.CURVES,
    buckets=(2**6, 2**10), full_buckets=_SIZES, epsilons=_EPSILONS, full_epsilons=_FULL_EPSILONS,
    settings=(
        "branching factor 2, L = log2 B levels, a fresh sample each; total (epsilon, 1e-8) under add/remove",
        "alpha = 1/6; Lemma 7: p and tau of (epsilon/L, 1e-8/L)",
        "by convolution: p of epsilon, at most 1 - e^(-epsilon/L), tau = 20",
        "the populations of Figures 1 and 2, buckets in order; 10 repetitions, bars are one standard error",
    ),
    unstated=("everything: Section 4.2 has numeric examples only",),
)  # fmt: skip


def _by_epsilon(epsilon: float, *, replacement: bool) -> float:
    return accountant.least_tau(epsilon, DELTA, alpha=ALPHA, replacement=replacement)


def _by_delta(delta: float, *, replacement: bool) -> float:
    return accountant.least_tau(1.0, delta, alpha=ALPHA, replacement=replacement)


def _chart(
    name: str,
    title: str,
    x: str,
    places: tuple[tuple[float, ...], tuple[float, ...]],
    paper: Callable[[float], float],
    least: Callable[..., float],
) -> computed.Chart:
    curves = (
        computed.Curve("lemma3", "the paper's (Lemma 3)", paper),
        computed.Curve("addremove", "least, a client added or removed", partial(least, replacement=False)),
        computed.Curve("replacement", "least, a client's item replaced", partial(least, replacement=True), dashed=True),
    )
    return computed.Chart(name, title, x, "tau (clients)", *places, curves, log="x")  # fmt: skip


_GRID = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 5.0)
_DELTAS = tuple(10.0**-power for power in (4, 6, 8, 10, 12, 14))
THRESHOLDS = computed.Figure(
    id="bharadwaj2022.thresholds",
    title="Least threshold tau at p = (1 - e^-epsilon)/6",
    source="bharadwaj2022.exp.tau.* (the paper uses 20)",
    charts=(
        _chart("epsilon", "delta = 1e-8", "epsilon (nats)", (_GRID, (0.05, *_GRID, 10.0)),
               lambda _epsilon: accountant.lemma_3_threshold(DELTA, alpha=ALPHA), _by_epsilon),
        _chart("delta", "epsilon = 1", "delta", (_DELTAS, tuple(10.0**-power for power in range(3, 16))),
               lambda delta: accountant.lemma_3_threshold(delta, alpha=ALPHA), _by_delta),
    ),
    settings=("alpha = 1/6; a threshold that suffices is an integer; both of the least are the same at every point",),
    unstated=("everything: the paper has no such figure",),
)  # fmt: skip
EXPERIMENTS = (FIGURE_1, FIGURE_2, RANGES, THRESHOLDS)
