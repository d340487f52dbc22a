"""Findings kept between runs: the same bytes, and run again whenever anything that they depend on has changed."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from auditor.accountant_audit import environments
from auditor.checks.accountants import NAME
from auditor.engine import cache as caching
from auditor.engine.cache import RUNS, Cache, Code, code_text
from auditor.engine.declarations import ROOT
from auditor.engine.foreign import call_apart
from auditor.engine.plan import Settings, Unit
from auditor.engine.reads import CatalogueReads, watch_catalogue
from auditor.engine.registry import registry
from auditor.engine.runner import UnitDone, run
from auditor.engine.unit import Spent, run_unit
from auditor.errors import MissingPackageError
from auditor.report import json as report_json
from proofs_numeric.statements.verdict import Verdict

QUICK = Settings("quick", 0, "1e-6")
FEW = ("wilkins2024.A.9",)
UNIT = Unit("wilkins2024.A.9", "lemma.search")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with the findings of a few units, and the report that a run without it gives."""
    folder = tmp_path_factory.mktemp("kept")
    return folder, again(folder)[1]


@pytest.fixture
def folder(kept, tmp_path):
    """A folder without findings, where what the sources say has been read."""
    shutil.copy(kept[0] / "sources.json", tmp_path)
    return tmp_path


def entries(folder):
    """Files of units."""
    return [path for path in folder.glob("*.json") if path.name not in {"sources.json", "seconds-quick.json"}]


def again(folder):
    """Ids of the units that were not run again, and the report."""
    done = []
    report = run(FEW, profile="quick", cache=folder, events=done.append)
    return [each.unit_id for each in done if isinstance(each, UnitDone) and each.again], report_json.render(report)


@pytest.mark.slow
def test_a_second_run_gives_the_same_bytes_and_runs_nothing(kept, monkeypatch):
    """As does one without a cache."""
    folder, first = kept
    assert first == report_json.render(run(FEW, profile="quick"))
    monkeypatch.setattr("auditor.engine.unit.run_unit", lambda *_unit: pytest.fail("a unit was run again"))
    units, report = again(folder)
    assert units
    assert report == first


@pytest.mark.slow
@pytest.mark.parametrize("changed", [{"seed": 1}, {"alpha": "1e-7"}, {"profile": "standard"}], ids=str)
def test_another_run_uses_nothing_of_it(kept, changed):
    """Seed, level and budget are part of what a finding is."""
    assert Cache(kept[0], registry(), QUICK).get(UNIT, {}) is not None
    assert Cache(kept[0], registry(), replace(QUICK, **changed)).get(UNIT, {}) is None


@pytest.mark.slow
def test_what_units_took_is_kept_and_what_does_not_run_again_took_what_it_took(kept, tmp_path):
    """Of this profile alone; a file that is damaged tells nothing."""
    folder = shutil.copytree(kept[0], tmp_path / "kept")
    took = Cache(folder, registry(), QUICK).seconds
    assert took[UNIT.id] >= 0
    assert again(folder)[0]
    assert Cache(folder, registry(), QUICK).seconds == took
    Cache(folder, registry(), QUICK).took({Unit("one", "new"): Spent(2.0, 3.0), Unit("one", "lost"): None})
    assert Cache(folder, registry(), QUICK).seconds == {**took, "one::new": 2.0}
    assert Cache(folder, registry(), replace(QUICK, profile="standard")).seconds == {}
    for damaged in ("{", "[]", '{"one": "x"}'):
        (folder / "seconds-quick.json").write_text(damaged, "utf-8")
        assert Cache(folder, registry(), QUICK).seconds == {}


