"""Cells that draw a violation, after a cell that defines it: event, profiles, wealth, drawn noise against its law.

The defining cell assigns these names:

- `release`: the audited function (histogram, rng) -> released histogram.
- `pair`: both neighbours, by side `left` and `right`.
- `promise`: arguments of `auditor.audit_mechanism`, with `epsilon`.
- `statistic`: released histogram -> the number that the audit's event bounds; `statistic_name`: its name and unit.
- `noise`: rng -> one draw of the noise of a count; `law`: the declared law, a frozen distribution of SciPy.
- `epsilons`: values of epsilon of the profiles; `exact` and `claimed`: their deltas.
- `samples`, `seed`: releases per dataset, and the seed.
"""

from auditor.report.notebook import Cell, Code, Prose

_AUDIT = Code("""found = auditor.audit_mechanism(release, **promise, pair=pair, samples=samples, seed=seed)
found""")

_PLACE = Prose("""## The violation at its place

Left: fresh releases of both neighbours, with the event of the audit shaded. Right: the exact profile of this code, the
empirical profile of these releases, the profile of the claim, and the lower bounds of the audit. The band between the
claim and the exact profile is the violation.""")

_EVENT_AND_PROFILES = Code("""import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(seed)
values = {side: np.array([statistic(release(pair[side], rng)) for _release in range(samples)]) for side in pair}
_name, relation, bound = found.result.event.rsplit(" ", 2)

figure, (outputs, curves) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
ends = np.quantile(np.concatenate([*values.values()]), [0.0005, 0.9995])
bins = np.linspace(*ends, 61)
for side in pair:
    outputs.hist(values[side], bins, weights=np.full(samples, 1 / samples), histtype="step", label=side)
shaded = (ends[0], float(bound)) if "<" in relation else (float(bound), ends[1])
outputs.axvspan(*shaded, alpha=0.15, color="C3", label=f"event: {found.result.event}")
outputs.set(xlabel=statistic_name, ylabel="fraction of releases", yscale="log")
outputs.legend(fontsize="small")

cuts = np.unique(np.concatenate([*values.values()]))
below = {side: np.searchsorted(np.sort(values[side]), cuts, "right") / samples for side in pair}
halves = [(below["left"], below["right"]), (1 - below["left"], 1 - below["right"])]
halves += [(other, one) for one, other in halves]
empirical = [max(0, *(np.max(one - np.exp(e) * other) for one, other in halves)) for e in epsilons]
curves.plot(epsilons, exact, label="exact, of this code")
curves.plot(epsilons, empirical, ":", label="empirical, of these releases")
curves.plot(epsilons, claimed, "--", label="claimed")
curves.fill_between(epsilons, claimed, np.maximum(claimed, exact), alpha=0.15, color="C3", label="violation")
bounds = found.to_frame().delta_at_least
bounds[float(promise["epsilon"])] = max(found.result.delta_lower, bounds.get(float(promise["epsilon"]), 0))
curves.plot(bounds.index[bounds > 0], bounds[bounds > 0], "v", label="lower bounds of the audit")
curves.axvline(float(promise["epsilon"]), color="black", linewidth=0.5)
curves.set(xlabel="epsilon (nats)", ylabel="delta", yscale="log", ylim=(1e-5, 1), xlim=(epsilons[0], epsilons[-1]))
curves.legend(fontsize="small");""")

_NOISE = Prose("""## The drawn noise against the declared law

Left: quantiles of the drawn noise against quantiles of the declared law; correct noise lies on the line. Right: the
empirical distribution function, with its confidence band of 95 % (Dvoretzky, Kiefer, Wolfowitz and Massart).""")

_QUANTILES_AND_DISTRIBUTION = Code("""import statsmodels.api as sm

draws = np.array([noise(rng) for _draw in range(samples)])
figure, (quantiles, distribution) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
levels = (np.arange(400) + 0.5) / 400
sm.qqplot(np.quantile(draws, levels), law, line="45", ax=quantiles, markersize=2)
quantiles.set(xlabel="quantiles of the declared law", ylabel="quantiles of the drawn noise")
places = np.linspace(min(draws.min(), law.ppf(0.001)), max(draws.max(), law.ppf(0.999)), 401)
shares = sm.distributions.ECDF(draws)(places)
width = np.sqrt(np.log(2 / 0.05) / (2 * samples))
distribution.plot(places, shares, label="drawn noise")
distribution.fill_between(places, shares - width, shares + width, alpha=0.3, label="confidence band")
distribution.plot(places, law.cdf(places), "--", label="declared law")
distribution.set(xlabel="drawn noise", ylabel="distribution function")
distribution.legend(fontsize="small");""")

_WEALTH = Prose("""## Wealth over releases

The audit bets against the claim. It refutes the claim when the wealth exceeds the line.""")

_WEALTH_OVER_RELEASES = Code("""releases, log_wealths = zip(*found.result.path, strict=True)
axes = plt.subplots(figsize=(6.4, 3.6))[1]
axes.semilogx(releases, np.array(log_wealths) / np.log(10), "o-")
axes.axhline(-np.log10(found.result.alpha), color="black", linewidth=0.5)
axes.set(xlabel="releases per dataset", ylabel="log10 wealth");""")

CELLS: tuple[Cell, ...] = (
    _AUDIT,
    _PLACE,
    _EVENT_AND_PROFILES,
    _NOISE,
    _QUANTILES_AND_DISTRIBUTION,
    _WEALTH,
    _WEALTH_OVER_RELEASES,
)
"""Cells to place after a cell that defines a violation."""
