"""The unknown-domain algorithms: laws, conventions, bad input."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy import stats

from mechanisms.baselines import binary_mechanism, exponential_mechanism, permute_and_flip, report_noisy_max
from mechanisms.baselines.binary_mechanism import PrefixNoise, prefix_noise
from mechanisms.noise import gumbel
from mechanisms.unknown_domain.binary import mechanism as unknown_domain_binary
from mechanisms.unknown_domain.gumbel import mechanism as unknown_domain_gumbel
from mechanisms.unknown_domain.histogram import gaussian as unknown_domain_gaussian
from mechanisms.unknown_domain.histogram import laplace as unknown_domain_laplace
from mechanisms.unknown_domain.pay_what_you_get import mechanism as unknown_domain_pay_what_you_get
from mechanisms.unknown_domain.release import BOTTOM, by_label, decode
from mechanisms.unknown_domain.top import mechanism as unknown_domain_top
from mechanisms.unknown_domain.top.mechanism import UnknownDomainTop
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.rogers2024.neighbours import users
from proofs_numeric.rogers2024.peeling import peel
from proofs_numeric.rogers2024.thresholds import threshold_of_statement
from proofs_numeric.statements.adjacency import EventLevel, encode
from proofs_numeric.statements.neighbours import Direction

N = 100_000
LEVEL = 1e-10


def _agrees(hits: int, n: int, probability: float) -> bool:
    """Two-sided exact binomial test at a level that never fails by chance."""
    return bool(stats.binomtest(hits, n, probability).pvalue > LEVEL)


@pytest.mark.parametrize("module", [unknown_domain_gaussian, unknown_domain_laplace, unknown_domain_binary])
def test_new_items_appear_as_often_as_their_exact_mass(module):
    """The profile of the new-item pair at a large epsilon is the mass of anything released."""
    spec = module.MECHANISM
    pair = spec.pairs(spec.parameters)[0]
    mass = float(pair.profile(Float64(), 10.0, Direction.FORWARD))
    _keys, values = spec.build(**spec.parameters).release_many(pair.left, N, np.random.default_rng(1))
    assert _agrees(int((~np.isnan(values)).any(axis=1).sum()), N, mass)


@pytest.mark.slow
@pytest.mark.parametrize("module", [unknown_domain_gumbel, unknown_domain_pay_what_you_get], ids=["alg3", "alg4"])
def test_lists_come_as_often_as_the_peeling_law_says(module):
    """Every cell of the exact law of every declared pair, both sides."""
    spec = module.MECHANISM
    mechanism = spec.build(**spec.parameters)
    for pair in spec.pairs(spec.parameters):
        for histogram, law in ((pair.left, "left"), (pair.right, "right")):
            exact = pair.profile.keywords[law](Float64())
            keys, values = mechanism.release_many(histogram, N, np.random.default_rng(2))
            counted = _lists(keys, values, flat=module is unknown_domain_gumbel)
            assert set(counted) <= set(exact)
            assert all(_agrees(counted.get(y, 0), N, min(1.0, float(p))) for y, p in exact.items())


def _lists(keys, values, *, flat):
    rows, ways = np.unique(np.nan_to_num(values), axis=0, return_counts=True)
    counted = {}
    for row, ways_of_row in zip(rows, ways, strict=True):
        rounds = {}
        for key, rank in zip(keys, row, strict=True):
            head, _slash, item = ("1", "/", key) if flat else key.partition("/")
            if rank:
                rounds.setdefault(int(head), []).append((rank, item))
        lists = tuple(tuple(item for _rank, item in sorted(entries)) for _round, entries in sorted(rounds.items()))
        counted[lists[0] if flat else lists] = int(ways_of_row)
    return counted


@pytest.mark.parametrize(
    ("module", "law"),
    [
        (exponential_mechanism, exponential_mechanism.choices),
        (report_noisy_max, exponential_mechanism.choices),
        (permute_and_flip, permute_and_flip.choices),
    ],
    ids=["em", "rnm", "pf"],
)
def test_selections_follow_their_laws(module, law):
    """Three ways to choose one key."""
    counts = {"a": 3, "b": 2}
    keys, values = module.build(beta=1).release_many(counts, N, np.random.default_rng(3))
    exact = law(Float64(), counts=counts, beta=1)
    assert all(_agrees(int((values[:, i] == 1).sum()), N, float(exact[key])) for i, key in enumerate(keys))
    assert np.all((~np.isnan(values)).sum(axis=1) == 1)


def test_permute_and_flip_is_the_better_choice():
    """It picks the best key more often than the exponential mechanism of the same epsilon."""
    counts = {"a": 2, "b": 1, "c": 1}
    laws = (
        module.choices(Float64(), counts=counts, beta=1)["a"] for module in (permute_and_flip, exponential_mechanism)
    )
    assert float(next(laws)) > float(next(laws))


@pytest.mark.parametrize("x", [-1.0, 0.0, 2.0])
def test_gumbel_noise_follows_its_distribution_function(x):
    """And the tail and the density belong to it."""
    A = Float64()
    draws = gumbel.sample(np.random.default_rng(4), (N,), scale=1.5)
    below = float(gumbel.cdf(A, x, scale=1.5))
    assert _agrees(int((draws <= x).sum()), N, below)
    assert below + float(gumbel.survival(A, x, scale=1.5)) == pytest.approx(1)
    slope = (float(gumbel.cdf(A, x + 1e-6, scale=1.5)) - float(gumbel.cdf(A, x - 1e-6, scale=1.5))) / 2e-6
    assert float(gumbel.pdf(A, x, scale=1.5)) == pytest.approx(slope, rel=1e-6)


def test_peeling_laws_have_mass_one_in_every_arithmetic():
    """Rationals exactly, balls as an enclosure of one."""
    weights = {"a": Fraction(2), "b": Fraction(3), "c": Fraction(5)}
    assert sum(peel(weights, Fraction(7), 2).values()) == 1
    with Ball(64) as A:
        assert A.sum(peel({k: A.number(w) for k, w in weights.items()}, A.number(7), 2).values()).contains(1)


def test_u3_has_the_known_profile():
    """The pair whose suppressed count shares a cell: H at 0, 1, 2, from SciPy quadrature on a fine grid."""
    A = Float64()

    def lead(B):
        return threshold_of_statement(B, L=3, delta_0=1, epsilon=1, delta=Fraction(1, 10)) - 1

    stated = unknown_domain_binary.returning(delta_0=1, sigma=1, delta="1/10")
    swap = {name: partial(f.func, **(f.keywords | {"lead": lead})) for name, f in stated.keywords.items()}
    profile = partial(stated.func, **swap)
    values = [float(profile(A, e, Direction.FORWARD)) for e in (0, 1, 2)]
    assert values == pytest.approx([0.0496370750, 0.0284171180, 0.00165587657], rel=1e-8)
    assert float(profile(A, 0, Direction.BACKWARD)) == pytest.approx(values[0], rel=1e-6)
    assert float(profile(A, Fraction(1, 2), Direction.BACKWARD)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("L", "names"), [(1, ["u1"]), (2, ["u1"]), (3, ["u1", "u3"]), (64, ["u2"])])
def test_streams_of_any_length_have_pairs(L, names):
    """New items where their mass is an integral over few rounds, a moved path of cells where counts are high."""
    pairs = unknown_domain_binary.MECHANISM.pairs({"L": L, "delta_0": 1, "sigma": 1, "delta": "1/20"})
    assert [pair.id for pair in pairs] == names
    for pair in pairs:
        pair.check()
        assert 0 < float(pair.profile(Float64(), np.float64(0.0), Direction.FORWARD)) < 1


def test_the_longest_path_is_tight_and_uncensored():
    """U2 at 64 rounds: six cells moved, and no count of round 33 or later stays below T but with chance 1e-45."""
    parameters = {"L": 64, "delta_0": 1, "sigma": 1, "delta": "1/20"}
    (pair,) = unknown_domain_binary.MECHANISM.pairs(parameters)
    mu = math.sqrt(6)
    exact = stats.norm.cdf(mu / 2 - 1 / mu) - math.e * stats.norm.cdf(-mu / 2 - 1 / mu)
    assert float(pair.profile(Float64(), np.float64(1.0), Direction.FORWARD)) == pytest.approx(exact, rel=1e-12)
    T = unknown_domain_binary.build(**parameters).threshold
    below = [stats.norm.logsf((r - 1 - T) / math.sqrt(r.bit_count())) for r in range(33, 65)]
    assert max(below) < math.log(1e-45)


def test_prefix_noise_reuses_cells():
    """Covariance of two rounds is the number of cells they share: rounds 6 and 7 share [1..4] and [5..6]."""
    noise = prefix_noise(7, N, 1.0, np.random.default_rng(5))
    covariance = np.cov(noise[:, [3, 5, 6]].T)
    assert np.allclose(covariance, [[1, 1, 1], [1, 2, 2], [1, 2, 3]], atol=0.06)


def test_the_streaming_counter_has_the_same_noise_structure():
    """Differences of consecutive noises: round 7 adds one fresh cell to round 6's noise."""
    rng = np.random.default_rng(6)
    noise = PrefixNoise(1.0, rng, items=N)
    rows = [noise.advance() for _round in range(7)]
    assert len(noise.stack) == 3
    assert np.std(rows[6] - rows[5]) == pytest.approx(1, abs=0.03)
    assert np.cov(rows[5], rows[3])[0, 1] == pytest.approx(1, abs=0.06)
    assert np.cov(rows[2], rows[3])[0, 1] == pytest.approx(0, abs=0.06)


