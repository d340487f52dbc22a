"""Documentation and help texts use the field's words, in short sentences, under headings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import click
import pytest

from auditor.engine.registry import registry
from auditor.front.cli import VERBS, app

ROOT = Path(__file__).resolve().parents[1]
PAGES = tuple(
    path
    for path in [
        *(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY")),
        *(ROOT / "docs").rglob("*.md"),
    ]
    if "_build" not in path.parts
)
SOURCES = ("docs/conf.py", "auditor/front/api.py", "auditor/black_box", "auditor/search")
"""Files and folders whose docstrings and strings follow the word list; a package joins when its texts do."""
MESSAGES = tuple(sorted((ROOT / "auditor").rglob("*.py")))
"""Modules whose printed texts follow the word list."""
TEMPLATES = tuple(sorted((ROOT / "auditor").rglob("*.j2")))
NEIGHBOURS = r"far above|by turns|where releases turn"
"""Parts of the names of neighbours, which are ids: the random streams of their releases depend on them."""

INSTEAD = {
    r"silen(ce|t|tly)": "no violation seen",
    r"steer(s|ed|ing)?": "importance sampling, tilted draws",
    r"told|said|tells?": "reported, stated, reports",
    r"shown|shows": "output, found, prints",
    r"same or weaker": "equal or weaker",
    r"pairs? lies": "a pair of neighbours",
    r"a side": "per dataset",
    r"leavers?|heavier users?": "removed user, user with larger contribution",
    r"turns?": "change point",
    r"glances?|looked at": "screening phase, tested",
    r"owes?|owed": "consistency requirement",
    r"rooms?|floor|house": "package, layer, architecture",
    r"far": "largest magnitude, distance",
    r"(in|on) words": "by an unchecked argument",
    r"counts need|would keep": "a noise scale of at least ... is required, suffices",
    r"against expectation": "unexpected result",
    r"giv(e|es|ing) (it|the \w+) away": "reveal, depend on the input",
    r"held against": "compared with",
    r"found (before|anew)": "stored, run again",
    r"sign of life": "response",
    r"who is a neighbour of whom": "the definition of neighbours",
    r"asked after|thought of": "called, searched",
    r"neighbors?": "neighbours",
    r"trade-?off curve": "trade-off function",
    r"bug of the mechanism": "fault, violation",
    r"p-value": "e-value",
    r"(under|over)-?reports?": "unsafe, loose",
}
"""Private or second words for a concept, as patterns, and the word to use."""
PRONOUN = r"(What|That|Those|Such|Others|The same (is|are|has|holds))\b.*\.$"
"""A statement whose subject is a pronoun."""
MOST_WORDS, MEAN_WORDS = 35, 18
SECTION_WORDS = 220
"""Most words of running text under one heading: about a screen."""


FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
ADMONITION = re.compile(r"^```\{(?:note|tip|warning|important|caution)\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def prose(text: str) -> str:
    """Return a page without code, formulas, addresses and comments; a code span or formula counts as one word."""
    text = FENCED.sub("\n", ADMONITION.sub(r"\n\1\n", text))
    text = re.sub(r"\$\$.*?\$\$|(?<!\$)\$[^$]+\$", "X", re.sub(r"`[^`]+`", "X", text), flags=re.DOTALL)
    return re.sub(r"\]\([^)]*\)", "]", text)


def blocks(text: str) -> Iterator[str]:
    """Yield paragraphs, list items, definitions and cells of tables."""
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-|#]|\d+\. |: ))", text):
        if part.lstrip().startswith("|"):
            yield from (cell.strip() for cell in part.strip().strip("|").split("|"))
        elif not part.lstrip().startswith("#"):
            yield " ".join(re.sub(r"^\s*(?:-|\d+\.|:) ", "", part).split())


def sentences(text: str) -> list[str]:
    """Return the sentences of running text, without the marks of emphasis and links."""
    results = []
    for block in blocks(text):
        results += re.split(r"(?<=[.!?:]) +(?=[A-Z*\[(])", block.replace("**", "").replace("*", ""))
    return [sentence for sentence in results if len(sentence.split()) > 1]


def help_texts() -> dict[str, str]:
    """Return every help text by command and option."""
    results = {"auditor": f"{app.help}\n\n{app.epilog}"}
    with click.Context(app, info_name="auditor") as context:
        for verb in VERBS:
            command = app.get_command(context, verb)
            results[f"auditor {verb}"] = command.help
            results |= {
                f"auditor {verb} {each.name}": re.sub(r"\[default.*?\]", "", text)
                for each in command.params
                if (text := getattr(each, "help", None))
            }
    return results


def strings_in(path: Path) -> str:
    """Return the docstrings and strings of a module, without code spans and names of arguments."""
    constants = (
        each.value for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(each, ast.Constant)
    )
    text = "\n\n".join(value for value in constants if isinstance(value, str))
    return re.sub(r"`[^`]+`", "X", re.sub(r"^ +\w+: ", "", text, flags=re.MULTILINE))


def messages_in(path: Path) -> list[str]:
    """Return the texts of several words that a module prints: its strings, and f-strings with X for each value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {id(part) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr) for part in each.values}
    docstrings = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    texts = []
    for each in ast.walk(tree):
        if isinstance(each, ast.JoinedStr):
            texts.append("".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in each.values))
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in parts | docstrings:
            texts.append(each.value)
    return [re.sub(r"`[^`]+`", "X", text) for text in texts if " " in text.strip()]


