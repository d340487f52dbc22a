"""The estimate of a privacy loss from coupled releases, and the search of pairs with a large one."""

import importlib
import math
from itertools import islice

import numpy as np
import pytest

from auditor.inputs.candidates import Candidate
from auditor.inputs.histograms import HistogramModel
from auditor.inputs.rows import RowModel
from auditor.inputs.search import Search
from auditor.inputs.strategies import draw_pairs, histogram_pairs, row_pairs
from auditor.inputs.values import Values
from auditor.target.target import as_target
from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, ReplaceUser
from proofs_numeric.statements.neighbours import Neighbours
from tests.auditor.inputs import targets


class Asked:
    """Draws from a live mechanism."""

    def __init__(self, release, fails=()):
        self.target, self.calls, self.fails = as_target(release, "mechanism"), 0, fails

    def survey(self, inputs, n, seed, seconds):
        self.calls += 1
        return self.target.survey([getattr(one, "rows", one) for one in inputs], n, seed, seconds, cover=True)


def search(release, limit=None):
    """Return a search of so many pairs."""
    return Search(Asked(release), 3, lambda: 0.0, 1.0, limit)


def loss(release, left, right):
    """Return the estimate of one pair."""
    with (pair_search := search(release)).surveyor.target:
        return pair_search.estimate_again([Candidate(Neighbours("pair", left, right), "")])[0].loss


@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
def test_the_estimate_of_added_noise_is_about_the_change_over_its_scale(scale):
    """Within a third: the scale is that of 64 releases."""

    def release(histogram, rng):
        return {"a": histogram.get("a", 0) + rng.laplace(0, scale)}

    assert loss(release, {"a": 2}, {"a": 1}) == pytest.approx(1 / scale, rel=1 / 3)
    assert loss(release, {"a": 2}, {"a": 2}) == 0.0


def test_what_no_noise_hides_has_the_largest_estimate():
    """A number without noise, another form of the output, and an exception on one side alone."""

    def exact(histogram, rng):
        return {"noisy": rng.laplace(0, 1.0), "exact": histogram["a"]}

    def longer(histogram, rng):
        return [rng.laplace(0, 1.0) for _ in range(histogram["a"])]

    def raises(histogram, rng):
        return 1 / (histogram["a"] - 1) + rng.laplace(0, 100.0)

    assert loss(exact, {"a": 2}, {"a": 1}) == 20
    assert loss(longer, {"a": 2}, {"a": 1}) == 20
    assert loss(raises, {"a": 2}, {"a": 1}) == 20


@pytest.mark.parametrize(
    ("wrong", "right", "model"),
    [
        (
            targets.first_rows,
            targets.all_rows,
            RowModel(None, targets.SHOPS, Values(), 1, 1, replaces=False, declared=(True, True), seed=5),
        ),
        (
            targets.wraps,
            targets.adds,
            HistogramModel(("a", "b"), has_keys=True, adjacency=AddRemoveUser(1), largest=2**20, seed=5),
        ),
    ],
)
def test_the_catalogue_finds_data_that_only_the_wrong_version_shows(wrong, right, model):
    """Its best estimate is beyond twice that of the right one's."""
    best = []
    for release in (wrong, right):
        with (pair_search := search(release, limit=5000)).surveyor.target:
            pair_search.rank(model.powers(7, 20) if isinstance(model, HistogramModel) else ())
            pair_search.rank(model.candidates())
            best.append(pair_search.best()[0].loss)
    assert best[0] > 2 * best[1]


def test_a_search_is_replayed_by_its_number_of_pairs_and_keeps_data_that_ran_new_lines():
    """The same pairs are ranked in the same order, and no more of them."""
    model = HistogramModel(("a", "b"), has_keys=True, adjacency=AddRemoveUser(1), largest=1000, seed=5)
    ranked = []
    for _ in range(2):
        with (pair_search := search(targets.adds, limit=20)).surveyor.target:
            pair_search.rank(model.candidates())
            ranked.append([(one.candidate.pair.id, one.loss) for one in pair_search.estimates])
            assert pair_search.reached
            assert any(file.endswith("targets.py") for file, *_ in pair_search.steps)
    assert ranked[0] == ranked[1]
    assert len(ranked[0]) == 20


@pytest.mark.parametrize("adjacency", [AddRemoveUser(2), ReplaceUser(), EachAnswer(3)])
def test_strategies_draw_neighbours_of_any_adjacency(adjacency):
    """Each is a pair under the relation; counts are small and large."""
    model = HistogramModel(("a", "b", "c"), has_keys=True, adjacency=adjacency, largest=1000, seed=5)
    pairs = [one.pair for one in draw_pairs(histogram_pairs(model, [{"a": 3}]), 40, seed=1)]
    for pair in pairs:
        adjacency.check(pair.left, pair.right)
    observations = [max(pair.left.values()) for pair in pairs]
    assert max(observations) > 12 > min(observations)


def test_rows_that_are_drawn_keep_to_the_range():
    """Values lie within the declared range."""
    model = RowModel(None, ("a",), Values(0.0, 2.0), 1, 3, replaces=False, declared=(True, True), seed=5)
    drawn = draw_pairs(row_pairs(model, []), 20, seed=1)
    observations = [value for candidate in drawn for *_, value in candidate.pair.left.rows]
    assert observations
    assert all(0.0 <= value <= 2.0 for value in observations)


