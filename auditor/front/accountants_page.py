"""The documentation page for choosing an accountant, from the recorded audits of libraries.

``python -m auditor.front.accountants_page [DIR]...`` adds the records of `auditor accountants audit NAMES --out DIR` to
the recorded table, and writes the page.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from auditor.accountant_audit.environments import RECORDED, accountant, libraries, recorded
from auditor.accountant_audit.log import BAD
from auditor.accountant_audit.result import INCONSISTENT
from auditor.errors import counted
from auditor.report.accountants import FAMILIES
from auditor.report.markdown import table_text
from auditor.report.matrix import CORNERS

PAGE = Path("docs/reference/accountants.md")
COMMAND = "python -m auditor.front.accountants_page"
CLASS_RIGHT = "no violation seen"
WRONG = {*BAD, INCONSISTENT}
COLUMNS = {
    "accountant": "id",
    "returns": "computes",
    "class": "class",
    "without a box": "whole",
    "worst factor": "worst",
    "worst answer": "lacks",
    "excess epsilon": "excess",
    "worst excess": "worst excess",
    "median factor": "median",
    "loosest factor": "loosest",
    "delta down to": "smallest delta",
    "ms a call": "ms a call",
}
"""Columns of the tables, and the fields of a recorded row that they contain."""
INTRO = """# Choose an accountant

Each library was audited in its own environment, and its answers were compared with exact values.

- Recorded: {dates}.
- Settings: {options}, and more time for slow accountants.

This page is generated from the record. A new record takes two commands:

```sh
auditor accountants audit LIBRARY --out DIR
{command} DIR
```

## Read the tables

