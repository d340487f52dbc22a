"""Figures that are computed: the values are those of the paper's code and of the claims, and every form has them."""

import json
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure as Drawing

from auditor.engine.registry import registry
from auditor.experiments import correlated_stability_histogram as correlated
from auditor.experiments import gaussian_sparse_histogram as gaussian
from auditor.experiments import unknown_domain
from auditor.experiments.computed import Chart, Curve, Figure
from auditor.experiments.sample_and_threshold import THRESHOLDS
from auditor.front.cli import invoke
from mechanisms.gaussian_sparse_histogram import accountant
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.lebeda2025.lemma_22 import lemma_22
from proofs_numeric.lebeda2025.theorem_11 import theorem_11
from proofs_numeric.lebeda2025.theorem_12 import theorem_12
from proofs_numeric.statements.concentrated import delta_upper
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.theorem_4_1 import delta_added
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact, delta_infinite, loss_rate


def refused(x):
    """1/x above 1, nothing below."""
    if x < 1:
        raise ValueError("expected x >= 1")
    return 1 / x


CHART = Chart("c", "a chart", "x (units)", "y", (0.25, 0.5, 1.0, 3.0), (1.0, 2.0, 3.0, 4.0),
              (Curve("plain", "twice", lambda x: 2 * x), Curve("refused", "one over", refused, dashed=True)),
              {"mark: twice": lambda: 2.0}, log="x")  # fmt: skip
SMALL = Figure("x.figure", "a figure", "nowhere", (CHART, CHART), ("none",), ("none",))


def curve(figure, chart, name):
    """The function of one curve."""
    result = next(each for each in figure.charts if each.id == chart)
    return next(each.at for each in result.curves if each.id == name)


def test_json_csv_and_frame_hold_the_same_points():
    """And say where there is none, and why; the full size has places of its own."""
    experiment = SMALL.run()
    content, (head, *rows) = json.loads(experiment.document()), experiment.table().splitlines()
    assert head == "chart,curve,x,y"
    points = [(panel["chart"], line["curve"], point["x"], point["y"])
              for panel in content["panels"] for line in panel["lines"] for point in line["points"]]  # fmt: skip
    assert [",".join(point) for point in points] == rows
    assert len(rows) == 12
    assert content["panels"][0]["marks"] == {"mark: twice": "2"}
    assert experiment.gaps()[0] == "no point: one over, a chart, x (units) = 0.25, 0.5: expected x >= 1"
    assert experiment.panel("c").line("plain").points[-1] == (3.0, 6.0)
    assert len(SMALL.run(full=True).rows()) == 16
    assert list(experiment.to_frame()["y"]) == [y for *_names, y in experiment.rows()]


@pytest.mark.slow
def test_a_curve_that_another_covers_is_drawn_broad_beneath_it():
    """And no other is: added or removed and replaced have the same least thresholds."""
    widths = [line.get_linewidth() for line in drawn(THRESHOLDS.run()).axes[0].get_lines()]
    assert widths[0] == widths[2] < widths[1]


def drawn(found):
    """The figure in memory."""
    figure = Drawing()
    found.draw(figure)
    return figure


@pytest.mark.slow
def test_the_figure_is_the_same_bytes_and_names_every_curve():
    """SVG and PNG; a notebook shows the first."""
    experiment = SMALL.run()
    svg = experiment.picture("svg")
    assert svg == SMALL.run().picture("svg")
    assert all(title in svg for title in (b"twice", b"one over", b"x (units)"))
    assert experiment.picture("png").startswith(b"\x89PNG")
    assert "<img alt='a figure" in experiment._repr_html_()


@pytest.mark.slow
def test_the_command_writes_four_files(tmp_path, capsys):
    """And prints a row a curve."""
    assert invoke(["experiments", "wilkins2024.releases", "--out", str(tmp_path)]) == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".json", ".png", ".svg"]
    assert "adding up rho and delta" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("chart", "name", "x", "value"),
    [
        ("1a", "exact", 2229.0026, 13953.31),
        ("1a", "added", 2229.0026, 15816.98),
        ("1a", "added", 2274.43305436, 14712.035664722),
        ("1b", "exact", 0.3, 5.710274982e-5),
        ("1b.ratio", "ratio", 0.5, 1.79675765305),
    ],
)
def test_figure_1_has_the_values_of_the_authors_code(chart, name, x, value):
    """Their R code, run; the curve of added deltas is lowest at 2274.433."""
    assert curve(gaussian.FIGURE_1, chart, name)(x) == pytest.approx(value, rel=1e-6)


def certified(A, formula, *, epsilon, **at):
    """The formula in balls, at the very doubles of a curve."""
    reals = {name: A.number(Fraction(x)) for name, x in at.items() if name != "c_u"}
    return formula(A, epsilon=A.number(epsilon), c_u=at["c_u"], mu_o=A.number(0), **reals)


