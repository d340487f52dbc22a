"""The user's own data: read, turned into rows, made into neighbours, and audited with no key of ours."""

import json
import sys
from collections import Counter

import pytest

from auditor.errors import AuditorError, MissingPackageError, UsageError
from auditor.inputs.data import Rows, as_rows, own_neighbours
from auditor.inputs.sources import custom_neighbours, dataset
from auditor.mechanism_audit import beyond
from auditor.mechanism_audit.request import MechanismRequest
from auditor.mechanism_audit.sampler import CROWD, Pace, Sampler
from auditor.target.target import as_target
from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, ReplaceUser
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

pytestmark = pytest.mark.usefixtures("verdict_alone")

STATES = {"NY": 5, "CA": 2, "TX": 1}
ROWS = [("u1", "NY", 1.0), ("u1", "CA", 2.0), ("u2", "NY", 1.0), ("u3", "TX", 3.0), ("u3", "TX", 4.0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.csv", "key,count\nNY,5\nCA,2\nTX,1\n", STATES),
        ("a.csv", "\ufeffcount,key\r\n5,NY\r\n2,CA\r\n1,TX\r\n", STATES),
        ("a.json", json.dumps(STATES), STATES),
        ("a.json", json.dumps([{"key": key, "count": count} for key, count in STATES.items()]), STATES),
        ("a.csv", "user,partition,value\nu1,NY,1\nu1,CA,2\nu2,NY,\nu3,TX,3\nu3,TX,4\n", Rows(ROWS)),
        ("a.json", json.dumps(ROWS), Rows(ROWS)),
        ("a.py", f"def data(rng):\n    return {STATES}\n", STATES),
        ("a.py", f"def data(rng):\n    return {ROWS}\n", Rows(ROWS)),
    ],
)
def test_data_are_read_whatever_their_form(name, text, expected, tmp_path):
    """By the names of their columns; a value that is missing is 1."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    source = str(tmp_path / name) + (":data" if name == "a.py" else "")
    assert dataset(source) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", "[[1, 2, 3, 4]]", "expected rows of user"),
        ("a.csv", "key,count\nNY,2.5\n", "invalid literal"),
        ("a.csv", "key,count\nNY,2\nNY,3\n", "a key twice"),
        ("a.csv", "user,partition\nu1,\n", "a partition without a name"),
        ("a.json", '[{"key": null, "count": 1}]', "a partition without a name"),
        ("a.json", "{", "cannot read the dataset"),
        ("a.json", "3", "expected rows of user"),
        ("a.txt", "NY", "expected --dataset FILE.csv"),
        ("a.py", "def data(rng):\n    return 1 / 0\n", "ZeroDivisionError"),
        ("a.py", "def data(rng):\n    return {'NY': -1}\n", "count >= 0"),
    ],
)
def test_data_that_are_none_are_refused_in_one_line(name, text, words, tmp_path):
    """What, and what is allowed."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    source = str(tmp_path / name) + (":data" if name == "a.py" else "")
    with pytest.raises(AuditorError, match=words) as told:
        dataset(source)
    assert "\n" not in str(told.value)


def test_parquet_needs_a_package_and_says_which(tmp_path, monkeypatch):
    """The remedy is in the message."""
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match="pip install pyarrow"):
        dataset(str(tmp_path / "a.parquet"))


def test_rows_are_a_histogram_of_users():
    """A user counts once a partition, however many rows he has there."""
    assert dict(Rows(ROWS)) == {"NY": 2, "CA": 1, "TX": 1}


def test_histograms_as_rows_differ_in_one_user():
    """Everybody else has one row."""
    left, right = as_rows({"a": 3, "b": 1, "c": 1}, {"a": 2, "b": 0, "c": 1, "d": 1})
    own = {user for user, *_ in set(left.rows) ^ set(right.rows)}
    assert len(own) == 1
    assert [key for user, key, _ in left.rows if user in own] == ["a", "b"]
    assert [key for user, key, _ in right.rows if user in own] == ["d"]
    others = [user for user, *_ in left.rows if user not in own]
    assert len(set(others)) == len(others) == 3