def test_data_on_which_a_target_dies_are_left_out_beyond_the_known_and_reported_within():
    """What it was never promised for says nothing."""

    def release(rows, rng):
        if any(value > 100 for *_, value in rows):
            raise SystemExit(3)
        return len(rows) + rng.laplace(0, 1.0)

    model = RowModel(None, ("a",), Values(0.0, 2.0), 1, 1, replaces=False, declared=(True, True), seed=5)
    with (pair_search := search(release, limit=10**6)).surveyor.target:
        pair_search.rank(model.beyond())
    assert {one.beyond for one in pair_search.refused_pairs} >= {"a value of 1e+06"}


def test_an_exception_beyond_the_data_is_an_output_at_finite_values_and_else_a_precondition():
    """A value of the right type can occur; a missing value, and a user larger than any, need a declaration."""

    def release(rows, rng):
        if len(rows) > 2:
            raise ValueError("too many rows")
        return sum(math.log(value) for *_, value in rows) + rng.laplace(0, int(rows[0][2]) if rows else 1)

    model = RowModel(None, ("a",), Values(1.0, 2.0), 1, 1, replaces=False, declared=(True, False), seed=5)
    with (found := search(release, limit=10**6)).surveyor.target:
        found.rank(islice(model.candidates(), 8))  # the target takes the user whom the audit invents
        found.rank(model.beyond())
    losses = {one.candidate.beyond: one.loss for one in found.estimates}
    assert losses["a value of -1"] == losses["a value of -1e+06"] == 20
    assert {"NaN", "infinity", "a user of 4 rows in one key"} == {*found.preconditions}
    errors = {error.rpartition(":")[0] for error, _remedy in found.preconditions.values()}
    assert errors == {"ValueError at test_search.py", "OverflowError at test_search.py"}


def test_losses_of_several_numbers_add_or_their_squares_do():
    """Under Gaussian noise three in one number outweigh one in each of three."""

    def release(histogram, rng):
        return {key: histogram.get(key, 0) + rng.normal(0, 1.0) for key in ("a", "b", "c")}

    apart, together = {"a": 1, "b": 1, "c": 1}, {"a": 3}
    for order, ratio in ((1, 1.0), (2, math.sqrt(3))):
        with (found := search(release)).surveyor.target:
            found.order = order
            pairs = [Candidate(Neighbours(name, side, {}), "") for name, side in (("t", together), ("a", apart))]
            (one, other) = (found.estimate_again([pair])[0].loss for pair in pairs)
        assert one / other == pytest.approx(ratio, rel=0.3)


def test_the_same_seed_draws_the_same_pairs_whatever_modules_are_loaded(tmp_path, monkeypatch):
    """Hypothesis draws constants of the modules of the folder it runs in; an audit's replay may run elsewhere."""
    model = HistogramModel(("a", "b"), has_keys=True, adjacency=AddRemoveUser(1), largest=2**20, seed=5)
    draws = []
    for _ in range(2):
        draws.append([one.pair for one in draw_pairs(histogram_pairs(model, []), 150, seed=1)])
        numbers = ", ".join(str(1000 + 37 * place) for place in range(100))
        (tmp_path / "project_of_user.py").write_text(f"NUMBERS = [{numbers}]\n")
        monkeypatch.syspath_prepend(tmp_path)
        importlib.import_module("project_of_user")
    assert draws[0] == draws[1]


@pytest.mark.parametrize("keys", [2, 3, 5, 6, 7])
def test_sums_of_counts_pass_each_power_of_two_exactly(keys):
    """One side holds the power, the other one user less: a total of 16 or 32 bits overflows between them."""
    names = tuple("abcdefg"[:keys])
    model = HistogramModel(names, has_keys=True, adjacency=AddRemoveUser(1), largest=2**33, seed=5)
    for power in (16, 31):
        pairs = [one.pair for one in model.powers(power, power)]
        assert {sum(pair.left.values()) for pair in pairs} == {2**power}
        assert {sum(pair.right.values()) for pair in pairs} == {2**power - 1}
        assert {len(pair.left) for pair in pairs} >= {1, 2, min(6, keys)}
        assert {key for pair in pairs if len(pair.left) == 1 for key in pair.left} == {*names}


@pytest.mark.parametrize(("precision", "least", "most"), [(np.float32, 25, 32), (np.float16, 12, 15)])
def test_a_count_in_less_than_double_precision_jumps_by_more_than_one(precision, least, most):
    """One user less, and the rounded count is lower by a whole step of the type."""
    model = HistogramModel(("a",), has_keys=True, adjacency=AddRemoveUser(1), largest=2**33, seed=5)
    pairs = [one.pair for one in model.roundings(least, most)]
    jumps = [float(precision(pair.left["a"])) - float(precision(pair.right["a"])) for pair in pairs]
    assert sum(jump > 1 for jump in jumps) == most - least + 1


def test_no_invented_input_has_more_users_than_declared():
    """The catalogue and the drawn pairs keep to `tried`; more users than the data have are beyond them."""
    model = HistogramModel(("a", "b", "c"), has_keys=True, adjacency=EachAnswer(3), largest=100, seed=5, limit=4000)
    drawn = draw_pairs(histogram_pairs(model, []), 100, 3)
    every = [*model.candidates(), *model.powers(5, 33), *model.of_code(["root"]), *drawn]
    assert 2000 < max(sum(one.pair.left.values()) for one in every) <= 4000
    powers = [*model.powers(5, 33)]
    assert {bool(one.beyond) for one in powers} == {False, True}
    for one in powers:
        assert bool(one.beyond) == (sum(one.pair.left.values()) > 100)
        assert ("--largest-count" in one.remedy) == bool(one.beyond)
