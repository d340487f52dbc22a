"""Every example of the README and of the documentation runs, and prints what the page shows."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from auditor.accountant_audit.request import AccountantOptions
from auditor.front.project import read
from auditor.mechanism_audit.options import OPTIONS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {
    path: path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if path != ROOT / "docs" / "protocol.md"  # its blocks are lines between two programs
}
BLOCK = re.compile(r"^```(?P<language>\w*|\{[\w-]+\})(?: [^\n]*)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE_NAME = re.compile(r"`(\w+\.py)`")
SECONDS = 1200
"""Of a command that hangs: many times what any takes on a busy machine."""
QUICK = ("auditor", "evaluate")
"""First words of the commands that stay in the quick loop."""
RUN = ("auditor", "run", "bharadwaj2022.pre.semantics*")
"""First words of the command whose report another page verifies: it comes first."""


@dataclass(frozen=True)
class Command:
    """One line after a `$`, and what the page shows below it."""

    words: tuple[str, ...]
    shown: tuple[str, ...]


def blocks(language: str) -> list[tuple[str, str]]:
    """Give (text before, text) of each block of a language, page after page."""
    return [
        (page[: block.start()], block["text"])
        for page in PAGES.values()
        for block in BLOCK.finditer(page)
        if block["language"] == language
    ]


def files() -> dict[str, str]:
    """Give the Python files of the pages by the name that stands before each block."""
    names = {(FILE_NAME.findall(before)[-1], text) for before, text in blocks("python")}
    assert len({name for name, _ in names}) == len(names), "two blocks of one file name"
    return dict(names)


def sessions() -> list[tuple[Command, ...]]:
    """Give the commands of each console block."""
    results = []
    for _before, text in blocks("console"):
        parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        commands = [part.splitlines() for part in parts]
        results.append(tuple(Command(tuple(shlex.split(lines[0])), tuple(lines[1:])) for lines in commands))
    return results


def is_slow(session: tuple[Command, ...]) -> bool:
    """Whether a session is left out of the quick loop."""
    return session[0].words[: len(QUICK)] != QUICK


@cache
def run(words: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `auditor` or `pytest` from this checkout, in a folder where the plug-in of the pages is installed.

    Once, however many pages show it. On one processor: a worker a processor would import the suite for each of a
    handful of checks.
    """
    command = [sys.executable, "-m", *words, *(["-p", "no:cacheprovider"] if words[0] == "pytest" else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "CI": "1"}
    with one_processor():
        return subprocess.run(  # noqa: S603 - the commands of our own pages
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
        )


@contextmanager
def one_processor() -> Iterator[None]:
    """What is started here has one processor, where the system can say so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(ours)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)


def matches(shown: tuple[str, ...], printed: list[str]) -> str | None:
    """Give the first shown line that is not printed in its place; a line `...` skips, three dots in a line match."""
    place, skipping = 0, False
    for line in shown:
        if line.strip() == "...":
            skipping = True
            continue
        pattern = re.sub(r"([\[\]*?])", r"[\1]", line.rstrip()).replace("...", "*")
        rest = range(place, len(printed) if skipping else min(place + 1, len(printed)))
        result = next((at for at in rest if fnmatchcase(printed[at].rstrip(), pattern)), None)
        if result is None:
            return line
        place, skipping = result + 1, False
    return None if skipping or place == len(printed) else f"(end of output before: {printed[place]})"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the files of the pages, with the plug-in declared as its distribution would."""
    place = tmp_path_factory.mktemp("readme")
    for name, text in files().items():
        (place / name).write_text(text, encoding="utf-8")
    information = place / "my_paper-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: my_paper\nVersion: 1.0\n", "utf-8")
    (information / "entry_points.txt").write_text("[auditor.plugins]\nmy_paper = my_paper\n", "utf-8")
    return place


@pytest.mark.parametrize(
    "session",
    [
        pytest.param(session, id=" ".join(session[0].words[:3]), marks=[pytest.mark.slow] if is_slow(session) else [])
        for session in sorted(sessions(), key=lambda session: session[0].words[: len(RUN)] != RUN)
    ],
)
def test_the_commands_print_what_is_shown(folder, session):
    """Each command, in the order of the page; its exit code is 0 unless `echo $?` says otherwise."""
    if session[0].words[:2] == ("auditor", "verify") and not (folder / "audit-report").exists():  # asked for alone
        run((*RUN, "--profile", "quick"), folder)
    codes = []
    for command in session:
        if command.words == ("echo", "$?"):
            assert codes.pop() == int(command.shown[0])
            continue
        done = run(command.words, folder)
        missing = matches(command.shown, done.stdout.splitlines())
        assert missing is None, f"not printed: {missing}\n{done.stdout}{done.stderr}"
        codes.append(done.returncode)
    assert not any(codes)


def test_the_make_targets_exist():
    """`make audit` and `make test` are too long to be run here: their targets are there."""
    targets = re.findall(r"^make (\S+)", "".join(text for _, text in blocks("sh")), re.MULTILINE)
    assert targets == ["audit", "test", "docs"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_layout_is_the_tree():
    """Every folder that the README names is there."""
    (layout,) = [text for _, text in blocks("")]
    folders = re.findall(r"(\w+)/ ", layout)
    assert len(folders) == 6
    assert all((ROOT / name).is_dir() for name in folders)


def test_lists_of_targets_on_the_pages_can_be_read(tmp_path):
    """Each block of TOML is a list of `auditor check`, with options that the commands know."""
    lists = [text for _, text in blocks("toml")]
    assert lists
    for text in lists:
        file = tmp_path / "pyproject.toml"
        file.write_text(text, "utf-8")
        known = {"mechanism": {*OPTIONS, "claim"}, "accountant": {"against", *AccountantOptions.__optional_keys__}}
        for kind, _, options in read(file).entries:
            assert options.keys() <= known[kind]


def test_every_block_is_of_a_kind_that_is_tested():
    """No example escapes."""
    languages = [block["language"] for page in PAGES.values() for block in BLOCK.finditer(page)]
    directives = {language for language in languages if language.startswith("{")}  # of Sphinx: no examples
    assert set(languages) - directives == {"sh", "console", "python", "yaml", "toml", "json", ""}
    assert len(sessions()) >= 8
    assert len(files()) >= 12


def test_the_readme_is_read_in_three_minutes():
    """And what it links to is there."""
    assert len(README.split()) <= 600
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 15
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_a_line_that_is_not_printed_is_found():
    """The comparison can fail: a wrong line, a line too many, a line too few."""
    printed = ["one", "two 2.5", "three"]
    assert matches(("one", "two ...", "three"), printed) is None
    assert matches(("...", "three"), printed) is None
    assert matches(("one", "..."), printed) is None
    assert matches(("one", "two 3"), printed) == "two 3"
    assert matches(("one", "two 2.5"), printed) is not None
    assert matches(("one", "two 2.5", "three", "four"), printed) == "four"
