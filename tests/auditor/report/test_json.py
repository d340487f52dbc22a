"""Canonical JSON and its published schema."""

import json as stdlib_json

import pytest
from pydantic import ValidationError

from auditor.errors import ReportError
from auditor.report import json
from auditor.report.model import AuditReport
from auditor.report.schema import PUBLISHED, schema
from tests.auditor.report.sample import sample_report


def test_the_bytes_are_canonical():
    """Reading what was written gives the same report, and the same bytes again, keys sorted."""
    text = json.render(sample_report())
    assert json.parse(text, "memory") == sample_report()
    assert json.render(json.parse(text, "memory")) == text
    assert text == stdlib_json.dumps(stdlib_json.loads(text), sort_keys=True, indent=2, ensure_ascii=False) + "\n"


def test_nothing_depends_on_the_clock():
    """No key of the report speaks of time, host or workers."""
    text = json.render(sample_report()).lower()
    assert not [
        word for word in ("seconds", "timestamp", "duration", "hostname", "jobs", "elapsed") if f'"{word}' in text
    ]


@pytest.mark.slow
def test_reports_fit_the_published_schema():
    """The sample, which holds one of everything, is valid under the file in the repository."""
    import jsonschema

    published = stdlib_json.loads(PUBLISHED.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(published)
    jsonschema.validate(stdlib_json.loads(json.render(sample_report())), published)


@pytest.mark.slow
def test_the_schema_refuses_a_float_bound():
    """The published schema, too, keeps floats out of enclosures."""
    import jsonschema

    data = stdlib_json.loads(json.render(sample_report()))
    data["faults"][0]["delta_exact"]["lower"] = 0.1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, stdlib_json.loads(schema()))


def test_the_published_schema_is_current():
    """The file in the repository is what the model says."""
    current = PUBLISHED.read_text(encoding="utf-8") == schema()
    assert current, "auditor/report/schema.json is stale; regenerate it: python -m auditor.report.schema"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "an invalid field at the document"),
        ("[]", "an invalid field at the document"),
        ("{}", "an invalid field at suite_version"),
        ('{"schema_version": "2"}', "another version"),
    ],
)
def test_what_is_no_report_is_refused_in_one_line(text, where):
    """The error names the file, the first misfit and the remedy."""
    with pytest.raises(ReportError, match=f"in x.json, got {where}") as caught:
        json.parse(text, "x.json")
    assert "\n" not in str(caught.value)
    assert "auditor run" in str(caught.value)


def parts_of(schema):
    """Every node of a schema of pydantic's core."""
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list | tuple) else ():
        yield from parts_of(part)
    if isinstance(schema, dict):
        yield schema


def test_every_list_of_a_report_is_refused_at_its_first_misfit():
    """A file may hold millions of misfits, and each that is told costs time and memory."""
    lists = [part for part in parts_of(AuditReport.__pydantic_core_schema__) if part.get("type") == "list"]
    assert len(lists) > 25
    assert all(part.get("fail_fast") for part in lists)


@pytest.mark.parametrize(
    "field",
    [
        {"findings": [{}] * 20_000},
        {"pending": [0] * 20_000},
        {"sections": [{"id": "a", "title": "b", "tables": [{"caption": "c", "columns": [], "rows": [0] * 20_000}]}]},
        {"environment": {"python": "3", "packages": dict.fromkeys(map(str, range(20_000)), 0)}},
        {"summary": {"findings": 0, "met": 0, "verdicts": {"PROVED": dict.fromkeys(map(str, range(20_000)), 0)}}},
        dict.fromkeys(map(str, range(20_000)), 0),
    ],
)
def test_a_report_of_misfits_is_refused_by_a_few_of_them(field):
    """Whatever is repeated: entries of lists, keys of dictionaries, fields that there are not."""
    forged = {**stdlib_json.loads(json.render(sample_report())), **field}
    with pytest.raises(ValidationError) as caught:
        AuditReport.model_validate_json(stdlib_json.dumps(forged))
    assert caught.value.error_count() < 50


@pytest.mark.slow
def test_a_name_twice_among_many_is_found_in_one_look():
    """Each name is counted once: with a count for each of them this took hours."""
    text = ",".join(f'"{name}":0' for name in (*range(200_000), 199_999))
    with pytest.raises(ReportError, match="the name '199999' twice in one object"):
        json.document(f"{{{text}}}", "x.json")


def test_a_missing_file_is_named(tmp_path):
    """Reading a directory without a report says which file was looked for."""
    with pytest.raises(ReportError, match=r"report\.json: No such file"):
        json.read(tmp_path)


def test_binary_is_no_report(tmp_path):
    """A file that is not text is refused in one line."""
    (tmp_path / "report.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ReportError, match="not UTF-8"):
        json.read(tmp_path)
