"""A wheel of this tree, installed without extras in an environment of its own: away from the tree, everything works."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
MINORS = (11, 13)
"""The oldest Python and the newest."""
OUTSIDE = {name: text for name, text in os.environ.items() if name not in {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE"}}
"""The environment of a stranger: nothing of the tree on the path, and what was compiled is kept."""
VALUE = "0.000010031038485126870181422318044937"
SYMBOLIC = "rogers2024.repair.thm11.tilt"
"""A claim whose proof is a symbolic identity."""
NO_NOISE = """
def release(histogram, rng):
    return {key: count for key, count in histogram.items() if count >= 2}
"""
NEIGHBOURS = '{"left": {"a": 2}, "right": {"a": 1}}'
A_TEST = f"""
from auditor.pytest_plugin import assert_claim

def test_a_symbolic_identity():
    assert_claim("{SYMBOLIC}")
"""


def done(*words: object, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a stranger would."""
    texts, variables = [str(word) for word in words], {**OUTSIDE, **environment}
    return subprocess.run(texts, cwd=cwd, env=variables, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def interpreter(minor: int) -> str | None:
    """An interpreter of Python 3.`minor`: this one, one on the path, or one of pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [sys.executable, shutil.which(f"python3.{minor}"), *sorted(pyenv.glob(f"3.{minor}.*/bin/python"))]
    answer = f"import sys, venv; sys.exit(sys.version_info[:2] != (3, {minor}))"
    return next((str(each) for each in candidates if each and done(each, "-c", answer).returncode == 0), None)


def built(tree: Path, folder: Path, **environment: str) -> Path:
    """Build the wheel of a tree as pip builds it, with the hatchling that stands here."""
    ended = done(*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, tree, **environment)
    assert ended.returncode == 0, ended.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    probe = done(*PIP, "download", "--no-deps", "hatchling", "--retries", "1", "--dest", folder / "probe")
    if probe.returncode != 0:
        pytest.skip(f"no package index is reachable: {probe.stderr.strip().splitlines()[-1]}")
    return built(ROOT, folder)


@pytest.mark.slow
def test_a_wheel_that_is_built_twice_is_the_same_bytes(wheel, tmp_path):
    """From a copy elsewhere with other times and modes of files, in another time zone, locale and order of hashing."""
    kept_out = shutil.ignore_patterns(".venv", ".git", ".*_cache", ".hypothesis", "__pycache__", "audit-report")
    copy = shutil.copytree(ROOT, tmp_path / "elsewhere", ignore=kept_out, copy_function=shutil.copyfile)
    again = built(copy, tmp_path, TZ="Asia/Kathmandu", LC_ALL="C", PYTHONHASHSEED="1")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("minor", MINORS)
def test_a_base_installation_works_away_from_the_tree(minor, wheel, tmp_path):
    """Every light verb, a run, an audit of a plain file and the pytest plugin; what lacks an extra says which."""
    python = interpreter(minor)
    if python is None:
        pytest.skip(f"no Python 3.{minor} on this machine")
    if minor == sys.version_info.minor and (other := next(filter(interpreter, {*MINORS} - {minor}), None)):
        pytest.skip(f"all other tests run on Python 3.{minor}, and an installation on 3.{other}")
    assert done(python, "-m", "venv", "--without-pip", tmp_path / "env").returncode == 0
    there = tmp_path / "env" / "bin"
    pinned = [
        line.rstrip("\\ ") for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines() if "==" in line
    ]
    versions = tmp_path / "versions.txt"  # without the hashes, which the wheel has none of
    versions.write_text("\n".join(pinned), "utf-8")
    installed = done(*PIP, "--python", there / "python", "install", "--no-compile", "--constraint", versions, wheel)
    assert installed.returncode == 0, installed.stderr
    away = tmp_path / "away"
    away.mkdir()
    (away / "mine.py").write_text(NO_NOISE, "utf-8")
    (away / "test_mine.py").write_text(A_TEST, "utf-8")

    def auditor(*words: str) -> tuple[int, str]:
        ended = done(there / "auditor", *words, cwd=away)
        assert "Traceback" not in ended.stderr
        return ended.returncode, ended.stdout

    code, text = auditor("doctor", "--json")
    symptoms = {each["name"]: each for each in json.loads(text)["symptoms"]}
    assert code == 0, text
    for package in ("sympy", "gmpy2", "matplotlib", "nbformat", "opendp", "distributed"):
        assert symptoms[package]["state"] == "optional"
        assert "pip install 'sparse-histogram-auditor[" in symptoms[package]["detail"]

    point = ("epsilon=0.349", "c_u=51914", "sigma=2228", "gap=13947", "mu_o=0", "--arithmetic", "ball")
    code, text = auditor("evaluate", "wilkins2024.thm5.4", *point)
    assert (code, text.splitlines()[0]) == (0, VALUE)

    code, text = auditor("explain", "wilkins2024.thm5.4")
    assert code == 0
    assert "theorem_5_4/theorem.py:" in text

    options = ("--profile", "quick", "--jobs", "1", "--out", "report")
    code, text = auditor("run", SYMBOLIC, "opendp.zcdp.delta", *options)
    assert code == 0, text
    for missing in ("sympy is not installed: pip install", "other libraries are not installed: auditor accountants"):
        assert f"1 not applicable ({missing}" in text.splitlines()[0]
    assert "sympy is not installed" in (away / "report" / "report.html").read_text(encoding="utf-8")

    promise = ("--epsilon", "1", "--delta", "0.1", "--samples", "2000", "--pair", NEIGHBOURS)
    code, text = auditor("mechanism", "mine.py:release", *promise)
    assert code == 1, text
    assert text.startswith("refuted: ")

    bare = "import sys, auditor.pytest_plugin; sys.exit('numpy' in sys.modules)"
    assert done(there / "python", "-c", bare, cwd=away).returncode == 0
    tested = done(there / "python", "-m", "pytest", "-q", "-rs", "test_mine.py", cwd=away)
    assert "1 skipped" in tested.stdout
    assert "sympy is not installed; pip install" in tested.stdout
