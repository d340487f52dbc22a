"""Unknown-domain algorithms, a page a theorem: what is loose, which proof steps fail, how they are repaired."""

# %% [markdown]
# # Top-k without a declared domain, theorem by theorem

# %% [markdown]
# Rogers (2024) proves algorithms that release the most frequent items of a data set although nobody declared which
# items exist. Their privacy is *$\delta$-approximate $\rho$-concentrated*: $P = (1-\delta)P' + \delta P''$, likewise
# $Q$, with Rényi divergences $D_\alpha(P'\|Q') \le \alpha\rho$ in both directions. Each page below computes what a
# theorem gives away and lists the printed statements that the suite refutes, with the witness that its search found.

# %%
from fractions import Fraction

import auditor
from auditor.experiments import unknown_domain_thresholds

report = auditor.run(["rogers2024.*"], profile="quick")
verdicts = {entry.id: entry.verdict.words for entry in report.claims}
ours = {entry.id for entry in report.claims if entry.ours}


def errata(*prefixes):
    for erratum in report.errata:
        wanted = erratum.printed.startswith(tuple(f"rogers2024.{prefix}" for prefix in prefixes))
        if wanted and erratum.printed not in ours:
            at = erratum.witness.parameters if erratum.witness else {}
            where = ", ".join(f"{name}={value}" for name, value in at.items())
            print(f"{erratum.title}\n  refuted at {where}")
            print(f"  holds: {erratum.corrected} ({verdicts.get(erratum.corrected, 'not in this run')})")