@pytest.mark.slow
def test_a_version_that_changed_runs_everything_again(kept, monkeypatch):
    """Of the suite, of Python, of a package."""
    monkeypatch.setattr(caching, "versions", lambda: {"numpy": "0"})
    assert Cache(kept[0], registry(), QUICK).get(UNIT, {}) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        lambda _entry: None,
        lambda entry: {**entry, "depends": {**entry["depends"], "code": {}}},
        lambda entry: {**entry, "findings": []},
        lambda entry: {**entry, "findings": [{**entry["findings"][0], "subject": "wilkins2024.A.10"}]},
        lambda entry: {**entry, "depends": {**entry["depends"], "items": [["claims", "wilkins2024.no_such"]]}},
        lambda entry: {**entry, "depends": {**entry["depends"], "items": [["claims", "rogers2024.thm8"]]}},
        lambda entry: {**entry, "depends": {**entry["depends"], "listed": {"mechanisms": []}}},
        lambda entry: {
            **entry,
            "depends": {**entry["depends"], "asked": [["accountants", {"against": "no"}, ["one"]]]},
        },
        lambda entry: {**entry, "depends": list(entry["depends"])},
        lambda entry: {"depends": {}, "findings": entry["findings"]},
        lambda entry: {"findings": entry["findings"]},
    ],
)
def test_what_is_damaged_is_run_again(kept, damage, tmp_path):
    """A file is used only if it is whole, about its unit, and of just what the unit depends on."""
    folder = shutil.copytree(kept[0], tmp_path / "kept")
    for path in entries(folder):
        changed = damage(json.loads(path.read_text("utf-8")))
        path.write_text("{" if changed is None else json.dumps(changed), "utf-8")
    assert Cache(folder, registry(), QUICK).get(UNIT, {}) is None


@pytest.mark.slow
def test_errors_and_what_is_not_ours_are_not_kept(folder):
    """A crash may be the machine's; code of others is not looked at."""
    catalogue = registry()
    for unit, verdict, all_known in (
        (UNIT, Verdict.ERROR, catalogue),
        (UNIT, Verdict.CONSISTENT, replace(catalogue, plugins=frozenset({UNIT.subject}))),
    ):
        Cache(folder, all_known, QUICK).put(unit, {}, CatalogueReads(), [{"verdict": verdict.value}])
    Cache(folder, catalogue, QUICK).put(UNIT, {}, None, [{"verdict": Verdict.CONSISTENT.value}])
    assert not entries(folder)


@pytest.mark.slow
def test_the_verdicts_that_a_unit_rests_on_are_looked_at(folder, kept):
    """What was concluded from a premise is not concluded from another verdict on it."""
    catalogue = registry()
    unit, needed = next(
        (Unit(claim.id, check.name), min(needed))
        for claim in catalogue.claims.values()
        for check in catalogue.checks.values()
        if check.applies(claim, catalogue) and (needed := check.after(claim))
    )
    entry = json.loads(entries(kept[0])[0].read_text("utf-8"))
    results = {**entry["findings"][0], "subject": unit.subject}
    cache = Cache(folder, catalogue, QUICK)
    cache.put(unit, {needed: Verdict.PROVED}, CatalogueReads(), [results])
    assert cache.get(unit, {needed: Verdict.PROVED}) == [results]
    assert cache.get(unit, {needed: Verdict.CONSISTENT}) is None
    assert cache.changed == {unit.id: f"the verdict of {needed}"}


def test_a_unit_depends_on_what_it_looks_up():
    """Items by id; whole collections where their ids are gone through, or an id is not there."""
    seen = CatalogueReads()
    catalogue = watch_catalogue(registry(), seen)
    catalogue.claim("wilkins2024.thm5.4")
    assert (seen.items, seen.listed) == ({("claims", "wilkins2024.thm5.4")}, set())
    assert "no_such" not in catalogue.faults
    assert len(catalogue.mechanisms) == len(list(registry().mechanisms))
    assert seen.listed == {"faults", "mechanisms"}
    controls = {control.id for control in catalogue.controls.values()}
    assert {identifier for name, identifier in seen.items if name == "controls"} == controls


def test_a_question_is_noted_and_not_what_was_gone_through_to_answer_it():
    """Which items have an attribute: a finding rests on the answer."""
    seen, catalogue = CatalogueReads(), registry()
    laws = watch_catalogue(catalogue, seen).where("claims", {"kind.title": "law"})
    assert laws == [each.id for each in catalogue.claims.values() if each.kind.title == "law"] != []
    assert (seen.items, seen.listed) == (set(), set())
    assert seen.queries == {("claims", (("kind.title", "law"),))}


@pytest.fixture(scope="module")
def code(kept):
    """The suite's sources."""
    return Code(kept[0])


