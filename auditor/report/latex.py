r"""LaTeX statements for readers: MathML for pages (browsers draw it without scripts), plain text for terminals.

A statement is text with `$...$` in it, or one formula without dollars (it has a command, or no words). The
subset is what the papers' statements use: scripts, fractions, roots, fences, accents, cases, the alphabet and the
relations of the field. An unknown command is shown by its name, so that nothing vanishes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, assert_never

if TYPE_CHECKING:
    from collections.abc import Iterator

_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "infty": "∞",
    "partial": "∂", "nabla": "∇", "emptyset": "∅", "varnothing": "∅",
}  # fmt: skip
_OPERATORS = {
    "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠",
    "approx": "≈", "sim": "∼", "simeq": "≃", "equiv": "≡", "propto": "∝", "ll": "≪", "gg": "≫", "in": "∈",
    "notin": "∉", "subset": "⊂", "subseteq": "⊆", "setminus": "∖", "cup": "∪", "cap": "∩", "times": "×",
    "cdot": "·", "pm": "±", "mp": "∓", "to": "→", "rightarrow": "→", "mapsto": "↦", "leftarrow": "←",
    "uparrow": "↑", "downarrow": "↓", "Rightarrow": "⇒", "implies": "⇒", "Leftrightarrow": "⇔", "iff": "⇔",
    "forall": "∀", "exists": "∃", "neg": "¬", "lnot": "¬", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨",
    "sum": "∑", "prod": "∏", "int": "∫", "mid": "|", "vert": "|", "Vert": "‖", "|": "‖", "lbrace": "{",
    "rbrace": "}", "{": "{", "}": "}", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "langle": "⟨",
    "rangle": "⟩", "ldots": "…", "dots": "…", "cdots": "⋯", "circ": "∘", "ast": "∗", "star": "⋆", "oplus": "⊕",
    "otimes": "⊗", "prime": "′", "colon": ":", "%": "%", "#": "#", "&": "&", "_": "_", "$": "$", "prec": "≺",
    "succ": "≻", "preceq": "⪯", "succeq": "⪰", "bigcup": "⋃", "bigcap": "⋂", "backslash": "\\",
}  # fmt: skip
_FUNCTIONS = frozenset({
    "exp", "log", "ln", "max", "min", "sup", "inf", "lim", "arg", "sin", "cos", "tan", "tanh", "Pr", "det", "dim",
    "gcd", "limsup", "liminf", "argmax", "argmin", "erf", "erfc",
})  # fmt: skip
_SPACES = {",": " ", ":": " ", ";": " ", " ": " ", "!": "", "quad": "  ", "qquad": "   ", "\n": " "}
_STYLES = frozenset({
    "mathrm", "operatorname", "text", "textrm", "mathsf", "mathit", "mathbf", "texttt", "textit", "textbf",
    "mbox", "mathtt", "boldsymbol",
})  # fmt: skip
_SKIPPED = frozenset({
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle",
    "limits", "nolimits", "operatorname*",
})  # fmt: skip
_ACCENTS = {
    "bar": "¯",
    "overline": "¯",
    "hat": "^",
    "widehat": "^",
    "tilde": "~",
    "widetilde": "~",
    "dot": "˙",
    "vec": "→",
}
_COMBINING = {"¯": "\u0304", "^": "\u0302", "~": "\u0303", "˙": "\u0307", "→": "\u20d7"}
_BLACKBOARD = {"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "E": "𝔼", "1": "𝟙"}
_SUPERSCRIPTS = dict(zip("0123456789+-=()naijkbcdelmoptx*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵃⁱʲᵏᵇᶜᵈᵉˡᵐᵒᵖᵗˣ*", strict=True)) | {
    "ε": "ᵋ"
}
_SUBSCRIPTS = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?|\s?[A-Za-z]{3,}(?:\s+[A-Za-z]{2,})*\s?|\s+|.", re.DOTALL)
_BIG = frozenset("∑∏⋃⋂")
_DOLLAR = "\ue000"


@dataclass(frozen=True)
class Word:
    """An identifier, number or run of text; `kind` is the MathML element that shows it."""

    kind: str
    text: str


@dataclass(frozen=True)
class Row:
    """Things side by side."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class Fraction:
    """A numerator over a denominator."""

    above: Node
    below: Node


