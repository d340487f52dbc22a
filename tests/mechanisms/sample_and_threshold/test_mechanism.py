"""Sample-and-threshold and what is built on it: output laws, accountant, baselines, faults, bad input."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mechanisms.baselines import central_laplace, hadamard_response, shuffle_bernoulli
from mechanisms.baselines.hadamard_response import HadamardResponse
from mechanisms.baselines.hadamard_response import report_law as hadamard_law
from mechanisms.mechanism import Boundary
from mechanisms.sample_and_threshold import (
    accountant,
    fixed_m,
    fixed_size_sample,
    hierarchical_histogram,
    interactive_quantile,
    mechanism,
    trie_heavy_hitters,
)
from mechanisms.sample_and_threshold.by_contacts import PoissonByContacts
from mechanisms.sample_and_threshold.contacts import ContactScheme, contacts_for
from mechanisms.sample_and_threshold.fixed_size_sample import FixedSize
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composed_levels
from proofs_numeric.bharadwaj2022.section_5 import baselines
from proofs_numeric.bharadwaj2022.theorem_2.fixed_m import exact_delta as fixed_m_delta
from proofs_numeric.statements.neighbours import Direction, Neighbours

N = 40_000
LEVEL = 1e-10


def _fits(values, law):
    """Chi-square test of sampled outcomes against exact probabilities, rare ones pooled, at level 1e-10."""
    observed = np.array([np.sum(values == outcome) for outcome in law])
    expected = np.array(list(law.values())) * len(values)
    if observed.sum() != len(values):
        return False
    common = expected >= 10
    o, e = np.append(observed[common], observed[~common].sum()), np.append(expected[common], expected[~common].sum())
    keep = e > 0
    return stats.chisquare(o[keep], e[keep] * o.sum() / e[keep].sum()).pvalue > LEVEL


def _law(k, p, tau):
    """Outcome -> probability of a cell; -1 is nothing shown."""
    outcomes = cells.cell_outcomes(Float64(), k, p, tau)
    return {-1: outcomes[0], **{tau + i: mass for i, mass in enumerate(outcomes[1:])}}


def _column(built, histogram, key, seed):
    keys, values = built.release_many(histogram, N, np.random.default_rng(seed))
    return np.where(np.isnan(values[:, keys.index(key)]), -1, values[:, keys.index(key)])


@pytest.mark.parametrize("rule", Boundary)
def test_a_cell_has_its_thresholded_binomial_law(rule):
    """Sampled counts follow Bin(k, p) cut at tau, and at tau + 1 under the strict rule."""
    built = mechanism.SampleAndThreshold(p=0.3, tau=5, rule=rule)
    law = _law(20, 0.3, mechanism.least_count(5, rule))
    assert _fits(_column(built, {"a": 20, "b": 3}, "a", 1), law)
    assert not _fits(_column(built, {"a": 20, "b": 3}, "a", 1), _law(20, 0.3, 11 - mechanism.least_count(5, rule)))


@pytest.mark.parametrize("wrong", [{"p": 0.35, "tau": 5}, {"p": 0.3, "tau": 4}])
def test_the_law_test_sees_what_the_claimed_bound_hides(wrong):
    """A wrong rate and an off-by-one threshold fail the law."""
    assert not _fits(_column(mechanism.SampleAndThreshold(**wrong), {"a": 20}, "a", 2), _law(20, 0.3, 5))


def test_the_size_drawn_first_gives_the_same_law_and_a_fixed_size_does_not():
    """Poisson by contacts has the cell law; a fixed size and the contact scheme have others."""
    histogram, law = {"a": 20, "b": 20}, _law(20, 0.3, 5)
    assert _fits(_column(PoissonByContacts(p=0.3, tau=5), histogram, "a", 3), law)
    assert not _fits(_column(FixedSize(m=12, tau=5), histogram, "a", 3), law)
    contacts = ContactScheme(m=12, contacts=contacts_for(12, 1), tau=1)
    assert contacts.contacts == 16
    _keys, values = contacts.release_many(histogram, N, np.random.default_rng(4))
    sizes = np.nansum(values, axis=1)
    assert _fits(sizes, dict(enumerate(stats.binom.pmf(range(17), 16, 12 / 16))))


def test_a_trie_has_independent_levels_and_prunes():
    """Levels of one path are independent binomials before pruning; a child is never shown without its parent."""
    built = trie_heavy_hitters.TrieHeavyHitters(p=0.3, tau=5, levels=2, prune=False)
    keys, values = built.release_many({"ab": 20}, N, np.random.default_rng(5))
    assert keys == ("a", "ab")
    is_released = ~np.isnan(values)
    single = float(stats.binom.sf(4, 20, 0.3))
    both = int(np.sum(is_released[:, 0] & is_released[:, 1]))
    assert stats.binomtest(both, N, single**2).pvalue > LEVEL
    pruned = trie_heavy_hitters.TrieHeavyHitters(p=0.3, tau=5, levels=2)
    _keys, values = pruned.release_many({"ab": 20, "cd": 6}, N, np.random.default_rng(6))
    assert not np.any(np.isnan(values[:, :2]) & ~np.isnan(values[:, 2:]))


@pytest.mark.parametrize("parameters", [{"p": "3/10", "tau": 5}, {"p": "1/2", "tau": 3}])
def test_no_pair_of_the_mechanism_exceeds_its_claim(parameters):
    """At epsilon 0 to 2 every pair's profile is at most the exact delta; the worst pair attains it at 1."""
    pairs = mechanism.MECHANISM.pairs(parameters)
    for epsilon in (0.0, 0.3, 1.0, 2.0):
        claimed = float(cells.tight_rate(Float64(), epsilon=epsilon, p=float(Fraction(parameters["p"])),
                                         tau=parameters["tau"]))  # fmt: skip
        profiles = [float(pair.profile(Float64(), epsilon, way)) for pair in pairs for way in Direction]
        assert max(profiles) <= claimed * (1 + 1e-9)
        if epsilon == 1.0:
            assert max(profiles) == pytest.approx(claimed, rel=1e-9)