def test_users_of_several_keys_hold_as_many_as_the_histogram_has():
    """They are the same on both sides, with at most so many keys each, and every key has as many users as before."""
    left, right = as_rows({"a": 3, "b": 2, "c": 2, "d": 1}, {"a": 3, "b": 1, "c": 2, "d": 1}, each=2)
    assert dict(left) == {"a": 3, "b": 2, "c": 2, "d": 1}
    assert dict(right) == {"a": 3, "b": 1, "c": 2, "d": 1}
    (added,) = set(left.rows) - set(right.rows)
    assert added[1] == "b"
    assert left.together == right.together == 2
    assert as_rows({"a": 2, "b": 2}, {"a": 1, "b": 1})[0].together == 1


def keeps_the_largest(rows, rng):
    """Bound each user to one of his partitions, the one with most rows: one more user moves all of those tied."""
    sizes = Counter(partition for _user, partition, _value in rows)
    own = {}
    for user, partition, _value in rows:
        own.setdefault(user, set()).add(partition)
    counts = Counter(max(held, key=lambda partition: (sizes[partition], partition)) for held in own.values())
    return {partition: round(counts[partition] + rng.laplace()) for partition in "abc"}


@pytest.mark.slow
def test_what_is_kept_of_a_user_may_hang_on_others():
    """No input in which everybody else has one row shows more than one user's share."""
    audit = audit_mechanism(keeps_the_largest, epsilon="1", keys=("a", "b", "c"), rows=True, c_u=3, samples=20_000)
    assert audit.verdict is Verdict.REFUTED, audit.detail
    assert audit.pair.id.endswith(CROWD)
    assert audit.pair.id.count(CROWD) == 1


@pytest.mark.parametrize("data", [STATES, Rows(ROWS)], ids=["histogram", "rows"])
@pytest.mark.parametrize(
    "relation",
    [AddRemoveUser(1), AddRemoveUser(2), AddRemoveUser(2, per_key=2), ReplaceUser(), EachAnswer(2)],
    ids=repr,
)
def test_neighbours_of_the_data_keep_the_relation(data, relation):
    """In counts of users, and in rows of at most so many partitions and so many rows in each."""
    pairs = own_neighbours(data, relation)
    assert len({pair.id for pair in pairs}) == len(pairs) >= 1
    for pair in pairs:
        relation.check(pair.left, pair.right)
        if isinstance(data, Rows):
            moved = set(pair.left.rows) ^ set(pair.right.rows)
            assert len({user for user, *_ in moved}) == 1
            for side in (pair.left, pair.right):
                own = [row for row in side.rows if row[0] == next(iter(moved))[0]]
                held = {key: sum(row[1] == key for row in own) for _, key, _ in own}
                assert len(held) <= relation.most_changed
                assert max(held.values(), default=0) <= relation.per_key


def test_users_of_more_than_the_relation_allows_do_not_leave():
    """u1 is in two partitions, u3 has two rows in one."""
    leaving = [pair for pair in own_neighbours(Rows(ROWS), AddRemoveUser(1)) if "without" in pair.id]
    assert [set(pair.left.rows) - set(pair.right.rows) for pair in leaving] == [{ROWS[2]}]


@pytest.mark.slow
def test_ones_own_neighbours_are_asked_for():
    """As often as there are different ones."""

    def drop_one(data, rng):
        leaver = rng.integers(len(data))
        return data, [row for i, row in enumerate(data) if i != leaver]

    pairs = custom_neighbours(drop_one, Rows(ROWS), None, 0)
    assert 2 <= len(pairs) <= 5
    assert all(len(pair.left.rows) - len(pair.right.rows) == 1 for pair in pairs)
    with pytest.raises(UsageError, match="two inputs that differ"):
        custom_neighbours(lambda data, rng: (data, data), STATES, None, 0)
    with pytest.raises(UsageError, match="two inputs, got a int"):
        custom_neighbours(lambda data, rng: 3, STATES, None, 0)
    with pytest.raises(UsageError, match="expected --dataset"):
        MechanismRequest.of(max, None, {}, epsilon=1, neighbours=drop_one).read()


