"""Sample-and-threshold: the exact delta, the privacy of the paper's settings, its figures re-run, its errata."""

from __future__ import annotations

from auditor.front.notebooks.story import Code, Notebook, Prose

NOTEBOOKS = (
    Notebook(
        id="sample_and_threshold",
        title="Sample-and-threshold, exactly",
        cells=(
            Prose(
                "Each client takes part with probability $p = \\alpha(1 - e^{-\\varepsilon})$ and sends its item; an item is "
                "reported, with its sampled count, if the count reaches $\\tau$. There is no noise. Bharadwaj and Cormode bound "
                "$\\delta$ by $\\exp(-\\frac{\\tau}{q} D(q\\|p))$, $q = 1 - e^{-\\varepsilon}(1-p)$ (Theorem 2), and by "
                "$e^{-C_\\alpha\\tau}$ (Lemma 3), from which they take $\\tau$.\n\n"
                "The exact $\\delta$ for one client more or less is a difference of two binomial tails at one count, "
                "$S_{k^*} - e^{\\varepsilon} S_{k^*-1}$ with $S_k = \\Pr[\\mathrm{Bin}(k, p) \\ge \\tau]$ and "
                "$k^* = \\lceil(\\tau-1)/q\\rceil$. Where one client's item is *replaced*, the paper's own neighbours, it is the "
                "largest over two cells; that maximum is a finite scan. At the paper's setting, in balls and in float64:"
            ),
            Code(
                "import auditor\n"
                "from mechanisms.sample_and_threshold import accountant\n\n"
                "case = dict(epsilon=1, alpha='1/6', tau=20)\n"
                "for claim in ('lem3.stmt', 'thm2.stmt', 'tight'):\n"
                "    value = auditor.evaluate(f'bharadwaj2022.{claim}', arithmetic='ball', digits=20, **case)\n"
                "    print(f'{claim:10} {value.lower} to {value.upper}')\n"
                "replaced = accountant.delta_replacement(1.0, alpha=1 / 6, tau=20)\n"
                "print(f'replacement {replaced.value:.12g} (float64), attained at ka = {replaced.ka}, kb = {replaced.kb}')"
            ),
            Prose("## The least threshold for $\\delta = 10^{-8}$, by each analysis"),
            Code(
                "from fractions import Fraction\n\n"
                "from auditor.report.chapters.sample_and_threshold import EPSILONS, least_thresholds\n\n"
                "for alpha in (Fraction(1, 6), Fraction(1, 5)):\n"
                "    for epsilon in EPSILONS:\n"
                "        found = least_thresholds(epsilon, float(alpha))\n"
                "        print(f'alpha = {alpha}, epsilon = {epsilon:3}:', ', '.join(f'{name} {tau}' for name, tau in found.items()))"
            ),
            Prose("The deltas behind it, at $\\varepsilon = 1$ and $\\alpha = 1/6$:"),
            Code(
                "import matplotlib.pyplot as plt\n"
                "from matplotlib_inline.backend_inline import set_matplotlib_formats\n\n"
                "from auditor.report.chapters.sample_and_threshold import over_tau\n\n"
                "set_matplotlib_formats('svg', metadata={'Date': None})\n"
                "plt.rcParams['svg.hashsalt'] = 'auditor'\n"
                "plot = over_tau(1.0)\n"
                "for line in plot.series:\n"
                "    style = '--' if line.style == 'dashed' else '-'\n"
                "    plt.semilogy([float(x) for x in line.x], [float(y) for y in line.y], style, label=line.name)\n"
                "plt.xlabel(plot.x_label)\n"
                "plt.ylabel(plot.y_label)\n"
                "plt.legend()\n"
                "plt.show()"
            ),
            Prose(
                "## The privacy that the paper's settings really have\n\n"
                "Each promises $(\\varepsilon, 10^{-8})$. Its exact $\\delta$ at that $\\varepsilon$, the $\\varepsilon$ that it has "
                "at $\\delta = 10^{-8}$ (both rounded up), and the greatest sampling rate that would still keep the promise at the "
                "same $\\tau$ (rounded down), for one client more or less:"
            ),
            Code(
                "from auditor.front.verbs.output import columns\n"
                "from auditor.report.chapters.sample_and_threshold import spent\n\n"
                "table = spent()\n"
                "print(*columns(table.rows, table.columns), sep='\\n')"
            ),
            Prose(
                "## The experiments, re-run\n\n"
                "Figures 1 and 2 of the paper compare sample-and-threshold with central Laplace noise, shuffled Bernoulli coins and "
                "Hadamard response. What the paper states, what it leaves open, and the choice made here:"
            ),
            Code(
                "from auditor.experiments.sample_and_threshold import FIGURE_1, FIGURE_2\n\n"
                "print('stated:')\n"
                "for line in FIGURE_1.settings:\n"
                "    print(' ', line)\n"
                "print('open:')\n"
                "for line in FIGURE_1.unstated:\n"
                "    print(' ', line)"
            ),
            Prose(
                "The paper gives every baseline $\\varepsilon$ *on the sample* (dashed). But the sample is hidden, and "
                "sample-and-threshold promises $\\varepsilon$ to the *population*: at equal privacy a baseline may use a larger "
                "$\\varepsilon_0$ on the sample (solid). Sample-and-threshold is drawn at the paper's $\\tau$ (dashed) and at the "
                "least one (solid), so that all solid curves promise $(\\varepsilon, 10^{-8})$ to the population when one client's "
                "item is replaced. Points are means of 10 repetitions, bars one standard error either way; the dotted line is the "
                "error of reporting zero for every bucket.\n\n"
                "### Figure 1: accuracy"
            ),
            Code(
                "from auditor.experiments.drawing import draw\n"
                "from auditor.experiments.experiment import run\n\n"
                "accuracy = run(FIGURE_1)\n"
                "draw(accuracy)"
            ),
            Prose(
                "Where a curve has no point, no parameters keep its promise. Simulated errors are also known without simulation: the "
                "expected error of sample-and-threshold has a closed form (`bharadwaj2022.exp.error`), that of Laplace noise one sum. "
                "How far the simulated means lie from them, in standard errors (each estimated from 10 repetitions, so that offsets "
                "follow Student's law with 9 degrees of freedom rather than the normal law):"
            ),
            Code(
                "from auditor.experiments import expected\n"
                "from auditor.experiments.curves import CURVES\n"
                "from auditor.experiments.populations import POPULATIONS\n\n"
                "for line in accuracy.panels[0].lines:\n"
                "    for epsilon, reason in line.missing.items():\n"
                "        print(f'{line.title}, epsilon = {epsilon}: {reason}')\n"
                "taus = {point.parameters['tau'] for panel in accuracy.panels for point in panel.line('threshold_exact').points}\n"
                "print('least tau at every epsilon, under replacement:', *sorted(taus))\n"
                "known = {'sample-and-threshold': expected.threshold_error, 'Laplace': expected.laplace_error}\n"
                "counts = {population.id: population.counts for population in POPULATIONS}\n"
                "offsets = [\n"
                "    (point.mean - known[curve.family](counts[panel.population](panel.buckets), **point.parameters)) / point.standard_error\n"
                "    for panel in accuracy.panels\n"
                "    for curve, line in zip(CURVES, panel.lines, strict=True)\n"
                "    if curve.family in known\n"
                "    for point in line.points\n"
                "]\n"
                "print(f'{len(offsets)} points: mean {sum(offsets) / len(offsets):.2f}, largest {max(map(abs, offsets)):.2f} standard errors')"
            ),
            Prose(
                "### Figure 2: recall of the top tenth of the buckets\n\nOnly reported buckets can be named; ties are broken at random."
            ),
            Code("draw(run(FIGURE_2))"),
            Prose(
                "### Who has the least error at equal privacy?\n\nExpected errors at $\\varepsilon = 0.1$, on every population and "
                "number of buckets:"
            ),
            Code(
                "from auditor.report.chapters.sample_and_threshold import errors\n\n"
                "table = errors(0.1)\n"
                "print(*columns(table.rows, table.columns), sep='\\n')"
            ),
            Prose(
                "## Levels: what composition costs\n\n"
                "TrieHH++ and hierarchical histograms draw a fresh sample at each of $L$ levels. Lemma 7 adds: "
                "$(L\\varepsilon, L\\delta)$. Convolving the levels' losses, in balls and for every path of counts, shows that "
                "$\\varepsilon$ hardly adds up. Each level with $p$ of $\\varepsilon = 1$, $\\alpha = 1/6$, $\\tau = 20$:"
            ),
            Code(
                "from auditor.report.chapters.sample_and_threshold import levels\n\n"
                "table = levels((1, 2, 4, 10))\n"
                "print(*columns(table.rows, table.columns), sep='\\n')"
            ),
            Prose(
                "So a level need not live on a share of $\\varepsilon$. The paper has no experiment on range queries $[0, r)$ from "
                "hierarchical histograms; this one keeps $(\\varepsilon, 10^{-8})$ in total under add/remove in three ways, and "
                "shows the largest error over all $r$. (One histogram has no levels, but the counts that it holds back add up.)"
            ),
            Code("from auditor.experiments.sample_and_threshold import RANGES\n\ndraw(run(RANGES))"),
            Prose(
                "## What the paper says of its figures\n\n"
                "What Section 5 says of its settings, errors and recall, as claims with their reading fixed, and what holds "
                "instead. Errors are expected ones, so that no verdict on them depends on a simulation; recall is simulated."
            ),
            Code(
                "from auditor.engine.registry import registry\n\n"
                "claims = registry().claims\n"
                "report = auditor.run(['bharadwaj2022.exp.*'], profile='quick')\n"
                "for finding in report.findings:\n"
                "    print(f'{finding.verdict.value}: {claims[finding.subject].title} ({finding.subject})')"
            ),
            Prose(
                "## Errata\n\n"
                "Every statement of the paper that is refuted, with a witness that the suite finds from the statement's domain alone, "
                "and what holds instead:"
            ),
            Code(
                "from proofs_numeric.statements.verdict import Expectation\n\n"
                "false = [i for i, c in claims.items() if i.startswith('bharadwaj2022.') and c.expected is Expectation.REFUTED]\n"
                "report = auditor.run(false, profile='quick')\n"
                "for finding in report.findings:\n"
                "    claim = claims[finding.subject]\n"
                "    print(f'{claim.source.locator}: {claim.title}\\n  {finding.verdict.value}: {finding.headline}')\n"
                "    print(f'  instead: {claims[claim.corrected_by].title}')"
            ),
            Prose(
                "Every number above can be computed again: `auditor explain ID`, `auditor experiments [ID] [--full]`, "
                "`auditor reproduce FINDING --report FILE`."
            ),
        ),
    ),
)
