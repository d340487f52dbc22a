"""The empirical engine: tests by betting, power, search of neighbours, bounds on f, deltas of 1e-12, evidence files."""

# %% [markdown]
# # The empirical engine

# %% [markdown]
# A claim $(\varepsilon, \delta)$ states $P(S) \le e^{\varepsilon} Q(S) + \delta$ for every event $S$ and both orders of
# two neighbours. The auditor bets against the claim. Each block of releases is a bet on events learnt from earlier blocks.
# Under the claim the expected wealth never grows. Wealth $1/\alpha$ therefore refutes the claim at level $\alpha$, at
# any stopping time (Ville). The first mechanism has half the noise that its claim needs.

# %% tags=["parameters"]
epsilon, samples, alpha, seed = "1", 20_000, "1e-6", 1
ratios = (0.5, 0.8, 0.9, 1.0)

# %%
import numpy as np

import auditor


class Laplace:
    def __init__(self, scale):
        self.scale = scale

    def release_many(self, histogram, n, rng):
        counts = np.array([*histogram.values()], dtype=float)
        return tuple(histogram), np.round(counts + rng.laplace(0, self.scale, (n, len(counts))), 2)


pair = {"left": {"k0": 2}, "right": {"k0": 1}}
common = {"delta": "0", "pair": pair, "samples": samples, "budget": 600.0, "alpha": alpha, "seed": seed}
half = auditor.audit_mechanism(Laplace(0.5), epsilon=epsilon, **common)
half

# %% [markdown]
# The figure has confidence bounds from releases that selected nothing: points above the trade-off function of the pair,
# and lower bounds on $\delta$ at every $\varepsilon$ at once.
#
# ## The violation at its place
#
# Fresh releases of both neighbours. The event of the audit is shaded: its frequency differs by more than a factor
# $e^{\varepsilon}$. The exact $\delta$ of Laplace noise of scale $b$ is $1 - e^{(\varepsilon - 1/b)/2}$. The band between
# the curve of the mechanism and the curve of its claim is the violation.

# %%
import matplotlib.pyplot as plt

rng = np.random.default_rng(seed)
left, right = (Laplace(0.5).release_many(pair[side], samples, rng)[1][:, 0] for side in ("left", "right"))
bound = float(half.result.event.rpartition(" ")[2])  # of the event "value of k0 <= bound"

figure, (outputs, profile) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
bins = np.linspace(-1, 4, 61)
for values, label in ((left, "two users"), (right, "one user")):
    outputs.hist(values, bins, weights=np.full(samples, 1 / samples), histtype="step", label=label)
outputs.axvspan(bins[0], bound, alpha=0.15, color="C3", label=f"event: {half.result.event}")
outputs.set(xlabel="released count of k0 (users)", ylabel="fraction of releases", yscale="log")
outputs.legend(fontsize="small")

grid = np.linspace(0, 1.95, 79)
exact, claimed = (np.maximum(1 - np.exp((grid - 1 / scale) / 2), 0) for scale in (0.5, 1.0))
ends = np.sort(right)
share = [np.searchsorted(np.sort(values), ends, "right") / samples for values in (right, left)]
profile.plot(grid, exact, label="exact, of this mechanism")
profile.plot(grid, [max(share[0] - np.exp(e) * share[1]) for e in grid], ":", label="empirical, of these releases")
profile.plot(grid, claimed, "--", label="exact, with the noise of the claim")
profile.fill_between(grid, claimed, exact, alpha=0.15, color="C3", label="violation")
profile.axvline(float(epsilon), color="black", linewidth=0.5)
profile.set(xlabel="epsilon", ylabel="delta", yscale="log", ylim=(1e-3, 1))
profile.legend(fontsize="small");

# %% [markdown]
# ## The drawn noise against the declared law
#
# Left: quantiles of the noise against quantiles of Laplace noise of scale 1; correct noise lies on the line. Right: the
# empirical distribution function, with its confidence band of 95 % (Dvoretzky, Kiefer, Wolfowitz and Massart).

