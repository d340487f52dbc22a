"""Text of others comes out as letters, on one line, of bounded length."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.printable import LONGEST, json_text, printable, spelt, with_letters

HOSTILE = st.text(st.characters(), max_size=400)
"""Any code points, lone surrogates, escapes and directional overrides among them."""


@given(HOSTILE)
def test_what_is_printed_is_letters_on_one_line(text):
    """No control character, no escape sequence, no change of direction; at most so many characters."""
    assert printable(text).isprintable()
    assert len(printable(text)) <= LONGEST


@given(HOSTILE)
def test_what_is_printable_is_left_alone(text):
    """A second time changes nothing, so that it may be asked for at every boundary."""
    assert printable(printable(text)) == printable(text)
    assert spelt(spelt(text)) == spelt(text)


@given(HOSTILE)
def test_spelling_loses_nothing(text):
    """Without backslashes of its own, a text can be read back."""
    plain = text.replace("\\", "/")
    assert spelt(plain).encode("latin-1", "backslashreplace").decode("unicode_escape") == plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("counts of Köln, ε = ½", "counts of Köln, ε = ½"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("1 passed\r2 passed\n", "1 passed\\r2 passed\\n"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("x" * 300, "x" * 133 + "…" + "x" * 66),
    ],
)
def test_a_text_is_shown_as(text, shown):
    """Letters of every alphabet stay; the middle of what is too long goes."""
    assert printable(text) == shown


@pytest.mark.slow
@given(st.dictionaries(st.text(), st.text(), max_size=3))
def test_a_json_document_says_the_same_in_letters(document):
    """Escapes of JSON are its own: a reader gets the text as it was."""
    text = json_text(json.dumps(document, ensure_ascii=False, indent=2))
    assert json.loads(text) == document
    assert all(letter.isprintable() or letter == "\n" for letter in text)


@given(HOSTILE)
def test_json_with_letters_is_the_same_json(text):
    """Codes become letters where these print; quotes, backslashes and what does not print stay escaped."""
    document = json.dumps({text: text})
    output = with_letters(document)
    assert json.loads(output) == {text: text}
    assert output.isprintable() == document.isprintable()
    assert not text.isprintable() or output == json.dumps({text: text}, ensure_ascii=False)
