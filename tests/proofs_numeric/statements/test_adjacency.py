"""What a reader sees of an adjacency: words, with the most that changes."""

import pytest

from proofs_numeric.statements.adjacency import AddRemoveUser, EachAnswer, EventLevel, ReplaceUser, SparseMonotone


@pytest.mark.parametrize(
    ("adjacency", "words"),
    [
        (AddRemoveUser(1), "one user more or less, in one key"),
        (AddRemoveUser(2000, 3), "one user more or less, in at most 2,000 keys, by at most 3 in each"),
        (ReplaceUser(), "one user for another, each in one key"),
        (EachAnswer(2), "each answer moved either way, in at most 2 answers"),
        (SparseMonotone(4, 2), "at most 4 keys each, counts differ by one, all one way, in at most 2 keys"),
        (EventLevel(2), "one event more or less, in at most 2 keys of one round"),
    ],
)
def test_an_adjacency_is_told_in_words(adjacency, words):
    """No name of a class or of a field."""
    assert str(adjacency) == words