def test_the_accountant_has_the_catalogued_thresholds():
    """Tau = 11 is enough where Lemma 3 asks for 20, under both relations."""
    assert accountant.lemma_3_threshold(1e-8, alpha=1 / 6) == 20
    assert [accountant.least_tau(e, 1e-8, alpha=1 / 6) for e in (0.1, 0.2, 0.5, 1.0)] == [11] * 4
    assert accountant.least_tau(1.0, 1e-8, alpha=1 / 6, replacement=True) == 11
    assert accountant.least_tau(1.0, 1e-8, alpha=1 / 5) == 12


@pytest.mark.parametrize(
    ("epsilon", "alpha", "tau", "value", "ka", "kb"),
    [
        (1.0, 1 / 6, 20, 6.92688e-15, 29, 121),
        (1.0, 0.5, 5, 5.511294342783719e-3, 6, 7),
        (0.5, 1.0, 5, 3.00954e-2, 7, 7),
    ],
)
def test_the_replacement_maximum_is_found(epsilon, alpha, tau, value, ka, kb):
    """The complete scan gives the catalogued maxima and lies between the two add/remove bounds."""
    found = accountant.delta_replacement(epsilon, alpha=alpha, tau=tau)
    assert (found.ka, found.kb) == (ka, kb)
    assert found.value == pytest.approx(value, rel=2e-6)
    assert accountant.delta(epsilon, alpha=alpha, tau=tau) <= found.value


def test_the_greatest_rate_is_the_greatest():
    """At the returned rate delta holds; one part in 1e9 above it does not."""
    p = accountant.greatest_rate(1.0, 1e-8, tau=20)
    assert accountant.delta_at_rate(1.0, p=p, tau=20) <= 1e-8
    assert accountant.delta_at_rate(1.0, p=p * (1 + 1e-9), tau=20) > 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("replacement", [False, True])
