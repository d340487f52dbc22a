"""The Gaussian sparse histogram mechanism: exact accounting, both figures of its paper, errata, a caught fault."""

# %% [markdown]
# # The Gaussian sparse histogram mechanism, audited

# %% [markdown]
# A user touches at most $C_u$ groups. A group's count is released with noise $N(0, \sigma^2)$ if it is at least $\tau$
# and its noisy count at least $\tau^*$. Theorem 5.4 of Karrer, Kifer, Wilkins and Zhang gives the exact
# $\delta(\varepsilon)$ as a maximum over $O(C_u)$ terms. The maximum always collapses to
#
# $$\delta = \max\{1 - \Phi((\tau^*-\tau)/\sigma)^{C_u},\ f(\sqrt{C_u (1/\sigma^2+\mu_o^2)}, \varepsilon)\},$$
#
# This is claim `wilkins2024.thm5.4.collapse`, derived in checked steps. The case study of the paper, enclosed in balls:

# %% tags=["parameters"]
epsilon, c_u, sigma, gap = "0.349", 51914, 2228, 13947
profile, seed = "quick", 0

# %%
import auditor
import pandas

pandas.options.display.max_colwidth = None  # whole sentences

case = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": 0}
auditor.evaluate("wilkins2024.thm5.4", arithmetic="ball", **case)

# %% [markdown]
# The paper states that $\sigma = 2228$ gives $(0.349, 10^{-5})$. The certified $\delta$ is above $10^{-5}$. The table has
# printed statements that are false. The suite finds each from the domain of the statement alone:

# %%
printed = ("sec6.sigma", "sec6.01pct", "sec6.01pct.add", "sec6.1.tau", "sec6.fn7.tau", "thm5.4.tau", "lemA.2", "sec7.eps2")
report = auditor.run([f"wilkins2024.{name}" for name in printed], profile=profile, seed=seed)
report.to_frame("errata")[["title", "source", "corrected"]]

# %% [markdown]
# ## Figure 1a: the least threshold, exact against add-the-deltas
#
# Claims `wilkins2024.fig1a` (Theorem 5.4) and `wilkins2024.fig1a.add` (Theorem 4.1), in double precision.

# %%
import matplotlib.pyplot as plt

sigmas = [2229 + 5 * i for i in range(60)]
for claim, label in (("fig1a", "exact"), ("fig1a.add", "add the deltas")):
    values = [
        auditor.evaluate(f"wilkins2024.{claim}", arithmetic="float64", sigma=s, delta="1e-5").value for s in sigmas
    ]
    plt.plot(sigmas, [float(value) for value in values], label=label)
plt.xlabel("sigma (users)")
plt.ylabel("least tau* - tau (users)")
plt.legend();

# %% [markdown]
# ## Figure 1b: the ratio of the two deltas

# %%
epsilons = [i / 100 for i in range(10, 51)]
ratios = [
    auditor.evaluate("wilkins2024.fig1b.ratio", arithmetic="float64", epsilon=str(e)).value for e in epsilons
]
plt.plot(epsilons, [float(ratio) for ratio in ratios])
plt.xlabel("epsilon (nats)")
plt.ylabel("add-the-deltas / exact");

# %% [markdown]
# ## Released every day
#
# A user has ten keys, and all releases together have to be $(1, 10^{-5})$-private. The table has the least noise and gap if
# the data of all days are fixed in advance. An adversary who chooses data after earlier releases gets twice the $\delta$. The
# ledger (`docs/how-to/every-day.md`) is valid for every choice of data, and refuses releases beyond its budget:

# %%
rows = {}
for days in (1, 30, 365, 10000):
    at = {"epsilon": 1, "c_u": 10 * days, "mu_o": 0, "digits": 7}
    sigma = auditor.evaluate("wilkins2024.thm5.4.sigma", delta="9.999e-6", **at).value
    gap = auditor.evaluate("wilkins2024.thm5.4.gap", delta="1e-5", sigma=sigma, **at).value
    every_day = {"epsilon": 1, "releases": days, "c_u": 10, "sigma": sigma, "gap": gap, "mu_o": 0}
    adaptive = auditor.evaluate("wilkins2024.composition.adaptive", arithmetic="ball", digits=6, **every_day)
    rows[days] = {"sigma": sigma, "gap": gap, "delta at most, if adaptive": adaptive.upper}
