"""The files by which the CI of others uses the suite: steps are run, with a command that notes its words."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import click
import pytest
import yaml
from packaging.requirements import Requirement

from auditor.front.cli import app
from auditor.report import ci
from tests.auditor.report.sample import sample_report

ROOT = Path(__file__).resolve().parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
NOTES = """
import json, pathlib, sys
with open("words", "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] == "run":
    out = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
    out.mkdir()
    (out / "report.json").touch()
    sys.exit(1)
if "--junit" in sys.argv or "junit" in sys.argv:
    out = pathlib.Path(sys.argv[sys.argv.index("--junit" if "--junit" in sys.argv else "--out") + 1])
    out.write_text('<testsuites tests="5" failures="2" errors="1"/>')
print("said by", *sys.argv[1:])
if sys.argv[1] == "accountant":
    sys.exit(3)
"""


def taken(words: list[str]) -> click.Context:
    """Parse a command line of ours as the command does; click raises at what it does not know."""
    command = app.get_command(click.Context(app), words[0])
    assert command is not None, words[0]
    return command.make_context(words[0], words[1:])


GIVEN = {"selection": "mine* half_noise", "profile": "quick", "out": "report", "evidence": "kept.json"}


def acted(tmp_path, given):
    """Run the action's last step in a folder where a glob would match, and give what it called and how it ended."""
    (tmp_path / "mine.txt").touch()
    program = tmp_path / "bin" / "auditor"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-c", NOTES])} "$@"\n', "utf-8")
    program.chmod(0o755)
    step = ACTION["runs"]["steps"][-1]
    inputs = {name: value["default"] for name, value in ACTION["inputs"].items()} | given
    environment = {
        name: inputs[re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", text)[1]] for name, text in step["env"].items()
    }
    environment |= {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_OUTPUT": str(tmp_path / "outputs"),
    }
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]  # as GitHub starts it
    done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    return done, [json.loads(line) for line in (tmp_path / "words").read_text("utf-8").splitlines()], tmp_path


@pytest.fixture
def commands(tmp_path):
    """The action for a selection."""
    return acted(tmp_path, GIVEN)


@pytest.mark.slow
def test_the_action_ends_as_the_audit_and_tells_of_it(commands):
    """Exit 1 of the run is the step's, after annotations on standard output and Markdown in the summary."""
    done, words, folder = commands
    assert (done.returncode, done.stderr) == (1, "")
    assert [line[0] for line in words] == ["run", "render", "render", "render", "render"]
    assert "--to github" in done.stdout
    assert "--to markdown" in (folder / "summary").read_text("utf-8")
    outputs = (folder / "outputs").read_text("utf-8").splitlines()
    assert outputs == ["verdict=fail", "findings=5", "unexpected=3"]
    assert {each.partition("=")[0] for each in outputs} == ACTION["outputs"].keys()


@pytest.mark.slow
def test_the_action_audits_the_files_of_its_user(tmp_path):
    """One mechanism and one accountant by inputs; without inputs the list of pyproject.toml."""
    arguments = {"target": "noise.py:release --epsilon 1", "accountant": "mine.py:delta --against wilkins2024.thm2.2"}
    done, words, folder = acted(tmp_path, arguments)
    assert done.returncode == 3, done.stderr
    mechanism, accountant = [taken(line).params for line in words]
    assert (mechanism["target"], mechanism["epsilon"], accountant["against"]) == (
        "noise.py:release", "1", "wilkins2024.thm2.2"
    )  # fmt: skip
    assert mechanism["github"]
    assert (folder / "outputs").read_text("utf-8").split() == ["verdict=undecided", "findings=10", "unexpected=6"]
    listed = tmp_path / "listed"
    listed.mkdir()
    (listed / "pyproject.toml").write_text("[tool.auditor]\n", "utf-8")
    done, ((verb, *_),), _ = acted(listed, {})
    assert (done.returncode, verb) == (0, "check"), done.stderr


@pytest.mark.slow
def test_what_the_action_calls_are_commands_of_ours(commands):
    """Options and forms as the command line takes them; globs are not the shell's."""
    run, *renders = [taken(line).params for line in commands[1]]
    assert run["selection"] == ("mine*", "half_noise")
    assert str(run["evidence"]) == "kept.json"
    assert [each["form"] for each in renders] == ["github", "markdown", "sarif", "junit"]
    assert renders[-1]["timings"] == run["timings"]


def test_inputs_reach_a_shell_as_variables_alone():
    """Text of an input is never part of a script: whoever sets it cannot run anything."""
    steps = ACTION["runs"]["steps"]
    assert [step["run"] for step in steps if "${{" in step["run"]] == []
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(steps)))
    assert used == ACTION["inputs"].keys()


