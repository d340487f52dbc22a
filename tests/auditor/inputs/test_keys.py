"""Keys that a target may take for one key."""

import unicodedata

import pytest

from auditor.inputs.constants import counts_of_code
from auditor.inputs.histograms import HistogramModel
from auditor.inputs.keys import LONG, UNUSUAL, alike
from proofs_numeric.statements.adjacency import AddRemoveUser


@pytest.mark.parametrize("key", ["k0", "Old Mill", "Zoë", "12"])
def test_each_kind_has_different_keys_that_a_usual_clean_up_merges(key):
    """Case, blanks, Unicode form and the first 255 characters."""
    found = {name.removeprefix(f"a key like {key!r} but for "): keys for name, keys in alike([key])}
    assert ("case" in found) == (key.casefold() != key or key.upper() != key)
    clean = {
        "case": str.casefold,
        "blanks": str.strip,
        "its Unicode form": lambda text: unicodedata.normalize("NFKC", text),
        f"keys of {LONG + 1} characters": lambda text: text[:255],
    }
    for name, keys in found.items():
        assert len({*keys}) == len(keys) > 1
        if name in clean:
            assert len({clean[name](each) for each in keys}) == 1
    assert found["the empty key"] == ("", key)
    assert {*clean} - {*found} <= {"case"}


def _is_unusual(candidate):
    """Whether a pair has the empty key or a key outside ASCII."""
    return any(name in candidate.pair.id for name in UNUSUAL)


@pytest.mark.parametrize("beyond", [False, True])
def test_pairs_of_keys_alike_are_beyond_the_data_if_the_data_have_keys(beyond):
    """Unusual keys always are; one user holds both keys, if the relation allows; one key alike may be new."""
    model = HistogramModel(("k0",), has_keys=False, adjacency=AddRemoveUser(2), largest=1000, seed=1)
    pairs = [*model.alike(opened=True, beyond=beyond)]
    assert {bool(one.beyond) for one in pairs if not _is_unusual(one)} == {beyond}
    assert all(one.beyond for one in pairs if _is_unusual(one))
    assert any(one.pair.left == {"k0": 1, "K0": 1} and one.pair.right == {} for one in pairs)
    new = [one.pair for one in pairs if one.pair.left == {"k0": 40, "K0": 1} and one.pair.right == {"k0": 40}]
    assert {(*pair.left,) for pair in new} == {("k0", "K0"), ("K0", "k0")}


def test_every_key_has_keys_alike_and_those_among_the_known_keys_are_no_new_ones():
    """All keys, not the first alone; where no other key is possible, only keys that are known."""
    model = HistogramModel(("k0", "Mill", "Gate"), has_keys=True, adjacency=AddRemoveUser(2), largest=1000, seed=1)
    found = [*model.alike(opened=True, beyond=True)]
    assert {key for one in found for key in one.pair.left} >= {"K0", "mILL", "Mill ", "Gate "}
    assert not [*model.alike(opened=False, beyond=True)]
    model = HistogramModel(("k0", "Mill", "mill "), has_keys=True, adjacency=AddRemoveUser(2), largest=1000, seed=1)
    known = [*model.alike(opened=False, beyond=True)]
    assert {key for one in known for key in one.pair.left} == {"Mill", "mill "}
    assert not any(one.beyond for one in known)


def test_a_number_of_the_code_is_a_count_to_try(tmp_path):
    """A compared number comes first, none is too large; the pairs are the number and one more, one user less each."""
    file = tmp_path / "spike.py"
    file.write_text("def release(h, rng):\n    noise = 40 * (h['a'] != 777)\n    return h['a'] + noise\n")
    assert counts_of_code([(str(file), 1, 2, 3)], 1000) == (777, 40)
    assert counts_of_code([(str(file), 1, 2, 3)], 776) == (40,)
    model = HistogramModel(("a",), has_keys=True, adjacency=AddRemoveUser(1), largest=1000, seed=1)
    pairs = [(one.pair.left, one.pair.right, one.beyond) for one in model.of_counts((777,))]
    assert pairs == [({"a": 777}, {"a": 776}, ""), ({"a": 778}, {"a": 777}, "")]