@pytest.mark.slow
def test_ones_own_neighbours_are_the_only_ones():
    """Where users move and none leaves the total is public: no pair of another relation is tried unless it is said."""

    def release(histogram, rng):
        return [histogram.get("NY", 0) + round(rng.laplace()), sum(histogram.values())]

    def moves(data, rng):
        return data, {**data, "NY": data["NY"] - 1, "CA": data["CA"] + 1}

    options = {"dataset": STATES, "neighbours": moves, "samples": 4000, "detect": "0.5"}
    audit = audit_mechanism(release, epsilon="1", **options)
    assert audit.verdict is Verdict.CONSISTENT, audit.detail
    assert [pair.id for pair in audit.tried] == ["custom 0"]
    others = audit_mechanism(release, epsilon="1", adjacency="add-remove", **options)
    assert others.verdict is Verdict.REFUTED, others.detail


def exact_counts(histogram, rng):
    """Release the counts of three states without noise, and nothing of others."""
    return {key: histogram[key] for key in sorted(histogram) if key in STATES}


@pytest.mark.slow
def test_a_release_without_noise_is_seen_on_the_users_own_keys():
    """With k0 it releases nothing."""
    audit = audit_mechanism(exact_counts, epsilon="1", dataset=STATES, samples=2000)
    assert audit.verdict is Verdict.REFUTED, audit.detail
    assert {*audit.pair.left} <= {*STATES}


class Known:
    """Says which keys it knows, and raises on others."""

    public_partitions = ("NY", "CA", "TX")

    def release(self, histogram, rng):
        return {key: STATES[key] - STATES[key] + count + rng.laplace() / 2 for key, count in histogram.items()}


@pytest.mark.slow
def test_public_partitions_are_asked_for():
    """Nobody has to name them, and none of ours is tried."""
    audit = audit_mechanism(Known(), epsilon="1", samples=2000)
    assert audit.verdict is Verdict.REFUTED, audit.detail
    assert not any(note.startswith("refuses") for note in audit.notes)


def engine(rows, rng):
    """Count the users of each partition above a threshold, with noise of half the scale it takes."""
    users = {}
    for user, partition, _value in rows:
        users.setdefault(partition, set()).add(user)
    noisy = {partition: len(own) + rng.laplace(scale=0.5) for partition, own in users.items()}
    return {partition: count for partition, count in noisy.items() if count > 6}


@pytest.mark.slow
def test_an_engine_of_rows_is_audited_on_rows():
    """Its threshold is found without a million users: no input is larger than the data."""
    states = [(f"u{key}{i}", key, 1.0) for key, count in STATES.items() for i in range(2 * count)]
    audit = audit_mechanism(engine, epsilon="1", delta="1e-3", dataset=states, samples=20_000)
    assert audit.verdict is Verdict.REFUTED, audit.detail


@pytest.mark.slow
def test_no_probe_is_larger_than_the_data():
    """Neither to see whether the generator is used, nor to find a threshold."""
    observations = []

    def watched(batch):
        observations.append(sum(batch.values()))

    with as_target(lambda histogram, rng: {}, "mechanism") as target:
        sampler = Sampler(target, Pace(10.0), largest=40)
        draw = target.sample
        target.sample = lambda given, *rest, **more: (watched(given), draw(given, *rest, **more))[1]
        sampler.look({"NY": 2}, 0)
    assert max(observations) <= 40


@pytest.mark.slow
def test_an_empty_input_that_is_refused_is_a_precondition():
    """An engine that takes no empty table: the input is the auditor's, and is left out."""

    def release(histogram, rng):
        if not histogram:
            raise ValueError("no rows")
        return sum(histogram.values()) + rng.geometric(0.5) - rng.geometric(0.5)

    audit = audit_mechanism(release, epsilon="1", samples=3000)
    assert audit.verdict is not Verdict.REFUTED, audit.detail
    assert any("refuses" in note and "no rows" in note for note in audit.notes)


