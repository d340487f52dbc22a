"""A report edited by hand does not pass: every field of findings of every kind is changed in every way."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.engine import runner
from auditor.engine.recomputation import differences, narrower
from auditor.engine.registry import registry
from auditor.errors import ExitCode
from auditor.front.cli import invoke
from auditor.profile import PROFILES
from auditor.report import files
from auditor.report import json as report_json

EVERY_KIND = [
    "bharadwaj2022.base.hadamard", "bharadwaj2022.thm2.lower", "correlated_zero_counters_noised",
    "hadamard_twice_epsilon", "lebeda2025.def2", "lebeda2025.fig3.draws.10", "lebeda2025.lem20", "lebeda2025.lem7.conv",
    "lebeda2025.sec4.bias", "reference.analytic_gaussian.delta", "rogers2024.alg3", "rogers2024.bm.l2",
    "rogers2024.sharp.top", "rogers2024.sharp.top.T", "rogers2024.thm7.proof.factor", "sample_and_threshold",
    "shuffle_one_cell", "tau_zero", "unknown_domain_top_fresh_noise_released", "wilkins2024.sec6.cu",
    "wilkins2024.sec6.fn7.tau",
]  # fmt: skip
KINDS = {
    "enclosures", "proof", "witness", "derivation", "search", "enumeration", "sampling", "accountant", "quantity",
    "reason",
}  # fmt: skip
FEW = ["rogers2024.thm7.proof.factor", "rogers2024.bm.l2", "wilkins2024.sec6.fn7.tau"]


def mutants(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Change every field under a node in place, one at a time: value, type, removed, added; then put it back.

    Of a list the first and the last element are changed, and it is turned round, doubled and cut.
    """
    if isinstance(node, dict):
        node["added"] = "by hand"
        yield path, "added"
        del node["added"]
        for name, value in list(node.items()):
            for changed, how in _changes(value):
                node[name] = changed
                yield (*path, name), how
            del node[name]
            yield (*path, name), "removed"
            node[name] = value
            yield from mutants(value, (*path, name))
    elif isinstance(node, list):
        original = list(node)
        for changed, how in (
            (original[1:], "cut"),
            (original[::-1], "turned"),
            ([*original, *original[-1:]], "doubled"),
        ):
            if changed != original:
                node[:] = changed
                yield path, how
                node[:] = original
        for place in sorted({0, len(node) - 1}) if node else ():
            yield from mutants(node[place], (*path, place))
            for changed, how in _changes(node[place]):
                node[place] = changed
                yield (*path, place), how
                node[place] = original[place]


def _changes(value: Any) -> Iterator[tuple[Any, str]]:
    if isinstance(value, bool):
        yield not value, "value"
        yield int(value), "type"
        yield str(value).lower(), "type"
    elif isinstance(value, int):
        yield value + 1, "value"
        yield float(value), "type"
        yield str(value), "type"
    elif isinstance(value, str):
        yield value + "0", "value"
        yield [value], "type"
        yield None, "type"
    elif value is None:
        yield "0", "value"
        yield False, "type"
    else:
        yield None, "type"
        yield str(value), "type"


LEAVES = st.sampled_from([None, True, 1, 1.0, 2, "", "1"])
ALIKE = st.recursive(  # two documents of one form
    st.tuples(LEAVES, LEAVES) | LEAVES.map(lambda leaf: (leaf, leaf)),
    lambda two: (
        st.lists(two, max_size=3).map(lambda both: ([left for left, _ in both], [right for _, right in both]))
        | st.dictionaries(st.sampled_from(["id", "v"]), two).map(
            lambda both: ({k: left for k, (left, _) in both.items()}, {k: right for k, (_, right) in both.items()})
        )
    ),
)
UNLIKE = st.tuples(ALIKE, ALIKE).map(lambda both: (both[0][0], both[1][1]))


@pytest.mark.slow
@given(ALIKE | UNLIKE)
@example(([{"id": "x"}, {"id": "y"}], [{"id": "y"}, {"id": "x"}]))
@example(([{"id": "x", "v": 1}, {"id": "x", "v": 2}], [{"id": "x", "v": 2}]))
@example(([{"id": "x", "v": 1}], [{"id": "x", "v": 2}]))
@example(([True, 1], [1, 1.0]))
def test_documents_differ_unless_they_are_the_same_text(documents):
    """However many fields were changed together: values, types, entries, their number and their order."""
    there, here = documents
    same = json.dumps(there, sort_keys=True) == json.dumps(here, sort_keys=True)
    assert bool(list(differences({"seed": there}, {"seed": here}))) is not same


@pytest.fixture(scope="module")
def report():
    """Give a report that has evidence of every kind, each from a few examples and releases."""
    few = replace(PROFILES["quick"], examples=5, samples=2_000, law_samples=2_000, tilted_samples=500)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROFILES, "quick", few)
        result = runner.run(EVERY_KIND, profile="quick")
    assert {evidence.type for found in result.findings for evidence in found.evidence} == KINDS
    return result


