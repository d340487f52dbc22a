"""LaTeX statements as MathML and as text."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.report.latex import to_mathml, to_text

PIECES = st.lists(
    st.sampled_from(
        [
            *r"{}_^'&$<>a",
            r"\frac",
            r"\sqrt",
            r"\left",
            r"\right",
            r"\begin{cases}",
            r"\end{cases}",
            r"\\",
            r"\hat",
            r"\text",
            r"\alpha",
            r"\foo",
            "12",
            " ",
            "\\",
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\epsilon \ge 0", "ε ≥ 0"),
        (r"e^{-aL} < 1", "e^(−aL) < 1"),
        (r"x_i^2", "xᵢ²"),
        (r"\frac{\tau^*-\tau}{\sigma}", "(τ* − τ)/σ"),
        (r"\frac12", "1/2"),
        (r"\sqrt{C_u}", "√Cᵤ"),
        (r"\Phi(-t)", "Φ(−t)"),
        (r"M(X') \in S", "M(X′) ∈ S"),
        (r"For every $C_u \le 3$ it holds.", "For every Cᵤ ≤ 3 it holds."),
        ("f-DP composition is loose", "f-DP composition is loose"),
        (r"\hat{x} \text{ otherwise}", "x̂ otherwise"),
        (r"costs \$3", "costs $3"),
    ],
)
def test_statements_read_well_as_text(source, expected):
    """A terminal shows the formula, not its source."""
    assert to_text(source) == expected


def test_a_fraction_is_a_fraction():
    """MathML keeps the structure."""
    assert "<mfrac><mrow><mi>μ</mi></mrow><mrow><mn>2</mn></mrow></mfrac>" in to_mathml(r"\Phi(\tfrac{\mu}{2})")


def test_text_around_formulas_is_escaped():
    """Prose of a statement cannot bring markup into the page."""
    assert to_mathml("<b> and $a<b$").startswith("&lt;b&gt; and <math>")


def test_prose_is_no_formula():
    """A remark with an index or a power in it stays text; dollars still mark formulas."""
    assert to_mathml("P_s < e^epsilon", prose=True) == "P_s &lt; e^epsilon"
    assert to_text("holds for $\\epsilon \\ge 0$", prose=True) == "holds for ε ≥ 0"


def test_an_unknown_command_is_shown():
    """Nothing of a statement vanishes."""
    assert "foo" in to_mathml(r"\foo{x}")


@given(PIECES)
def test_anything_becomes_well_formed_markup(source):
    """Any source, however broken, gives well-formed MathML and one line of text."""
    ET.fromstring(f"<p>{to_mathml(source)}</p>")  # noqa: S314 - our own markup
    assert "\n" not in to_text(source)


def test_a_line_may_break_at_wide_spaces_outside_brackets():
    r"""A formula is cut at \quad and backslash-space, never inside a bracket or an environment."""
    assert to_mathml(r"a=1,\quad b=f(x,\ y)").count("<math>") == 2
    assert to_mathml(r"\begin{cases} a & b \\ c & \ d \end{cases}").count("<math>") == 1
    assert to_mathml(r"\{a,\ b\}\ c").count("<math>") == 2