def test_late_items_get_noise_on_the_cells_in_use():
    """An item new at round 8 after seven rounds: its count of round 7's cells has variance three."""
    noise = PrefixNoise(1.0, np.random.default_rng(8))
    for _round in range(7):
        noise.advance()
    noise.admit(N)
    assert np.var(noise.stack[-1]) == pytest.approx(3, abs=0.15)
    assert np.var(noise.advance()) == pytest.approx(1, abs=0.05)


def test_the_streaming_run_keeps_one_cell_a_digit():
    """Memory of a million rounds is the number of digits one of the round."""
    mechanism = unknown_domain_binary.build(L=10**6, delta_0=2, sigma=1, delta="1e-6")
    run = mechanism.start(np.random.default_rng(9))
    for _round in range(2000):
        run.step(("u",))
    assert len(run.noise.stack) == (2000).bit_count()
    assert run.step(("u", "v")).keys() == {"u"}


def test_adaptive_streams_pay_for_every_entry():
    """The analyst sees the lists so far; at most k* entries, bottom among them."""
    mechanism = unknown_domain_pay_what_you_get.build(l_star=9, k_star=4, k_bar=2, k=2, beta=1, delta="1/100")

    def analyst(lists):
        return {"a": 60, "b": 30} if len(lists) % 2 else {"a": 1}

    lists = mechanism.release_stream(analyst, np.random.default_rng(10))
    assert sum(map(len, lists)) == 4
    assert lists[0] == (BOTTOM,)
    assert lists[1] == ("a", "b")


