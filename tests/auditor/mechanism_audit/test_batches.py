"""A batch whose releases depend on one another is drawn one by one, and the verdict is right."""

import numpy as np
import pytest

from auditor.mechanism_audit.sampler import FEWEST_LOOKS, LOOKS, NUMBERS_TESTED, Pace, Sampler
from auditor.statistics.independence import permutation_p_value
from auditor.target.target import as_target
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

pytestmark = pytest.mark.usefixtures("verdict_alone")


def laplace(u):
    """Turn uniforms into Laplace noise of scale 1."""
    return -np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5))


def independent(rng, n):
    """Draw each release for itself."""
    return rng.laplace(size=n)


def shared(rng, n):
    """Add one draw to the whole batch: each release is more private than without."""
    return rng.laplace(size=n) + 20 * rng.normal()


def in_order(rng, n):
    """Sort the noise."""
    return np.sort(rng.laplace(size=n))


def antithetic(rng, n):
    """Give each draw with its mirror image."""
    half = rng.laplace(size=(n + 1) // 2)
    return np.concatenate([half, -half])[:n]


def repeated(rng, n):
    """Draw a quarter of the noise, each four times."""
    return rng.permutation(np.repeat(rng.laplace(size=-(-n // 4)), 4)[:n])


def without_replacement(rng, n):
    """Stratify: no two releases of a batch from one quantile."""
    return laplace((rng.permutation(n) + rng.random(n)) / n)


DEPENDENT = [shared, in_order, antithetic, repeated, without_replacement]


class Batches:
    """A count and noise of some scale, in batches."""

    def __init__(self, noise, scale=1.0):
        self.noise, self.scale = noise, scale

    def release_many(self, histogram, n, rng):
        """Return the noisy counts of the keys that are there, to the integer."""
        keys = sorted(histogram)
        columns = [histogram[key] + self.scale * self.noise(rng, n) for key in keys]
        return keys, np.rint(np.stack(columns, axis=1)) if keys else np.empty((n, 0))


PAIR = {"left": {"k0": 21}, "right": {"k0": 20}}
ONE_BY_ONE = "cannot be audited in batches"


def audited(target, **options):
    """Audit against (1, 1e-2) on one pair."""
    return audit_mechanism(target, epsilon="1", delta="1e-2", pair=PAIR, samples=4000, budget=1000, **options)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [*DEPENDENT, independent])
def test_dependence_is_seen_and_refutes_nothing(noise):
    """Each release keeps the promise: not refuted. Only of dependent batches a note says: drawn one by one."""
    audit = audited(Batches(noise))
    assert audit.verdict is not Verdict.REFUTED
    assert any(ONE_BY_ONE in note for note in audit.notes) is (noise is not independent)


@pytest.mark.slow
def test_a_violation_behind_dependent_batches_is_refuted():
    """A quarter of the noise, antithetic."""
    audit = audited(Batches(antithetic, scale=0.25))
    assert audit.verdict is Verdict.REFUTED
    assert any(ONE_BY_ONE in note for note in audit.notes)


class Walk(Batches):
    """Adds each release's noise to that of the release before."""

    now = 0.0

    def release_many(self, histogram, n, rng):
        """Go on from where the last batch ended."""
        steps = self.now + np.cumsum(rng.laplace(size=(n, 1)), axis=0)
        self.now = float(steps[-1, 0])
        return ["k0"], np.rint(histogram.get("k0", 0) + steps)


@pytest.mark.slow
def test_what_depends_one_by_one_is_undecided():
    """Noise that is carried from release to release cannot be audited by independent ones."""
    audit = audited(Walk(independent))
    assert audit.verdict is Verdict.UNDECIDED
    assert "depend on one another, drawn one by one as well" in audit.detail


@pytest.mark.slow
@pytest.mark.parametrize("noise", DEPENDENT)
@pytest.mark.parametrize("seed", range(3))
def test_the_test_sees_every_sort_of_dependence(noise, seed):
    """At the least p-value that its permutations have."""
    rng = np.random.default_rng(seed)
    values = np.stack([noise(rng, 32)[:, None] for _ in range(64)])
    assert permutation_p_value(values, rng) <= 1e-3


@pytest.mark.slow
def test_the_test_is_exact():
    """Of 200 null batches, ties and missing numbers included, at most as many as chance allows once in 1e9."""
    rng, alarms = np.random.default_rng(5), 0
    for case in range(200):
        values = np.rint(rng.normal(size=(6, 6, 2)) * (1 + case % 3))
        values[rng.random(values.shape) < 0.2] = np.nan
        alarms += permutation_p_value(values, rng) <= 0.1
    assert alarms <= 50  # P[Bin(200, 0.1) > 50] < 1e-9
    assert permutation_p_value(np.zeros((6, 6, 2)), rng) == 1.0


WIDE = 2**14


class Wide:
    """Many numbers a release, and perhaps a draw that a batch shares."""

    def __init__(self, spread):
        self.spread = spread

    def release_many(self, histogram, n, rng):
        """Return noise."""
        return [f"b{i}" for i in range(WIDE)], rng.laplace(size=(n, WIDE)) + self.spread * rng.normal()


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0, 20])
def test_of_wide_releases_few_are_looked_at(spread):
    """Numbers bound the looks and the test of independence, which sees a shared draw in few as well."""
    with as_target(Wide(spread), "mechanism") as target:
        sampler = Sampler(target, Pace(60.0))
        sampler.batch({"k0": 1}, 1, 1)
        assert sampler.looks == FEWEST_LOOKS * 4 == LOOKS
        before = sampler.release_count
        assert sampler.independent({"k0": 1}, 2) is (spread == 0)
        assert (sampler.release_count - before) * WIDE <= 2 * NUMBERS_TESTED
        sampler.width = 4 * WIDE
        assert sampler.looks == FEWEST_LOOKS
