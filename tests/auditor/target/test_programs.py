"""Targets in other interpreters and in other languages: what docs/protocol.md says, and every way to break it."""

import re
import shlex
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.request import AccountantRequest
from auditor.engine.registry import registry
from auditor.errors import TargetError
from auditor.mechanism_audit.audit import audit_mechanism
from auditor.mechanism_audit.request import MechanismRequest
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.target.target import Infinite, Limits, MisbehavedError, Returned, Several, locate
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.target.test_hostile import gone

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "protocol.md"
KEY = 'new, and "old"'
PAIR = {"left": {KEY: 1}, "right": {}}
COUNTED = {"left": {KEY: 2}, "right": {KEY: 1}}


def program(way, kind="mechanism", seconds=20.0):
    """A program that breaks the protocol in one way."""
    command = shlex.join([sys.executable, str(HERE / "programs.py"), way])
    return locate(f"exec:{command}", kind, Limits(answer_seconds=seconds))


def example(language, file, folder):
    """Write the example of the page that is in this language."""
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / file).write_text(code, encoding="utf-8")
    return folder / file


def compiled(tool, *command):
    """Compile an example, or say that the language is not here: rustup's rustc is but a name without a toolchain."""
    there = shutil.which(tool) is not None
    if there and tool == "rustc":
        there = subprocess.run([tool, "-V"], capture_output=True, check=False).returncode == 0  # noqa: S603
    if not there:
        pytest.skip(f"not applicable: no {tool} on this machine; install it to audit the example in its language")
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own examples


@pytest.fixture
def commands(tmp_path):
    """Return the command of the example in a language, compiled."""

    def command(language):
        if language == "cpp":
            source = example("cpp", "threshold.cpp", tmp_path)
            compiled("g++", "g++", "-o", str(tmp_path / "threshold"), str(source))
            return shlex.quote(str(tmp_path / "threshold"))
        if language == "java":
            compiled("javac", "javac", str(example("java", "Total.java", tmp_path)))
            return shlex.join(["java", "-cp", str(tmp_path), "Total"])
        if language == "rust":
            source = example("rust", "laplace_threshold.rs", tmp_path)
            compiled("rustc", "rustc", "-o", str(tmp_path / "laplace_threshold"), str(source))
            return shlex.quote(str(tmp_path / "laplace_threshold"))
        if language == "perl":
            compiled("perl", "perl", "-c", str(source := example("perl", "noisy.pl", tmp_path)))
            return shlex.join(["perl", str(source)])
        compiled("awk", "awk", "BEGIN { exit }")
        mawk = "mawk" in Path(shutil.which("awk")).resolve().name
        options = ["-W", "interactive"] if mawk else []
        return shlex.join(["awk", *options, "-f", str(example("awk", "total.awk", tmp_path))])

    return command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "claimed", "kept"),
    [("cpp", ("1", "1e-3"), ("1", "0.025")), ("java", ("0.4", "0"), ("1", "0")), ("perl", ("0.4", "0"), ("1", "0")),
     ("awk", ("0.4", "0"), ("1", "0"))],
)  # fmt: skip
def test_the_mechanisms_of_the_page_are_audited(language, claimed, kept, commands):
    """Delta of the threshold is P[1 + Lap(1) > 4] = e^-3 / 2 = 0.0249; Laplace noise of scale 1 is 1-DP."""
    target = f"exec:{commands(language)}"
    for (epsilon, delta), verdict in ((claimed, Verdict.REFUTED), (kept, Verdict.CONSISTENT)):
        pair = PAIR if language == "cpp" else COUNTED
        options = {"pair": pair, "alpha": "1e-9", "samples": 16000, "detect": "0.2"}
        audit = audit_mechanism(MechanismRequest.of(target, None, {}, epsilon=epsilon, delta=delta, **options))
        expected = ("tried 1 pair of ", "the data are given")
        complaints = [n for n in audit.notes if "--only-input-keys" not in n and not n.startswith(expected)]
        assert (audit.verdict, complaints) == (verdict, []), audit.detail


@pytest.mark.slow
def test_the_accountant_of_the_page_is_audited(commands):
    """The threshold of Theorem 7 in doubles is right to rounding."""
    claim = registry().claim("rogers2024.thm7.laplace.T")
    box = {"delta": ("1e-12", "1e-2"), "epsilon": ("0.1", "10"), "delta_0": (1, 1000), "delta_inf": (1, 1000)}
    target = f"exec:{commands('rust')}"
    audit = audit_accountant(AccountantRequest(target=target, claim=claim, box=box, max_examples=30))
    assert audit.verdict is Verdict.CONSISTENT, audit.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("garbage", "answers a line that is neither one JSON value nor ! and the text of an error: 'no json'"),
        ("brackets", "answers a line that is neither one JSON value"),
        ("twice", "answers with a duplicate key"),
        ("too many", "answers more lines than it was asked for"),
        ("flood", "answers a line of more than 16777216 bytes"),
        ("dies", "dies: exited with status 3; its standard error ends: panic: no such state"),
        ("hogs", "dies: exited with status 1; its standard error ends: .*MemoryError"),
    ],
)
def test_a_program_that_breaks_the_protocol_is_named(way, words):
    """It starts anew at the next request, and breaks it again."""
    with program(way) as target:
        if way == "too many":
            assert len(target.sample({"k0": 3}, 2, 0).values) == 2
        for seed in range(2):
            with pytest.raises(MisbehavedError, match=words):
                target.sample({"k0": 3}, 2, seed)
            if way == "too many":
                break


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("hangs", "gives no answer within 2 s; a program has to flush its output after each request"),
        ("closes", "gives no answer within 2 s|dies: it closed its output"),
    ],
)
def test_a_program_that_is_silent_costs_its_limit(way, words):
    """Whether it waits with its answer or will never give one."""
    with program(way, seconds=2.0) as target, pytest.raises(MisbehavedError, match=words):
        target.sample({"k0": 3}, 2, 0)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and prctl")