MODULES = {
    "the check": "auditor.checks.lemma",
    "the unit": RUNS,
    "a theorem": "proofs_numeric.wilkins2024.theorem_5_4.exact_delta",
    "what imports it": "proofs_numeric.wilkins2024.theorem_4_1",
    "another paper": "proofs_numeric.rogers2024.theorem_10",
    "a mechanism": "mechanisms.top_k.mechanism",
    "its faults": "mechanisms.top_k.faults",
    "data": "mechanisms.data",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ("proofs_numeric/wilkins2024/theorem_5_4/exact_delta.py", {"a theorem", "what imports it"}),
        ("proofs_numeric/wilkins2024/theorem_4_1.py", {"what imports it"}),
        ("proofs_numeric/wilkins2024/__init__.py", {"a theorem", "what imports it", "its faults", "a mechanism"}),
        ("proofs_numeric/arithmetic/special.py", set(MODULES) - {"data"}),
        ("proofs_numeric/kernel/races.py", {"the check"}),
        ("mechanisms/top_k/mechanism.py", {"a mechanism", "its faults"}),
        ("mechanisms/top_k/faults.py", {"its faults"}),
        ("mechanisms/sample_and_threshold/mechanism.py", set()),
        ("mechanisms/data/shakespeare_word_counts.csv.gz", {"data"}),
        ("auditor/checks/show.py", {"the check", "the unit"}),
        ("auditor/checks/lemma.py", {"the check"}),
        ("auditor/engine/unit.py", {"the unit"}),
        ("auditor/engine/assembly.py", set()),
        ("auditor/front/cli.py", set()),
        ("auditor/engine/kernel.json", set()),
    ],
)
def test_a_change_is_seen_by_what_rests_on_it_and_by_nothing_else(changed, again, code):
    """Imports at any depth, packages, and data beside them."""
    assert (ROOT / changed).exists()
    assert {name for name, module in MODULES.items() if changed in code.behind([module])} == again


def test_code_is_what_it_says(tmp_path):
    """Comments, words of docstrings and layout change nothing; what is bound, called, annotated or asserted does."""
    source = 'def f(x):\n    """One."""\n    return x + 1\n'
    for same in (
        source.replace("One", "Two"),
        f"# told\n\n\n{source}",
        source.replace("x + 1", "(x +\n 1)"),
        f'{source}"""About f."""\n',
    ):
        assert code_text(same.encode()) == code_text(source.encode())
    texts = (("+", "-"), ("1", "1.0"), ("(x)", "(x=1)"), ("return", "yield"), ("(x)", "(x: int)"), ("1", "'1'"))
    changed = [source.replace(*each) for each in texts]
    changed += [f"import os\n{source}", source.replace('"""One."""', 'name = """One."""')]
    changed.append(source.replace("return", "assert x; return"))
    changed.append(source.replace("return", "assert not x; return"))
    assert len({code_text(each.encode()) for each in [source, *changed]}) == len(changed) + 1
    code_text(b"if True:\n    'nothing'\nelse:\n    'nor here'\n")


@pytest.mark.slow
def test_what_files_say_is_read_once(folder, monkeypatch):
    """A second run parses what has changed alone; a record that is damaged counts for nothing."""
    monkeypatch.setattr(caching, "code_text", lambda _source: pytest.fail("parsed again"))
    again = Code(folder)._digests
    monkeypatch.undo()
    (folder / "sources.json").write_text("[1", "utf-8")
    assert Code(folder)._digests == again


@pytest.mark.slow
def test_code_that_is_newer_than_this_process_is_not_what_it_runs(kept, monkeypatch, tmp_path):
    """Nothing is used of a file that was written since, and nothing kept."""
    monkeypatch.setattr(caching, "STARTED", 0)
    cache = Cache(kept[0], registry(), QUICK)
    assert cache.get(UNIT, {}) is None
    assert cache.changed == {UNIT.id: "code that may have"}
    Cache(tmp_path, registry(), QUICK).put(UNIT, {}, CatalogueReads(), [{"verdict": Verdict.CONSISTENT.value}])
    assert not entries(tmp_path)


def test_without_grimp_the_remedy_is_told(monkeypatch, tmp_path):
    """And a run without a cache does not need it."""
    monkeypatch.setitem(sys.modules, "grimp", None)
    with pytest.raises(MissingPackageError, match="--cache needs grimp"):
        Cache(tmp_path, registry(), QUICK)
    Cache(None, registry(), QUICK)