| Column | Meaning |
| --- | --- |
| class | the worst [class of an answer](glossary.md#classes-of-an-accountants-answer) |
| without a box | the same, and the worst factor, over all parameters of the truth; refusals do not count |
| worst factor | returned value divided by the exact value, for the most unsafe answer |
| worst answer | what that answer lacks, in its own unit and in epsilon |
| excess epsilon | stated epsilon minus the exact epsilon for the stated delta; median over random points |
| worst excess | the largest excess epsilon at these points |
| median factor, loosest factor | returned value divided by the exact value |
| delta down to | smallest delta down to which no answer was wrong or more than 10 times too large |
| ms a call | CPU time of one call |

- All numbers are from the practical range: delta from 1e-15 to 0.01, epsilon from 0.01 to 20.
- *In corners* and *corner* mean only outside the practical range.
- For epsilon, noise and thresholds, a factor is the requested delta divided by the exact delta.
- An empty cell is undefined or was not recorded.
- The adapter of each accountant states the audited ranges. `auditor accountants audit --out DIR` draws them.
- Accountants were audited over different ranges of parameters, so small differences between factors have no meaning.
"""


def rank_rows(rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return rows sorted by quality: rows without a wrong answer first, then by excess.

    If the excess of a correct accountant was not recorded, the median factor decides, then the time of a call.
    """
    compares = all(row.get("excess") for row in rows if _is_right(row) and row["median"])

    def rank(row: Mapping[str, str]) -> tuple[bool, float, float, float, str]:
        excess, factor, time = (float(row.get(name) or "inf") for name in ("excess", "median", "ms a call"))
        return not _is_right(row), excess if compares else 0.0, factor, time, row["id"]

    return sorted(rows, key=rank)


def _is_right(row: Mapping[str, str]) -> bool:
    """Return whether no practical answer is wrong, in the box and, where that was recorded, without it."""
    unboxed = row.get("whole", "")
    in_box = row["class"] == CLASS_RIGHT or row["class"].endswith(CORNERS)
    return in_box and (unboxed.split(" ")[0] not in WRONG or unboxed.endswith(CORNERS))


def _best(rows: Sequence[Mapping[str, str]]) -> str:
    """Return the best correct accountant for each truth and returned quantity."""
    groups: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
    for family in FAMILIES:
        for row in rows:
            if row["of"] == family and _is_right(row) and (row.get("excess") or row["median"]):
                groups.setdefault((family, accountant(row["id"]).against, row["computes"]), []).append(row)
    cells = []
    for (family, truth, returns), group in groups.items():
        row, *others = rank_rows(group)
        numbers = [row.get("excess", ""), row["median"], row["ms a call"]]
        cells.append([family, f"`{truth}`", returns, f"`{row['id']}`", str(1 + len(others)), *numbers])
    columns = ["mechanism", "truth", "returns", "accountant", "out of", "excess epsilon", "median factor", "ms a call"]
    return table_text(columns, cells)


def _libraries(rows: Sequence[Mapping[str, str]]) -> str:
    cells = []
    for name, library in libraries().items():
        library_rows = [row for row in rows if row["id"].partition(".")[0] == name]
        wrong = sum(row["class"] in WRONG for row in library_rows)
        if library_rows:
            facts = library.facts
            library_facts = [facts["released"], facts["licence"], f"{facts['megabytes']} MB"]
            cells.append(
                [
                    library_rows[0]["library"],
                    library_rows[0]["date"],
                    *library_facts,
                    str(len(library_rows)),
                    str(wrong),
                ]
            )
    columns = ["library", "audited", "released", "licence", "environment", "accountants"]
    return table_text([*columns, "wrong in the practical range"], cells)


def render(record: Mapping[str, object], rows: Sequence[Mapping[str, str]]) -> str:
    """Return the page as Markdown.

    Args:
        record: the recorded table.
        rows: the accountants of the table.
    """
    dates = sorted({row["date"] for row in rows})
    options = record["options"]
    assert isinstance(options, Mapping)  # noqa: S101 - of our own file
    settings = (
        f"{counted(options['max_examples'], 'example')} a search, {options['budget']:g} CPU seconds an accountant"
    )
    parts = [INTRO.format(command=COMMAND, dates=" and ".join(dict.fromkeys((dates[0], dates[-1]))), options=settings)]
    parts += [f"## Best recorded accountant\n\n{_best(rows)}\n", f"## Libraries\n\n{_libraries(rows)}\n"]
    for family in FAMILIES:
        if some := rank_rows([row for row in rows if row["of"] == family]):
            cells = [[f"`{row['id']}`", *(row.get(field, "") for field in [*COLUMNS.values()][1:])] for row in some]
            parts.append(f"## {family[0].upper()}{family[1:]}\n\n{table_text(COLUMNS, cells)}\n")
    links = ("[Audit accountants of other libraries](../how-to/libraries.md)", "[What to compare with](truths.md)")
    parts.append("## Next\n\n" + "".join(f"- {link}\n" for link in links))
    return "\n".join(parts)


def merge_records(record: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    """Return a record with accountants replaced by those of equal id in another record."""
    (rows, cases), (new_rows, new_cases) = ((one["accountants"], one["cases"]) for one in (record, new))
    assert isinstance(rows, list) and isinstance(new_rows, list)  # noqa: PT018, S101 - of our own files
    assert isinstance(cases, Mapping) and isinstance(new_cases, Mapping)  # noqa: PT018, S101 - of our own files
    by_id = {row["id"]: row for row in new_rows if not row["library"].endswith(" not installed")}
    replaced = {*by_id}
    return {
        **record,
        "accountants": [by_id.pop(row["id"], row) for row in rows] + [*by_id.values()],
        "cases": {**{name: case for name, case in cases.items() if name not in replaced}, **new_cases},
    }


def main(folders: Sequence[str]) -> None:
    """Add records to the recorded table, and write the page."""
    record = dict(recorded())
    for folder in folders:
        record = merge_records(record, json.loads((Path(folder) / RECORDED.name).read_text(encoding="utf-8")))
    RECORDED.write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    PAGE.write_text(render(record, record["accountants"]), "utf-8")
    sys.stdout.write(f"wrote {RECORDED} and {PAGE}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
