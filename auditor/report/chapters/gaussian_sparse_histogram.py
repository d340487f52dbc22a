"""What exact accounting of the Gaussian sparse histogram buys; Figures 1a and 1b drawn again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from auditor.profile import Profile
from auditor.report.chapters.chapter import Chapter, Findings
from auditor.report.latex import to_text
from auditor.report.model import Plot, Section, Series, Table, overall
from auditor.report.view import WORDS
from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.gaussian_sparse_histogram import add_the_deltas_accountant as add_the_deltas
from mechanisms.gaussian_sparse_histogram import f_dp_accountant as f_dp

if TYPE_CHECKING:
    from auditor.engine.registry import Registry

CASE_STUDY = {"epsilon": 0.349, "delta": 1e-5, "c_u": 51914}
"""Section 6: the URL data set at the 99th percentile of activity."""
SETTINGS: tuple[tuple[float, str, int], ...] = (
    (1.0, "1e-5", 1),
    (1.0, "1e-5", 10),
    (0.01, "0.01", 100),
    (1.0, "1e-9", 100),
    (0.349, "1e-5", 51914),
    (5.0, "1e-12", 10**6),
)
INFLATIONS = (1.001, 1.01, 1.1)


def _up(value: float) -> str:
    """A threshold, rounded up: what is shown suffices."""
    return "infeasible" if math.isinf(value) else f"{_raised(value):.3f}"


def _raised(value: float) -> float:
    return math.ceil(value * 1000) / 1000


def thresholds() -> Table:
    """Least tau* - tau of the three analyses at and above the least feasible noise."""
    rows = []
    for epsilon, written, c_u in SETTINGS:
        delta = float(written)
        least = exact.sigma(epsilon, delta, c_u=c_u)
        for inflation in INFLATIONS:
            sigma = _raised(least * inflation)
            gaps = [f(epsilon, delta, c_u=c_u, sigma=sigma) for f in (exact.gap, f_dp.gap, add_the_deltas.gap)]
            rows.append([f"{epsilon:g}", written, f"{c_u:,}", f"{sigma:.3f}", *map(_up, gaps)])
    return Table(
        caption="Least tau* - tau (users), rounded up, at noise 0.1 %, 1 % and 10 % above the least that allows "
        "(epsilon, delta)",
        columns=["epsilon", "delta", "C_u", "sigma", "exact", "f-DP (Theorem 7.1)", "add the deltas"],
        rows=rows,
    )


RESULTS = tuple(
    f"wilkins2024.{name}"
    for name in (
        "thm5.4",
        "thm5.4.exact",
        "thm5.4.collapse",
        "sec7.f_dp_factor",
        "sec7.f_dp_factor.sharp",
        "sec7.add_factor",
        "sec7.add_factor.sharp",
    )
)
"""The claims on which the comparison rests."""


def comparison(known: Registry, findings: Findings) -> Table:
    """What is known of the exact delta against the other two analyses, with the verdicts of this run."""
    rows = []
    for identifier in RESULTS:
        claim, found = known.claim(identifier), findings.get(identifier, ())
        verdict = WORDS[overall(f.verdict for f in found)] if found else "not in this run"
        rows.append([identifier, claim.title, to_text(claim.statement), verdict])
    return Table(
        caption="The exact delta, f-DP composition (Theorem 7.1) and adding the deltas (Theorem 4.1)",
        columns=["claim", "says", "statement", "verdict"],
        rows=rows,
    )


def _series(name: str, x: list[float], y: list[float], style: str = "line") -> Series:
    kept = [(f"{a:.10g}", f"{b:.10g}") for a, b in zip(x, y, strict=True) if math.isfinite(b)]
    return Series(name=name, x=[a for a, _ in kept], y=[b for _, b in kept], style=style)  # type: ignore[arg-type]


def figure_1a() -> Plot:
    """Least threshold against sigma at the case study's (epsilon, delta)."""
    epsilon, delta, c_u = CASE_STUDY["epsilon"], CASE_STUDY["delta"], int(CASE_STUDY["c_u"])
    sigmas = [float(s) for s in exact.sigma(epsilon, delta, c_u=c_u) + np.geomspace(0.5, 300, 50)]
    return Plot(
        caption="Figure 1a: least tau* - tau against sigma, epsilon = 0.349, delta = 1e-5, C_u = 51914",
        x_label="sigma (users)",
        y_label="least tau* - tau (users)",
        series=[
            _series("exact", sigmas, [exact.gap(epsilon, delta, c_u=c_u, sigma=s) for s in sigmas]),
            _series(
                "add the deltas",
                sigmas,
                [add_the_deltas.gap(epsilon, delta, c_u=c_u, sigma=s) for s in sigmas],
                "dashed",
            ),
        ],
    )


def figure_1b() -> Plot:
    """Ratio of the add-the-deltas value to the exact delta at the least sigma and delta_infinite = 1e-8."""
    epsilon, delta, c_u = CASE_STUDY["epsilon"], CASE_STUDY["delta"], int(CASE_STUDY["c_u"])
    sigma = exact.sigma(epsilon, delta, c_u=c_u)
    gap = exact.threshold(1e-8, c_u=c_u, sigma=sigma)
    epsilons = [float(e) for e in np.linspace(0.1, 0.504, 50)]
    ratios = [
        add_the_deltas.delta(e, c_u=c_u, sigma=sigma, gap=gap) / exact.delta(e, c_u=c_u, sigma=sigma, gap=gap)
        for e in epsilons
    ]
    return Plot(
        caption="Figure 1b: add-the-deltas over exact delta, sigma = 2228.48, delta_infinite = 1e-8",
        x_label="epsilon (nats)",
        y_label="ratio",
        series=[_series("add the deltas / exact", epsilons, ratios)],
    )


BEHIND = tuple(f"reference.{name}.delta" for name in ("add_the_deltas", "f_dp", "gaussian_sparse_histogram"))
"""The accountants behind the chapter's numbers."""


def write(known: Registry, findings: Findings, _profile: Profile) -> Section:
    """The chapter; its numbers come from the float64 accountants."""
    stated = all(subject in findings for subject in BEHIND)
    accuracy = "this report states" if stated else "a run that selects reference.* states"
    return Section(
        id="gaussian_sparse_histogram",
        title="Gaussian sparse histogram: what exact accounting buys",
        text="Exact delta is the larger of the two deltas, never their sum (claim wilkins2024.thm5.4.collapse). At the "
        "least noise that a Gaussian mechanism allows, adding the deltas has no threshold at all; the exact one exists "
        f"there. Computed in float64 by the accountants whose certified accuracy {accuracy}.",
        tables=[comparison(known, findings), thresholds()],
        plots=[figure_1a(), figure_1b()],
    )


SECTIONS = (
    Chapter("gaussian_sparse_histogram", lambda subject, _known: subject.startswith("wilkins2024.thm5.4"), write),
)
