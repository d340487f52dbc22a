"""Every rule over laws has a file of attacks of its own."""

from importlib import import_module

import pytest

from proofs_numeric.statements import rules
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.tactics import Tactic

RULES = {name: rule for name, rule in vars(rules).items() if isinstance(rule, rules.Rule)}
LEAST = 5


@pytest.mark.parametrize("name", RULES)
def test_every_rule_is_attacked_in_its_own_file(name):
    """By so many false claims, or claims of something else, whose proofs apply the rule."""
    module = import_module(f"tests.proofs_numeric.kernel.rules.test_{name.lower()}")
    tables = [table for name, table in vars(module).items() if name.startswith("WRONG") and isinstance(table, dict)]
    attacks = [made for table in tables for made in table.values() if isinstance(made, Claim)]
    proofs = [made.kind.proof for made in attacks if isinstance(made.kind.proof, Tactic)]
    applied = [proof for proof in proofs if any(tactic.rule is RULES[name] for tactic in proof.tree())]
    assert len(applied) >= LEAST
