"""The empirical engine: tests by betting, power, search of neighbours, bounds on f, deltas of 1e-12, evidence files."""

# %% [markdown]
# # The empirical engine

# %% [markdown]
# A claim $(\varepsilon, \delta)$ states $P(S) \le e^{\varepsilon} Q(S) + \delta$ for every event $S$ and both orders of
# two neighbours. The auditor bets against the claim. Each block of releases is a bet on events learnt from earlier blocks.
# Under the claim the expected wealth never grows. Wealth $1/\alpha$ therefore refutes the claim at level $\alpha$, at
# any stopping time (Ville). The first mechanism has half the noise that its claim requires.

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

# %% [markdown]
# ## Half of the noise
#
# The exact $\delta$ of Laplace noise of scale $b$ is $1 - e^{(\varepsilon - 1/b)/2}$. The claim requires $b = 1$.

# %% violation
from scipy import stats


def release(histogram, rng):
    keys, values = Laplace(0.5).release_many(histogram, 1, rng)
    return dict(zip(keys, values[0], strict=True))


def statistic(released):
    return released["k0"]


def noise(rng):
    return release({"k0": 0}, rng)["k0"]


promise = {"epsilon": epsilon, "delta": "0"}
statistic_name, law = "released count of k0 (users)", stats.laplace()
epsilons = np.linspace(0, 1.95, 40)
exact, claimed = (np.maximum(1 - np.exp((epsilons - 1 / scale) / 2), 0) for scale in (0.5, 1.0))

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
    audit = auditor.audit_mechanism(Laplace(ratio), epsilon=epsilon, **common)
    releases, log_wealths = zip(*audit.result.path, strict=True)
    plt.semilogx(releases, np.array(log_wealths) / np.log(10), label=f"{ratio} of the noise")
plt.axhline(-np.log10(audit.result.alpha), color="black", linewidth=0.5)
plt.ylim(-3, 1 - np.log10(audit.result.alpha))
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


audit = auditor.audit_mechanism(release, epsilon="1", delta="1e-3", samples=samples, budget=600.0, seed=seed)
print(audit.verdict.value, audit.pair.left, audit.pair.right)

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
