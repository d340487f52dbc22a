"""Completion of verbs, options and ids, as bash, zsh and fish ask for it; no shell is started."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete, get_completion_class, shell_complete

from auditor.engine.index import index
from auditor.front.cli import COMPLETE, app

SHELLS = ("bash", "zsh", "fish")


def completions(*words):
    """What may stand in the place of the last word of a command line, with its type."""
    *given, typed = words
    result = ShellComplete(app, {}, "auditor", COMPLETE).get_completions(list(given), typed)
    return [(item.value, item.type) for item in result]


def ids(*collections):
    """The suite's ids of some collections, as completions."""
    return [(name, "plain") for each in collections for name in index()[each]]


@pytest.mark.parametrize(
    ("words", "collections"),
    [
        (["evaluate"], ["claims"]),
        (["run", "wilkins2024.*"], ["claims", "mechanisms", "faults", "controls", "accountants"]),
        (["explain"], ["claims", "mechanisms", "faults", "controls", "accountants", "checks"]),
        (["mechanism"], ["mechanisms", "faults", "controls"]),
        (["mechanism", "m:f", "--claim"], ["claims"]),
        (["accountant"], ["accountants", "faults"]),
        (["accountant", "m:f", "--against"], ["claims"]),
        (["notebook"], ["notebooks", "claims", "mechanisms", "faults", "controls", "accountants"]),
        (["experiments"], ["experiments"]),
    ],
    ids=" ".join,
)
def test_every_place_of_an_id_completes_the_ids_that_may_stand_there(words, collections):
    """All of them where nothing is typed, those that begin with it where something is."""
    expected = ids(*collections)
    assert completions(*words, "") == expected
    name = expected[-1][0]
    assert completions(*words, name[:-1]) == [one for one in expected if one[0].startswith(name[:-1])]


def test_a_target_that_begins_no_id_is_a_path():
    """The shell completes files then; in the place of a claim it does not."""
    assert completions("mechanism", "src/rel") == [("src/rel", "file")]
    assert completions("evaluate", "src/rel") == []


def test_verbs_kinds_and_options_complete():
    """What the parser knows by itself."""
    assert completions("expl") == [("explain", "plain")]
    assert completions("list", "tr") == [("truths", "plain")]
    assert completions("run", "--pro") == [("--profile", "plain")]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_its_script(shell, capsys, monkeypatch):
    """The script that the README tells to evaluate asks through the same variable."""
    monkeypatch.setattr(get_completion_class("bash"), "_check_version", lambda *_: None)  # it would start a bash
    assert shell_complete(app, {}, "auditor", COMPLETE, f"{shell}_source") == 0
    assert f"{COMPLETE}={shell}_complete" in capsys.readouterr().out


@pytest.mark.slow
def test_a_process_asked_to_complete_answers_from_the_index_alone():
    """What a shell waits for: the ids, one a line, and none of the catalogue's modules imported for them."""
    code = (
        "import atexit, sys\n"
        "heavy = ('numpy', 'mpmath', 'flint', 'pydantic', 'proofs_numeric', 'mechanisms')\n"
        "atexit.register(lambda: print(sorted(set(heavy) & set(sys.modules)), file=sys.stderr))\n"
        "from auditor.front.cli import main\n"
        "main()\n"
    )
    requests = {COMPLETE: "bash_complete", "COMP_WORDS": "auditor evaluate wilkins2024.thm5.4.c", "COMP_CWORD": "2"}
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code], env={**os.environ, **requests}, capture_output=True, text=True, check=True
    )
    expected = [name for name in index()["claims"] if name.startswith("wilkins2024.thm5.4.c")]
    assert done.stdout.split() == [f"plain,{name}" for name in expected]
    assert expected
    assert done.stderr == "[]\n"