def test_nothing_that_a_program_started_is_left_running(tmp_path, monkeypatch):
    """A session of its own, of a program that hangs."""
    monkeypatch.setenv("AUDITOR_TEST_PIDS", str(tmp_path / "pids"))
    with program("leaves a child", seconds=5.0) as target, pytest.raises(MisbehavedError, match="no answer"):
        target.sample({"k0": 3}, 1, 0)
    assert gone(int((tmp_path / "pids").read_text("utf-8")))


@pytest.mark.slow
def test_an_error_of_a_program_is_one_of_its_outputs():
    """The text behind ! is the output, numbers in it are values."""
    with program("refuses") as target:
        batch = target.sample({"k0": 3}, 2, 0)
    assert batch.shapes == ("raised ValueError: lost # rows",)
    assert batch.values.tolist() == [[5.0], [5.0]]


@pytest.mark.slow
def test_releases_that_repeat_whatever_the_seed_are_no_sample():
    """A generator that takes no seed beyond its range, say: more releases would not be more evidence."""
    with program("one seed") as target:
        audit = audit_mechanism(MechanismRequest.of(target, None, {}, epsilon="1", delta="1e-3", pair=PAIR))
    assert audit.verdict is Verdict.ERROR
    assert "returns equal releases for every seed" in audit.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "answer"),
    [
        ("one third", Returned(Fraction(1, 3))),
        ("infinite", Infinite(positive=True)),
        ("epsilon", Returned(Fraction(0.1))),
        ("bracket", Several((Returned(Fraction(1, 3)), Infinite(positive=True)), "[Fraction(1, 3), inf]")),
    ],
)
def test_numbers_of_programs_arrive_exactly(way, answer):
    """Doubles as doubles, strings as fractions."""
    with program(way, "accountant") as target:
        assert target.call_many([{"epsilon": 0.1}, {"epsilon": 0.1}]) == [answer, answer]


@pytest.mark.slow
def test_an_answer_that_is_no_number_is_shown():
    """As of a callable."""
    with program("words", "accountant") as target:
        assert str(target.call({"epsilon": 0.1})) == "returns about 3 (no number)"


LAPLACE = """
import sys
def release(histogram, rng):
    assert "numpy" not in sys.modules
    return {key: count + rng.expovariate(1) - rng.expovariate(1) for key, count in histogram.items()}
class Many:
    def release_many(self, histogram, n, rng):
        return tuple(histogram), [[count + rng.gauss(0, 1) for count in histogram.values()] for _ in range(n)]
def delta(epsilon):
    return 2 ** -epsilon
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An interpreter without NumPy, and a file of mechanisms and accountants that need none."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)  # noqa: S603 - our own
    (folder / "laplace.py").write_text(LAPLACE, encoding="utf-8")
    return str(folder / "bin" / "python"), str(folder / "laplace.py")


@pytest.mark.slow
def test_another_interpreter_needs_the_standard_library_only(bare):
    """Releases, vectorised releases and calls, with the random numbers of the standard library."""
    python, file = bare
    with locate(f"{file}:release", "mechanism", python=python) as target:
        first, again, other = (target.sample({"a": 3, "b": 5}, 500, seed) for seed in (1, 1, 2))
        assert np.array_equal(first.values, again.values)
        assert not np.array_equal(first.values, other.values)
        assert first.rng_used
        assert "its rng is a random.Random: its interpreter has no NumPy" in Sampler(target, Pace(60.0)).look(
            {"a": 3}, 1
        )
        assert np.allclose(first.values.mean(axis=0), [3, 5], atol=0.5)  # 8 deviations of sqrt(2/500)
    with locate(f"{file}:Many", "mechanism", python=python) as target:
        batch = target.sample({"a": 3, "b": 5}, 500, 1)
        assert (batch.columns, batch.values.shape) == (("a", "b"), (500, 2))
    with locate(f"{file}:delta", "accountant", python=python) as target:
        assert target.call({"epsilon": 1}) == Returned(Fraction(1, 2))


@pytest.mark.parametrize(
    ("text", "python", "words"),
    [
        ("exec:no-such-program --fast", None, "no such command: 'no-such-program'"),
        ("exec:", None, "no such command: ''"),
        ("exec:'unclosed", None, "expected exec:COMMAND"),
        ("exec:cat", sys.executable, "expected --python or exec:COMMAND, got both"),
        ("json:dumps", "/no/such/python", "expected --python with the path of an interpreter"),
        ("json:dumps", "/bin/cat", "does not import: the process is exited with status"),
    ],
)
def test_a_command_or_an_interpreter_that_is_none_is_told_at_once(text, python, words):
    """Before anything is audited."""
    with pytest.raises(TargetError, match=words), locate(text, "accountant", python=python):
        pass