@pytest.fixture
def traced(code):
    """A function that runs a unit in a fork: files of the suite whose code it ran, and those it depends on.

    What `where` is answered from is loaded before: a unit depends on the answer.
    """
    for collection in (registry().claims, registry().accountants):
        assert list(collection.values())

    def files(unit):
        ran = set()

        def note(frame, event, _argument):
            if event == "call":
                ran.add(frame.f_code.co_filename)

        seen, cache = CatalogueReads(), Cache(None, registry(), QUICK)
        cache._code = code
        sys.setprofile(note)
        try:
            run_unit(unit, QUICK, {}, seen)
        finally:
            sys.setprofile(None)
        paths = [Path(name).relative_to(ROOT) for name in ran if Path(name).is_relative_to(ROOT)]
        here = {path.as_posix() for path in paths if path.parts[0] in caching.SUITE}
        return sorted(here), sorted(cache._depends(unit, {}, seen)["code"])

    return lambda unit: call_apart(lambda: files(unit), 600)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        ("bharadwaj2022.base.laplace", "numeric.value"),
        ("lebeda2025.fig3.draws.10", "law.mean"),
        ("wilkins2024.alg1.below", "law.sampling"),
        ("rogers2024.thm7.proof.final_line", "lemma.proof"),
        ("rogers2024.thm7.proof.final_line", "lemma.search"),
        ("rogers2024.thm8.factor", "finite.enumeration"),
        ("lebeda2025.lem22", "numeric.calibration"),
        ("standard.renyi.randomized_response", "numeric.oracle"),
        ("wilkins2024.sec6.fn7.tau", "numeric.quantity"),
        ("binary_mechanism", "numeric.pair_profile"),
        ("binary_mechanism", "numeric.renyi"),
        ("correlated_rounded", "empirical.black_box"),
        ("largest_released", "empirical.white_box"),
        ("sample_and_threshold_contacts", "empirical.impossible_key"),
        ("report_noisy_max", "empirical.input_keys"),
        ("correlated_releases_maximum_accountant", "numeric.accountant"),
    ],
    ids="::".join,
)
def test_a_unit_runs_no_code_but_what_it_depends_on(unit, traced):
    """Whatever it executes, a change of the file would run it again; and there is code that would not."""
    ran, depends = traced(Unit(*unit))
    assert "auditor/engine/unit.py" in ran
    assert set(ran) <= set(depends)
    assert len(depends) < 200


@pytest.mark.slow
def test_the_accountants_that_a_white_box_asks_are_code_that_it_depends_on(code):
    """They are called by their names, which no import tells."""
    catalogue = registry()
    cache = Cache(None, catalogue, QUICK)
    cache._code = code
    one = next(each for each in catalogue.accountants.values() if not each.library)
    unit, path = Unit("largest_released", "empirical.white_box"), one.function.partition(":")[0].replace(".", "/")
    assert f"{path}.py" in cache._depends(unit, {}, CatalogueReads({("accountants", one.id)}))["code"]


@pytest.mark.slow
def test_what_judges_a_library_depends_on_all_that_it_has_installed(folder, monkeypatch):
    """As it was, of another version, not installed, where nobody can tell."""
    catalogue = registry()
    unit = Unit(next(one.id for one in catalogue.accountants.values() if one.library == "dp-accounting"), NAME)
    results = [{"subject": unit.subject, "verdict": Verdict.CONSISTENT.value}]
    monkeypatch.setattr(caching.Finding, "model_validate", lambda item: SimpleNamespace(**item))

    def kept_with(installed):
        monkeypatch.setattr(environments.Library, "rests_on", property(lambda _self: installed))
        cache = Cache(folder, catalogue, QUICK)
        return cache.get(unit, {}), cache.changed.get(unit.id), cache

    first = {"dp-accounting": "a", "numpy": "b"}
    kept_with(first)[2].put(unit, {}, CatalogueReads(), results)
    assert kept_with(first)[:2] == (results, None)
    assert kept_with({**first, "numpy": "c"})[:2] == (None, "numpy")
    assert kept_with({})[:2] == (None, "dp-accounting and 1 more")
    assert kept_with(None)[:2] == (None, "code that may have")
    kept_with(None)[2].put(unit, {}, CatalogueReads(), results)
    assert kept_with(first)[0] == results  # nothing was written over it
    adapter = "auditor/accountant_audit/adapters/dp_accounting_library.py"
    assert adapter in json.loads(entries(folder)[0].read_text("utf-8"))["depends"]["code"]
