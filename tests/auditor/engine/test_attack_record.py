"""What is kept of an attack: told while the claim's code is the one that was attacked."""

from dataclasses import fields, make_dataclass, replace
from functools import partial

import pytest

from auditor.checks.formula_mutation import code_digest, formula_mutants
from auditor.engine import attack_record
from auditor.engine.attack import Attack, Attacked, Fate
from auditor.engine.registry import registry

CLAIMS = registry().claims
NAME = "wilkins2024.thm5.4.epsilon"
CLAIM = CLAIMS[NAME]
FOUND = Attack(
    NAME,
    (
        Attacked(NAME, "f.py:1: a -> b", Fate.REFUTED, "numeric.calibration"),
        Attacked(NAME, "f.py:2: a -> b", Fate.UNPROVED, "open"),
        Attacked(NAME, "f.py:3: a -> b", Fate.UNSEEN, "and the kernel proves it"),
    ),
    25,
)


def test_what_is_kept_is_told_of_the_same_code_only(tmp_path):
    """Killed are the refuted and the unproved; a claim that changed since, or was never attacked, says so."""
    path = tmp_path / "mutants.json"
    attack_record.write(path, [FOUND], CLAIMS)
    record = attack_record.read(path)
    assert attack_record.summarize_attack(CLAIM, record) == "2 of 3 tried of 25, 1 unseen"
    assert record[NAME]["unseen"] == ["f.py:3: a -> b and the kernel proves it"]
    moved = replace(CLAIM, kind=replace(CLAIM.kind, formula=lambda _A, **_parameters: 0))
    assert attack_record.summarize_attack(moved, record) == "not run since its code changed"
    assert attack_record.summarize_attack(CLAIM, {}) == "not run"


def test_a_file_keeps_the_claims_that_are(tmp_path):
    """Another attack replaces what it found of its claims; claims that are gone go, as do those without mutants."""
    path = tmp_path / "mutants.json"
    path.write_text('{"gone": {}}', "utf-8")
    without = replace(FOUND, claim="lebeda2025.def9.k", tried=(), mutants=0)
    attack_record.write(path, [FOUND, without], CLAIMS)
    attack_record.write(path, [replace(FOUND, tried=FOUND.tried[:1])], CLAIMS)
    assert {name: entry["fates"] for name, entry in attack_record.read(path).items()} == {NAME: {"refuted": 1}}


def test_the_digest_sees_any_change_of_a_formula_and_of_a_domain():
    """Each mutant of the claim has another; the claim itself always the same."""
    digests = [
        code_digest(replace(CLAIM, kind=replace(CLAIM.kind, formula=partial(CLAIM.kind.formula, by=by))))
        for by in (1, 2)
    ]
    turned = replace(CLAIM.domain, parameters=CLAIM.domain.parameters[::-1])
    assert len({code_digest(CLAIM), *digests, code_digest(replace(CLAIM, domain=turned))}) == 4
    assert code_digest(CLAIM) == code_digest(replace(CLAIM, title="other words"))
    # what calibrations may say from now on, and this one does not, is no change of it
    wider = make_dataclass("Calibration", [("more", object, None)], bases=(type(CLAIM.kind),), frozen=True)
    said = {part.name: getattr(CLAIM.kind, part.name) for part in fields(CLAIM.kind)}
    assert code_digest(CLAIM) == code_digest(replace(CLAIM, kind=wider(**said)))
    assert code_digest(CLAIM) != code_digest(replace(CLAIM, kind=wider(**said, more=1)))
    assert next(formula_mutants(CLAIM), None) is not None


@pytest.mark.slow
def test_every_claim_has_a_digest():
    """Whatever its kind; no two of different statements share one."""
    digests = {code_digest(claim) for claim in CLAIMS.values()}
    assert len(digests) > len(CLAIMS) * 0.9