pandas.DataFrame(rows).T

# %%
auditor.experiment("wilkins2024.releases")

# %% [markdown]
# The maximum of two deltas is exact for equal releases of data that are fixed in advance. It is too small if thresholds
# differ, or if data depend on earlier releases. The suite finds both from the domains alone:

# %%
auditor.run([f"wilkins2024.composition.{name}" for name in ("fixed.ends", "adaptive.maximum")], profile=profile, seed=seed)

# %% [markdown]
# One release of whole counts to users of four keys, with discrete Gaussian noise of $\sigma = 7.47$: $\delta$ by threshold.

# %%
whole = {"epsilon": 1, "sigma": "7.47", "c_u": 4, "per_key": 1, "arithmetic": "ball", "digits": 6}
thresholds = {t: auditor.evaluate("thresholds.gaussian.integer.profile", threshold=t, **whole).upper for t in (35, 36)}
pandas.Series(thresholds, name="delta at most")

# %% [markdown]
# Three keys have an integer sum each, which a user changes by one. Adding up $\rho$ gives 3.2 times the exact $\delta$. A
# minimum number of users per row, as in $k$-anonymity, costs privacy unless the threshold grows with it.

# %%
sums = {"epsilon": 1, "sigma": 5, "threshold": 30, "c_u": 3, "per_key": 1, "sigma_s": 20, "per_sum": 1, "digits": 6}
print(auditor.evaluate("thresholds.gaussian.integer.sums", **sums).value)
names = ["thresholds.gaussian.integer.sums.gain", "wilkins2024.floor", "wilkins2024.floor.raised"]
auditor.run(names, profile=profile, seed=seed).to_frame("claims")[["title", "verdict"]]

# %% [markdown]
# ## Half of the noise, on two groups
#
# The next mechanism has half of the noise that Theorem 5.4 requires for two groups.

# %% violation
import numpy as np
from scipy import stats

scale, threshold, samples = 4, 25, 20_000


def release(histogram, rng):
    noisy = {key: count + rng.normal(0, scale / 2) for key, count in histogram.items()}
    return {key: value for key, value in noisy.items() if value >= threshold}


def statistic(released):
    return sum(released.values())


def noise(rng):
    return release({"k0": 100}, rng)["k0"] - 100


pair = {"left": {"k0": 40, "k1": 40}, "right": {"k0": 39, "k1": 39}}
promise = {"claim": "wilkins2024.thm5.4", "epsilon": "1", "c_u": 2, "sigma": scale, "tau_star": threshold}
statistic_name, law = "sum of the released counts (users)", stats.norm(scale=scale)
epsilons, at = np.linspace(0, 2, 21), {"c_u": 2, "gap": threshold - 1, "mu_o": 0, "arithmetic": "float64"}
exact, claimed = (
    [float(auditor.evaluate("wilkins2024.thm5.4", epsilon=f"{e:.2f}", sigma=s, **at).value) for e in epsilons]
    for s in (scale // 2, scale)
)

# %% [markdown]
# ## A planted fault, caught
#
# The fault has half the noise. Two checks refute it: one by releases, with an event that is learnt from earlier releases
# and tested on later releases; one by the law of the noise.

# %%
auditor.run(["half_noise"], profile=profile, seed=seed)

# %% [markdown]
# ## Change this and run again
#
# The first cell of code has the case, the profile and the seed. This notebook does not check the rest of the paper
# (`auditor run 'wilkins2024.*'`), nor that the formulas state what the paper states.
#
# - `auditor explain ID` describes a claim; `auditor reproduce FINDING --report FILE` repeats a finding.
# - The notebook `your_own_histogram` audits a mechanism on real data.
