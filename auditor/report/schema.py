"""The published JSON Schema of the report; `python -m auditor.report.schema` writes it beside this file."""

import json
from pathlib import Path

from auditor.report.model import AuditReport

PUBLISHED = Path(__file__).with_name("schema.json")


def schema() -> str:
    """Return the JSON Schema (draft 2020-12) of `report.json` as text."""
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:sparse-histogram-auditor:report:1",
        **AuditReport.model_json_schema(mode="serialization"),
    }
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PUBLISHED.write_text(schema(), encoding="utf-8")
