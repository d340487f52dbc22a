"""LaTeX statements as MathML and as text."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.engine.registry import registry
from auditor.report.latex import to_mathml, to_text

COMMANDS = (r"\frac", r"\sqrt", r"\left", r"\right", r"\begin{cases}", r"\end{cases}", r"\hat", r"\text", r"\foo")
PIECES = st.lists(st.sampled_from([*r"{}_^'&$<>a%", *COMMANDS, r"\\", r"\alpha", "12", " ", "\\"]), max_size=12)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\epsilon \ge 0", "ϵ ≥ 0"),
        (r"e^{-aL} < 1", "e^(-aL) < 1"),
        (r"e^{-C_u/b}", "e^(-C_u/b)"),
        (r"\delta_{Gaussian}+2\delta_{two}x", "δ_Gaussian+2δ_(two)x"),
        (r"10^{-13}p^{k_{a}+1}", "10⁻¹³p^(k_a+1)"),
        (r"x_i^2", "x_i²"),
        (r"(x)_+ \in \{x^{2}\}", "(x)₊ ∈ {x²}"),
        (r"\frac{\tau^*-\tau}{\sigma}", "((τ^*-τ)/σ)"),
        (r"\frac12", "(1/2)"),
        (r"\tfrac{1}{2\mu}\epsilon", "(1/(2μ))ϵ"),
        (r"\sqrt{C_u}", "√(C_u)"),
        (r"b\log(x)", "b log (x)"),
        (r"\Pr[\bot] \ne \|v\|", "Pr [⊥] ≠ ‖v‖"),
        (r"M(X') \in S", "M(X') ∈ S"),
        (r"\hat{x} \text{ otherwise}", "x̂ otherwise"),
        (r"costs \$3", "costs $3"),
    ],
)
def test_statements_read_well_as_text(source, expected):
    """A terminal shows the formula, not its source; what groups stays grouped."""
    assert to_text(source) == expected


@pytest.mark.slow
def test_every_statement_is_read():
    """MathML that parses, no command left in it, and text without a backslash, for each claim that is registered."""
    claims = registry().claims.values()
    assert claims
    for claim in claims:
        output = to_mathml(claim.statement)
        assert output.startswith("<math>"), claim.id
        assert "\\" not in "".join(ET.fromstring(f"<p>{output}</p>").itertext()), claim.id  # noqa: S314 - our own markup
        assert "\\" not in to_text(claim.statement), claim.id
        assert to_text(claim.statement), claim.id


def test_a_fraction_is_a_fraction():
    """MathML keeps the structure."""
    assert "<mfrac><mi>μ</mi><mn>2</mn></mfrac>" in to_mathml(r"\Phi(\tfrac{\mu}{2})")


@pytest.mark.parametrize("show", [to_mathml, to_text])
def test_an_unknown_command_is_shown(show):
    """Nothing of a statement vanishes."""
    assert "foo" in show(r"\foo{x}")


@pytest.mark.parametrize("show", [to_mathml, to_text])
@pytest.mark.parametrize("source", ["x^", "{", r"\begin{cases}a"])
def test_what_cannot_be_read_is_shown_as_written(source, show):
    """No statement stops a report."""
    assert source in show(source)


@pytest.mark.parametrize("source", [r"\href{javascript:alert(1)}{x}", r"\style{position:fixed}{x}", r"\class{a}{x}"])
def test_a_formula_brings_no_link_and_no_style(source):
    """Statements of plug-ins are as harmless as any text."""
    assert not re.search("href|style|class", to_mathml(source))


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # a busy machine draws slowly, and is no defect
@given(PIECES.map("".join))
def test_anything_becomes_well_formed_markup(source):
    """Any source, however broken, gives well-formed markup and one line of text."""
    ET.fromstring(f"<p>{to_mathml(source)}</p>")  # noqa: S314 - our own markup
    assert "\n" not in to_text(source)


def test_a_line_may_break_at_wide_spaces():
    r"""A formula is cut at \quad, never inside an environment."""
    assert to_mathml(r"a=1,\quad b=f(x,\ y)").count("<math>") == 2
    assert to_mathml(r"\begin{cases} a & b \\ c & \quad d \end{cases}").count("<math>") == 1