def test_steps_on_the_pages_are_commands_of_ours():
    """Each line of a YAML block that calls the auditor, up to where its shell goes on."""
    pages = "".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/tutorials/ci.md"))
    blocks = [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", pages, re.MULTILINE | re.DOTALL)]
    assert len(blocks) == 8
    lines = re.findall(r"^\s*(?:- (?:run: )?)?auditor (.*)$", pages, re.MULTILINE)
    verbs = [taken(shlex.split(re.split(r" (?:>+|\||\|\|) ", line)[0])).info_name for line in lines]
    assert set(verbs) == {"run", "render", "compare", "accountant", "init", "check"}


def test_the_task_of_vs_code_finds_file_and_line():
    """Its pattern matches an annotation, and not the line about the whole report."""
    page = (ROOT / "docs" / "tutorials" / "ci.md").read_text(encoding="utf-8")
    (task,) = json.loads(re.search(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1])["tasks"]
    assert taken(shlex.split(task["command"])[1:]).params["github"]
    report = sample_report()
    (first, *_) = ci.select_findings(report)
    lines = ci.github(report, {first.id: ("my noise.py", 12)}).splitlines()
    pattern = task["problemMatcher"]["pattern"]
    results = [match for line in lines if (match := re.match(pattern["regexp"], line))]
    (match,) = results
    assert [match[pattern[name]] for name in ("severity", "file", "line")] == ["error", "my noise.py", "12"]
    assert match[pattern["message"]] == first.headline


def test_the_image_has_what_the_suite_installs():
    """Each copied path exists and is not ignored; the page runs the image that it builds."""
    recipe = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [path for line in re.findall(r"^COPY (.*) \S+$", recipe, re.MULTILINE) for path in line.split()]
    assert {"auditor", "mechanisms", "proofs_numeric", "pyproject.toml"} <= {*copied}
    assert [path for path in copied if not (ROOT / path).exists()] == []
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in ignored if line.startswith("!")} == {*copied}
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"docker build --tag (\S+) \.", page)
    (command,) = re.findall(rf"^  {name} \\\n  auditor (.*)$", page, re.MULTILINE)
    assert taken(shlex.split(command)).params["epsilon"] == "1"


def test_the_conda_recipe_is_the_project_file():
    """Name, version, interpreter, dependencies, build backend, program and licence; no template is in the recipe."""
    recipe = yaml.safe_load((ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8"))
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    assert recipe["package"] == {name: project[name] for name in ("name", "version")}
    python = f"python{project['requires-python']}"
    assert [each.replace(" ", "") for each in recipe["requirements"]["run"]] == [python, *project["dependencies"]]
    host = [each.replace(" ", "") for each in recipe["requirements"]["host"]]
    hook = document["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    imported = [*project["dependencies"], *hook["dependencies"]]
    assert host == [python, "pip", *document["build-system"]["requires"], *imported]
    assert recipe["build"]["entry_points"] == [f"{name} = {path}" for name, path in project["scripts"].items()]
    assert recipe["about"]["summary"] == project["description"]
    assert (recipe["about"]["license"], [recipe["about"]["license_file"]]) == (
        project["license"],
        project["license-files"],
    )
    assert (ROOT / "conda" / recipe["source"]["path"]).resolve() == ROOT


def test_the_page_states_the_size_of_an_installation():
    """Within a quarter of what the distributions here take that `pip install` would install."""
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    (stated,) = map(int, re.findall(r"`pip install \.` takes about (\d+) MB", page))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    sizes, waiting = {}, [Requirement(line) for line in project["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        if requirement.name not in sizes and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            installed = distribution(requirement.name)
            paths = [Path(installed.locate_file(file)) for file in installed.files or ()]
            sizes[requirement.name] = sum(path.stat().st_size for path in paths if path.exists())
            waiting += map(Requirement, installed.requires or ())
    assert len(sizes) > 20
    assert 0.75 <= stated / (sum(sizes.values()) / 1e6) <= 1.25


def test_hooks_of_pre_commit_are_commands_of_ours():
    """Each is a verb, with the arguments that the file shows."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    arguments = yaml.safe_load(re.search(r"\[.*\]", text)[0])
    hooks = {hook["id"]: hook for hook in yaml.safe_load(text)}
    assert hooks.keys() == {"auditor-mechanism", "auditor-accountant"}
    for hook in hooks.values():
        program, verb = hook["entry"].split()
        assert program == "auditor"
        assert not hook["pass_filenames"]
        assert taken([verb, arguments[0], *(arguments[1:] if verb == "mechanism" else [])])
