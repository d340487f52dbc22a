"""LaTeX statements for readers: MathML for pages (rendered without scripts), Unicode text for terminals.

A statement is one formula without dollars, read by latex2mathml and pylatexenc. A test reads all statements of this
project. A statement from outside that the libraries cannot read is displayed as written.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_UNSAFE = ("href", "style", "class", "id")
"""Attributes that are removed from formulas."""
_FLAT = {"mi", "mn", "mo", "mtext", "mrow", "msub"}
_SYMBOLS = {
    **dict(zip(["|", "bot", "iff", "lor", "ne", "neg"], "‖⊥⇔∨≠¬", strict=True)),
    **dict.fromkeys(["left", "right", "textstyle"], ""),
    **{name: f" {name} " for name in ("Pr", "arg", "exp", "inf", "lim", "ln", "log", "max", "min", "sup", "tanh")},
}
"""Text of commands without arguments that pylatexenc does not know, and of functions, which need spaces around them."""
_PAIRS = {"frac": "({}/{})", "tfrac": "({}/{})", "binom": "binom({}, {})", "tbinom": "binom({}, {})"}
"""Text of commands with two arguments."""
_SIGNS = "0123456789+-="
_SCRIPTS = {"^": str.maketrans(_SIGNS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼"), "_": str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₌")}
_NUMBER = re.compile(r"([_^])(?:\{([0-9+=-]+)\}|([0-9+=-]))")
_GROUP = re.compile(r"([_^])\{([^{}]*)\}(?=(\w?))")


@cache  # a statement occurs in its claim, its erratum and on its page
def to_mathml(statement: str) -> str:
    """Return the formula as MathML that is safe to inline: escaped text, without links, styles and ids.

    Lines may break at wide spaces (quad) outside all groups.
    """
    from latex2mathml.converter import convert_to_element

    try:
        (row,) = convert_to_element(statement)
    except Exception:  # noqa: BLE001 - the library raises a dozen kinds, and what it was given can still be read
        return f"<code>{escape(statement)}</code>"
    pieces: list[list[Element]] = [[]]
    for node in row:
        if node.tag == "mspace":
            pieces.append([])
        else:
            pieces[-1].append(node)
    return " ".join(f"<math>{''.join(map(_markup, _remove_stretching(piece)))}</math>" for piece in pieces if piece)


_BRACKETS = frozenset("()[]{}")
_FENCES = {**dict.fromkeys("([{⌈⌊", "prefix"), **dict.fromkeys(")]}⌉⌋", "postfix")}
"""Forms of brackets whose fence and stretchy attributes are the defaults of MathML at the ends of a row."""
_UNDER_OR_OVER = frozenset({"munder", "mover", "munderover"})
"""Elements whose limits may move beside their operator."""


def _remove_stretching(piece: list[Element]) -> list[Element]:
    """Remove attributes that fix the size of parentheses, which become identifiers: browsers stretch operators."""
    nodes = [node for top in piece for node in top.iter()]
    flat = {node.tag for node in nodes} <= _FLAT
    for node in nodes:
        if node.get("fence") == "false":
            del node.attrib["fence"]  # without effect on the rendering
        if node in piece:
            node.attrib.pop("movablelimits", None)
        if node.attrib == {"stretchy": "false"} and unescape(node.text or "") in _BRACKETS:
            node.tag, node.attrib = "mi", {}
        elif flat:
            node.attrib.pop("stretchy", None)
        if node.tag == "mrow":
            for end in (node[0], node[-1]) if len(node) > 1 else ():
                form = _FENCES.get(unescape(end.text or "")) if end.tag == "mo" else None
                if end.attrib == {"stretchy": "true", "fence": "true", "form": form}:
                    end.attrib = {}
    return piece


def _markup(element: Element) -> str:
    from xml.etree.ElementTree import tostring

    for node in element.iter():
        node.text = None if node.text is None else unescape(node.text)  # the library writes symbols as references
        for name in _UNSAFE:
            node.attrib.pop(name, None)
        _join_upright(node)
    for node in element.iter():
        node[:] = map(_bare, node)
        if node.tag not in _UNDER_OR_OVER:
            for child in node:
                child.attrib.pop("movablelimits", None)
    return tostring(_bare(element), encoding="unicode")


def _bare(element: Element) -> Element:
    """Return the element without rows of one child and without the default style of inline formulas."""
    while len(element) == 1 and (element.tag == "mrow" or element.get("displaystyle") == "false"):
        element = element[0]
    return element


def _join_upright(row: Element) -> None:
    """Join adjacent upright letters to one identifier: they form a word."""
    word: Element | None = None
    for node in list(row):
        if node.tag != "mi" or node.get("mathvariant") != "normal":
            word = None
        elif word is None:
            word = node
        else:
            word.text = (word.text or "") + (node.text or "")
            word.attrib.clear()  # several letters are upright by default
            row.remove(node)


def to_text(statement: str) -> str:
    """Return one line of Unicode text for a terminal.

    Numeric scripts use Unicode characters: `10⁻⁸`. Other scripts keep their mark, with parentheses for groups:
    `e^(-C_u/b)`, `δ_Gaussian`.
    """
    parser, reader = _readers()
    try:
        text = reader.nodelist_to_text(parser(statement))
    except Exception:  # noqa: BLE001 - as in `to_mathml`
        text = statement
    spaced = " ".join(re.sub("([≤≥≠≈∼∈→⇒⇔])", r" \1 ", text).split())
    return _scripts(re.sub(r"(?<=[(\[{⌈⌊|]) | (?=[_^])", "", spaced))


def _scripts(text: str) -> str:
    """Write sub- and superscripts without braces, innermost first."""

    def group(match: re.Match[str]) -> str:
        mark, inside, following = match.groups()
        return f"{mark}{inside}" if inside.isalnum() and not following else f"{mark}({inside})"

    text = _NUMBER.sub(lambda match: (match[2] or match[3]).translate(_SCRIPTS[match[1]]), text)
    while text != (text := _GROUP.sub(group, text)):
        pass
    return text


@cache
def _readers() -> tuple[Any, Any]:
    """Return the parser of formulas and the converter from a parsed formula to text."""
    from pylatexenc import latex2text, latexwalker, macrospec

    syntax = latexwalker.get_default_latex_context_db()
    syntax.add_context_category(
        "two arguments", macros=[macrospec.MacroSpec(name, "{{") for name in _PAIRS], prepend=True
    )
    meaning = latex2text.get_default_latex_context_db()

    def pair(node: Any, l2tobj: Any) -> str:
        both = [l2tobj.nodelist_to_text(getattr(part, "nodelist", [part])) for part in node.nodeargd.argnlist]
        return _PAIRS[node.macroname].format(*(t if len(t) == 1 or t.isdigit() else f"({t})" for t in both))

    symbols = {**_SYMBOLS, **dict.fromkeys(_PAIRS, pair)}
    meaning.add_context_category(
        "formulas", macros=[latex2text.MacroTextSpec(name, text) for name, text in symbols.items()], prepend=True
    )
    meaning.set_unknown_macro_spec(latex2text.MacroTextSpec("", lambda node: node.macroname))
    reader = latex2text.LatexNodes2Text(latex_context=meaning, math_mode="text", keep_braced_groups=True)

    def parsed(formula: str) -> Any:
        walker = latexwalker.LatexWalker(f"${formula}$", latex_context=syntax, tolerant_parsing=False)
        return walker.get_latex_nodes()[0]

    return parsed, reader
