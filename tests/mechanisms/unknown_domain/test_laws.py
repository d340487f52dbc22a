"""A mechanism's law is a function of two histograms: exact where it is known, and none elsewhere."""

import math

import numpy as np
import pytest
from scipy import stats

from mechanisms.baselines import binary_mechanism, laplace_mechanism
from mechanisms.unknown_domain.binary import mechanism as unknown_domain_binary
from mechanisms.unknown_domain.gumbel import mechanism as unknown_domain_gumbel
from mechanisms.unknown_domain.histogram import gaussian as unknown_domain_gaussian
from mechanisms.unknown_domain.histogram import laplace as unknown_domain_laplace
from mechanisms.unknown_domain.pay_what_you_get import mechanism as unknown_domain_pay_what_you_get
from mechanisms.unknown_domain.top import mechanism as unknown_domain_top
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.adjacency import encode
from proofs_numeric.statements.neighbours import Direction, Neighbours

MANY_LISTS = {"k_bar": 30, "k": 10, "beta": 1, "delta": "1/20"}
UNKNOWN = {
    "two shared counts near T": (unknown_domain_gaussian, {}, {"a": 6, "b": 6}, {"a": 5, "b": 5}),
    "less on the left": (unknown_domain_gaussian, {}, {}, {"a": 1}),
    "two shared counts near T, Laplace": (unknown_domain_laplace, {}, {"a": 6, "b": 6}, {"a": 5, "b": 5}),
    "shared counts that move by 1 and by 2, Laplace": (
        unknown_domain_laplace, {"delta_inf": 2}, {"a": 300, "b": 300}, {"a": 299, "b": 298},
    ),
    "own items of two counts": (unknown_domain_top, {}, {"a": 2, "b": 1}, {}),
    "an own item beside a shared one near T": (unknown_domain_top, {}, {"a": 1, "b": 9}, {"b": 9}),
    "more lists than are counted": (unknown_domain_gumbel, MANY_LISTS, {f"{i:02}": 1 for i in range(30)}, {}),
    "an event whose counts may stay below T": (
        unknown_domain_binary, {"L": 8}, encode([["u"]] * 8), encode([["u"]] * 4 + [[]] + [["u"]] * 3),
    ),
    "a key outside the universe": (laplace_mechanism, {}, {"elsewhere": 1}, {}),
    "an item outside the universe": (binary_mechanism, {}, {"1/elsewhere": 1}, {}),
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_combination_has_no_law(name):
    """None, rather than a formula for something else."""
    module, parameters, left, right = UNKNOWN[name]
    spec = module.MECHANISM
    law = spec.law(Neighbours("any", left, right), {**spec.parameters, **parameters})
    assert law.profile is None
    assert law.loss is None


def test_new_items_of_any_counts_have_a_law():
    """Counts 1, 2 and 2 at delta_inf = 2: 1 - prod Phi((T - count)/sigma)."""
    parameters = {"delta_0": 3, "delta_inf": 2, "sigma": 2, "delta": "1/20"}
    law = unknown_domain_gaussian.law(Neighbours("any", {"a": 1, "b": 2, "c": 2}, {}), parameters)
    T = unknown_domain_gaussian.build(**parameters).threshold
    exact = 1 - math.prod(stats.norm.cdf((T - count) / 2) for count in (1, 2, 2))
    assert float(law.profile(Float64(), np.float64(5.0), Direction.FORWARD)) == pytest.approx(exact, rel=1e-12)


def test_queries_beyond_the_last_that_counts_add_nothing():
    """One query of Algorithm 4 that differs, l* = 1 or 3: the same profile."""
    neighbours = Neighbours("any", encode([{"a": 1}]), {})
    profiles = [
        unknown_domain_pay_what_you_get.law(
            neighbours, {**unknown_domain_pay_what_you_get.MECHANISM.parameters, "l_star": rounds}
        ).profile
        for rounds in (1, 3)
    ]
    for way in Direction:
        one, three = (float(profile(Float64(), np.float64(0.5), way)) for profile in profiles)
        assert one == three