@pytest.mark.slow
def test_no_field_can_be_changed(report):
    """Every field of every kind of finding, and of all else in the report; what is told names finding and field."""
    document = json.loads(report_json.render(report))
    counts: Counter[str] = Counter()
    kinds = {(f["check"], f["verdict"], *(e["type"] for e in f["evidence"])): f for f in document["findings"]}
    for found in kinds.values():
        original = json.loads(json.dumps({"findings": [found]}))
        for path, how in mutants(found):
            told = list(differences({"findings": [found]}, original))
            named = f"{original['findings'][0]['id']}: "
            places = (f"{named}{'.'.join(map(str, path[:1]))}", f"{named}the report has nothing", "findings.0.id: ")
            assert any(text.startswith(places) for text in told), (path, how)
            counts.update([how, *(evidence["type"] for evidence in original["findings"][0]["evidence"])])
    for name in document.keys() - {"findings"}:
        original = json.loads(json.dumps({name: document[name]}))
        for path, how in mutants(part := {name: document[name]}):
            if path:
                told = list(differences(part, original))
                assert any(text.startswith(str(name)) for text in told), path
                counts.update({name, how})
    assert counts.keys() >= KINDS | {"value", "type", "removed", "added", "cut", "turned", "doubled"}
    assert counts.total() > 10_000


@pytest.mark.slow
def test_no_finding_can_be_taken_out_doubled_or_moved(report):
    """Whole findings, with the counts that would go with them."""
    document = json.loads(report_json.render(report))
    findings = document["findings"]
    for changed in (findings[1:], findings[:-1], [*findings, findings[0]], findings[::-1], []):
        told = list(differences({**document, "findings": changed}, document))
        assert any(findings[0]["id"] in text or findings[-1]["id"] in text for text in told)


@pytest.mark.parametrize(
    ("entries", "gone"),
    [
        ({"errata": [{"finding": "a::x"}, {"finding": "b::x"}]}, "errata.a::x: the report has nothing"),
        ({"trust": [{"kind": "step", "name": "one"}, {"kind": "step", "name": "two"}]}, "trust.one: the report has"),
        ({"false_alarm_ledger": [{"family": "laws"}, {"family": "pairs"}]}, "false_alarm_ledger.laws: the report has"),
    ],
)
def test_an_entry_that_is_gone_is_named(entries, gone):
    """By what it is known by, and nothing is said of the entries behind it."""
    (name,) = entries
    (told,) = differences({name: entries[name][1:]}, entries)
    assert told.startswith(gone)
    (told,) = differences({name: entries[name][::-1]}, entries)
    assert "out of order" in told


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """Give the folder of a small report."""
    folder = tmp_path_factory.mktemp("few")
    files.write(runner.run(FEW, profile="quick"), folder, strict=False)
    return folder


def verified(folder, capsys) -> tuple[int, str]:
    """Verify a folder by the command line: exit code, and what is printed."""
    code = invoke(["verify", str(folder), "--jobs", "1"])
    return code, capsys.readouterr().out


@pytest.mark.slow
def test_an_honest_report_passes(few, capsys):
    """It is run again, its views are looked at, and the trust boundary is told."""
    code, out = verified(few, capsys)
    assert code == ExitCode.OK
    assert "3 findings computed again: every field of the report agrees" in out
    assert "narrower than what is installed here: 3 of " in out
    assert "taken on trust: " in out


def test_a_report_of_part_of_the_catalogue_is_told_so():
    """How many subjects it leaves out; of a report of all of them nothing."""
    catalogue = registry()
    installed = len(catalogue.select([]))
    told = narrower(FEW, {FEW[0], "wilkins2024.thm5.4"})
    assert f": {len(FEW) + 1} of {installed} subjects, as selected by {' '.join(FEW)}; " in told
    assert told.endswith(f" {installed - len(FEW) - 1}")
    assert narrower([], set()) == narrower(["*"], set()) == ""


def red_turned_green(document):
    """Turn a refutation into a proof, with all the counts."""
    found = document["findings"][0]
    found.update(verdict="PROVED", expected="HOLDS", evidence=[])
    document["summary"]["verdicts"] = {"PROVED": {"expected": 2}, "REFUTED": {"expected": 1}}
    return "rogers2024.bm.l2::finite.enumeration: verdict: "


def nothing_was_found(document):
    """Say that a finding was not reached."""
    document.update(complete=False, pending=[document["findings"].pop(0)["id"]])
    document["summary"] = {"findings": 2, "met": 2, "verdicts": {"PROVED": {"expected": 1}, "REFUTED": {"expected": 1}}}
    return "claims.rogers2024.bm.l2: "


