"""Accountants of standard mechanisms that are wrong in one thing are refuted; one that is right is not."""

from fractions import Fraction

import pytest

from auditor.accountant_audit.judge import Judge, Kind
from auditor.engine.registry import registry
from auditor.search.parameter_points import exact_values
from auditor.target.target import Returned
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import bounds
from proofs_numeric.arithmetic.formula import evaluate_in

STEPS = "standard.subsampled_gaussian.composition"
DP_SGD = {"epsilon": "1", "sigma": "1", "rate": "0.02", "k": 400}
PAIRS = {"epsilon": "1", "epsilon_0": "0.1", "delta_0": "1e-6", "k": 30}
GROUP = {"epsilon": "2", "epsilon_0": "0.5", "delta_0": "1e-6", "size": 4}
TREE = {"epsilon": "1", "sigma": "5", "steps": 64}
SAMPLE = {"epsilon": "1", "sigma": "2", "rate": "0.1"}
FEW_STEPS = {"epsilon": "2", "sigma": "1", "rate": "0.02", "k": 50}
SIGMA, SCALE = {"epsilon": "0.5", "sigma": "20", "k": 50}, {"epsilon": "0.5", "scale": "20", "k": 50}

PLANTED = {
    "one step less": (f"{STEPS}.both", DP_SGD, f"{STEPS}.both", {"k": 399}),
    "half the sampling rate": (f"{STEPS}.both", DP_SGD, f"{STEPS}.both", {"rate": "0.01"}),
    "twice the noise": (f"{STEPS}.both", DP_SGD, f"{STEPS}.both", {"sigma": "2"}),
    "the added order alone": (f"{STEPS}.both", DP_SGD, f"{STEPS}.added", {}),
    "the added order, one step less": (f"{STEPS}.added", DP_SGD, f"{STEPS}.added", {"k": 399}),
    "the removed order, one step less": (STEPS, DP_SGD, STEPS, {"k": 399}),
    "Gaussian noise, one release less": (
        "standard.gaussian.composition", SIGMA, "standard.gaussian.composition", {"k": 49},
    ),
    "Laplace noise, one release less": (
        "standard.laplace.composition", SCALE, "standard.laplace.composition", {"k": 49},
    ),
    "a group of one record less": ("standard.group_privacy", GROUP, "standard.group_privacy", {"size": 3}),
    "permute-and-flip, scores that move in one direction": (
        "standard.permute_and_flip", {"epsilon": "0.5", "epsilon_0": "2"}, "standard.permute_and_flip",
        {"epsilon_0": "1"},
    ),
    "a sparse vector that counts queries once": (
        "standard.sparse_vector", {"threshold_scale": "2", "query_scale": "4", "tops": 3},
        "standard.sparse_vector.one_way", {},
    ),
    "the best of half as many runs": (
        "standard.repeated_selection.geometric", {"epsilon": "2.1", "epsilon_0": "1", "mean": "10"},
        "standard.repeated_selection.geometric", {"mean": "5"},
    ),
    "one step more to hide in": (
        "standard.random_allocation", {"epsilon": "1", "sigma": "0.5", "steps": 10}, "standard.random_allocation",
        {"steps": 11},
    ),
    "Renyi divergence with one step more": (
        "standard.random_allocation.renyi", {"alpha": 4, "sigma": "1", "steps": 10}, "standard.random_allocation.renyi",
        {"steps": 11},
    ),
    "a banded matrix with one participation less": (
        "standard.banded_matrix", {"epsilon": "1", "sigma": "5", "bands": 8, "participations": 4},
        "standard.banded_matrix", {"participations": 3},
    ),
    "a tree of one level less": ("standard.tree_aggregation", TREE, "standard.tree_aggregation", {"steps": 63}),
    "the clipping norm in place of the distance": (
        "standard.sampling_without_replacement", SAMPLE, "standard.sampling_without_replacement", {"sigma": "4"},
    ),
    "the central limit, in place of the exact value": (f"{STEPS}.both", FEW_STEPS, "standard.central_limit", {}),
    "the central limit of one step less": ("standard.central_limit", DP_SGD, "standard.central_limit", {"k": 399}),
    "a rho of permute-and-flip for scores that move in one direction": (
        "standard.rho.permute_and_flip", {"epsilon_0": "2"}, "standard.rho.permute_and_flip", {"epsilon_0": "1"},
    ),
    "the rho of an exponential mechanism for permute-and-flip": (
        "standard.rho.permute_and_flip", {"epsilon_0": "2"}, "standard.rho.bounded_range", {"eta": "2"},
    ),
    "pairs without their delta": (
        "standard.composition.homogeneous", PAIRS, "standard.composition.homogeneous", {"delta_0": "0"},
    ),
}  # fmt: skip
RIGHT = sorted({(claim, tuple(point.items())) for claim, point, _, _ in PLANTED.values()})


def answer(identifier, point):
    """Return the least double that is not below a truth."""
    lower, upper = bounds(evaluate_in(Ball(192), registry().claim(identifier).formula, point))
    assert upper <= lower * (1 + Fraction(1, 10**9))
    return Fraction(float(upper)) * (1 + Fraction(1, 2**52))


def held_against(claim, point, returned):
    """Judge one number."""
    return Judge(registry().claim(claim), Fraction(1, 10**6))({k: _double(v) for k, v in point.items()}, returned)


def _double(value):
    return value if isinstance(value, int) else float(value)


def _exact(point):
    return exact_values({name: _double(value) for name, value in point.items()})


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_wrong_in_one_thing_is_unsafe(name):
    """The formula at one other argument, or the one of another order, is below the truth at a point that people use."""
    claim, point, reported, change = PLANTED[name]
    judgement = held_against(claim, point, Returned(answer(reported, _exact({**point, **change}))))
    assert judgement.kind is Kind.UNSAFE, judgement
    assert judgement.excess < -1e-3


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "point"), RIGHT)
def test_what_is_right_is_silent(claim, point):
    """The same formula at its own arguments."""
    judgement = held_against(claim, dict(point), Returned(answer(claim, _exact(dict(point)))))
    assert judgement.kind is Kind.RIGHT, judgement


BRACKETS = {
    "standard.sampling_without_replacement.composition": {"epsilon": "2", "sigma": "2", "rate": "0.1", "k": 100},
    "standard.sparse_vector.gaussian": {"alpha": "5", "sigma": "4", "query_sigma": "6", "k": 50},
    "standard.random_allocation.upper": {"epsilon": "1", "sigma": "1", "steps": 20},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BRACKETS)
def test_an_answer_is_unsafe_below_both_bounds_and_loose_above_both(name):
    """One percent below and above either bound."""
    claim, point = registry().claim(name), _exact(BRACKETS[name])
    lower, upper = (
        Fraction(float(bounds(evaluate_in(Ball(192), formula, point))[0]))
        for formula in (claim.kind.exact, claim.kind.formula)
    )
    one = Fraction(1, 100)
    expected = {
        lower * (1 - one): Kind.UNSAFE,
        lower * (1 + Fraction(1, 10**9)): Kind.DIFFERS,
        (lower + upper) / 2: Kind.DIFFERS,
        upper: Kind.RIGHT,
        upper * (1 + one): Kind.LOOSE,
    }
    kinds = {number: held_against(name, BRACKETS[name], Returned(number)).kind for number in expected}
    assert kinds == expected
