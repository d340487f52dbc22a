"""Whatever is typed or read: an exit code of the contract, at most one line of error, and never a stack trace."""

import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from auditor.engine import runner
from auditor.engine.checkpoint import CHECKPOINT
from auditor.errors import LONGEST_MESSAGE, ExitCode
from auditor.front.cli import VERBS, invoke
from auditor.report import json as report_json
from tests.auditor.front.test_streams import TARGET
from tests.auditor.report.sample import sample_report

pytestmark = pytest.mark.slow

CLAIM = "thresholds.laplace.integer"
NAMES = list(VERBS)
CODES = {*ExitCode, 4} - {ExitCode.CLOSED_PIPE}
LONG = "9" * 5000
DEEP = '{"left":' + "[" * 20_000
REPORT = json.loads(report_json.render(sample_report()))
ODD = (
    "", " ", "-", "--", "-h", "--json", "=", "a=", "=1", ":", ".", "..", "/", "~", "*", "[", "?", "%s", "{}", "0", "-1",
    "nan", "inf", "-inf", "infinity", "1e400", "1e-400", "1e999999999", "1/0", "1/3", "0x10", "½", "\x1b[2J", "\u202e",
    "\udcff", "a\nb", "/dev/null", "/dev/full", LONG, "x" * 5000, "(" * 5000, "[" * 5000, DEEP, "0." + LONG,
)  # fmt: skip
"""What has broken command lines; none of it names a report, a target or a folder that exists."""
WORDS = st.sampled_from(ODD) | st.text(st.characters(exclude_characters="\0"), max_size=12)
# No word may make a verb do its work: that is what the other tests are for.
OPTIONS = {
    "run": ("--profile", "--seed", "--alpha", "--jobs", "--evidence"),
    "evaluate": ("--arithmetic", "--digits"),
    "calibrate": ("--epsilon", "--delta", "--digits"),
    "accountant": ("--against", "--box", "--tolerance", "--max-examples", "--seed"),
    "mechanism": (
        "--claim", "--epsilon", "--delta", "--c-u", "--pair", "--direction", "--budget", "--samples", "--alpha",
        "--seed", "--one-run", "--blocks",
    ),
    "render": ("--to", "--out"),
    "reproduce": ("--report", "--evidence"),
    "notebook": (),
    "experiments": ("--seed",),
    "mutate": ("--most", "--seconds", "--jobs"),
    "coq": ("--out",),
}  # fmt: skip
FIRST = {
    "run": ["no.such.claim"],
    "evaluate": [CLAIM],
    "calibrate": ["gaussian_sparse_histogram"],
    "accountant": [f"{TARGET}:no_such_function", "--against", CLAIM],
    "mechanism": [f"{TARGET}:no_such_function", "--epsilon", "1", "--delta", "0"],
    "experiments": ["no-such-experiment"],
    "mutate": ["no.such.claim"],
    "coq": ["no.such.claim"],
}
"""Arguments that come first: what would run for long is stopped by a name that does not exist."""


