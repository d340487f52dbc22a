"""Finding one id imports its module: the index is cached, and the light verbs load nothing heavy."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.engine import index as index_module
from auditor.engine.index import COMMAND, KERNEL, MODULE, index, kernel_counted, walk_modules
from auditor.engine.registry import place_of, registry
from auditor.errors import UnknownIdError
from auditor.front.cli import invoke

ROOT = Path(__file__).resolve().parents[3]
CLAIM = "wilkins2024.thm5.4"
HEAVY = ("sympy", "scipy", "hypothesis", "matplotlib", "statsmodels", "joblib", "nbformat", "IPython", "jinja2")


def test_a_checkout_caches_the_index_until_a_file_changes(monkeypatch, tmp_path):
    """The second start reads what the first wrote; after any change of a file the suite is walked again."""
    cached, walked = tmp_path / "new" / "index.json", walk_modules()
    monkeypatch.setattr(index_module, "CACHED", cached)
    assert index.__wrapped__() == walked
    document = json.loads(cached.read_text("utf-8"))
    document["index"]["claims"] = {CLAIM: document["index"]["claims"][CLAIM]}
    cached.write_text(json.dumps(document), "utf-8")
    assert list(index.__wrapped__()["claims"]) == [CLAIM]
    changed = [document["stamp"].replace(place, "removed", 1) for place in ("mechanisms", "python_dp_library")]
    for text in (*(json.dumps({**document, "stamp": stamp}) for stamp in changed), "{", "{}"):
        cached.write_text(text, "utf-8")
        assert index.__wrapped__() == walked
        assert json.loads(cached.read_text("utf-8"))["index"] == walked
    assert [path.name for path in cached.parent.iterdir()] == [cached.name]


def test_a_checkout_that_cannot_be_written_walks_the_suite(monkeypatch, tmp_path):
    """The folder of the cache is a file here."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(index_module, "CACHED", tmp_path / "file" / "index.json")
    assert CLAIM in index.__wrapped__()["claims"]


def test_what_is_looked_up_is_what_is_iterated():
    """Items by id, in order, the same objects however they are asked for."""
    catalogue = registry()
    assert list(catalogue.claims) == sorted(catalogue.claims)
    assert len(catalogue.subjects) == sum(
        len(getattr(catalogue, each)) for each in ("claims", "mechanisms", "faults", "controls", "accountants")
    )
    assert all(catalogue.subjects[identifier] is item for identifier, item in catalogue.faults.items())
    assert "no_such_id" not in catalogue.subjects
    with pytest.raises(UnknownIdError, match=r"closest: 'wilkins2024\.thm5\.4'"):
        catalogue.claim("wilkins2024.thm5.44")


def test_an_evaluation_of_a_claim_loads_neither_sympy_nor_the_statistics_of_scipy():
    """Each costs a second: of all modules of papers, none needs one before its float64 law or its proof."""
    code = (
        "import importlib, sys\n"
        "from auditor.engine.index import index\n"
        "modules = {entry['module'] for entry in index()['claims'].values()}\n"
        "for module in sorted(modules):\n"
        "    if module.startswith('proofs_numeric.'):\n"
        "        importlib.import_module(module)\n"
        "print(len(modules), [name for name in ('sympy', 'scipy.stats', 'scipy.optimize') if name in sys.modules])\n"
    )
    command = [sys.executable, "-c", code]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout  # noqa: S603
    number, rest = told.split(maxsplit=1)
    assert int(number) > 100
    assert rest == "[]\n"