def show(table, *starts):
    rows = [row for row in table.rows if row[0].startswith(starts or "")]
    print(table.caption)
    widths = [max(map(len, column)) for column in zip(table.columns, *rows, strict=True)]
    for row in (table.columns, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


thresholds, rhos = unknown_domain_thresholds.thresholds(), unknown_domain_thresholds.rhos()
counted = {verdict: sum(v == verdict for v in verdicts.values()) for verdict in sorted(set(verdicts.values()))}
print(counted)

# %% [markdown]
# ## Theorem 3: from concentrated to approximate privacy
#
# $\varepsilon = \rho + 2\sqrt{\rho\log(1/\delta')}$ is a Chernoff bound of the privacy loss; the steps are symbolic
# identities (claim `rogers2024.thm3.cdp_to_dp`). The best conversion through Rényi orders (Canonne, Kamath, Steinke)
# is smaller, and the Gaussian mechanism that is exactly $\rho$-CDP tells how far any conversion could go.

# %%
show(unknown_domain_thresholds.conversions())
errata("thm3")

# %% [markdown]
# ## Lemma 3.1: good parts
#
# The lemma needs $P \ge (1-\delta)P'$ only. The printed remainder $P''$ assumes that the good event can be read off
# the outcome; one indicator repairs it.

# %%
errata("lem3.1")

# %% [markdown]
# ## Theorems 2 and 5: the exponential mechanism
#
# $\varepsilon^2/8$ needs the *range* of the score. Where users are added or removed all counts move the same way and
# the range is the sensitivity; where users are replaced it is twice that, and the promise breaks (fault
# `unknown_domain_gumbel_replaced_user`).

# %%
show(rhos, "Theorem 5")
for finding in auditor.run(["unknown_domain_gumbel_replaced_user"], profile="quick").findings:
    print(f"{finding.check}: {finding.verdict.words}\n  {finding.headline}")

# %% [markdown]
# ## Theorem 7: Algorithm 1, every positive count
#
# The threshold's union bound over $\Delta_0$ items is all that is loose in $\delta$ (with Laplace noise for $\delta
# \le \Delta_0/2$); $\rho$ is exact for Gaussian noise, and for Laplace noise $\varepsilon - 1 + e^{-\varepsilon}$ a
# count suffices (claim `rogers2024.sharp.laplace`).

# %%
show(thresholds, "Theorem 7")
show(rhos, "Theorem 7")
errata("thm7", "rem7", "alg1")

# %% [markdown]
# ## Theorem 8: Algorithm 2, the top $\bar k$ counts
#
# One noisy threshold serves all items: $\Pr[\neg E] = 1 - E[\Phi(\sqrt2 z(\delta/\Delta_0) + Z)^{\Delta_0}]$ exactly.
# The proof's chain of counts runs backwards; its coordinate count forgets that the threshold moves too. The $\ell_2$
# bound survives: a matched pair that spends $\Delta_\infty - s$ leaves $s$ for the threshold, decided on every small
# pair of neighbours.

# %%
show(thresholds, "Theorem 8")
errata("thm8", "lem4.1", "sec421")

# %%
from mechanisms.unknown_domain.top import mechanism as unknown_domain_top
from proofs_numeric.arithmetic import Ball
from proofs_numeric.statements.neighbours import Direction

for pair in unknown_domain_top.MECHANISM.pairs(unknown_domain_top.MECHANISM.parameters):
    with Ball(64) as A:
        deltas = [float(A.number(pair.profile(A, A.number(1), way)).mid()) for way in Direction]
    print(f"{pair.id:4} {deltas[0]:.6f} {deltas[1]:.6f}  {pair.description}")

# %% [markdown]
# ## Theorem 9: Algorithm 3, Gumbel noise
#
# The proof conditions on the good event and says that what is left is the exponential mechanism peeled over the common
# items. For $k \ge 2$ it is not. In the race of exponential clocks behind Gumbel noise, the event that the threshold
# rings before the items $D$ of one top only makes its clock run at rate $w_\bot + \sum_{d \in D} w_d$: with that
# merged rate the factorisation holds on every small pair, and the weights of the two sides differ by factors in $[1,
# e^\varepsilon]$.

# %%
show(thresholds, "Theorem 9")
errata("thm9")
for claim in ("rogers2024.repair.race", "rogers2024.thm9.range", "rogers2024.thm9.rho"):
    print(claim, verdicts[claim])

# %%
from proofs_numeric.rogers2024.peeling import BOTTOM, gumbel_law
from proofs_numeric.rogers2024.theorem_9.proof import peeling_on_common

three, one = (("a", 1), ("b", 1), ("c", 1)), (("a", 1),)
settings = dict(k_bar=3, k=2, base=Fraction(3, 2), delta=Fraction(1, 10))
law = gumbel_law(three, **settings)
printed = peeling_on_common(three, one, (three, one, *settings.values()))
ratio = law["a", BOTTOM] / printed["a", BOTTOM]
print(f"P(y)/P'(y) at y = (a, bottom): {ratio} = {float(ratio):.6f}, below 1 - delta = {float(1 - settings['delta'])}")

# %% [markdown]
# ## Theorem 10: Algorithm 4, pay what you get
#
# Round by round the repaired decomposition of Theorem 9 carries over; the printed mixture weighs the whole stream with
# one $\delta$. As every query prints at least one entry, $\min(\ell^*, k^*)\delta$ suffices for $\ell^*\delta$.

# %%
errata("thm10")
exact = auditor.evaluate("rogers2024.thm10.new_item_mass", digits=8, l_star=100, k_star=10, delta="1e-6")
bound = auditor.evaluate("rogers2024.thm10.delta", digits=8, l_star=100, k_star=10, delta="1e-6")
sharp = auditor.evaluate("rogers2024.sharp.pay", digits=8, l_star=100, k_star=10, delta="1e-6")
print(f"100 queries, 10 entries: exact {exact.value}, min(l*, k*) delta {sharp.value}, printed {bound.value}")

# %% [markdown]
# ## Theorem 11: the Unknown Domain Binary Mechanism
#
# An item that returns after a suppressed round shares the noise of a partial sum with it, so the law does not factor.
# Truncating *both* sides to the same half-spaces repairs the proof: what that adds to the divergence is never
# positive. The statement's threshold is false in a corner; the proof's is right and still far above what the union
# over rounds needs, because most rounds add up few noises.

# %%
show(thresholds, "Theorem 11")
show(rhos, "Theorem 11")
errata("thm11", "bm")
print("rogers2024.repair.thm11.half_space", verdicts["rogers2024.repair.thm11.half_space"])

# %% [markdown]
# ## Decide with one noise, release another
#
# Two releases priced as one. In Algorithm 1 a far point of the privacy profile gives it away; in Algorithm 2 none was
# found that does, as what $\rho$ converts to is loose. There the check `numeric.renyi` decides: it bounds the Rényi
# divergences of *any* good parts from the exact profile.

# %%
names = ["unknown_domain_fresh_gaussian_released", "unknown_domain_top_fresh_noise_released"]
caught = auditor.run(names, profile="quick")
for finding in caught.findings:
    print(f"{finding.subject} ({finding.check}): {finding.verdict.words}\n  {finding.headline}")

# %% [markdown]
# ## Shakespeare's words at several budgets
#
# The most frequent words of the plays and poems; every occurrence counts as one user, who holds one word. Algorithm 3
# prints up to twenty labels in order, Algorithm 2 noisy counts. A ledger turns what was spent, by one release and by
# all of them, into $(\varepsilon, \delta)$; its $\varepsilon$ is rounded up.

# %%
import numpy as np

from mechanisms.data import word_counts
from mechanisms.unknown_domain.gumbel import mechanism as unknown_domain_gumbel
from mechanisms.unknown_domain.release import BOTTOM
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.statements.concentrated import Ledger, Spending

words = word_counts()
k, k_bar, delta, total = 20, 1000, Fraction(1, 10**10), Fraction(1, 10**9)
true = list(words)[:k]
stream = Ledger(1, Fraction(1, 10**8))


def epsilon_at(ledger, total):
    _value, _lower, upper = enclose(lambda A: ledger.epsilon_upper(A, total), {}, 12).decimal(4)
    return upper


print(f"{len(words)} words, {sum(words.values())} occurrences; k = {k}, k_bar = {k_bar}")
print("rho      epsilon at 1e-9  T         printed  of the true top  first that is wrong")
for rho in ("1e-7", "1e-6", "1e-5", "1e-4", "1e-2"):
    beta = Fraction((k / (8 * float(rho))) ** 0.5).limit_denominator(10**6)
    spent = Spending("top twenty", k / (8 * beta**2), delta)
    stream = stream.spend(spent)
    epsilon = epsilon_at(Ledger(1, total).spend(spent), total)
    mechanism = unknown_domain_gumbel.build(k_bar=k_bar, k=k, beta=beta, delta=delta)
    ranks = mechanism.release(words, np.random.default_rng(1616))
    shown = [word for word in sorted(ranks, key=ranks.get) if word != BOTTOM]
    wrong = next((word for word, right in zip(shown, true, strict=False) if word != right), "-")
    hits = len(set(shown) & set(true))
    print(f"{rho:8} {epsilon:<16} {mechanism.threshold:<9.0f} {len(shown):<8} {hits:<16} {wrong}")

# %%
from mechanisms.unknown_domain.top import mechanism as unknown_domain_top

print("rho      sigma   released  largest error  words")
for rho in ("1e-5", "1e-4", "1e-2"):
    sigma = Fraction((2 * float(rho)) ** -0.5).limit_denominator(10**6)
    mechanism = unknown_domain_top.build(k_bar=k_bar, delta_0=1, delta_inf=1, sigma=sigma, delta=delta)
    release = mechanism.release(words, np.random.default_rng(1616))
    stream = stream.spend(Spending("counts", 1 / (2 * sigma**2), delta))
    error = max(abs(value - words[word]) for word, value in release.items())
    largest = " ".join(sorted(release, key=release.get)[-5:][::-1])
    print(f"{rho:8} {mechanism.scale:<7.1f} {len(release):<9} {error:<14.1f} {largest}")
print(
    f"{len(stream.releases)} releases on one ledger: rho {float(stream.rho):.6f}, failures {float(stream.delta):.3g}, "
    f"together ({epsilon_at(stream, total)}, {float(total):g})-DP"
)

# %% [markdown]
# The cells compute every number above again. More of a claim: `auditor explain ID`; of a finding of a written report:
# `auditor reproduce FINDING --report FILE`.