def wrong_words(text: str) -> list[str]:
    """Return the words of the list that a text uses, each with the word to use."""
    return [
        f"{match[0]} -> {instead}"
        for pattern, instead in INSTEAD.items()
        for match in re.finditer(rf"\b({pattern})\b", text, re.IGNORECASE)
    ]


def sources() -> list[Path]:
    """Return the Python files of SOURCES."""
    paths = [ROOT / name for name in SOURCES]
    return [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_uses_the_words_of_the_field(page):
    """No private word, no sentence with a pronoun as its subject, and no sentence over 35 words."""
    text = prose(page.read_text(encoding="utf-8"))
    assert wrong_words(text) == []
    every = sentences(text)
    assert [sentence for sentence in every if re.match(PRONOUN, sentence)] == []
    assert [sentence for sentence in every if len(sentence.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_has_a_heading_every_screen(page):
    """One title, and running text under each heading that fits about a screen."""
    text = FENCED.sub("\n", page.read_text(encoding="utf-8"))
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    running = re.sub(r"^\|.*$", "", text, flags=re.MULTILINE)
    sections = re.split(r"^#+ .*$", running, flags=re.MULTILINE)
    if page.name != "glossary.md":  # its terms are headings
        assert max(len(section.split()) for section in sections) <= SECTION_WORDS


def test_sentences_are_short():
    """The mean of all pages is under 18 words."""
    lengths = [len(each.split()) for page in PAGES for each in sentences(prose(page.read_text(encoding="utf-8")))]
    assert len(lengths) > 500
    assert mean(lengths) < MEAN_WORDS


def test_help_texts_use_the_words_of_the_field():
    """The text of each command and option."""
    texts = help_texts()
    assert len(texts) > 100
    for name, text in texts.items():
        assert wrong_words(text) == [], name
        every = sentences(text)
        assert [sentence for sentence in every if re.match(PRONOUN, sentence)] == [], name
        assert max(len(sentence.split()) for sentence in [text.split(".")[0], *every]) <= MOST_WORDS, name


def test_explanations_of_checks_use_the_words_of_the_field():
    """The page of checks is made of them."""
    for name, check in registry().checks.items():
        for text in (check.explain, check.assumes, check.of):
            assert wrong_words(text) == [], name
            assert max(len(sentence.split()) for sentence in sentences(text)) <= MOST_WORDS, name


@pytest.mark.parametrize("file", sources(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_code_uses_the_words_of_the_field(file):
    """Docstrings and strings of the listed files."""
    assert wrong_words(strings_in(file)) == []


def test_messages_use_the_words_of_the_field():
    """Errors, reports, progress and notes of every module but those of docstrings, which are no messages."""
    texts = [(path, re.sub(NEIGHBOURS, "X", text)) for path in MESSAGES for text in messages_in(path)]
    assert len(texts) > 1500
    assert [(path.name, words, text) for path, text in texts if (words := wrong_words(text))] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_the_report_uses_the_words_of_the_field(template):
    """The text of each template, without tags, code and comments."""
    text = re.sub(
        r"\{[{%#].*?[}%#]\}|<style>.*?</style>|<[^>]*>", " X ", template.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert wrong_words(text) == []


def test_bets_are_defined_where_they_are_mentioned():
    """A page that mentions bets or wealth links to the page that defines them."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        if page.name != "betting.md" and re.search(r"\b(bets?|betting|wealth)\b", prose(text), re.IGNORECASE):
            assert "betting.md" in text, page


def test_the_word_list_finds_what_it_forbids(tmp_path):
    """Each rule can fail; code, formulas and addresses are no prose."""
    assert wrong_words("A silent test tells nothing.") != []
    assert wrong_words(prose("Pass `--steer`, see [this](far/shows.md), $far$.\n\n```sh\nauditor silent\n```\n")) == []
    assert wrong_words(prose("```{note}\nThe audit was steered.\n```\n")) != []
    assert re.match(PRONOUN, sentences("It stops. That is enough.")[1])
    assert sentences(prose("One `a b c` two. Three four:\n\n- five six\n- seven eight\n\n| a b | c d |\n")) == [
        "One X two.", "Three four:", "five six", "seven eight", "a b", "c d"
    ]  # fmt: skip
    module = tmp_path / "module.py"
    module.write_text('"""A silence."""\nMESSAGE = "was told"\n', encoding="utf-8")
    assert len(wrong_words(strings_in(module))) == 2
    module.write_text(
        '"""A silence."""\nKEY = "told"\nraise ValueError(f"was told {KEY} of `silence`")\n', encoding="utf-8"
    )
    assert messages_in(module) == ["was told X of X"]


PARTICIPLES = {
    "told", "shown", "known", "own", "kept", "said", "drawn", "found", "given", "asked", "named", "seen", "held",
    "ranked", "tried", "wanted", "raised", "refused", "judged", "looked", "played", "learnt", "declined", "meant",
    "aimed", "argued", "noted", "watched", "cited", "caught", "granted", "agreed", "crowded", "brought", "got",
    "walled", "uncounted", "concerned", "walked", "stuck", "cleared", "tossed", "hurt", "touched", "led", "heard",
    "died", "misled", "tangled", "gone", "lacked", "stacked", "nudged", "vanished", "settled", "surveyed", "powered",
    "begun", "offered", "turned", "uncovered", "probed", "entered", "parked", "contested", "waited", "peeled",
    "remembered", "won", "parted",
}  # fmt: skip
"""Bare participles that name neither a value nor an action."""
NAMED_FOLDERS = ("auditor", "mechanisms", "benchmarks", "proofs_numeric")
"""Folders in which no name at all is a bare participle."""
PUBLIC_NAMES = {
    *(("evaluation.py", "held"), ("result.py", "tried"), ("object_audit.py", "declined")),
    *(("evidence.py", "judged"), ("result.py", "judged")),  # keys of reports
    *(("paper.py", "own"), ("parameters.py", "own")),  # the constructor of our own claims
    *(("mixed_pair.py", "own"), ("pair_stick.py", "own"), ("symbolic.py", "own")),  # parameters of a formula
    ("theorem_10.py", "asked"),  # a symbol of a formula
    *(("races.py", "own"), ("races.py", "_own")),  # parameters of a formula
}
"""Names that other packages or readers of results use."""


def participles_in(path: Path) -> set[tuple[str, str]]:
    """Return the module and name of each function, argument, variable and field whose name is a bare participle."""
    names = set()
    for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            names.add(each.id)
        elif isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store):
            names.add(each.attr)
        elif isinstance(each, ast.arg):
            names.add(each.arg)
        elif isinstance(each, ast.FunctionDef | ast.ClassDef):
            names.add(each.name)
    return {(path.name, name) for name in names if name.strip("_").lower() in PARTICIPLES}


def test_names_are_nouns_and_verbs(tmp_path):
    """No bare participle is a name in the listed folders, except the listed names; the rule can fail."""
    modules = [path for folder in NAMED_FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert len(modules) > 450
    assert set().union(*map(participles_in, modules)) == PUBLIC_NAMES
    module = tmp_path / "module.py"
    module.write_text(
        "class Seen:\n    def told(self, known):\n        SHOWN = known\n        self._kept = SHOWN\n", encoding="utf-8"
    )
    assert {name for _, name in participles_in(module)} == {"Seen", "told", "known", "SHOWN", "_kept"}
