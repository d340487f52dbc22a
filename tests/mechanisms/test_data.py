"""The word counts that notebooks and tests of every family share."""

import pytest

from mechanisms.data import word_counts


def test_word_counts_are_what_their_source_statement_says() -> None:
    """The statement's numbers and order are those of the file."""
    counts = word_counts()
    assert (len(counts), sum(counts.values())) == (26414, 913572)
    assert list(counts.items()) == sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    assert set("".join(counts)) <= set("abcdefghijklmnopqrstuvwxyz'")


def test_nobody_can_change_the_counts_for_others() -> None:
    """The one copy that all callers share is read-only."""
    with pytest.raises(TypeError):
        word_counts()["the"] = 0  # type: ignore[index]