@dataclass(frozen=True)
class Root:
    """A square root."""

    body: Node


@dataclass(frozen=True)
class Accent:
    """A mark above a symbol."""

    body: Node
    mark: str


@dataclass(frozen=True)
class Scripts:
    """A base with a subscript, a superscript, or both."""

    base: Node
    below: Node | None
    above: Node | None


@dataclass(frozen=True)
class Grid:
    """Rows and columns of a `cases`, `matrix` or `aligned` environment."""

    rows: tuple[tuple[Node, ...], ...]
    fence: str


Node = Word | Row | Fraction | Root | Accent | Scripts | Grid


class _Parser:
    """Recursive descent over tokens; never fails: what it does not know becomes text."""

    def __init__(self, source: str) -> None:
        self.tokens = _TOKEN.findall(source)
        self.position = 0

    def peek(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.position += 1
        return token

    def skip_space(self) -> None:
        while self.peek().isspace():
            self.position += 1

    def row(self, ends: frozenset[str]) -> Row:
        """Parse until one of `ends` (left in place) or the end of the source."""
        items: list[Node] = []
        while (token := self.peek()) and token not in ends:
            if token.isspace():
                self.position += 1
                continue
            items.append(self.scripted())
        return Row(tuple(items))

    def scripted(self) -> Node:
        """Parse an atom and the scripts that follow it."""
        base = Row(()) if self.peek() in {"_", "^"} else self.atom()
        below: Node | None = None
        above: Node | None = None
        while True:
            self.skip_space()
            mark = self.peek()
            if mark == "_" and below is None:
                self.take()
                below = self.argument()
            elif mark == "^" and above is None:
                self.take()
                above = self.argument()
            elif mark == "'" and above is None:
                primes = 0
                while self.peek() == "'":
                    self.take()
                    primes += 1
                above = Word("mo", "′" * primes)
            else:
                return base if below is None and above is None else Scripts(base, below, above)

    def argument(self) -> Node:
        r"""Parse a braced group or a single atom; of bare digits only the first, as in \frac12."""
        self.skip_space()
        if (digits := self.peek()).isdigit() and len(digits) > 1:
            self.tokens[self.position : self.position + 1] = [digits[0], digits[1:]]
        return self.atom()

    def raw_argument(self) -> str:
        """Return the source of a braced group, for text commands; nested braces are kept as they are."""
        self.skip_space()
        if self.peek() != "{":
            return self.take()
        self.take()
        depth, pieces = 1, []
        while piece := self.take():
            depth += (piece == "{") - (piece == "}")
            if depth == 0:
                break
            pieces.append(piece)
        return "".join(pieces)

    def atom(self) -> Node:
        """Parse one thing."""
        if self.peek() == "{":
            self.take()
            inner = self.row(frozenset({"}"}))
            self.take()
            return inner
        token = self.take()
        if token.startswith("\\") and len(token) > 1:
            return self.command(token[1:])
        if token[:1].isdigit():
            return Word("mn", token)
        if token.strip() in _FUNCTIONS or (token.isalpha() and len(token) == 1):
            return Word("mi", token.strip())
        if token.strip()[:1].isalpha():
            return Word("mtext", token)
        return Word("mo", {"-": "−", "*": "∗", "~": " ", "": ""}.get(token, token))

    def command(self, name: str) -> Node:
        """Parse what follows a command's name."""
        if name in {"frac", "tfrac", "dfrac", "binom"}:
            above, below = self.argument(), self.argument()
            if name == "binom":
                return Row((Word("mo", "("), Grid(((above,), (below,)), ""), Word("mo", ")")))
            return Fraction(above, below)
        if name == "sqrt":
            return Root(self.argument())
        if name in _ACCENTS:
            return Accent(self.argument(), _ACCENTS[name])
        if name in {"mathbb", "mathds"}:
            letters = self.raw_argument()
            return Word("mi", "".join(_BLACKBOARD.get(letter, letter) for letter in letters))
        if name in {"mathcal", "mathscr", "mathfrak"}:
            return Word("mi", self.raw_argument())
        if name in _STYLES:
            return Word("mtext", _plain_text(self.raw_argument()))
        if name == "begin":
            return self.environment(self.raw_argument())
        return self.symbol(name)

    def symbol(self, name: str) -> Node:
        """Show a command that takes no argument."""
        if name in _SKIPPED:
            self.skip_space()
            if name in {"left", "right"} and self.peek() == ".":
                self.take()
            return Row(())
        if name in _SYMBOLS:
            return Word("mi", _SYMBOLS[name])
        if name in _OPERATORS:
            return Word("mo", _OPERATORS[name])
        if name in _SPACES:
            return Word("mtext", _SPACES[name])
        return Word("mi" if name in _FUNCTIONS else "mtext", name)

    def environment(self, name: str) -> Node:
        r"""Parse rows split by \\ and cells split by &, up to the matching \end."""
        rows: list[tuple[Node, ...]] = []
        cells: list[Node] = []
        while True:
            cells.append(self.row(frozenset({"&", "\\\\", "\\end"})))
            mark = self.take()
            if mark == "&":
                continue
            rows.append(tuple(cells))
            cells = []
            if mark != "\\\\":
                self.raw_argument()
                return Grid(tuple(rows), "{" if name == "cases" else "")


def _plain_text(source: str) -> str:
    return re.sub(r"\\([A-Za-z]+)", lambda match: _SYMBOLS.get(match[1], match[1]), source).replace("\\", "")


def parse(formula: str) -> Node:
    """Read a formula without dollars into a tree; never fails."""
    parser = _Parser(formula)
    items: list[Node] = []
    while parser.peek():
        items.append(parser.row(frozenset({"}", "&", "\\\\", "\\end"})))
        parser.take()
    return items[0] if len(items) == 1 else Row(tuple(items))


def _mathml(node: Node) -> str:
    match node:
        case Word(kind, text):
            normal = ' mathvariant="normal"' if kind == "mi" and len(text) == 1 and text in "ΓΔΘΛΞΠΣΦΨΩ∞∂∇∅" else ""
            fixed = ' stretchy="false"' if kind == "mo" and text in "()[]{}|‖" else ""
            fixed = ' lspace="0" rspace="0"' if text == "/" else fixed
            body = escape(text).replace(" ", "\u00a0") if kind == "mtext" else escape(text)
            return f"<{kind}{normal}{fixed}>{body}</{kind}>" if text else ""
        case Row(items):
            inner = "".join(_mathml(item) for item in items)
            return inner if len(items) == 1 else f"<mrow>{inner}</mrow>"
        case Fraction(above, below):
            return f"<mfrac>{_cell(above)}{_cell(below)}</mfrac>"
        case Root(body):
            return f"<msqrt>{_mathml(body)}</msqrt>"
        case Accent(body, mark):
            return f'<mover accent="true">{_cell(body)}<mo stretchy="false">{mark}</mo></mover>'
        case Scripts(base, below, above):
            return _scripts(base, below, above)
        case Grid(rows, fence):
            body = "".join(
                "<mtr>" + "".join(f'<mtd style="text-align:left">{_mathml(cell)}</mtd>' for cell in row) + "</mtr>"
                for row in rows
            )
            opening = f"<mo>{fence}</mo>" if fence else ""
            return f"<mrow>{opening}<mtable>{body}</mtable></mrow>"
        case _:
            assert_never(node)


def _cell(node: Node) -> str:
    """Exactly one MathML element, as scripts and fractions want."""
    return f"<mrow>{_mathml(node)}</mrow>"


def _scripts(base: Node, below: Node | None, above: Node | None) -> str:
    limits = isinstance(base, Word) and (base.text in _BIG or base.text in {"max", "min", "sup", "inf", "lim"})
    names = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    if below is None and above is not None:
        return f"<{names[1]}>{_cell(base)}{_cell(above)}</{names[1]}>"
    if above is None and below is not None:
        return f"<{names[0]}>{_cell(base)}{_cell(below)}</{names[0]}>"
    if above is not None and below is not None:
        return f"<{names[2]}>{_cell(base)}{_cell(below)}{_cell(above)}</{names[2]}>"
    return _cell(base)


def _simple(text: str) -> bool:
    """Need no brackets around it in a line of text."""
    return (
        len(text) <= 1
        or text.replace(".", "").isalnum()
        or (text[0] == "(" and text[-1] == ")" and text.count("(") == 1)
    )


def _bracketed(text: str) -> str:
    return text if _simple(text) else f"({text})"


def _script_text(mark: str, letters: dict[str, str], text: str) -> str:
    small = text.replace("−", "-").replace("∗", "*").replace(" ", "")
    if small == "′" or set(small) == {"′"}:
        return small
    return "".join(letters[c] for c in small) if all(c in letters for c in small) else f"{mark}{_bracketed(text)}"


def _text(node: Node) -> str:
    match node:
        case Word(kind, text):
            if kind == "mo" and (text in _RELATIONS or text in "+−"):
                return f" {text} "
            return f"{text} " if text in _FUNCTIONS or text == "," else text
        case Row(items):
            return re.sub(
                r"(?<=[(\[{^_]) ?− ", "−", re.sub(" {2,}", " ", "".join(_text(item) for item in items))
            ).strip()
        case Fraction(above, below):
            return f"{_bracketed(_text(above))}/{_bracketed(_text(below))}"
        case Root(body):
            return f"√{_bracketed(_text(body))}"
        case Accent(body, mark):
            inner = _text(body)
            return inner[:1] + _COMBINING[mark] + inner[1:]
        case Scripts(base, below, above):
            low = _script_text("_", _SUBSCRIPTS, _text(below)) if below is not None else ""
            high = _script_text("^", _SUPERSCRIPTS, _text(above)) if above is not None else ""
            tail = " " if isinstance(base, Word) and base.text in _FUNCTIONS else ""
            return _text(base).rstrip() + low + high + tail
        case Grid(rows, fence):
            return fence + "; ".join(" ".join(_text(cell) for cell in row) for row in rows)
        case _:
            assert_never(node)


_RELATIONS = frozenset("=<>≤≥≠≈∼≃≡∝≪≫∈∉⊂⊆→↦⇒⇔∪∩∧∨:≺≻⪯⪰×")


def _parts(statement: str, *, prose: bool) -> Iterator[tuple[bool, str]]:
    r"""Split into (is a formula, source): dollars, \(...\), or a whole formula without dollars."""
    guarded = statement.replace("\\$", _DOLLAR)
    if "$" not in guarded and "\\(" not in guarded:
        words = [word for word in re.findall("[A-Za-z]{2,}", guarded) if word not in _FUNCTIONS]
        formula = not prose and (any(mark in guarded for mark in "\\^_") or not (words or guarded.isalnum()))
        yield formula, guarded.replace(_DOLLAR, "\\$" if formula else "$")
        return
    for index, part in enumerate(re.split(r"\$\$?|\\\(|\\\)", guarded)):
        if part:
            yield index % 2 == 1, part.replace(_DOLLAR, "\\$" if index % 2 else "$")


def to_mathml(statement: str, *, prose: bool = False) -> str:
    """HTML of a statement: formulas as MathML, the rest escaped. Safe to inline: every piece of input is escaped.

    In prose only what stands between dollars is a formula.  A line may break at the wide spaces of a formula.
    """
    return "".join(
        " ".join(f"<math>{_mathml(parse(piece))}</math>" for piece in _pieces(part)) if formula else escape(part)
        for formula, part in _parts(statement, prose=prose)
    )


_BREAK = re.compile(r"\\q?quad(?![A-Za-z])|\\ |(?:\\[{}]|[()\[\]{}]|\\begin|\\end)")


def _pieces(formula: str) -> list[str]:
    """The formula cut at its spaces (quad, backslash-space) that stand outside every bracket and environment."""
    pieces, start, depth = [], 0, 0
    for found in _BREAK.finditer(formula):
        mark = found[0]
        if mark.endswith(("quad", " ")):
            if depth == 0:
                pieces.append(formula[start : found.start()])
                start = found.end()
        else:
            depth += 1 if mark[-1] in "([{" or mark == "\\begin" else -1
    return [piece for piece in (*pieces, formula[start:]) if piece.strip()] if depth == 0 else [formula]


def to_text(statement: str, *, prose: bool = False) -> str:
    """One line of Unicode text that a person can read in a terminal; `prose` as in `to_mathml`."""
    pieces = [_text(parse(part)) if formula else part for formula, part in _parts(statement, prose=prose)]
    return " ".join("".join(pieces).split())
