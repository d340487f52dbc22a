"""Public functions of a library that its adapter does not call: listed by the suite, from the installed library."""

import pytest

from auditor.accountant_audit.environments import PLACE, libraries
from auditor.accountant_audit.public_names import public_names
from auditor.accountant_audit.unaudited import unaudited
from auditor.errors import MissingPackageError
from auditor.front.cli import invoke

LIBRARY = """
def get_delta(epsilon, sigma): ...
def gaussian_sigma(l2, epsilon, delta): ...
def advanced_composition(epsilon, delta, k): ...
def greet(name): ...
def _private(epsilon): ...
class Ledger:
    def spend(self, epsilon): ...
    def show(self): ...
class Plain:
    def show(self): ...
"""


def test_functions_of_privacy_are_public_names(monkeypatch, tmp_path):
    """By a parameter or a part of the name; what is private, of another package or of no privacy is left out."""
    (tmp_path / "ledgers.py").write_text("import dataclasses\n" + LIBRARY, "utf-8")
    (tmp_path / "ledgers-1.dist-info").mkdir()
    (tmp_path / "ledgers-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: ledgers\nVersion: 1\n")
    (tmp_path / "ledgers-1.dist-info" / "RECORD").write_text("ledgers.py,,\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = public_names("ledgers", ["ledgers", "ledgers.nothing"])
    assert result == ["Ledger", "Ledger.spend", "advanced_composition", "gaussian_sigma", "get_delta"]


@pytest.mark.slow
def test_what_the_adapter_calls_is_not_listed(monkeypatch, tmp_path, capsys):
    """A called function is absent, one that nobody calls is listed; a library that is not installed is refused."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    library = libraries()["dp_accounting"]
    if library.version is None:
        pytest.skip("dp-accounting is not installed")
    names = unaudited(library)
    assert "get_sigma_gaussian" not in names
    assert "from_gaussian_mechanism" not in names
    assert "from_truncated_subsampled_gaussian_mechanism" in names
    assert invoke(["accountants", "unaudited", "dp-accounting"]) == 0
    assert f"dp_accounting: {len(names)} public functions without an adapter" in capsys.readouterr().out
    with pytest.raises(MissingPackageError):
        unaudited(libraries()["riskcal"])