@pytest.mark.parametrize(("epsilon", "delta", "tau"), [(1.0, 1e-8, 20), (0.5, 1e-5, 5)])
def test_least_tau_and_greatest_rate_invert_each_other(epsilon, delta, tau, replacement):
    """At the greatest rate for tau the least threshold is tau; one part in 1e9 above it, tau + 1."""
    p = accountant.greatest_rate(epsilon, delta, tau=tau, replacement=replacement)
    assert accountant.least_tau_at_rate(epsilon, delta, p=p, replacement=replacement) == tau
    assert accountant.least_tau_at_rate(epsilon, delta, p=p * (1 + 1e-9), replacement=replacement) == tau + 1
    if replacement:
        assert p < accountant.greatest_rate(epsilon, delta, tau=tau)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alpha", "tau", "levels", "epsilon", "catalogued"),
    [
        (1 / 2, 5, 3, 1.0, 1.559918e-2),
        (1 / 2, 5, 3, 3.0, 9.431926e-3),
        (1 / 6, 20, 2, 1.0, 1.37377e-14),
        (1 / 6, 20, 2, 2.0, 2.6887e-18),
        (1 / 6, 20, 4, 1.0, 2.747534e-14),
    ],
)
def test_composition_brackets_the_best_path(alpha, tau, levels, epsilon, catalogued):
    """The certified bounds hold the exact delta of the best path of equal counts and are close to it."""
    p = accountant.rate(1.0, alpha)
    best = max(
        float(composed_levels.path(Float64(), epsilon=epsilon, p=p, tau=tau, levels=levels, k=k))
        for k in range(tau, 3 * tau // 2 + 2)
    )
    assert best == pytest.approx(catalogued, rel=1e-5)
    bounds = accountant.composed_bounds(epsilon, p=p, tau=tau, levels=levels)
    assert bounds.lower == pytest.approx(best, rel=1e-9)
    assert best <= bounds.upper < 1.5 * best
    assert bounds.upper <= accountant.composed_bounds(epsilon, p=p, tau=tau, levels=levels, replacement=True).upper


@pytest.mark.parametrize(("epsilon", "p", "tau"), [(1.0, 0.1, 10**12), (1.0, 1e-300, 3)])
def test_a_trie_whose_delta_no_double_holds_is_told_the_least_one(epsilon, p, tau):
    """By a bound on every path, before any is enumerated."""
    bounds = accountant.composed_bounds(epsilon, p=p, tau=tau, levels=5, replacement=True)
    assert (bounds.lower, bounds.upper) == (0.0, cells.LEAST)


def test_a_trie_of_a_small_rate_is_bracketed():
    """Two levels at p = 1e-100 and tau = 2: twice what one gives away, S_k - e^epsilon S_(k-1) at k = 2, p^2."""
    bounds = accountant.composed_bounds(1.0, p=1e-100, tau=2, levels=2)
    assert 0 < bounds.lower <= 2e-200 * (1 + 1e-15)
    assert 2e-200 * (1 - 1e-15) <= bounds.upper < 1e-138


@pytest.mark.parametrize(("alpha", "epsilon"), [(0.5, 5e-324), (1.0, 1e-300), (1.0, 1e-9)])
def test_the_least_epsilon_has_a_delta_of_at_most_p(alpha, epsilon):
    """The laws of k and k - 1 copies are p apart at most; thresholds from 1 to 1e308."""
    for tau in (1, 2, 50, 10**6, 10**12, 10**308):
        assert 0 < accountant.delta(epsilon, alpha=alpha, tau=tau) <= max(alpha * epsilon * (1 + 1e-12), cells.LEAST)


def test_amplification_and_its_inverse():
    """The base epsilon amplifies back to epsilon: 2.8513 at the paper's default."""
    p = accountant.rate(1.0, 1 / 6)
    assert accountant.base_epsilon(1.0, p) == pytest.approx(2.851266516386023, rel=1e-14)
    assert accountant.amplified_epsilon(accountant.base_epsilon(1.0, p), p) == pytest.approx(1.0, rel=1e-14)
    assert accountant.base_epsilon(700, 1e-300) == pytest.approx(700 + 300 * math.log(10), rel=1e-15)


def test_shuffled_coins_have_their_exact_delta():
    """The product hockey stick agrees with enumeration, and fair coins cannot reach 1e-8 at epsilon = 0.1."""
    m, f, factor = 9, 0.3, math.exp(0.4)
    b = np.append(stats.binom.pmf(range(m + 1), m, f), 0.0)
    shifted = np.append(0.0, b[:-1])
    left, right = np.outer(shifted, b), np.outer(b, shifted)
    brute = np.maximum(left - factor * right, 0).sum()
    assert shuffle_bernoulli.ShuffleBernoulli(m, f).delta(0.4) == pytest.approx(brute, rel=1e-12)
    assert shuffle_bernoulli.ShuffleBernoulli(15_860, 0.5).delta(0.1) == pytest.approx(2.0727e-8, rel=1e-4)
    assert shuffle_bernoulli.least_flip(1.0, 1e-6, clients=1000) == pytest.approx(0.0436576, rel=1e-5)
    with pytest.raises(ValueError, match="ask more clients"):
        shuffle_bernoulli.least_flip(0.1, 1e-8, clients=15_860)


@pytest.mark.parametrize("p", [1.0, 0.4])
def test_hadamard_response_has_its_exact_delta_and_is_unbiased(p):
    """Any two items have the claimed delta at level 0.5 (.1438246 with everybody); frequencies are recovered."""
    built = HadamardResponse(1.0, 5, p)
    exact = float(baselines.hadamard(Float64(), epsilon=0.5, epsilon_0=1.0, p=p))
    assert p < 1 or exact == pytest.approx(0.1438246, rel=1e-6)
    for first, second in ((0, 1), (2, 4)):
        laws = [hadamard_law(built, item) for item in (first, second)]
        assert np.maximum(laws[0] - math.exp(0.5) * laws[1], 0).sum() == pytest.approx(exact, rel=1e-12, abs=1e-15)
    rng = np.random.default_rng(7)
    reports = built.reports(np.repeat([0, 1, 2], [50_000, 30_000, 20_000]), rng)
    assert _fits(built.reports(np.full(N, 3), rng), dict(enumerate(hadamard_law(built, 3))))
    # One report has variance below 1/(p (2 keep - 1))^2; seven standard deviations.
    error = np.max(np.abs(built.frequencies(reports) - [0.5, 0.3, 0.2, 0, 0]))
    assert error < 7 / (p * (2 * built.keep - 1)) / math.sqrt(100_000)


@pytest.mark.slow
def test_quantiles_are_found_by_both_roads():
    """Uniform clients: the 0.3 quantile within a few standard errors of the sample."""
    values = (np.arange(20_000) + 0.5) / 20_000
    rng = np.random.default_rng(8)
    result = interactive_quantile.interactive_quantile(list(values), 0.3, p=0.3, tau=5, steps=6, rng=rng)
    assert abs(result - 0.3) < 0.06
    tree = hierarchical_histogram.HierarchicalHistogram(4, trie_heavy_hitters.TrieHeavyHitters(0.3, 5, 3))
    released = tree.release(hierarchical_histogram.histogram_of(values), rng)
    assert tree.key(Fraction(1, 3)) == "111"
    assert abs(tree.weight_below(released, Fraction(7, 16), 6000) - 7 / 16) < 0.06
    assert abs(tree.weight_between(released, Fraction(1, 4), Fraction(7, 16), 6000) - 3 / 16) < 0.06
    assert abs(float(tree.quantile(released, 0.3, 6000)) - 0.3) < 0.06


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mechanism.build(p=1, tau=5), "0 < p < 1"),
        (lambda: mechanism.build(p="1/2", tau=0), "integer tau >= 1"),
        (lambda: mechanism.build(p="-1/10", tau=5), "0 < p < 1, got p=-0.1"),
        (lambda: mechanism.SampleAndThreshold(math.nan, 5), "0 < p < 1, got p=nan"),
        (lambda: mechanism.SampleAndThreshold(0.3, 4.5), "at least 1|round a real threshold up"),
        (lambda: mechanism.SampleAndThreshold(0.3, 4.5, Boundary.EXCLUSIVE), "round a real threshold down"),
        (lambda: mechanism.SampleAndThreshold(0.3, -1, Boundary.EXCLUSIVE), r"tau >= 0 .* sampled count is > tau"),
        (lambda: mechanism.build(p="1/2", tau="9/2"), "integer tau, got tau=9/2"),
        (lambda: accountant.delta(1.0, alpha=0.2, tau=True), "integer tau >= 1"),
        (lambda: accountant.delta(1.0, alpha=1.5, tau=5), "0 < alpha <= 1"),
        (lambda: accountant.delta(0.0, alpha=0.5, tau=5), "0 < epsilon <= 700"),
        (lambda: accountant.delta_replacement(800.0, alpha=0.5, tau=5), "0 < epsilon <= 700"),
        (lambda: accountant.delta_replacement_at_rate(-1.0, p=0.5, tau=5), "0 <= epsilon <= 700"),
        (lambda: accountant.base_epsilon(-1.0, 0.5), "0 < epsilon <= 700"),
        (lambda: accountant.amplified_epsilon(800.0, 0.5), "0 < epsilon <= 700"),
        (lambda: accountant.lemma_3_threshold(0.0, alpha=0.1), "0 < delta < 1"),
        (lambda: accountant.composed_bounds(1.0, p=0.1, tau=5, levels=1.5), "integer levels >= 1"),
        (lambda: accountant.delta(1.0, alpha=0.2, tau=10**5000), "tau of size at most 1.8e.308"),
        (lambda: accountant.delta_fixed_m(1.0, n=10**400, m=1, tau=5), "n of size at most 1.8e.308"),
        (lambda: accountant.delta_fixed_m(1.0, n=10**13, m=1, tau=5), "n <= 1000000000000 .clients."),
        (lambda: accountant.composed_bounds(1e-300, p=1e-301, tau=2, levels=2), "a path of at most 1000000 clients"),
        (lambda: accountant.path_bounds(1.0, p=0.1, tau=5, levels=2, k=5.0), "integer k >= 1"),
        (lambda: accountant.path_bounds(1.0, p=0.1, tau=5, levels=2, k=5, steps=0), "integer steps >= 1"),
        (lambda: mechanism.SampleAndThreshold(0.3, 5, "≥"), "expected a rule of Boundary.INCLUSIVE"),
        (lambda: mechanism.SampleAndThreshold(0.3, 5).frequencies({"a": 9.0}, 0), "integer population >= 1"),
        (lambda: FixedSize(0, 5), "integer m >= 1"),
        (lambda: ContactScheme(m=2.5, contacts=7, tau=2), "integer m >= 1"),
        (lambda: ContactScheme(m=2, contacts=9, tau=2).release({"a": 5}, np.random.default_rng(0)),
         "contacts <= n=5 .* got contacts=9"),
        (lambda: contacts_for(0, 1.0), "integer m >= 1"),
        (lambda: trie_heavy_hitters.TrieHeavyHitters(0.1, 5, 1.5), "integer levels >= 1"),
        (lambda: interactive_quantile.InteractiveQuantile(0.5, 0.1, 5, 0), "integer levels >= 1"),
        (lambda: hierarchical_histogram.build(p="1/2", tau=2, levels=2, beta=37), "2 <= beta <= 36"),
        (lambda: hadamard_response.HadamardResponse(1.0, 1.5), "integer buckets >= 1"),
        (lambda: shuffle_bernoulli.ShuffleBernoulli(0, 0.1), "integer clients >= 1"),
        (lambda: shuffle_bernoulli.ShuffleBernoulli(10, 0.1).delta(800.0), "0 <= epsilon <= 700"),
        (lambda: shuffle_bernoulli.least_flip(0.1, math.nan, clients=10), "0 < delta < 1"),
        (lambda: central_laplace.build(epsilon_0=0), "epsilon_0 > 0"),
        (lambda: accountant.least_tau_at_rate(0.1, 1e-8, p=0.2), "allow epsilon >= 0.22"),
        (lambda: accountant.least_tau(1.0, 2.0, alpha=0.2), "0 < delta < 1"),
        (lambda: accountant.greatest_rate(1.0, 0.0, tau=5), "0 < delta < 1"),
        (lambda: accountant.composed_bounds(1.0, p=0.1, tau=5, levels=0), "integer levels >= 1"),
        (lambda: fixed_size_sample.build(m=42, n=41, tau=5), "1 <= m <= n=41"),
        (lambda: fixed_m.build(m=40, n=41, tau=5), "m <= n - 2"),
        (lambda: fixed_m.FixedM(m=8, tau=3).release({"a": 8}, np.random.default_rng(0)), "more than m=8 clients"),
        (lambda: ContactScheme(m=8, contacts=7, tau=2), "m <= contacts=7"),
        (lambda: contacts_for(10, -1.0), "0 <= c"),
        (lambda: interactive_quantile.build(p="1/2", tau=2, levels=2, phi=1), "0 < phi < 1"),
        (lambda: hierarchical_histogram.read_value("one half"), "numbers in .0, 1., such as"),
        (lambda: hierarchical_histogram.read_value("3/2"), "numbers in .0, 1., such as"),
        (lambda: hadamard_response.build(epsilon_0=1, p=0), "0 < p <= 1"),
        (lambda: hadamard_response.build(epsilon_0=0), "0 < epsilon < infinity"),
        (lambda: hadamard_response.item_number("k3", 3), "k0 .. k2, got 'k3'"),
        (lambda: shuffle_bernoulli.build(m=10, f="3/5"), "0 < flip <= 1/2"),
        (lambda: accountant.delta_at_rate(0.1, p=0.2, tau=5), "p <= 1 - e"),
        (lambda: accountant.lemma_3_threshold(1e-8, alpha=0.6), "use least_tau"),
        (lambda: FixedSize(9, 2).release({"a": 5}, np.random.default_rng(0)), "m <= n=5"),
        (
            lambda: interactive_quantile.interactive_quantile(
                [0.5] * 100, 0.01, p=0.5, tau=5, steps=3, rng=np.random.default_rng(0)
            ),
            "tau/m < phi",
        ),
        (lambda: trie_heavy_hitters.build(p="1/2", tau=2, levels=2).release({"a": 1}, np.random.default_rng(0)),
         "exactly 2 characters"),
        (lambda: mechanism.build(p="1/2", tau=2).release({"a": -1}, np.random.default_rng(0)), "integer count"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_clear_line(call, words):
    """Every refusal is one line that says what is allowed."""
    with pytest.raises(ValueError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_the_lattice_bounds_enclose_a_path_of_many_levels(monkeypatch):
    """Ten levels at P2: the best path rounded down is below the bound on every path, and above three levels' delta."""
    p = accountant.rate(1.0, 0.5)
    bounds = accountant.composed_bounds(1.0, p=p, tau=5, levels=10)
    assert accountant.composed_bounds(1.0, p=p, tau=5, levels=3).lower < bounds.lower < bounds.upper
    exact = float(composed_levels.path(Float64(), epsilon=1.0, p=p, tau=5, levels=4, k=6))
    monkeypatch.setattr(composed_levels, "_FEW_TERMS", 0)
    rounded = accountant.path_bounds(1.0, p=p, tau=5, levels=4, k=6)
    assert rounded.lower < exact < rounded.upper < 1.03 * rounded.lower
    with monkeypatch.context() as patch:
        patch.setattr(composed_levels, "_REACH", 0)  # sums beyond epsilon itself are rounded: each bound its own way
        cut = accountant.path_bounds(1.0, p=p, tau=5, levels=4, k=6)
    assert cut.lower < rounded.lower < rounded.upper < cut.upper
    ten = accountant.path_bounds(1.0, p=p, tau=5, levels=10, k=bounds.k)
    assert bounds.lower < ten.upper < 1.1 * ten.lower


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("k", [5, 6, 9])
def test_the_declared_loss_has_the_pairs_profile(direction, k):
    """Mass at infinity and the average of (1 - e^(epsilon - L))_+ over the losses make the profile."""
    pair = mechanism.law(Neighbours("pair", {"k0": k}, {"k0": k - 1}), {"p": "3/10", "tau": 5})
    loss = pair.loss(direction)
    infinite = 1 - math.exp(loss.log_finite)
    assert infinite == pytest.approx(0.3**k if direction is Direction.FORWARD else 0, rel=1e-9, abs=1e-15)
    for epsilon in (0.0, 0.2, 1.0):
        gains = np.maximum(1 - np.exp(epsilon - np.array(loss.values)), 0) @ np.array(loss.probabilities)
        profile = float(pair.profile(Float64(), epsilon, direction))
        assert gains + infinite == pytest.approx(profile, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("rule", Boundary)
@pytest.mark.parametrize(
    ("kind", "settings", "histogram"),
    [
        (mechanism.SampleAndThreshold, {"p": 0.3, "tau": 3}, {"a": 12}),
        (PoissonByContacts, {"p": 0.3, "tau": 3}, {"a": 12}),
        (ContactScheme, {"m": 4, "contacts": 8, "tau": 3}, {"a": 12}),
        (FixedSize, {"m": 4, "tau": 3}, {"a": 6, "b": 6}),
        (trie_heavy_hitters.TrieHeavyHitters, {"p": 0.3, "tau": 3, "levels": 1}, {"a": 12}),
        (interactive_quantile.InteractiveQuantile, {"phi": 0.5, "p": 0.3, "tau": 3, "levels": 1}, {"0": 12}),
    ],
)
def test_the_report_rule_is_a_field_of_every_mechanism(kind, settings, histogram, rule):
    """Under >= a count of tau is shown, under > the smallest shown is tau + 1."""
    _keys, values = kind(**settings, rule=rule).release_many(histogram, 4000, np.random.default_rng(13))
    assert np.nanmin(values) == mechanism.least_count(settings["tau"], rule)


def test_with_m_fixed_the_rate_is_m_over_the_number_of_clients():
    """Neighbours of 10 clients are sampled at 8/10 and 8/9; a declared pair attains the delta, above constant p's."""
    at = {"n": 10, "m": 8, "tau": 2}
    for key, k in (("a", 7), ("b", 3)):
        assert _fits(_column(fixed_m.build(**at), {"a": 7, "b": 3}, key, 1), _law(k, 0.8, 2))
    with Ball(96) as A:
        epsilon = A.number(1)
        results = [pair.profile(A, epsilon, way) for pair in fixed_m.MECHANISM.pairs(at) for way in Direction]
        exact = fixed_m_delta(A, epsilon=epsilon, **at)
        assert max(map(float, results)) == pytest.approx(float(exact), rel=1e-12)
        assert exact > cells.tight_rate(A, epsilon=epsilon, p=A.number("0.8"), tau=2)
