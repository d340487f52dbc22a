"""Parts of the form of a release: numbers that the form alone says."""

import numpy as np

from auditor.statistics.forms import Part, parts_of
from auditor.statistics.sample import Sample, sample_of_outputs


def test_truths_lengths_and_places_are_parts():
    """Of a record with a list of yes and no, a label and a number."""
    parts = parts_of('{"map":[[true,false],null],"ward":"north","n":#}')
    assert parts["truth of the output.map[0][0]"] == 1
    assert parts["truth of the output.map[0][1]"] == 0
    assert parts["null at the output.map[1]"] == 1
    assert parts["length of the output.map"] == 2
    assert parts['place of "n" in the output'] == 2
    assert parts['label "north" at the output.ward'] == 1


def test_a_text_is_read_by_its_letters_length_and_numbers():
    """A bar of stars, a string of bits, a number in a sentence."""
    assert parts_of('"***"')["length of the text the output"] == 3
    assert parts_of('"0110"')["code point of letter 2 of the output"] == ord("1")
    assert parts_of('"There were -12.5 of 3."')["number 1 in the output"] == -12.5


def test_a_hash_in_a_text_is_no_number_and_an_exception_has_no_parts():
    """Numbers stand for themselves nowhere; NaN has no digits."""
    assert parts_of('"#"')["code point of letter 1 of the output"] == ord("#")
    assert parts_of("[NaN,#]")["NaN at the output[0]"] == 1
    assert "NaN at the output[1]" not in parts_of("[NaN,#]")
    assert parts_of("raised ValueError: [true]") == {}


def test_a_part_is_a_function_of_the_release_alone():
    """Whatever other releases a sample holds; a released key of the same name is another column."""
    length = Part("length of the output")
    both = sample_of_outputs([["a", "b"], ["a"], 3.0])
    assert np.array_equal(both.column(length), [2, 1, np.nan], equal_nan=True)
    assert np.array_equal(sample_of_outputs([["a"]]).column(length), [1])
    released = Sample((length.name,), np.array([[7.0]]))
    assert released.column(length.name).tolist() == [7.0]
    assert released.column(length).tolist() == [1.0]
