"""Discovery resolves every reference; what cannot be used is told in one line, and the rest of the catalogue works."""

import functools
import json
import re

import pytest

from auditor.engine.declarations import ROOT, declarations, line_of, modules
from auditor.engine.references import references
from auditor.engine.registry import Registry, registry, resolve_plugins
from auditor.errors import ExitCode
from auditor.front.cli import invoke
from proofs_numeric.statements.derivation import Premise
from proofs_numeric.statements.kinds import Law

NARROW = ("--profile", "quick", "--jobs", "1")


@pytest.fixture
def run(tmp_path, capsys):
    """Run a selection; give the exit code, report.json, what went to standard error, and to standard output."""

    def command(*globs):
        code = invoke(["run", *globs, *NARROW, "--out", str(tmp_path / "report")])
        told = capsys.readouterr()
        return code, json.loads((tmp_path / "report" / "report.json").read_text("utf-8")), told.err, told.out

    return command


def test_every_declaration_of_ours_resolves():
    """No id names nothing, none is declared twice, no named check fails to apply: nothing is left out."""
    own = [one for module in modules() for one in declarations(module)]
    assert len(own) > 800
    found = resolve_plugins(own, Registry())
    assert not found.defects, "\n".join(map(str, found.defects))
    assert len(found.declared) == len({(one.collection, one.id) for one in own})


def test_references_of_every_sort_are_looked_at():
    """Laws name mechanisms and proofs claims: references finds them where they are."""
    known = registry()
    found = {one.attribute.partition("[")[0] for item in known.claims.values() for one in references("claims", item)}
    assert found == {
        "corrected_by",
        "kind.by.claim",
        "kind.mechanism",
        "kind.proof ByClaim",
        "kind.proof.steps",
        "moves",
    }
    laws = sum(isinstance(claim.kind, Law) for claim in known.claims.values())
    proofs = [getattr(claim.kind, "proof", None) for claim in known.claims.values()]
    steps = sum(isinstance(step, Premise) for proof in proofs for step in getattr(proof, "steps", ()))
    given = [one for item in known.claims.values() for one in references("claims", item)]
    assert sum(one.attribute == "kind.mechanism" for one in given) == laws > 0
    assert (
        sum(one.attribute.startswith("kind.proof") and one.attribute.endswith(".claim") for one in given) == steps > 0
    )
    assert any(one.attribute == "kind.by.claim" for one in given)


def test_a_good_plug_in_is_part_of_the_catalogue(install):
    """Nothing is left out, and its ids are known to be a plug-in's."""
    install()
    known = registry()
    assert not known.defects
    assert known.plugins == {"plug.thm1", "plug_total"}