def loaded(*commands, folder=None):
    """Of command lines, one after another in a fresh interpreter: code, error, and the modules loaded by then."""
    code = (
        "import contextlib, io, json, sys\n"
        "from auditor.front.cli import invoke\n"
        f"for words in {list(map(list, commands))!r}:\n"
        "    with contextlib.redirect_stderr(io.StringIO()) as said:\n"
        "        code = invoke(words)\n"
        "    print()\n"
        "    print(json.dumps([code, said.getvalue(), sorted(sys.modules)]))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder, env=environment
    )
    results = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert len(results) == len(commands)
    return [(code, said, set(modules)) for code, said, modules in results]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", CLAIM),
        ("evaluate", CLAIM, "c_u=1", "sigma=2", "gap=3", "mu_o=1", "epsilon=1"),
        ("evaluate", CLAIM, "c_u=1", "sigma=2", "gap=3", "mu_o=1", "epsilon=1", "--arithmetic", "ball"),
    ],
    ids=" ".join,
)
def test_one_claim_costs_one_module(arguments):
    """Neither symbols nor searches nor figures, no report, and no other paper."""
    ((code, _said, modules),) = loaded(arguments)
    assert code == 0
    assert not modules.intersection(HEAVY)
    papers = {name.split(".")[1] for name in modules if name.startswith("proofs_numeric.") and name[-1].isalnum()}
    assert papers <= {"arithmetic", "statements", "expression", "kernel", "wilkins2024"}
    assert {name for name in modules if name.startswith(("mechanisms.", "auditor.checks."))} <= {"auditor.checks.show"}
    assert not modules.intersection({"auditor.report.model", "numpy._core"})


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("--help",), ("list", "claims"), ("list", "faults", "*gaussian*")], ids=" ".join)
def test_a_list_imports_nothing_that_it_lists(arguments):
    """Titles come from the index; the words of a verdict are a module of their own, which imports no other."""
    ((code, _said, modules),) = loaded(arguments)
    assert code == 0
    modules -= {"proofs_numeric", "proofs_numeric.statements", "proofs_numeric.statements.verdict"}
    assert not modules.intersection((*HEAVY, "numpy", "mpmath", "flint"))
    assert not [name for name in modules if name.startswith(("proofs_numeric", "mechanisms"))]


OF_NOTHING = [
    ("run", "no.such"),
    ("mutate", "no.such"),
    ("list", "claims", "no.such"),
    ("evaluate", "no.such", "epsilon=1"),
    ("explain", "no.such"),
    ("calibrate", "no_such"),
    ("mechanism", "no_such", "epsilon=1"),
    ("mechanism", "m:f", "--claim", "no.such"),
    ("accountant", "no_such"),
    ("accountant", "m:f", "--against", "no.such"),
    ("accountants", "issue", "no_such"),
    ("notebook", "no_such"),
    ("notebook", "m:f", "--claim", "no.such"),
    ("notebook", "m:f", "--against", "no.such"),
    ("experiments", "no_such"),
]


@pytest.mark.slow
def test_an_id_of_nothing_is_told_without_the_catalogue(tmp_path):
    """The closest id comes from the index: no module that declares one is imported, and nothing that audits need."""
    declare = {entry[MODULE] for entries in index().values() for entry in entries.values()}
    needless = {*declare, *HEAVY, "numpy._core", "mpmath", "flint", "pydantic", "nbclient"}
    for words, (code, said, modules) in zip(OF_NOTHING, loaded(*OF_NOTHING, folder=tmp_path), strict=True):
        assert code > 0, words
        assert said.startswith("error: no "), words
        assert not modules & needless, words


@pytest.mark.parametrize("kind", ["claims", "mechanisms", "faults", "controls", "checks", "accountants"])
def test_explain_says_where_it_is_declared(kind, capsys):
    """`path:line` under the id, relative to the folder of the packages."""
    identifier = next(iter(getattr(registry(), kind)))
    assert invoke(["explain", identifier]) == 0
    first, second, *_rest = capsys.readouterr().out.splitlines()
    assert (first, second) == (identifier, place_of(identifier))
    assert second.startswith(("proofs_numeric/", "mechanisms/", "auditor/"))


def test_the_size_of_the_kernel_is_current():
    """What the trust base of a report says of it."""
    assert KERNEL.read_text(encoding="utf-8") == kernel_counted(), f"the kernel has changed; run: {COMMAND}"