COMMAND = "rogers2024.bm.l2::finite.enumeration: reproduce: "
SETTINGS = [
    ("selection", [*FEW, "rogers2024.bm.std"], "rogers2024.bm.std::finite.enumeration: the report has nothing"),
    ("selection", ["no.such.claim"], "the settings: no claim matches 'no.such.claim'"),
    ("seed", 1, COMMAND),
    ("profile", "standard", COMMAND),
    ("alpha", "1e-9", COMMAND),
    ("alpha", "2", "the settings: expected 0 < alpha < 1"),
    ("seed", True, "the settings: expected seed to be of type int"),
]
"""A setting of a report, another value, and what is told of it."""


def set_to(name, value, named):
    """Give a function that changes one setting."""
    return lambda document: document.update({name: value}) or named


@pytest.mark.slow
@pytest.mark.parametrize("forge", [red_turned_green, nothing_was_found, *(set_to(*setting) for setting in SETTINGS)])
def test_a_forged_report_is_refused(few, tmp_path, capsys, forge):
    """By the command line, which runs the report's checks again: exit 1, and the field is named."""
    document = json.loads((few / "report.json").read_text("utf-8"))
    named = forge(document)
    (tmp_path / "report.json").write_text(json.dumps(document), "utf-8")
    code, out = verified(tmp_path, capsys)
    assert code == ExitCode.FINDINGS
    assert f"differs: {named}" in out
    assert "refused: " in out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.html", "report.md", "junit.xml"])
def test_an_edited_view_is_refused(few, tmp_path, capsys, name):
    """What people read shows the report that was verified."""
    for file in few.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    assert verified(tmp_path, capsys)[0] == ExitCode.OK
    text = (tmp_path / name).read_text("utf-8")
    (tmp_path / name).write_text(text.replace("rogers2024", "rogers2025", 1), "utf-8")
    code, out = verified(tmp_path, capsys)
    assert (code, f"differs: {name}: not the view of report.json" in out) == (ExitCode.FINDINGS, True)


def older_suite(document):
    """Name another version of the suite."""
    document["suite_version"] = "0.0.1"
    return "suite_version"


def older_numpy(document):
    """Name another version of a library, wherever it is told."""
    document["environment"]["packages"]["numpy"] = "1.0"
    next(item for item in document["trust"] if item["name"] == "numpy")["version"] = "1.0"
    return "environment"


def other_processor(document):
    """Name vector instructions that no processor here has."""
    document["environment"]["simd"] = ["VSX4", "VXE2"]
    return "environment"


@pytest.mark.slow
@pytest.mark.parametrize("forge", [older_suite, older_numpy, other_processor])
def test_other_versions_are_told(few, tmp_path, capsys, forge):
    """The same findings under versions that are not installed here, or of another processor: undecided, and said."""
    document = json.loads((few / "report.json").read_text("utf-8"))
    named = forge(document)
    (tmp_path / "report.json").write_text(json.dumps(document), "utf-8")
    code, out = verified(tmp_path, capsys)
    assert (code, f"not checked: {named}: the report was made with " in out) == (ExitCode.UNDECIDED, True)
    assert "every other field of the report agrees" in out
    assert "every field of the report agrees" not in out


@pytest.mark.slow
def test_a_test_session_is_not_checked(few, tmp_path, capsys):
    """Its findings are about code that is not here."""
    document = json.loads((few / "report.json").read_text("utf-8"))
    (tmp_path / "report.json").write_text(json.dumps({**document, "selection": ["pytest"]}), "utf-8")
    code, out = verified(tmp_path, capsys)
    assert (code, "not checked: findings: a test session made them" in out) == (ExitCode.UNDECIDED, True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a":' * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ('{"seed": 0, "seed": 1}', "the name 'seed' twice in one object"),
        ("[]", "JSON that is no object"),
        ('{"seed": ' + "1" * 5000 + "}", "4300 digits"),
        ("{", "expected an audit report"),
        (" " * (report_json.MOST_BYTES + 1), "File too large"),
    ],
    ids=["deep", "twice", "list", "digits", "cut", "huge"],
)
def test_what_is_no_report_is_refused_before_anything_runs(tmp_path, capsys, monkeypatch, text, told):
    """Whatever the file holds, no check has run and no field was read."""
    monkeypatch.setattr(runner, "run", lambda *_, **__: pytest.fail("a check ran"))
    (tmp_path / "report.json").write_text(text, "utf-8")
    assert invoke(["verify", str(tmp_path)]) == ExitCode.USAGE
    assert told in capsys.readouterr().err


def test_depth_and_size_where_nothing_is_expected_cost_nothing(few, tmp_path, capsys):
    """Deep and long values inside a report are compared, not walked."""
    document = json.loads((few / "report.json").read_text("utf-8"))
    deep: Any = []
    for _level in range(400):
        deep = [deep]
    document["findings"][0]["headline"] = deep
    document["findings"] += [1] * 100_000
    (tmp_path / "report.json").write_text(json.dumps(document), "utf-8")
    code, out = verified(tmp_path, capsys)
    assert (code, "refused: " in out, len(out) < 20_000) == (ExitCode.FINDINGS, True, True)
