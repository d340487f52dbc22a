"""The empirical engine at work: a bet, its power, its calibration, deltas of 1e-12, and evidence that multiplies."""

# %% [markdown]
# # The empirical engine

# %% [markdown]
# A claim $(\varepsilon, \delta)$ says $P(S) \le e^{\varepsilon} Q(S) + \delta$ for every event $S$ and both orders of
# two neighbours. The auditor bets against it: each block of releases is a wager on events learnt from earlier blocks,
# and under the claim nobody can expect to win. Wealth $1/\alpha$ refutes at level $\alpha$, whenever one stops
# (Ville). Here is a mechanism with half the noise it claims.

# %%
import numpy as np

import auditor
from auditor.findings.card import WORDS


class Laplace:
    def __init__(self, scale):
        self.scale = scale

    def release_many(self, histogram, n, rng):
        counts = np.array([*histogram.values()], dtype=float)
        return tuple(histogram), np.round(counts + rng.laplace(0, self.scale, (n, len(counts))), 2)


pair = {"left": {"k0": 2}, "right": {"k0": 1}}
common = dict(epsilon="1", delta="0", pair=pair, budget=600.0, alpha="0.001", seed=1)
for scale in (0.5, 1.0):
    found = auditor.audit_mechanism(Laplace(scale), samples=20_000, **common)
    print(f"scale {scale}: {WORDS[found.verdict]}\n  {found.detail}")

# %% [markdown]
# Silence is a statement as well: it names the smallest violation that as many releases would have caught with
# probability .95, and where there is none the verdict is *undecided*. Wealth over releases, for insufficient noise at
# several ratios and for the right noise:

# %%
import math

import matplotlib.pyplot as plt
from matplotlib_inline.backend_inline import set_matplotlib_formats

from auditor.black_box.audit import Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from proofs_numeric.statements.neighbours import Neighbours

set_matplotlib_formats("svg", metadata={"Date": None})
plt.rcParams["svg.hashsalt"] = "auditor"
one = Neighbours("one key", {"k0": 2}, {"k0": 1})


def run(scale, samples, alpha=1e-6, seed=1, **options):
    budget = Budget(samples, confirmation=0.0)
    return audit_pairs(
        histogram_sampler(Laplace(scale)), [one], 1.0, 0.0, alpha=alpha, seed=seed, budget=budget, **options
    )


for ratio in (0.5, 0.8, 0.9, 1.0):
    path = []

    def note(_blocks, n, wealth, _power, path=path):
        path.append((n, wealth / math.log(10)))

    result = run(ratio, 30_000, on_block=note)
    plt.semilogx(*zip(*path, strict=True), label=f"{ratio} of the noise: {WORDS[result.verdict]} at {result.samples}")
plt.axhline(6, color="black", linewidth=0.5)
plt.ylim(-3, 7)
plt.xlabel("releases a side")
plt.ylabel("log10 wealth")
plt.legend()
plt.show()

# %% [markdown]
# Level and power over many seeds at $\alpha = .05$: the share of audits of the right noise that refute it, and the
# median number of releases for half the noise, against the best that any test of this level can do on average,
# $\log(1/\alpha)/\mathrm{KL}_{\inf}$ (here bounded below on a partition into twelve cells).

# %%
from scipy.stats import laplace

from auditor.statistics.power import kl_inf

alarms = sum(run(1.0, 300, 0.05, seed).verdict.value == "REFUTED" for seed in range(100))
needed = sorted(run(0.5, 5_000, 0.05, seed).samples for seed in range(21))
cuts = np.linspace(0, 1, 11)
p, q = (np.diff([0.0, *laplace(centre, 0.5).cdf(cuts), 1.0]) for centre in (0, 1))
optimum = math.log(20) / kl_inf(p, q, 1.0, 0.0, 0.0).upper
print(f"{alarms} false alarms in 100 audits; half the noise: median {needed[10]} releases, optimum {optimum:.0f}")

# %% [markdown]
# Power against the ratio of the noise to what the claim needs. One audit answers for every number of releases: it may
# stop at any time, so the share of audits that have refuted by then is the power there.