def test_every_point_of_figure_1_is_certified():
    """A threshold of 1a keeps delta and one smaller by 1e-9 of it does not; deltas of 1b to ten digits, their ratio."""
    exact, added = delta_exact, delta_added
    chart_a, chart_b, chart_ratio = (gaussian.FIGURE_1.run().panel(chart) for chart in ("1a", "1b", "1b.ratio"))
    with Ball(128) as A:
        target, slack = A.number("1e-5"), Fraction(1, 10**9)
        for name, formula in (("exact", exact), ("added", added)):
            for sigma, gap in chart_a.line(name).points:
                at = {"epsilon": "0.349", "c_u": 51914, "sigma": sigma}
                assert certified(A, formula, gap=Fraction(gap) * (1 + slack), **at) <= target
                assert certified(A, formula, gap=Fraction(gap) * (1 - slack), **at) > target
        sigma = gaussian.least_sigma()
        at = {"c_u": 51914, "sigma": sigma, "gap": accountant.threshold(1e-8, sigma=sigma, c_u=51914)}
        for (epsilon, one), (_same, two), (_again, ratio) in zip(
            chart_b.line("exact").points, chart_b.line("added").points, chart_ratio.line("ratio").points, strict=True
        ):
            truths = [certified(A, formula, epsilon=Fraction(epsilon), **at) for formula in (exact, added)]
            assert [one, two] == pytest.approx([float(truth.mid()) for truth in truths], rel=1e-10)
            assert ratio == pytest.approx(float((truths[1] / truths[0]).mid()), rel=1e-10)


def test_every_point_of_the_releases_is_certified():
    """Each way keeps (1, 1e-5) by its own formula in balls, and with a thousandth less noise or threshold does not."""

    def fixed(A, rows, release, by):
        at = {"epsilon": 1, "c_u": rows, "sigma": Fraction(release.sigma) * by, "gap": Fraction(release.gap) * by}
        return certified(A, delta_exact, **at)

    def chosen(A, rows, release, by):
        sigma, gap = (A.number(Fraction(x)) * A.number(by) for x in (release.sigma, release.gap))
        loss = rows * loss_rate(A, sigma=sigma, gap=gap)
        return filter_bound(A, epsilon=A.number(1), loss=loss, mu=A.sqrt(A.number(rows)) / sigma)

    with Ball(128) as A:
        target = A.number("1e-5")
        for times in (1, 2, 5, 10, 30, 100, 365, 1000, 3000, 10_000):
            for way, formula in ((gaussian.fixed, fixed), (gaussian.chosen, chosen)):
                one = way(times)
                assert formula(A, 10 * times, one, 1) <= target * (1 + A.number("1e-9"))
                assert formula(A, 10 * times, one, Fraction(999, 1000)) > target
            one = gaussian.added(times)
            rho = 10 * times / (2 * Fraction(one.sigma) ** 2)
            new = delta_infinite(A, c_u=10, sigma=A.number(Fraction(one.sigma)), gap=A.number(Fraction(one.gap)))
            shared = delta_upper(A, rho=A.number(rho), epsilon=A.number(1))
            assert float((shared + times * new).mid()) == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.parametrize(("k", "noise"), [(10, 24.0), (51, 45.0)])
def test_thresholds_of_figure_3_are_in_the_order_of_the_paper(k, noise):
    """Exact below Theorem 12 below Theorem 11, which Lemma 22 has in closed form."""
    exact, twelve, eleven = (
        curve(correlated.FIGURE_3, f"k={k}", f"csh.{n}")(noise) for n in ("exact", "thm12", "added")
    )
    assert exact < twelve < eleven
    sigma = np.float64(noise / np.sqrt(1 + k**-0.5))
    assert eleven == pytest.approx(float(lemma_22(Float64(), epsilon=0.349, delta=1e-5, k=k, sigma=sigma)), rel=1e-9)
    assert correlated.bounded(theorem_12, k, 0.9 * correlated.least_correlated(k)) == np.inf
    assert correlated.bounded(theorem_11, k, 1.01 * correlated.least_correlated(k)) < np.inf


@pytest.mark.slow
def test_the_default_is_never_above_the_other_ways():
    """Noise and threshold, every m at k = 10."""
    for m in range(1, 11):
        ways = [way(10, m) for way in (correlated.by_independent, correlated.by_paper)]
        for part in (0, 1):
            assert correlated.by_default(10, m)[part] <= min(way[part] for way in ways) * (1 + 1e-6)


def test_releases_and_theorems_are_those_of_the_documentation():
    """The pages quote them."""
    results = [
        (round(way(30).sigma, 2), round(way(30).gap, 1)) for way in (gaussian.fixed, gaussian.chosen, gaussian.added)
    ]
    assert results == [(64.62, 348.9), (65.73, 370.9), (72.68, 401.4)]
    assert [round(each, 2) for each in unknown_domain.by_theorems(10)] == [15.94, 78.96]
    assert curve(unknown_domain.FIGURE, "picks", "theorems")(10) == pytest.approx(0.844, abs=5e-4)


def test_every_figure_of_the_four_papers_is_there_and_says_what_is_left_open():
    """And those of this project beside them."""
    known = registry().experiments
    expected = {"bharadwaj2022.figure1", "bharadwaj2022.figure2", "lebeda2025.figure3", "wilkins2024.figure1"}
    assert expected | {"lebeda2025.sparse", "rogers2024.noise", "wilkins2024.releases", THRESHOLDS.id} <= set(known)
    assert all(each.settings and each.unstated for each in known.values())
