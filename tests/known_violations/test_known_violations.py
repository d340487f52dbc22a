"""Every known-broken public mechanism is refuted at the claims of the literature, every right one beside it is not."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from auditor.black_box.audit import BlackBoxResult, Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.statistics.mechanisms_under_audit import Neighbours
from tests.known_violations import laws, mechanisms
from tests.known_violations.laws import Laws
from tests.known_violations.mechanisms import Known, Release

CLAIMS = (0.1, 0.7, 1.5)
MILLION = 1_000_000


@dataclass(frozen=True)
class Row:
    """A mechanism, the queries of two neighbours, and what it releases of them, exactly, at a claimed epsilon."""

    release: Release
    left: tuple[int, ...]
    right: tuple[int, ...]
    laws: Callable[[float], Laws]

    @property
    def pair(self) -> Neighbours:
        """The neighbours, as histograms."""
        return Neighbours(
            "queries", *({f"q{i}": value for i, value in enumerate(side)} for side in (self.left, self.right))
        )


TWO, NONE = (1, 1), (0, 0)
UP, DOWN = (1,) * 5, (0,) * 5
HALF_UP, HALF_DOWN = UP + DOWN, DOWN + UP
SEVEN_UP, SEVEN_DOWN = (*UP, 0, 0), (*DOWN, 1, 1)


def patterns(
    threshold: float, query: float, most: int | None, up: laws.Queries = HALF_UP, down: laws.Queries = HALF_DOWN
) -> Callable[[float], Laws]:
    """Laws of the answers of a sparse vector with noise of these multiples of 1 / epsilon."""
    return lambda epsilon: laws.answers(
        up, down, threshold_scale=threshold / epsilon, query_scale=query / epsilon, most=most
    )


BROKEN = {
    "noisy max with its value": Row(
        mechanisms.noisy_max_value, UP, DOWN, lambda e: laws.maximum(UP, DOWN, 2 / e, laws.laplace_cdf),
    ),
    "noisy max with its value, exponential noise": Row(
        mechanisms.noisy_max_value_exponential, TWO, NONE,
        lambda e: laws.maximum(TWO, NONE, 2 / e, laws.exponential_cdf),
    ),
    "histogram with inverted scale": Row(
        mechanisms.histogram_inverted, (2, 5), (1, 5), lambda e: laws.one_number((2, e), (1, e)),
    ),
    "sparse vector without query noise": Row(
        mechanisms.sparse_without_query_noise, TWO + NONE, NONE + TWO, patterns(2, 0, None, TWO + NONE, NONE + TWO),
    ),
    "sparse vector without cap": Row(mechanisms.sparse_without_cap, HALF_UP, HALF_DOWN, patterns(2, 2, None)),
    "sparse vector, unscaled noise": Row(mechanisms.sparse_unscaled, HALF_UP, HALF_DOWN, patterns(4, 4 / 3, 5)),
    "sparse vector with its noisy query": Row(
        mechanisms.sparse_with_noisy_query, SEVEN_UP, SEVEN_DOWN,
        lambda e: laws.noisy_answers(SEVEN_UP, SEVEN_DOWN, 2 / e),
    ),
    "mean over the true count": Row(
        mechanisms.mean_with_true_count, (2, 0), (1, 0), lambda e: laws.one_number((1, 1 / (2 * e)), (1, 1 / e)),
    ),
}  # fmt: skip
RIGHT = {
    "noisy max": Row(mechanisms.noisy_max, (1, 1, 0), (0, 0, 1), lambda e: laws.largest((1, 1, 0), (0, 0, 1), 2 / e)),
    "histogram": Row(mechanisms.histogram, (2, 5), (1, 5), lambda e: laws.one_number((2, 1 / e), (1, 1 / e))),
    "sparse vector": Row(mechanisms.sparse, HALF_UP, HALF_DOWN, patterns(2, 4, 1)),
}
KEPT = {("histogram with inverted scale", 1.5)}
"""Noise of scale 1.5 is more than the claim 1.5 asks for."""
UNAIDED = {("sparse vector with its noisy query", 0.1)}
"""Seen unaided within a million releases by 2 seeds of 20 only; tested in one event of it."""
VIOLATED = [(name, claim) for name in BROKEN for claim in CLAIMS if (name, claim) not in KEPT]


def audit(release: Release, epsilon: float, pair: Neighbours, samples: int, alpha: float) -> BlackBoxResult:
    """Audit at (epsilon, 0)."""
    sampler, budget = histogram_sampler(Known(release, epsilon)), Budget(samples, confirmation=0.0)
    return audit_pairs(sampler, [pair], epsilon, 0.0, alpha=alpha, seed=1, budget=budget)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), VIOLATED)
def test_each_violates_its_claim(name: str, claim: float) -> None:
    """Exactly, on the pair that is audited, and by so much that a bet told the laws needs at most 82,000 releases."""
    exact = BROKEN[name].laws(claim)
    assert laws.hockey_stick(exact, claim) > 1e-3
    assert 2 < laws.releases_needed(exact, claim, 0.05) < 82_000


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        pytest.param(name, claim, marks=pytest.mark.slow) if claim < max(CLAIMS) else (name, claim)
        for name, claim in VIOLATED
        if (name, claim) not in UNAIDED
    ],
)
def test_a_broken_mechanism_is_refuted(name: str, claim: float) -> None:
    """Given the pair alone, within a million releases per dataset at alpha .05; all of 20 other seeds do too."""
    row = BROKEN[name]
    result = audit(row.release, claim, row.pair, MILLION, 0.05)
    assert result.verdict is Verdict.REFUTED, result


@pytest.mark.slow
def test_the_noisy_query_gives_itself_away_at_a_tenth() -> None:
    """Claim .1 is violated by little: told to look at late and low answers, 19 seeds of 20 refute it."""
    row = BROKEN["sparse vector with its noisy query"]
    result = audit(mechanisms.late_and_low, 0.1, row.pair, MILLION, 0.05)
    assert result.verdict is Verdict.REFUTED, result


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("samples", [20_000, 300_000])
def test_a_right_mechanism_is_not(name: str, claim: float, samples: int) -> None:
    """Its law keeps the claim on the pair, and the auditor is silent."""
    row = RIGHT[name]
    assert laws.hockey_stick(row.laws(claim), claim) < 1e-12
    assert audit(row.release, claim, row.pair, samples, 1e-6).verdict is not Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize(("name", "claim"), sorted(KEPT))
def test_a_wrong_mechanism_that_keeps_a_claim_is_not(name: str, claim: float) -> None:
    """Where the error adds noise there is nothing to find, and nothing is found."""
    row = BROKEN[name]
    assert laws.hockey_stick(row.laws(claim), claim) < 1e-12
    assert audit(row.release, claim, row.pair, 20_000, 1e-6).verdict is not Verdict.REFUTED


def exactly(hits: np.ndarray, chance: float) -> bool:
    """Whether so many hits are likely enough."""
    return stats.binomtest(int(hits.sum()), len(hits), chance).pvalue > 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_the_laws_are_those_of_the_mechanisms(claim: float) -> None:
    """An event of each kind of output has the frequency that its law says; each law sums to one."""
    rng = np.random.default_rng(5)
    for rows in (BROKEN, RIGHT):
        for row in rows.values():
            assert [law.sum() for law in row.laws(claim)] == pytest.approx([1.0, 1.0], abs=1e-9)
    n, queries = 100_000, np.array(SEVEN_UP, dtype=float)
    output = mechanisms.sparse_with_noisy_query(queries, claim, n, rng)
    by_place = BROKEN["sparse vector with its noisy query"].laws(claim)[0][:-1].reshape(len(queries), -1).sum(axis=1)
    assert all(exactly(~np.isnan(output[:, place]), by_place[place]) for place in range(len(queries)))
    patterns_of = mechanisms.sparse_without_cap(np.array(HALF_UP, dtype=float), claim, n, rng)
    exact = BROKEN["sparse vector without cap"].laws(claim)[0]
    assert exactly((patterns_of == 1).all(axis=1), exact[-1])
    assert exactly((patterns_of == 0).all(axis=1), exact[0])
    noisy_max = RIGHT["noisy max"]
    first = noisy_max.release(np.array(noisy_max.left, dtype=float), claim, n, rng)[:, 0]
    assert all(exactly(first == place, noisy_max.laws(claim)[0][place]) for place in range(3))
