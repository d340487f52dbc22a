"""A run is the same for any number of workers, survives interruption, and never turns a crash or a void into green."""

import json

import pytest

from auditor.engine.checkpoint import CHECKPOINT
from auditor.engine.plan import Agenda, Settings, Unit, plan
from auditor.engine.registry import registry
from auditor.engine.runner import run
from auditor.engine.unit import run_unit
from auditor.errors import EmptySelectionError
from auditor.report import json as report_json
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.engine.stopped import stopped
from tests.auditor.registered import instead

FEW = ["wilkins2024.thm5.4.third", "wilkins2024.A.9", "wilkins2024.def2.1"]


@pytest.mark.slow
def test_the_report_does_not_depend_on_the_number_of_workers():
    """One process and two give the same bytes."""
    alone = report_json.render(run(FEW, profile="quick", jobs=1))
    together = report_json.render(run(FEW, profile="quick", jobs=2))
    assert alone == together


@pytest.mark.slow
def test_an_interrupted_run_keeps_what_it_had_and_resumes_to_the_same_report(tmp_path):
    """Ctrl-C after the second unit: a partial report, then the whole one from the checkpoint."""
    partial = stopped(FEW, tmp_path)
    assert not partial.complete
    assert len(partial.pending) > 0
    assert (tmp_path / CHECKPOINT).exists()
    replayed = []
    whole = run(FEW, profile="quick", out=tmp_path, resume=True, events=replayed.append)
    assert report_json.render(whole) == report_json.render(run(FEW, profile="quick"))
    assert not (tmp_path / CHECKPOINT).exists()


@pytest.mark.parametrize("run", [lambda subject, context: 1 / 0, lambda subject, context: []], ids=["raises", "empty"])
def test_a_check_that_crashes_or_finds_nothing_is_an_error_and_not_a_verdict(run, monkeypatch):
    """It says nothing about privacy, and the report says so."""
    check = registry().checks["lemma.search"]
    broken = check.__class__(**{**vars(check), "run": run})
    monkeypatch.setattr("auditor.engine.unit.registry", instead("checks", "lemma.search", broken))
    (found,) = run_unit(Unit("wilkins2024.A.9", "lemma.search"), Settings("quick", 0, "1e-6"), {})
    assert (found["verdict"], found["met"]) == (Verdict.ERROR.value, False)


def test_a_selection_that_matches_nothing_is_an_error():
    """Zero checks must never look green."""
    with pytest.raises(EmptySelectionError):
        run(["no.such.*"], profile="quick")


def test_a_unit_is_ready_when_all_that_it_rests_on_is_done_and_long_chains_go_first():
    """Nothing is handed out early, lost units are offered again, and what nothing waits for comes last."""
    catalogue = registry()
    units = [unit for level in plan(["wilkins2024.thm5.4.collapse"], catalogue) for unit in level]
    agenda, done = Agenda(units, catalogue), set()
    first = agenda.take()
    agenda.give_back()
    assert agenda.take() == first
    while True:
        assert all(found in done for need in agenda.needs[first] for found in agenda.of[need])
        agenda.done(first)
        done.add(first)
        if (first := agenda.take()) is None:
            break
    assert done == set(units)
    assert len(agenda) == 0
    free = Agenda(units, catalogue)
    taken = []
    while (unit := free.take()) is not None:
        taken.append(unit)
    assert not any(free.needs[unit] for unit in taken)
    needed = {need for unit in units for need in free.needs[unit]}
    told = [unit.subject in needed for unit in taken]
    assert told == sorted(told, reverse=True)
    assert len(taken) < len(units)


def test_what_takes_longest_goes_first_and_with_it_what_it_rests_on():
    """What has not run before is taken for a mean one."""
    catalogue = registry()
    units = [unit for level in plan(["wilkins2024.thm5.4.collapse", "wilkins2024.A.*"], catalogue) for unit in level]
    needs = Agenda(units, catalogue).needs
    alone = [unit for unit in units if unit.subject.startswith("wilkins2024.A.") and not needs[unit]]
    last = next(unit for unit in units if unit.subject == "wilkins2024.thm5.4.collapse")

    def order(seconds):
        agenda = Agenda(units, catalogue, seconds)
        while (unit := agenda.take()) is not None:
            agenda.done(unit)
            yield unit

    assert next(order({**{unit.id: 1.0 for unit in units}, alone[-1].id: 1000.0})) == alone[-1]
    taken = list(order({last.id: 1000.0, **{unit.id: 9.0 for unit in alone}}))
    assert set(taken[: taken.index(last)]).isdisjoint(alone)
    taken = list(order({alone[0].id: 0.0, alone[1].id: 9.0}))
    assert taken.index(alone[1]) < taken.index(alone[2]) < taken.index(alone[0])


def test_a_worker_goes_on_with_the_kin_of_what_it_has_run_and_then_with_what_is_left():
    """Searches of two papers, the longest of one paper: who began the other has it for itself, and leaves none."""
    catalogue = registry()
    units = [unit for level in plan(["lebeda2025.thm1*", "wilkins2024.A.*"], catalogue) for unit in level]
    searches = [unit for unit in units if unit.check == "lemma.search"]
    longer = {unit.id: 1.0 + unit.subject.startswith("lebeda") for unit in searches}
    agenda = Agenda(searches, catalogue, longer)
    begun = [agenda.take(0).subject[:6], agenda.take(1).subject[:6]]
    assert begun == ["lebeda", "wilkin"]
    taken = [unit.subject[:6] for unit in iter(lambda: agenda.take(1), None)]
    assert set(taken) == {"lebeda", "wilkin"}
    assert taken == sorted(taken, reverse=True)


def test_claims_that_a_proof_rests_on_are_run_first():
    """The collapse rests on its numbered steps: they are planned in earlier levels though nobody selected them."""
    levels = plan(["wilkins2024.thm5.4.collapse"], registry())
    last = {unit.subject for unit in levels[-1]}
    first = {unit.subject for level in levels[:-1] for unit in level}
    assert last == {"wilkins2024.thm5.4.collapse"}
    assert len(first) > 3


def test_a_check_that_needs_its_own_claim_runs_after_the_claims_other_checks():
    """The argument for a direction of the profile rests on the profile's own statement."""
    levels = plan(["bharadwaj2022.tight"], registry())
    of_claim = [{unit.check for unit in level if unit.subject == "bharadwaj2022.tight"} for level in levels]
    assert of_claim[-1] == {"lemma.direction"}
    assert "lemma.proof" in set().union(*of_claim[:-1])


def test_circular_proofs_are_refused(monkeypatch):
    """A claim may not rest on itself through others."""
    check = registry().checks["lemma.proof"]
    circle = {"wilkins2024.A.9": "wilkins2024.A.10", "wilkins2024.A.10": "wilkins2024.A.9"}
    after = lambda subject: frozenset({circle[subject.id]} if subject.id in circle else ())
    catalogue = instead("checks", "lemma.proof", check.__class__(**{**vars(check), "after": after}))
    with pytest.raises(ValueError, match="without circles"):
        plan(["wilkins2024.A.9"], catalogue())


def test_units_run_in_this_process_and_in_workers_by_name_only():
    """What is sent to a worker is names and numbers."""
    unit = Unit("wilkins2024.A.9", "lemma.search")
    assert json.dumps([unit.subject, unit.check])
    assert run_unit(unit, Settings("quick", 0, "1e-6"), {})[0]["verdict"] == Verdict.CONSISTENT.value