# %%
import statsmodels.api as sm
from scipy import stats

noise = left - pair["left"]["k0"]
figure, (quantiles, distribution) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
levels = (np.arange(400) + 0.5) / 400
sm.qqplot(np.quantile(noise, levels), stats.laplace, line="45", ax=quantiles, markersize=2)
quantiles.set(xlabel="quantiles of the declared law", ylabel="quantiles of the drawn noise")
grid = np.linspace(-4, 4, 201)
values = sm.distributions.ECDF(noise)(grid)
width = np.sqrt(np.log(2 / 0.05) / (2 * samples))
distribution.plot(grid, values, label="drawn noise")
distribution.fill_between(grid, values - width, values + width, alpha=0.3, label="confidence band")
distribution.plot(grid, stats.laplace.cdf(grid), "--", label="declared law")
distribution.set(xlabel="noise (users)", ylabel="distribution function")
distribution.legend(fontsize="small");

# %% [markdown]
# ## The right noise, and the power of the audit
#
# If the audit finds no violation, it states the smallest violation that as many releases would have found with
# probability .95. If that violation is too large, the verdict is *undecided*.

# %%
auditor.audit_mechanism(Laplace(1.0), epsilon=epsilon, **common)

# %% [markdown]
# Wealth over releases, for insufficient noise at several ratios and for the right noise. One audit is valid at every
# number of releases: it may stop at any time.

# %%
for ratio in ratios:
    path = []
    found = auditor.audit_mechanism(Laplace(ratio), epsilon=epsilon, progress=path.append, **common)
    bets = [step for step in path if step.log10_wealth is not None]
    starts = [i for i in range(1, len(bets)) if bets[i].samples < bets[i - 1].samples]
    bets = bets[max(starts, default=0) :]  # the last test
    plt.semilogx([step.samples for step in bets], [step.log10_wealth for step in bets], label=f"{ratio} of the noise")
plt.axhline(bets[-1].log10_needed, color="black", linewidth=0.5)
plt.ylim(-3, bets[-1].log10_needed + 1)
plt.xlabel("releases per dataset")
plt.ylabel("log10 wealth")
plt.legend();

# %% [markdown]
# ## Search of neighbours
#
# Without a pair, the audit draws a few releases of many pairs: families of neighbours, and pairs that Hypothesis draws. It
# tests the suspicious pairs on fresh releases, and reports the smallest pair that still violates the claim. The next
# mechanism has a correct threshold and one flag too many:


# %%
def release(histogram, rng):
    noisy = {key: round(count + rng.laplace(), 1) for key, count in sorted(histogram.items())}
    released = {key: value for key, value in noisy.items() if value >= 7.3}
    return [released, len(histogram) > 2 and len(set(histogram.values())) == 1]


found = auditor.audit_mechanism(release, epsilon="1", delta="1e-3", samples=samples, budget=600.0, seed=seed)
print(found.verdict.value, found.pair.left, found.pair.right)

# %% [markdown]
# ## Evidence of several runs
#
# E-values of independent runs multiply. The file of `auditor run --evidence FILE` has the seeds, counts every run, and
# gives each version of the code its share of $\alpha$. Nightly audits therefore do not make a correct mechanism
# suspicious. A violation that one night cannot refute is refuted after several nights.

# %%
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    for _night in range(3):
        report = auditor.run(["central_laplace"], profile="quick", evidence=Path(folder, "evidence.json"))
        print(report.to_frame()["headline"]["central_laplace::empirical.black_box"])

# %% [markdown]
# ## Change this and run again
#
# The first cell of code has the claim, the number of releases, $\alpha$ and the ratios. No number of releases can reveal
# a $\delta$ of $10^{-12}$. If the law of the privacy loss is declared, the audit samples the loss under a tilt, as the
# notebook `correlated_stability_histogram` does. Tests measure level and power over many seeds; this notebook does not.
