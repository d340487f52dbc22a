"""Libraries in environments of their own: what is declared of each, what is absent, and an issue that stands alone."""

import ast
import subprocess
import sys

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.environments import PLACE, accountant, chosen, libraries
from auditor.accountant_audit.issue import issue
from auditor.engine.registry import registry
from auditor.errors import MissingPackageError, UnknownIdError
from auditor.front.cli import invoke

ACCOUNTANTS = [one for library in libraries().values() for one in library.accountants]


@pytest.mark.parametrize("one", ACCOUNTANTS, ids=lambda one: one.id)
def test_an_adapter_is_data_that_fits_its_claim(one, monkeypatch, tmp_path):
    """A function takes what the claim has and it does not return, and delta where it solves; its box is of the same."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setattr(type(one.library), "version", "1")
    tree = ast.parse(one.library.file.read_text(encoding="utf-8"))
    functions = {f.name: [a.arg for a in f.args.args] for f in tree.body if isinstance(f, ast.FunctionDef)}
    request = one.request(registry().claim(one.against))
    box = request.search_box(frozenset(functions[one.function]))
    assert {axis.parameter.name for axis in box.axes} == {*functions[one.function]}
    assert {*one.box} == {*functions[one.function]}


@pytest.mark.parametrize("library", libraries().values(), ids=lambda library: library.name)
def test_an_adapter_needs_the_standard_library_alone_and_a_lock_of_its_own(library):
    """What is imported at the top is of Python's own; the lock pins the library, and everything by its hash."""
    tree = ast.parse(library.file.read_text(encoding="utf-8"))
    imported = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [node.module for node in imported] == ["__future__"]
    text = library.lock.read_text(encoding="utf-8").replace("\\\n", "")
    pins, hashes = zip(*(line.split(maxsplit=1) for line in text.splitlines()), strict=True)
    assert all(pin.count("==") == 1 for pin in pins)
    assert all("--hash=sha256:" in each for each in hashes)
    assert any(pin.lower().replace("_", "-").startswith(f"{library.distribution}==") for pin in pins)


def test_an_absent_library_is_not_applicable_with_the_command_that_installs_it(monkeypatch, tmp_path, capsys):
    """The table goes on, and a single audit ends in one line."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    assert invoke(["accountants", "audit", "diffpriv_pure"]) == 0
    assert "not applicable" in (shown := capsys.readouterr().out)
    assert "auditor accountants install diffpriv_pure" in shown
    with pytest.raises(MissingPackageError, match="diffpriv-pure is not installed"):
        accountant("diffpriv_pure.gaussian.sigma").request(registry().claim("standard.gaussian.composition"))
    with pytest.raises(UnknownIdError, match="closest: 'autodp'"):
        chosen(("autodb",))


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """An environment whose library is a file: the textbook formula, for every epsilon."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    folder = tmp_path / "diffpriv_pure"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)  # noqa: S603 - our own interpreter
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "diffpriv_pure.py").write_text(
        "import math\n"
        "def gaussian_sigma(l2, epsilon, delta):\n"
        "    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon\n"
    )
    metadata = site / "diffpriv_pure-7.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: diffpriv-pure\nVersion: 7\n")
    return folder


@pytest.mark.slow
def test_an_issue_is_a_script_of_the_library_alone(environment):
    """Fifteen lines at most, which print what was judged when the library's own interpreter runs them."""
    one = accountant("diffpriv_pure.gaussian.sigma")
    assert one.library.version == "7"
    audit = audit_accountant(one.request(registry().claim(one.against), max_examples=20))
    text = issue(one, audit)
    script = text.split("```python\n")[1].split("```")[0]
    assert len(script.splitlines()) <= 15
    assert "auditor" not in script
    ran = subprocess.run(  # noqa: S603 - the script that we wrote
        [environment / "bin" / "python", "-c", script], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == audit.unsafe.returned
    assert audit.unsafe.truth.lower[:12] in text or audit.unsafe.truth.value[:12] in text