def test_ranks_are_in_falling_order_and_end_with_bottom():
    """Ranks 1, 2, ... without gaps; a full list has no bottom."""
    mechanism = unknown_domain_gumbel.build(k_bar=3, k=2, beta=1, delta="1/20")
    keys, values = mechanism.release_many({"a": 9, "b": 9, "c": 1}, 2000, np.random.default_rng(11))
    output = np.sort(np.nan_to_num(values, nan=np.inf), axis=1)
    length = (~np.isnan(values)).sum(axis=1)
    assert keys == ("a", "b", "c", BOTTOM)
    assert np.all((length >= 1) & (length <= 2))
    assert all(list(row[:n]) == list(range(1, n + 1)) for row, n in zip(output, length, strict=True))


def test_a_stream_is_one_histogram():
    """Rounds and items survive the encoding."""
    rounds = [{"a": 2}, {}, {"b": 1}]
    assert decode(encode(rounds), 3) == {1: {"a": 2}, 2: {}, 3: {"b": 1}}


BAD = {
    "delta": (
        partial(unknown_domain_gaussian.build, delta_0=1, delta_inf=1, sigma=1), {"delta": 1},
        r"0 < delta < 1 .*got delta=1",
    ),
    "threshold": (
        partial(unknown_domain_laplace.build, delta_0=1, delta_inf=1), {"b": 10, "delta": "0.9"},
        r"threshold 0 < T < infinity .*got T=-4.87787; T > 0 needs delta < delta_0 / 2",
    ),
    "k": (partial(unknown_domain_gumbel.build, k_bar=2, beta=1, delta="1/2"), {"k": 3}, r"k <= k_bar=2 .*got k=3"),
    "L": (partial(unknown_domain_binary.build, delta_0=1, sigma=1, delta="1/2"), {"L": 0}, r"integer L >= 1 .*got L=0"),
    "sigma": (
        partial(unknown_domain_top.build, k_bar=1, delta_0=1, delta_inf=1, delta="1/20"), {"sigma": 0},
        r"sigma > 0 .*sigma=0",
    ),
    "ties": (
        partial(UnknownDomainTop, 1, 1.0, 3.0, 2.0**-10), {"ties": None},
        r"order of labels .*got ties=None; pass ties=by_label",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_in_one_line(name):
    """Expected, got, remedy."""
    build, values, message = BAD[name]
    with pytest.raises(ValueError, match=message) as error:
        build(**values)
    assert "\n" not in str(error.value)


def test_an_event_with_too_many_items_is_refused():
    """Batch and stream alike."""
    mechanism = unknown_domain_binary.build(L=2, delta_0=1, sigma=1, delta="1/20")
    with pytest.raises(ValueError, match="at most delta_0=1 items in an event, got 2 at round 2"):
        mechanism.release_many(encode([["u"], ["u", "v"]]), 1, np.random.default_rng(0))
    with pytest.raises(ValueError, match="at most delta_0=1 items in an event, got 2 at round 1"):
        mechanism.start(np.random.default_rng(0)).step(("u", "v"))


def test_a_stream_that_goes_on_is_refused():
    """The threshold was set for L rounds."""
    run = unknown_domain_binary.build(L=1, delta_0=1, sigma=1, delta="1/20").start(np.random.default_rng(0))
    run.step(())
    with pytest.raises(ValueError, match="at most L=1 rounds, got round 2; T was set for L rounds"):
        run.step(())


def test_a_declared_stream_that_goes_on_is_refused():
    """Rho was set for L rounds, and every round has one increment an item."""
    run = binary_mechanism.build(L=1, delta_0=2, sigma=1).start(np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"one increment for each of 2 items, got shape \(3,\)"):
        run.step(np.ones(3))
    run.step(np.ones(2))
    with pytest.raises(ValueError, match="at most L=1 rounds, got round 2; rho was set for L rounds"):
        run.step(np.ones(2))


def test_an_event_is_a_set():
    """An item that occurs twice in a round is refused, not counted once."""
    mechanism = unknown_domain_binary.build(L=2, delta_0=2, sigma=1, delta="1/20")
    with pytest.raises(ValueError, match=r"at most once in an event, got \['u'\] again at round 1"):
        mechanism.release({"1/u": 2}, np.random.default_rng(0))


def test_neighbours_that_are_not_monotone_are_refused():
    """One up, one down is no user added or removed."""
    with pytest.raises(ValueError, match="all changes of one sign"):
        users({"delta_0": 2}).check({"a": 2, "b": 1}, {"a": 1, "b": 2})
    with pytest.raises(ValueError, match="one round only"):
        EventLevel(2).check(encode([["u"], ["u"]]), {})


def test_ties_go_by_the_declared_order_not_by_row():
    """The same histogram in another row order gives the same top."""
    mechanism = UnknownDomainTop(1, 1.0, 1.0, 2.0**-10, ties=by_label)
    tops = {mechanism.release_many(h, 1, np.random.default_rng(0))[0] for h in ({"a": 5, "b": 5}, {"b": 5, "a": 5})}
    assert tops == {("a",)}