# %%
ratios, sizes, seeds = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99), (100, 300, 1000, 3000), range(20)
used = {ratio: [run(ratio, sizes[-1], 0.05, seed) for seed in seeds] for ratio in ratios}
print("ratio   " + "".join(f"{n:>7}" for n in sizes))
for ratio, results in used.items():
    stops = [r.samples if r.verdict.value == "REFUTED" else math.inf for r in results]
    print(f"{ratio:<8}" + "".join(f"{np.mean(np.array(stops) <= n):7.2f}" for n in sizes))

# %% [markdown]
# ## Neighbours searched
#
# Without a pair, families of neighbours and pairs drawn by Hypothesis are looked at in a few releases each; the
# suspects are judged on fresh releases, and so is whatever is smaller and still stands out. A right threshold with one
# flag too many:


# %%
def release(histogram, rng):
    noisy = {key: round(count + rng.laplace(), 1) for key, count in sorted(histogram.items())}
    released = {key: value for key, value in noisy.items() if value >= 7.3}
    return [released, len(histogram) > 2 and len(set(histogram.values())) == 1]


found = auditor.audit_mechanism(release, epsilon="1", delta="1e-3", samples=20_000, budget=600.0, seed=1)
print(f"{WORDS[found.verdict]} on {dict(found.pair.left)} against {dict(found.pair.right)}")
bound = found.to_json()["delta_lower"]
print(f"at epsilon 1 delta is at least {bound}: {found.result.event}")

# %% [markdown]
# ## f-DP
#
# From releases that nothing else used: points that the trade-off function of the pair cannot lie above, and what they
# say about $\delta$ at every $\varepsilon$ at once. The exact $\delta$ of Laplace noise of scale $b$ is $1 -
# e^{(\varepsilon - 1/b)/2}$.

# %%
band = auditor.audit_mechanism(Laplace(0.5), samples=20_000, **{**common, "epsilon": "1.9"}).to_json()["tradeoff"]
for epsilon, bound in band["delta_lower"].items():
    exact = max(0.0, 1 - math.exp((float(epsilon) - 2) / 2))
    print(f"delta({epsilon}) >= {bound}, exact {exact:.4f}")

# %% [markdown]
# ## White box, to $10^{-12}$
#
# No number of releases shows a $\delta$ of $10^{-12}$. Where the law of the privacy loss is declared it is sampled
# under a tilt, and a betting interval for a variable in $[0, 1]$ becomes an interval of bounded relative width.
# Counters that share noise, one of them new: the law is known given the shared part alone. The exact value is an
# integral, computed by another route.

# %%
from auditor.checks.white_box import epsilon_for
from auditor.statistics.tilting import tilted_interval
from mechanisms.correlated_stability_histogram.law import new_counters_loss, pair_profile
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.statements.neighbours import Direction

at = dict(k=4, sigma=4, gap=12, l=1, j=1)
loss = new_counters_loss(Direction.BACKWARD, **at)
for target in (1e-4, 1e-8, 1e-12):
    epsilon = epsilon_for(loss, target)
    found = tilted_interval(loss, float(epsilon), 100_000, 0.05, np.random.default_rng(1))
    with MpReal(30) as A:
        exact = float(pair_profile(A, epsilon, Direction.BACKWARD, **at))
    print(f"epsilon {float(epsilon):.4g}: 95% interval [{found.lower:.4g}, {found.upper:.4g}], exact {exact:.4g}")

# %% [markdown]
# ## Evidence that multiplies
#
# E-values of independent runs multiply: a violation too weak for one run of a CI job is refuted by several. The file
# of `auditor run --evidence FILE` owns the seeds, keeps unfavourable runs, and gives each version its share of
# $\alpha$.

# %%
from auditor.statistics.evidence import AccumulatedEvidence

history = AccumulatedEvidence("Laplace with 0.85 of the noise", alpha=1e-6, seed=7)
while not history.refuted("v1"):
    history = history.begin("v1")
    number = history.open_run.number
    result = run(0.85, 1_500, history.version_alpha("v1"), history.seed, claim_id=f"run {number}")
    history = history.finish(number, result.log_wealth, result.samples)
    total = history.log_wealth("v1") / math.log(10)
    print(f"run {number}: 10^{result.log_wealth / math.log(10):.2f}, together 10^{total:.2f}")