@pytest.mark.slow
def test_the_sharper_test_is_named_where_it_would_help():
    """And is used where it is asked for."""

    def release(histogram, rng):
        return {key: count for key, count in histogram.items() if rng.random() < 0.05}

    pair = {"left": {"NY": 1}, "right": {}}
    plain = audit_mechanism(release, epsilon="1", delta="0.04", pair=pair, samples=2000)
    result = audit_mechanism(release, epsilon="1", delta="0.01", pair=pair, samples=2000, only_input_keys=True)
    assert any("--only-input-keys" in note for note in plain.notes)
    assert result.verdict is Verdict.REFUTED
    assert "--only-input-keys" in result.reproduce


@pytest.mark.slow
def test_rows_given_to_a_function_of_histograms_are_named():
    """As what it raises on, with what would be a histogram; no key is asked for."""

    def release(histogram, rng):
        return {key: round(count + rng.laplace()) for key, count in histogram.items()}

    audit = audit_mechanism(release, epsilon="1", dataset=ROWS, samples=64)
    assert audit.verdict is Verdict.UNDECIDED
    assert "raises" in audit.detail
    assert "rows of (user, partition, value)" in audit.detail
    assert "--keys" not in audit.detail


def counts_everybody(rows, rng):
    """Noise for one partition a user, of whom none is held to it."""
    counts = Counter(partition for _user, partition in {(user, partition) for user, partition, _value in rows})
    return {partition: counts[partition] + rng.laplace() for partition in "abcd"}


@pytest.mark.slow
def test_neighbours_reach_as_far_as_a_user_of_the_rows():
    """Whoever leaves the data leaves with all of his rows, unless it is told that one has fewer."""
    together = Rows([(user, partition, 1.0) for user in "uvw" for partition in "abcd"])
    assert together.reach == (4, 1)
    assert Rows(ROWS).reach == (2, 2)
    result = audit_mechanism(counts_everybody, epsilon="1", dataset=together, keys=tuple("abcd"), samples=20_000)
    assert (result.verdict, result.neighbours) == (Verdict.REFUTED, "one user more or less, in at most 4 keys"), (
        result.detail
    )
    told = audit_mechanism(counts_everybody, epsilon="1", dataset=together, c_u=1, samples=200, floating_point="ignore")
    assert told.verdict is not Verdict.REFUTED
    assert told.to_json()["neighbours"] == "one user more or less, in one key"
    assert any(note.startswith("3 of the 3 users of the data have more") for note in told.notes)
    assert "--c-u 1" in told.reproduce


@pytest.mark.slow
def test_a_threshold_beyond_a_small_sample_of_data_is_found():
    """The data are one user; inputs that are made up are larger."""

    def release(histogram, rng):
        return sorted(key for key, count in histogram.items() if count + rng.normal() > 20)

    audit = audit_mechanism(release, epsilon="1", delta="0.01", dataset={"NY": 1}, samples=64)
    assert 20 in {pair.left["NY"] for pair in audit.tried if "NY" in pair.left}


def bounded(keys, each):
    """Return a release of counts of rows, on a grid, of users of so many keys and rows in each; None: of all."""

    def release(rows, rng):
        held, counts = {}, Counter()
        for user, key, _ in rows:
            own = held.setdefault(user, Counter())
            if (key in own or keys is None or len(own) < keys) and (each is None or own[key] < each):
                own[key] += 1
                counts[key] += 1
        scale = (keys or 1) * (each or 1)
        noisy = {key: counts[key] + rng.laplace(0, scale) for key in sorted(counts)}
        return {key: round(64 * value) / 64 for key, value in noisy.items() if value > 1 + 8 * scale}

    return release


