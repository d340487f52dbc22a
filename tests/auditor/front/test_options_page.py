"""The page of options by task: current, with each option of a command exactly once."""

from collections import Counter
from pathlib import Path

import pytest

from auditor.front.options_page import ACCOUNTANT, COMMAND, MECHANISM, PAGE, options, render
from auditor.mechanism_audit.options import OPTIONS, dashed

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_current():
    """The page has the texts of the commands."""
    assert (ROOT / PAGE).read_text(encoding="utf-8") == render(), f"run `{COMMAND}`"


@pytest.mark.parametrize(("verb", "tasks"), [("mechanism", MECHANISM), ("accountant", ACCOUNTANT)])
def test_each_option_belongs_to_one_task(verb, tasks):
    """A new option needs a task before the page can be written."""
    assert Counter(name for names in tasks.values() for name in names) == Counter([*options(verb)])


def test_the_options_of_a_mechanism_are_those_of_the_one_list():
    """Meaning and default are the fields of the option."""
    table = options("mechanism")
    assert {f"--{dashed(name)}" for name in OPTIONS} <= table.keys()
    for name, (one, default, _type) in OPTIONS.items():
        _, meaning, stated = table[f"--{dashed(name)}"]
        assert meaning == " ".join(one.help.split())
        if one.unset:
            assert stated == one.unset
        elif isinstance(default, str | int | float) and not isinstance(default, bool):
            assert stated == str(default)


def test_the_range_of_a_number_is_no_default():
    """It would read as a part of the default."""
    assert options("accountant")["--seed"][2] == "0"
    assert options("accountant")["--max-examples"][2] == "400"
    assert options("accountant")["--jobs"][1:] == (
        "Processes that call a slow target. The result does not depend on N.",
        "",
    )
