"""A run is reproducible point by point, says what it left out, and is written as one JSON document and a figure."""

import json
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from auditor.engine.registry import registry
from auditor.experiments.curves import CURVES
from auditor.experiments.experiment import Line, Panel, Point, Simulated
from auditor.experiments.measures import summary
from auditor.experiments.sample_and_threshold import EXPERIMENTS, FIGURE_1, FIGURE_2
from auditor.front.cli import invoke

SMALL = replace(FIGURE_1, buckets=(2**6,), epsilons=(0.1, 1.0), full_buckets=(2**6, 2**7), full_epsilons=(1.0,))


@pytest.fixture(scope="module")
def result():
    """The small experiment, run once."""
    return SMALL.run()


def simulated(values):
    """A result with one point, measured as given."""
    point = Point(0.5, *summary(np.array(values)), {}, tuple(values))
    panel = Panel("binomial", "Binomial", 64, 1000, (Line("curve", "a curve", (point,), {}),))
    return Simulated(FIGURE_2, len(values), 0, (panel,))


def test_intervals_of_means_are_those_of_student():
    """Beside the mean, at the level asked for; equal repetitions have an interval of length 0."""
    values = [0.5, 0.75, 0.625, 1.0]
    frame = simulated(values).intervals(0.9)
    low, high = stats.t.interval(0.9, 3, np.mean(values), stats.sem(values))
    assert frame.loc[("Binomial", 64, "a curve", 0.5)].to_list() == pytest.approx([np.mean(values), low, high])
    assert simulated([0.5] * 10).intervals().iloc[0].to_list() == [0.5, 0.5, 0.5]


@pytest.mark.slow
def test_every_panel_has_every_curve(result):
    """Three populations, eight curves, ten repetitions."""
    assert [(panel.population, panel.buckets) for panel in result.panels] == [
        ("binomial", 64),
        ("geometric", 64),
        ("shakespeare", 64),
    ]
    assert all([line.curve for line in panel.lines] == [curve.id for curve in CURVES] for panel in result.panels)
    assert result.repetitions == 10


@pytest.mark.slow
def test_a_point_does_not_depend_on_what_else_is_run(result):
    """The full size has other sizes and epsilons; the point they share is the same to the last bit."""
    other = SMALL.run(full=True)
    for panel in result.panels:
        for line in panel.lines:
            assert line.at(1.0) == other.panel(panel.population, 64).line(line.curve).at(1.0)
    assert SMALL.run(seed=1).panels[0].lines[0].at(1.0) != result.panels[0].lines[0].at(1.0)


@pytest.mark.slow
def test_what_is_missing_says_why(result):
    """No coins keep the promise at epsilon = 0.1 on the sample; every other curve is complete."""
    for panel in result.panels:
        absent = {line.curve: line.missing for line in panel.lines if line.missing}
        assert set(absent) == {"shuffle_sample"}
        assert "fair coins" in absent["shuffle_sample"]["0.1"]
        with pytest.raises(KeyError, match="fair coins"):
            panel.line("shuffle_sample").at(0.1)


@pytest.mark.slow
def test_the_document_is_the_same_for_the_same_seed(result):
    """JSON with decimal strings; the settings and what the paper leaves open are in it."""
    text = result.document()
    assert text == SMALL.run().document()
    content = json.loads(text)
    assert content["repetitions"] == 10
    assert content["unstated"]
    point = content["panels"][0]["lines"][0]["points"][0]
    assert float(point["mean"]) > 0
    assert point["parameters"]["tau"] == "20"
    head, first, *_rest = result.table().splitlines()
    assert head == "population,buckets,mechanism,epsilon,mean,standard_error"
    assert first.split(",")[-3:] == [point[name] for name in ("epsilon", "mean", "standard_error")]


@pytest.mark.slow
def test_the_figure_is_the_same_for_the_same_seed(result):
    """Every curve is in its legend."""
    svg = result.picture("svg")
    assert svg == result.picture("svg")
    assert all(curve.title.encode() in svg for curve in CURVES)
    assert result.picture("png").startswith(b"\x89PNG")


@pytest.mark.slow
def test_recall_lies_between_zero_and_one():
    """Figure 2 measures shares, the same for the same seed."""
    small = replace(FIGURE_2, buckets=(2**6,), epsilons=(1.0,))
    experiment = small.run()
    assert experiment.document() == small.run().document()
    assert all(0 <= line.at(1.0).mean <= 1 for panel in experiment.panels for line in panel.lines)


def test_the_registered_experiments_are_those_of_the_paper():
    """Both figures and the range queries, each with what the paper leaves open."""
    known = registry().experiments
    assert {experiment.id for experiment in EXPERIMENTS} <= set(known)
    assert [experiment.source for experiment in EXPERIMENTS[:2]] == ["Figure 1", "Figure 2"]
    assert all(experiment.unstated and experiment.settings for experiment in known.values())


def known(experiment):
    """A registry with one experiment."""
    return SimpleNamespace(experiments={experiment.id: experiment}, defects=())


@pytest.mark.slow
def test_the_command_writes_four_files_an_experiment(tmp_path, monkeypatch, capsys):
    """JSON, CSV, SVG and PNG; the table names every curve."""
    tiny = replace(SMALL, epsilons=(1.0,))
    monkeypatch.setattr(
        "auditor.engine.registry.registry", cache(lambda: SimpleNamespace(experiments={tiny.id: tiny}, defects=()))
    )
    assert invoke(["experiments", tiny.id, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{tiny.id}.{kind}" for kind in ("csv", "json", "png", "svg")
    ]
    assert all(curve.title in printed for curve in CURVES)


@pytest.mark.slow
def test_a_point_that_is_not_there_is_told_with_its_reason(tmp_path, monkeypatch, capsys):
    """At epsilon = 0.1 no coins on the sample keep delta = 1e-8: one line, not a silent gap."""
    curves = tuple(curve for curve in CURVES if curve.id == "shuffle_sample")
    tiny = replace(SMALL, epsilons=(0.1, 1.0), curves=curves)
    monkeypatch.setattr(
        "auditor.engine.registry.registry", cache(lambda: SimpleNamespace(experiments={tiny.id: tiny}, defects=()))
    )
    assert invoke(["experiments", tiny.id, "--out", str(tmp_path)]) == 0
    gaps = [line for line in capsys.readouterr().out.splitlines() if line.startswith("no point: ")]
    # One a number of clients: a million, and the words of Shakespeare.
    assert len(gaps) == 2
    assert all(
        "shuffled coins, on the sample, epsilon = 0.1: expected a delta that fair coins reach" in g for g in gaps
    )


def test_an_unknown_experiment_is_an_error_that_names_the_closest(capsys, tmp_path):
    """Nothing is run and nothing is written."""
    assert invoke(["experiments", "bharadwaj2022.figure3", "--out", str(tmp_path)]) == 2
    assert "bharadwaj2022.figure" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
