"""The log of draws: the line that draws is named, and what of it depends on the data."""

import math

import pytest

from auditor.mechanism_audit.draws.observed import gaussian_scale, lines, observe_draws, scale_that_keeps
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism
from tests.auditor.mechanism_audit.thresholds import by_comprehension

PAIR = Neighbours("pair", {"a": 5, "b": 2}, {"a": 5, "b": 1})


def told(release):
    """The lines of a release that nothing refuted, without the name of this file."""
    with as_target(release, "mechanism") as target:
        result = observe_draws(Sampler(target, Pace(60.0)), PAIR, 1).places
    return [line.replace("test_observed.py", "FILE") for line in lines(result, PAIR, None, None, 1)]


def once(histogram, rng):
    """Draw beside each count."""
    return {key: count + rng.laplace(count, scale=2.0) for key, count in histogram.items()}


def scale_of_the_sum(histogram, rng):
    """Draw less noise where there is more."""
    return {key: count + rng.normal(0, 10 / sum(histogram.values())) for key, count in histogram.items()}


def only_above_one(histogram, rng):
    """Draw for some keys only."""
    return {key: count + rng.geometric(0.5) for key, count in histogram.items() if count > 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "line", "words"),
    [
        (once, 2, "laplace(scale=2) once a key"),
        (
            scale_of_the_sum,
            2,
            "normal() once a key; its scale depends on the data: 1.42857 on the left, 1.66667 on the right",
        ),
        (only_above_one, 2, "geometric(p=0.5) 2 a release on the left and 1 on the right"),
    ],
)
def test_a_line_says_what_is_drawn_and_what_depends_on_the_data(release, line, words):
    """A location may be a count; a scale and a number may not."""
    assert told(release) == [f"FILE:{release.__code__.co_firstlineno + line} draws {words}"]


def test_a_scale_that_keeps_the_claim_is_told_where_less_is_drawn():
    """Laplace: c_u / epsilon; Gaussian: the exact profile (sigma 3.7306 at epsilon 1, delta 1e-5)."""
    assert scale_that_keeps("laplace", 0.5, 0.5, 0.0, 3) == "scale 6 suffices if a user changes 3 keys by 1"
    assert scale_that_keeps("laplace", 2.0, 0.5, 0.0, 1) is None
    assert gaussian_scale(1.0, 1e-5, 1) == pytest.approx(3.730632, abs=1e-5)
    assert gaussian_scale(1.0, 1e-5, 4) == pytest.approx(2 * 3.730632, abs=2e-5)
    assert "scale 3.74 suffices" in scale_that_keeps("normal", 1.0, 1.0, 1e-5, 1)
    assert "scale 7.47 suffices if a user changes a key by 2" in (
        scale_that_keeps("normal", 1.0, 1.0, 1e-5, 1, 2) or ""
    )
    assert scale_that_keeps("laplace", 1.0, 1.0, 0.0, 2, 3) == ("scale 6 suffices if a user changes 2 keys by 3")
    # The curve of rho = 1/2 at epsilon = 1.91421: sigma = 0.8349 keeps that level, and 1 the claim.
    assert scale_that_keeps("normal", 0.9, 1.91421356, 0.0571, 1, rho=0.5).startswith("scale 1 suffices")
    assert scale_that_keeps("normal", 0.9, 1.91421356, 0.0571, 1) is None
    assert scale_that_keeps("geometric", 1.0, 1.0, 1e-5, 1) is None


@pytest.mark.slow
def test_a_refuted_threshold_is_told_how_much_is_missing():
    """True delta 1e-9, claimed 1e-10: isf(1e-10) - isf(1e-9) = 0.36 standard deviations. The scale suffices at 8."""
    audit = audit_mechanism(by_comprehension, epsilon="8", delta="1e-10", seed=1)
    assert audit.verdict is Verdict.REFUTED
    suspected, line = audit.where
    assert "sets the comparison value of normal" in suspected
    assert "thresholds.py" in line
    assert "normal(scale=1) once a key; a threshold higher by" in line
    more = float(line.partition("higher by ")[2].split()[0])
    assert math.isclose(more, 0.36, abs_tol=0.12)