BAD = {
    "guarantee_claim": (
        "MECHANISM = replace(MECHANISM, guarantee_claim='plug.thm')", {"plug_total"},
        "guarantee_claim='plug.thm': no claim matches 'plug.thm'; closest: 'plug.thm1'",
    ),
    "mechanism and caught_by of a fault": (
        "FAULT = replace(BROKEN(at={'scale': 1}), mechanism='plug_totl', caught_by='empirical.blackbox')",
        {"plug_fault"},
        "caught_by='empirical.blackbox': no check matches 'empirical.blackbox'; closest: 'empirical.black_box'",
    ),
    "violates": (
        "FAULT = replace(BROKEN(at={'scale': 1}), violates='wilkins2024.thm5.44')", {"plug_fault"},
        "violates='wilkins2024.thm5.44': no claim matches 'wilkins2024.thm5.44'; closest: 'wilkins2024.thm5.4'",
    ),
    "a named check that looks at no faults": (
        "FAULT = BROKEN(at={'scale': 1}, caught_by='lemma.search')", {"plug_fault"},
        "caught_by='lemma.search': expected a check that applies to this fault",
    ),
    "corrected_by": (
        "CLAIMS = [replace(CLAIM, corrected_by='plug.thm1.corrected')]", {"plug.thm1", "plug_total"},
        "corrected_by='plug.thm1.corrected': no claim matches",
    ),
    "a step by another claim": (
        "CLAIMS = [replace(CLAIM, kind=DeltaBound(delta, proof=Derivation((Premise('plug.lem', 'so'),))))]",
        {"plug.thm1", "plug_total"}, "kind.proof.steps[0].claim='plug.lem': no claim matches 'plug.lem'",
    ),
    "proofs that name each other": (
        (
            "step = lambda id: DeltaBound(delta, proof=Derivation((Premise(id, 'so'),)))\n"
            "CLAIMS = [replace(CLAIM, kind=step('plug.b')), replace(CLAIM, id='plug.b', kind=step('plug.c')),\n"
            "          replace(CLAIM, id='plug.c', kind=step('plug.thm1'))]"
        ),
        {"plug.thm1", "plug.b", "plug.c", "plug_total"},
        "expected a proof that does not rest on its own claim, got plug.thm1 -> plug.b -> plug.c -> plug.thm1; remove",
    ),
    "directions that name each other": (
        (
            "step = lambda id: {'epsilon': Derivation((Premise(id, 'so'),))}\n"
            "CLAIMS = [replace(CLAIM, falls=('epsilon',), moves=step('plug.b')),\n"
            "          replace(CLAIM, id='plug.b', falls=('epsilon',), moves=step('plug.thm1'))]"
        ),
        {"plug.thm1", "plug.b", "plug_total"},
        "expected a proof that does not rest on its own claim, got plug.thm1 -> plug.b -> plug.thm1; remove",
    ),
    "deltas that name each other": (
        (
            "by = lambda id: DeltaBound(delta, exact=delta, by=Achieved(id))\n"
            "CLAIMS = [replace(CLAIM, kind=by('plug.b')), replace(CLAIM, id='plug.b', kind=by('plug.thm1'))]"
        ),
        {"plug.thm1", "plug.b", "plug_total"},
        "expected a proof that does not rest on its own claim, got plug.thm1 -> plug.b -> plug.thm1; remove",
    ),
    "a delta and a proof that name each other": (
        (
            "CLAIMS = [replace(CLAIM, kind=DeltaBound(delta, exact=delta, by=Achieved('plug.b')))]\n"
            "proof = Derivation((Premise('plug.thm1', 'so'),))\n"
            "CLAIMS.append(replace(CLAIM, id='plug.b', kind=DeltaBound(delta, proof=proof)))"
        ),
        {"plug.thm1", "plug.b", "plug_total"},
        "expected a proof that does not rest on its own claim, got plug.thm1 -> plug.b -> plug.thm1; remove",
    ),
    "a proof that names its own claim": (
        "CLAIMS = [replace(CLAIM, kind=DeltaBound(delta, proof=Derivation((Premise('plug.thm1', 'so'),))))]",
        {"plug.thm1", "plug_total"},
        "expected a proof that does not rest on its own claim, got plug.thm1 -> plug.thm1; remove",
    ),
    "satisfies": (
        "CONTROL = MECHANISM.neutral(id='plug_ctrl', title='', pair='joins', epsilon=0, proof='', satisfies='plug_to')",
        {"plug_ctrl"}, "satisfies='plug_to': no claim matches 'plug_to'",
    ),
    "a guarantee without adjacency": (
        "CLAIMS = [replace(CLAIM, privacy=None)]", {"plug_total"},
        "expected a claim with adjacency and worst-case neighbours, got none; give that claim its privacy=Privacy(",
    ),
    "an id of ours": (
        "MECHANISM = replace(MECHANISM, id='gaussian_sparse_histogram')", {"plug:gaussian_sparse_histogram"},
        "expected each id once, got 'gaussian_sparse_histogram' in mechanisms/gaussian_sparse_histogram/",
    ),
    "an id that a terminal obeys": (
        "MECHANISM = replace(MECHANISM, id='plug\\x1b[2J')", {"plug\\x1b[2J"},
        "expected an id of printable ASCII without spaces, at most 200 characters, got 'plug\\x1b[2J'; rename it",
    ),
    "no claim at all": ("CLAIMS.append('plug.thm2')", {"plug:claims"}, "expected a claim, got 'plug.thm2'"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("line", "left_out", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_used_is_left_out_in_one_line(install, run, line, left_out, words):
    """File, line, value and remedy; a run that selects it fails, and the rest of the catalogue is what it was."""
    own = len(registry().claims)
    install(line)
    known = registry()
    assert {defect.subject for defect in known.defects} == left_out
    told = [str(defect) for defect in known.defects]
    assert any(words in line for line in told), told
    assert all("plug.py:" in line and "\n" not in line for line in told)
    assert len(known.claims) >= own
    code, report, err, _out = run("*plug*")
    errors = {f["subject"] for f in report["findings"] if f["verdict"] == "ERROR"}
    assert code == ExitCode.USAGE
    assert errors == left_out
    assert all(f"warning: {line}" in err.splitlines() for line in told)


@pytest.mark.slow
def test_the_rest_runs_beside_proofs_that_name_each_other(install, run):
    """A run that selects neither of them is as it was."""
    install(BAD["proofs that name each other"][0])
    code, report, _err, _out = run("wilkins2024.def2.1")
    assert (code, len(report["findings"])) == (ExitCode.OK, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import no_such_thing", "ModuleNotFoundError: No module named 'no_such_thing'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def broken(:", "SyntaxError"),
    ],
)
def test_a_plug_in_that_fails_on_import_is_told_and_the_rest_works(install, run, text, words, capsys):
    """Its file and line, its distribution, and what to do; runs that do not select it are as they were."""
    install(text, good=False)
    (defect,) = registry().defects
    assert str(defect).startswith(str(defect.place))
    assert "plug.py:1" in defect.place
    assert words in str(defect)
    assert str(defect).endswith("mend it, or pip uninstall plug-dist")
    code, report, err, _out = run("wilkins2024.def2.1")
    assert (code, len(report["findings"])) == (ExitCode.OK, 1)
    assert f"warning: {defect}" in err
    code, report, err, _out = run("plug")
    assert (code, [f["verdict"] for f in report["findings"]]) == (ExitCode.USAGE, ["ERROR"])
    assert invoke(["doctor"]) == ExitCode.OK
    assert str(defect) in capsys.readouterr().out


FAULTS = {
    "a hundred times the noise": ("FAULT = BROKEN(at={'scale': 200})", ExitCode.FINDINGS),
    "refuted by another check only": (
        "FAULT = BROKEN(at={'scale': 200}, profile=partial(profile, scale=Fraction(1)))", ExitCode.FINDINGS,
    ),
    "named check has nothing to look at": (
        "FAULT = BROKEN(at={'scale': Fraction(1, 10)}, caught_by='empirical.impossible_key')", ExitCode.FINDINGS,
    ),
    "misspelt caught_by": (
        "FAULT = BROKEN(at={'scale': Fraction(1, 10)}, caught_by='empirical.blackbox')", ExitCode.USAGE,
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("line", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_fault_that_its_check_does_not_refute_is_not_caught(install, run, line, expected):
    """Whatever else speaks of it, and whatever another check finds."""
    install(line)
    code, report, _err, out = run("plug_fault")
    assert code == expected
    assert "1 of 1 planted fault caught" not in out
    assert [fault for fault in report["faults"] if fault["verdict"] == "REFUTED"] == []


@pytest.mark.slow
def test_a_fault_that_its_check_refutes_is_caught(install, run):
    """The same fault, with too little noise."""
    install("FAULT = BROKEN(at={'scale': Fraction(1, 10)})")
    code, _report, _err, out = run("plug_fault")
    assert code == ExitCode.OK
    assert "1 of 1 planted fault caught" in out


@pytest.mark.slow
def test_a_place_is_the_line_that_names_the_id():
    """Relative to the packages' folder; where the module spells an id out, with the paper or without, the line does.

    A reference to a claim, such as `by="lem5.3.tight"`, declares none.
    """
    own = [one for module in modules() for one in declarations(module)]
    spelt, texts = 0, functools.cache(lambda path: (ROOT / path).read_text(encoding="utf-8"))
    for one in own:
        path, _, number = one.place.partition(":")
        text = re.sub(r'(?:by=|ByClaim\()"[^"]*"', "", texts(path))
        forms = [f'"{form}"' for form in (one.id, one.id.partition(".")[2]) if form]
        if any(form in text for form in forms):
            spelt += 1
            line = texts(path).splitlines()[int(number) - 1]
            assert any(form in line for form in forms), one.place
    assert spelt > len(own) / 2


@pytest.mark.parametrize(
    ("identifier", "line"), [("slug.lem1", 4), ("slug.lem1.corrected", 5), ("slug.lem2", 7), ("slug.other", 2)]
)
def test_a_declaration_comes_before_a_reference_to_it(install, identifier, line):
    """Ids are found where they are given, spelt out or put together; else at the collection."""
    text = (
        "slug = 'slug'\n"
        "CLAIMS = (\n"
        "  dict(refers='slug.lem1.corrected'),\n"
        "  dict(id='slug.lem1'),\n"
        "  dict(id='slug.lem1.corrected'),\n"
        "  dict(refers='slug.lem2'),\n"
        "  dict(id=f'{slug}.lem2'),\n"
        ")\n"
    )
    assert line_of(text, identifier) == line