def told(arguments, folder):
    """Run a command line in a folder and check what it promises of every command line; give its exit code."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(folder)
        code = invoke(arguments)
    lines = err.getvalue().splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    assert code in CODES
    assert "the auditor itself failed" not in err.getvalue()
    assert "Traceback" not in err.getvalue()
    assert len(errors) <= 1
    assert all(line.isprintable() and len(line) <= LONGEST_MESSAGE + len("error: ") for line in errors)
    assert {letter for letter in out.getvalue() if not letter.isprintable()} <= set("\n\t\xa0\u200b")  # MathML's own
    if code == ExitCode.USAGE and arguments:
        assert errors or "Usage: " in err.getvalue(), (out.getvalue(), err.getvalue())
    return code


@st.composite
def command_lines(draw):
    """A verb with its arguments, options with and without values, in any number."""
    verb = draw(st.sampled_from(NAMES))
    words = [verb, *FIRST.get(verb, [])]
    for _ in range(draw(st.integers(0, 4))):
        option = draw(st.sampled_from(["", *OPTIONS.get(verb, ("--strict",))]))
        words += [option, draw(WORDS)] if option else [draw(WORDS)]
    return [word for word in words if word not in {"--execute", "--full", "--yes", "--resume"}]


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(arguments=command_lines())
@example(arguments=["evaluate", CLAIM, f"scale={LONG}", "threshold=3"])
@example(arguments=["mechanism", f"{TARGET}:f", "--epsilon", "1", "--delta", "0", "--pair", DEEP])
def test_every_command_line_is_answered(tmp_path_factory, arguments):
    """Any words after any verb."""
    told(arguments, tmp_path_factory.mktemp("fuzz"))


VALUES = st.recursive(
    st.sampled_from(
        [None, True, 0, -1, 10**400, 1.5, float("inf"), "", "1", "nan", "\x1b[2J", "\udcff", LONG, "x" * 5000]
    )
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "a", "\n"]), inner, max_size=2)
    ),
    max_leaves=3,
)


@st.composite
def mutated(draw, document):
    """A JSON document with one to three of its values replaced, removed or doubled, or its text cut or spoilt."""
    document = json.loads(json.dumps(document))
    for _ in range(draw(st.integers(1, 3))):
        place, parent, key = document, None, None
        while isinstance(place, (dict, list)) and place and (parent is None or draw(st.integers(0, 4))):
            parent, key = place, draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
            place = parent[key]
        if parent is not None:
            _mutate(draw, parent, key)
    text = json.dumps(document)
    cut = draw(st.integers(0, len(text)) | st.just(len(text)) | st.just(len(text)))
    return text[:cut].encode() + draw(
        st.sampled_from([b"", b"", b"", b"\xff", b"\0", b"]", DEEP.encode(), LONG.encode()])
    )


def _mutate(draw, parent, key):
    how = draw(st.sampled_from(["replace", "remove", "double"]))
    if how == "replace":
        parent[key] = draw(VALUES)
    elif how == "remove":
        del parent[key]
    elif isinstance(parent, list):
        parent.append(parent[key])
    else:
        parent["extra"] = parent[key]


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=mutated(REPORT), verb=st.sampled_from(["verify", "render", "compare", "reproduce"]), strict=st.booleans())
def test_every_report_is_read_or_refused(tmp_path_factory, text, verb, strict):
    """A report with any of its fields changed."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "report.json").write_bytes(text)
    (folder / "old.json").write_text(json.dumps(REPORT), encoding="utf-8")
    words = {
        "verify": ["report.json", *(["--strict"] if strict else [])],
        "render": ["report.json", "--to", "markdown" if strict else "html"],
        "compare": ["old.json", "report.json"],
        "reproduce": ["no-such-finding::check", "--report", "report.json"],
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "run", lambda *_, **__: sample_report())
        told([verb, *words[verb]], folder)


PAIR = {"left": {"k0": 3, "k1": 2}, "right": {"k0": 3, "k1": 1}}
EVIDENCE = {
    "format": "sparse-histogram-auditor evidence 1",
    "subject": "laplace_mechanism against rogers2024.thm1.laplace",
    "alpha": 1e-8,
    "seed": 0,
    "runs": [{"number": 0, "version": "0", "log_wealth": None, "samples": 0}],
}


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=mutated(PAIR), inline=st.booleans())
def test_every_pair_is_used_or_refused(tmp_path_factory, text, inline):
    """Neighbours from a file or from the command line; the target does not exist, so that nothing is drawn."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "pair.json").write_bytes(text)
    pair = text.decode(errors="surrogateescape").replace("\0", "") if inline else "pair.json"
    assert told([*["mechanism", *FIRST["mechanism"]], "--pair", pair], folder) == ExitCode.USAGE


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=mutated(EVIDENCE))
def test_every_history_is_continued_or_refused(tmp_path_factory, text):
    """Evidence of other runs; its open run is of a version that does not exist, so that nothing is drawn."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "evidence.json").write_bytes(text)
    run = ["run", "laplace_mechanism", "--profile", "quick", "--jobs", "1", "--evidence", "evidence.json"]
    told(run, folder)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=mutated({"seed": 0, "profile": "quick"}))
def test_every_checkpoint_is_refused(tmp_path_factory, text):
    """Of another run at best."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "audit-report").mkdir()
    (folder / "audit-report" / CHECKPOINT).write_bytes(text + b"\n")
    assert told(["run", CLAIM, "--resume"], folder) == ExitCode.USAGE
