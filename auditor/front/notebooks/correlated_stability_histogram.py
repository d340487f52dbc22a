"""The correlated stability histogram: Figure 3, the exact threshold, and a collapse that fails."""

from __future__ import annotations

from auditor.front.notebooks.story import Code, Notebook, Prose

NOTEBOOKS = (
    Notebook(
        id="correlated_stability_histogram",
        title="The correlated stability histogram, exactly",
        cells=(
            Prose(
                "At most $k$ counters are non-zero. Each is released with shared noise $Z \\sim N(0, \\sigma^2/\\sqrt{k})$ and "
                "own noise $Z_i \\sim N(0, \\sigma^2)$ if the sum is above $1 + \\tau$. One user moves any subset of the counters by "
                "one in one direction. Lebeda and Retschmeier (FORC 2025) bound $\\delta$ twice and ask for exact bounds. "
                "(Theorem 12 below is a reconstruction: the available text has lost its formulas.)\n\n"
                "A pair of neighbours is $(l, j)$: $l$ new counters, $j$ of the $k - l$ shared ones changed. Its exact $\\delta$ is "
                "one integral, enclosed in balls:"
            ),
            Code(
                "import auditor\n\n"
                "case = dict(epsilon='0.3', k=3, sigma=2, gap=3, l=1, j=1)\n"
                "for direction in ('forward', 'reverse'):\n"
                "    pair = auditor.evaluate('lebeda2025.csh.exact.pair', arithmetic='ball', digits=20, direction=direction, **case)\n"
                "    print(f'{direction}: {pair.lower} <= delta <= {pair.upper}')"
            ),
            Prose(
                "Releases agree. The best event is the likelihood ratio's (a new counter, or the shared counters' loss above "
                "$\\varepsilon$), counted under both histograms; exact binomial limits enclose the hockey stick:"
            ),
            Code(
                "from fractions import Fraction\n\n"
                "from auditor.checks import show\n"
                "from auditor.report.chapters.correlated_simulation import CASES, LEVEL, simulate\n\n"
                "for case in CASES:\n"
                "    found = simulate(case, 'forward', 200_000)\n"
                "    where = f'epsilon {case.epsilon}, k {case.k}, sigma {float(case.sigma)}, tau {case.gap}, (l, j) = ({case.l}, {case.j})'\n"
                "    low, high = show.real(Fraction(found.lower), 4, -1), show.real(Fraction(found.upper), 4, 1)\n"
                "    print(f'{where}: {low} <= {found.exact:.6f} <= {high}')\n"
                "print(f'200000 releases a side; a limit fails with probability {LEVEL:g}')"
            ),
            Prose(
                "Let $A_l$ be the probability that some of $l$ new counters is released, $dg(d)$ the largest $\\delta$ of $d$ shared "
                "ones alone. Reverse never exceeds forward (`lebeda2025.sec3.reverse`), and a forward pair is at most "
                "$A_l + dg(k - l)$: some new counter is released, or the shared ones tell (`lebeda2025.sec3.cert`). Where no such sum with $0 < l < k$ "
                "exceeds $\\max(A_k, dg(k))$, that maximum is the exact $\\delta$. At the case study of Figure 3 it is:"
            ),
            Code(
                "from mechanisms.correlated_stability_histogram import accountant as exact\n\n"
                "epsilon, delta = 0.349, 1e-5\n"
                "for k in (2, 10, 1000, 51914, 10**6):\n"
                "    sigma = exact.sigma(epsilon, delta, k=k) * (1 + 1e-9)\n"
                "    gap = exact.gap(epsilon, delta, k=k, sigma=sigma)\n"
                "    account = exact.report(epsilon, k=k, sigma=sigma, gap=gap)\n"
                "    print(f'k = {k:7}: sigma {sigma:9.3f}, least tau {gap:10.3f}, certified: {account.exact}')"
            ),
            Prose(
                "Draws agree. Two pairs decide these thresholds: all counters new, and all shared with the worst number of them "
                "changed. New counters are drawn given that one of them is released (an outcome with $S$ released counters is met "
                "once from each, so $\\delta = k P[Z + Z_1 > \\tau] E[1/S \\mid Z + Z_1 > \\tau]$), shared ones under a tilt of the privacy loss; both "
                "means are of bounded variables, so the intervals are narrow although $\\delta$ is $10^{-5}$. In bulk only the number "
                "of other released counters given $Z$, and the means of changed and unchanged counters, are drawn; up to $k = 64$ "
                "every counter is drawn too:"
            ),
            Code(
                "from auditor.report.chapters.correlated_stability_histogram import TABLE_SPARSITIES, least_gaps, thresholds\n"
                "from auditor.report.chapters.correlated_thresholds import against_draws\n\n"
                "table = against_draws(thresholds({k: least_gaps(k) for k in TABLE_SPARSITIES}), 30_000)\n"
                "for k, counters, drawn, lower, upper, _delta, inside in table.rows:\n"
                "    print(f'k = {k:>7}, {counters:10}, {drawn:10}: {lower} to {upper}; holds 1e-5: {inside}')"
            ),
            Prose("## Figure 3: the least threshold against the total noise, four analyses and no shared noise at all"),
            Code(
                "import matplotlib.pyplot as plt\n"
                "from matplotlib_inline.backend_inline import set_matplotlib_formats\n\n"
                "from auditor.report.chapters.correlated_stability_histogram import figure_3\n\n"
                "set_matplotlib_formats('svg', metadata={'Date': None})\n"
                "plt.rcParams['svg.hashsalt'] = 'auditor'\n"
                "figure, axes = plt.subplots(1, 2, figsize=(11, 4))\n"
                "for axis, k in zip(axes, (51914, 10), strict=True):\n"
                "    plot = figure_3(k)\n"
                "    for line in plot.series:\n"
                "        style = '--' if line.style == 'dashed' else '-'\n"
                "        axis.plot([float(x) for x in line.x], [float(y) for y in line.y], style, label=line.name)\n"
                "    axis.set(title=f'k = {k}', xlabel=plot.x_label, ylabel=plot.y_label)\n"
                "axes[0].legend()\n"
                "plt.show()"
            ),
            Prose(
                "## Figure 3 extended: the least threshold from $k = 2$ to $10^6$, each analysis at its best $\\sigma$"
            ),
            Code(
                "import math\n\n"
                "from auditor.report.chapters.correlated_stability_histogram import SPARSITIES\n\n"
                "sparsities = sorted(SPARSITIES)\n"
                "gaps = {k: least_gaps(k) for k in sparsities}\n"
                "for name in gaps[2]:\n"
                "    plt.semilogx(sparsities, [gaps[k][name] / math.sqrt(k) for k in sparsities], label=name)\n"
                "plt.xlabel('k (counters)')\n"
                "plt.ylabel('least tau / sqrt(k) (counts)')\n"
                "plt.legend()\n"
                "plt.show()\n"
                "for k in (2, 51, 51914, 10**6):\n"
                "    best = gaps[k]\n"
                "    alone = best['exact, without shared noise']\n"
                '    print(f\'k = {k:7}: exact / Theorem 11 {best["exact"] / best["Theorem 11"]:.4f}, exact / uncorrelated {best["exact"] / alone:.4f}\')'
            ),
            Prose(
                "## Where the maximum of two is not enough\n\n"
                "For the mechanism without shared noise the exact $\\delta$ always collapses to the larger of two terms. Here it does "
                "not: near $\\varepsilon = 0$ with tiny $\\delta$ a mixed pair exceeds both. An explicit event proves it, in balls: "
                "some of the $k - 1$ new counters is released, or the one shared counter lies in an interval."
            ),
            Code(
                "from proofs_numeric.lebeda2025.collapse import COUNTEREXAMPLES, event_ratio, limit_ratio, tie\n\n"
                "for k, target, level, _factor in COUNTEREXAMPLES:\n"
                "    sigma, gap = tie(k, Fraction(target))\n"
                "    ratio = event_ratio(k, Fraction(target), Fraction(level))\n"
                "    where = f'k = {k}, epsilon = {level}, sigma = {float(sigma):.9g}, tau = {float(gap):.9g}'\n"
                "    print(f'{where}: ratio > {show.real(ratio, 6, -1)}')\n"
                "(limit, l), k = max((limit_ratio(k), k) for k in range(2, 200))\n"
                "print(f'as delta goes to 0 at epsilon = 0 the largest limit is {limit:.5f}, at k = {k}, l = {l} (argued, not proved)')"
            ),
            Prose(
                "At $k = 2$ and $\\delta$ about $10^{-6}$ the exact mixed pair is enclosed too, and set against the two-term maximum."
            ),
            Code(
                "from proofs_numeric.arithmetic import Ball\n"
                "from proofs_numeric.lebeda2025.collapse import unmixed\n\n"
                "sigma, gap = tie(2, Fraction('1e-6'))\n"
                "at = dict(epsilon=0, k=2, sigma=sigma, gap=gap)\n"
                "mixed = auditor.evaluate('lebeda2025.csh.exact.pair', arithmetic='ball', digits=12, l=1, j=1, direction='forward', **at)\n"
                "whole = auditor.evaluate('lebeda2025.csh.exact', arithmetic='ball', digits=12, **at)\n"
                "with Ball(256) as A:\n"
                "    two = unmixed(A, k=2, delta=Fraction('1e-6'))\n"
                "    print(f'two terms: {float(two):.12g}')\n"
                "print('mixed pair:', mixed.lower, 'to', mixed.upper)\n"
                "print('exact delta:', whole.lower, 'to', whole.upper)"
            ),
            Prose("The suite finds a counterexample from the claim's domain alone, and checks the events:"),
            Code(
                "report = auditor.run(['lebeda2025.sec3.collapse*'], profile='quick')\n"
                "for finding in report.findings:\n"
                "    print(f'{finding.subject} {finding.check}: {finding.verdict.value}\\n  {finding.headline}')"
            ),
            Prose(
                "## A sketch of Shakespeare\n\n"
                "Misra-Gries sketches are where the setting comes from: $k$ counters, and one word more or less moves any number of "
                "them by one in one direction. The words of 100000 places in Shakespeare, drawn at random, one a user, are sketched "
                "and released at the exact threshold, and at that of the mechanism without shared noise:"
            ),
            Code(
                "from collections import Counter\n\n"
                "import numpy as np\n\n"
                "from mechanisms.gaussian_sparse_histogram import accountant as uncorrelated\n"
                "from mechanisms.misra_gries import mechanism as misra_gries\n"
                "from mechanisms.data import word_counts\n\n"
                "rng = np.random.Generator(np.random.PCG64(1))\n"
                "words, counts = np.array(list(word_counts())), np.array(list(word_counts().values()))\n"
                "text = rng.choice(words, size=100_000, p=counts / counts.sum())\n"
                "k = 256\n"
                "sigma = exact.sigma(epsilon, delta, k=k) * (1 + 1e-9)\n"
                "gap = exact.gap(epsilon, delta, k=k, sigma=sigma)\n"
                "alone = uncorrelated.sigma(epsilon, delta, c_u=k) * (1 + 1e-9)\n"
                "alone_gap = uncorrelated.gap(epsilon, delta, c_u=k, sigma=alone)\n"
                "print(f'least thresholds: tau = {gap:.2f} with shared noise, {alone_gap:.2f} without')\n"
                "mechanism = misra_gries.build(k=k, sigma=Fraction(sigma), gap=Fraction(gap))\n"
                "truth, sketch = Counter(text.tolist()), mechanism.sketch(text.tolist())\n"
                "released = mechanism.inner.release(sketch, rng)\n"
                "for word, count in truth.most_common(8):\n"
                "    print(f'{word:5} {count:5} times, sketched {sketch.get(word, 0):5}, released {released.get(word, float(\"nan\")):8.1f}')\n"
                "print(len(sketch), 'counters,', sum(count > 1 + gap for count in sketch.values()), 'above 1 + tau;',\n"
                "      sum(count > 1 + alone_gap for count in sketch.values()), 'above the other threshold')"
            ),
            Prose(
                "## Discrete noise\n\n"
                "Algorithm 4 draws discrete Gaussians and releases half-integers. Its Renyi divergences are sums over a lattice, "
                "enclosed for any $k$. Whole steps with unscaled noise, which the paper warns of, violate the same $\\rho$ "
                "where $\\sigma$ is small, by less and less as it grows:"
            ),
            Code(
                "from proofs_numeric.lebeda2025.renyi import half_steps, integer_steps, ratio\n"
                "from proofs_numeric.arithmetic.special import as_fraction\n\n"
                "alpha = Fraction(101, 100)\n"
                "for k in (1, 2, 3):\n"
                "    for text_sigma in ('3/10', '1/2', '1'):\n"
                "        sigma = Fraction(text_sigma)\n"
                "        with Ball(512) as A:\n"
                "            worst = [\n"
                "                max(as_fraction(ratio(A, steps(k, sigma), sigma=sigma, j=j, alpha=alpha).upper()) for j in range(1, k + 1))\n"
                "                for steps in (half_steps, integer_steps)\n"
                "            ]\n"
                "        half, whole = (show.real(x, 9, 1) for x in worst)\n"
                "        print(f'k = {k}, sigma = {text_sigma:4}: D / (alpha rho) <= {half} in half steps, {whole} in whole steps')"
            ),
            Prose(
                "Theorem 21 turns $\\rho$ into $(\\varepsilon, \\delta)$ and adds a bound on new counters. Enumerating every pair with "
                "$k \\le 3$ says how much of it the worst pair uses, with Lemma 17's conversion and with the sharpest one:"
            ),
            Code(
                "from auditor.report.chapters.correlated_stability_histogram import looseness\n\n"
                "table = looseness(2)\n"
                "for row in table.rows:\n"
                "    print(', '.join(f'{column} {value}' for column, value in zip(table.columns, row, strict=True)))"
            ),
            Prose(
                "Every number above can be computed again: `auditor explain ID`, `auditor reproduce FINDING --report FILE`."
            ),
        ),
    ),
)