SINGLE = [(f"u{i}", "NY" if i % 3 else "CA", 1.0) for i in range(6)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "each", "who"), [(1, 1, None), (None, 1, "a user in 4 keys"), (1, None, "a user of 4 rows in one key")]
)
def test_who_bounds_no_user_is_not_green_on_data_whose_users_are(keys, each, who, monkeypatch):
    """Of data with one row a user nothing is said of users with more, unless the target bounds them, or it is told."""
    monkeypatch.setattr(beyond, "BEYOND_RELEASES", 1024)
    options = {
        "epsilon": "1",
        "delta": "1/100",
        "dataset": SINGLE,
        "detect": "0.9",
        "samples": 40_000,
        "values": (1, 1),
    }
    audit = audit_mechanism(bounded(keys, each), **options)
    if who is None:
        assert audit.verdict is Verdict.CONSISTENT, audit.detail
        notes = [note for note in audit.notes if note.startswith("beyond your data and options")]
        assert any("a user in 4 keys" in note and "a user of 4 rows in one key" in note for note in notes)
        return
    assert audit.verdict is Verdict.UNDECIDED
    assert audit.detail.startswith(f"undecided: {who} leads to a violation")
    assert "--c-u gives the most keys of one user" in audit.detail
    result = audit_mechanism(bounded(keys, each), **options, c_u=1, per_key=1)
    assert result.verdict is Verdict.CONSISTENT, result.detail


def sums(low, high):
    """Return a release of the sum of the values between two ends, on a grid, with noise for values up to 3."""

    def release(rows, rng):
        total = sum(min(high, max(low, value)) for *_, value in rows)
        return round(8 * (total + rng.laplace(0, 4))) / 8

    return release


PAID = [("ann", "tea", 1.5), ("bob", "tea", -3.0), ("cy", "tea", 2.0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "values", "verdict", "words"),
    [
        ((-3, 3), None, Verdict.CONSISTENT, "beyond your data and options, tried without a violation"),
        ((-99, 99), None, Verdict.UNDECIDED, "leads to a violation, and neither your data nor your options allow"),
        ((-99, 99), (-3, 3), Verdict.CONSISTENT, "values -3 to 3; neighbours: one user more or less, in one key"),
        ((-99, 99), (-3, 30), Verdict.REFUTED, "refutes"),
    ],
    ids=["clipped", "not clipped", "told", "told of larger ones"],
)
def test_who_clips_no_value_is_not_green_on_data_of_small_ones(ends, values, verdict, words):
    """Neighbours have values as the data have, unless it is told which there are."""
    options = {"epsilon": "1", "dataset": PAID, "c_u": 1, "per_key": 1, "detect": "0.1"}
    audit = audit_mechanism(sums(*ends), **options, values=values)
    assert audit.verdict is verdict, audit.detail
    assert any(words in told for told in (audit.detail, *audit.notes))
    assert ("--values" in audit.reproduce) == (values is not None)


def test_one_for_another_changes_a_value_too():
    """From the value furthest from 0 to the one nearest."""
    pairs = own_neighbours(Rows([*PAID, ("dee", "milk", 1.0)]), ReplaceUser(), (0.0, 9.0))
    [moved] = [pair for pair in pairs if "another value" in pair.id]
    assert [side.rows[-1][2] for side in (moved.left, moved.right)] == [9.0, 0.0]


@pytest.mark.parametrize("values", [(3, 1), (0, float("inf")), (float("nan"), 1)])
def test_values_are_finite_and_in_order(values):
    """Told with what is allowed."""
    with pytest.raises(UsageError, match=r"expected --values LOW:HIGH, finite and in order, then only nan"):
        MechanismRequest(target="a.py:b", values=values)


@pytest.mark.parametrize(
    ("values", "wider"),
    [((0.0, 1.0), r"--values=-3\.0:2\.0,"), ((-3.0, 1.0, float("nan")), r"--values=-3\.0:2\.0,nan,")],
)
def test_a_declared_range_that_the_data_violate_is_refused(values, wider):
    """In one line, with the range that holds all values."""
    with pytest.raises(UsageError, match=rf"hold all values of the data, got [-\d.]+ outside .*give {wider}"):
        audit_mechanism(sums(-3, 3), epsilon="1", dataset=PAID, values=values)
