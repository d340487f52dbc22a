"""The report as a site: a page a subject, every link arrives, nothing of others is obeyed."""

from collections import Counter
from posixpath import join, normpath
from urllib.parse import unquote

import pytest

from auditor.findings.evidence import SubjectKind
from auditor.findings.finding import Finding
from auditor.report import html
from auditor.report.model import AuditReport, summarise
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import HOSTILE, sample_report
from tests.auditor.report.test_html import Outline


def with_subjects(*subjects: str) -> AuditReport:
    """The sample with findings about more subjects, which have no entry."""
    report = sample_report()
    more = [
        Finding.of(
            subject=subject,
            subject_kind=SubjectKind.PLUG_IN,
            check="declared",
            verdict=Verdict.NOT_APPLICABLE,
            headline=HOSTILE,
            reproduce="auditor run",
        )
        for subject in subjects
    ]
    findings = [*report.findings, *more]
    return report.model_copy(update={"findings": findings, "summary": summarise(findings)})


def outlines(report: AuditReport) -> dict[str, Outline]:
    """Every page of the site, parsed."""
    results = {}
    for path, page in html.site(report).items():
        results[path] = Outline()
        results[path].feed(page)
    return results


@pytest.fixture(scope="module")
def pages():
    """Parse the site of the sample."""
    return outlines(sample_report())


@pytest.mark.slow
def test_every_subject_has_exactly_one_page(pages):
    """Claims, errata, mechanisms, faults, accountants: by the id of the card; chapters in a folder of theirs."""
    report = sample_report()
    subjects = {
        entry.id for kind in (report.claims, report.mechanisms, report.faults, report.accountants) for entry in kind
    }
    cards = Counter(id_ for path, page in pages.items() if path.startswith("subjects/") for id_ in page.ids)
    assert {subject: cards[html.anchor(subject)] for subject in subjects} == dict.fromkeys(subjects, 1)
    assert len([path for path in pages if path.startswith("subjects/")]) == len(subjects)
    assert len([path for path in pages if path.startswith("chapters/")]) == len(report.sections)


@pytest.mark.slow
def test_all_links_arrive(pages):
    """At a page of the site, and at an id of it; the index leads to every page."""
    reached = set()
    for path, page in pages.items():
        for link in page.links:
            file, _, fragment = link.partition("#")
            target = normpath(join(path, "..", unquote(file))) if file else path
            reached |= {target} if path == "index.html" else set()
            assert target in pages, f"{path} leads to {link}"
            assert not fragment or unquote(fragment) in pages[target].ids, f"{path} leads to {link}"
    assert reached >= set(pages) - {"index.html"}


def test_nothing_is_loaded_and_only_the_index_has_a_script(pages):
    """Pages work from a folder, without a network."""
    for path, page in pages.items():
        assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(page.tags)
        assert page.tags.count("script") == (path == "index.html")
        policies = [value for _, name, value in page.attributes if name == "content" and "default-src 'none'" in value]
        assert len(policies) == 1
        assert len(page.ids) == len(set(page.ids))


@pytest.mark.slow
def test_evidence_is_on_the_pages_and_not_in_the_index():
    """The index has each finding as a line; its page has it open."""
    site = html.site(sample_report())
    findings = sample_report().findings
    assert site.pop("index.html").count("<details") == 1  # the filters
    assert sum(page.count("<details") for page in site.values()) == len(findings)
    assert sum(page.count("<details") - page.count(" open>") for page in site.values()) == 0


@pytest.mark.slow
@pytest.mark.parametrize("subject", ["../../etc/passwd", "a/b", "CON", "x" * 5000, "<script>", "..", "con"])
def test_a_subject_cannot_name_a_file_elsewhere(subject):
    """Whatever it is called, its page lies beside the others under a short name."""
    paths = [path for path in html.site(with_subjects(subject, "Con", "con.")) if path.startswith("subjects/")]
    assert len({path.lower() for path in paths}) == len(paths)
    assert all(path.count("/") == 1 and ".." not in path.split("/") and len(path) < 200 for path in paths)


@pytest.mark.slow
def test_foreign_text_stays_text():
    """Markup in what others wrote is shown, never obeyed."""
    for path, page in html.site(with_subjects(HOSTILE.replace(" ", ""))).items():
        assert page.count("<script") == (path == "index.html")
