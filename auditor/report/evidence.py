"""Evidence as text for a page: named facts of each record, with facts that records share written once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from textwrap import shorten
from types import MappingProxyType
from typing import TYPE_CHECKING

from auditor.findings.evidence import (
    AccountantEvidence,
    DerivationEvidence,
    EnclosuresEvidence,
    EnumerationEvidence,
    ProofEvidence,
    QuantityEvidence,
    ReasonEvidence,
    SamplingEvidence,
    SearchEvidence,
    WitnessEvidence,
)
from auditor.findings.finding import BESIDE_THE_CLAIM
from auditor.report.view import (
    beside_figure,
    beyond_verdict,
    box_text,
    comparison,
    enclosed_text,
    parameters_text,
    ratio_text,
    relation_header,
    shorten_number,
)
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.findings.evidence import AccountantPoint, Evidence
    from auditor.findings.finding import Finding

_INDEPENDENT = "releases are independent draws of the mechanism's generator"
USUAL = (
    "grid, corners and drawn points; certified comparison",
    "betting e-process on events learnt from earlier releases; wealth averaged over pairs and directions",
    _INDEPENDENT,
    "the law of the privacy loss is as declared by the pair",
    "exact rationals, or balls that decide",
    "symbolic (SymPy)",
    "symbolic identity (SymPy)",
    "one-sample exact binomial",
    "the mechanism releases only keys of its input (declared by it)",
    "releases of every declared histogram",
)
_PROOF_OF = "the proof of "
"""Prefix of the method of a goal closed by another claim's proof; the goal itself names the claim."""
_ANY_POINT = "any of these points where "
"""Prefix of a statement that most searches and tests share; the page has it once."""
_LONGEST = 200
_LONGEST_EVENT = 120
"""Maximum characters of an event on a page (and, above, of a pair); the JSON has the full text."""
NO_TEXTS: Mapping[str, str] = MappingProxyType({})
Facts = dict[str, str]
"""Names and texts in display order, without empty ones."""


def facts(evidence: Evidence, pair_texts: Mapping[str, str] = NO_TEXTS) -> Facts:
    """Return one record as names and texts; empty for records that a page displays in another form.

    Args:
        evidence: a record.
        pair_texts: texts of the pairs already on the page, by name; their names suffice.
    """
    match evidence:
        case WitnessEvidence():
            texts = _witness(evidence, pair_texts)
        case ProofEvidence():
            texts = {
                "step of a proof": "" if evidence.expression.startswith(evidence.step) else evidence.step,
                "method": "" if evidence.method.startswith(_PROOF_OF) else evidence.method,
                "shown": _goal(evidence.expression),
                "on": box_text(evidence.box),
                "boxes": f"{evidence.boxes:,}" if evidence.boxes else "",
                "bits": str(evidence.bits or ""),
                "least lower bound": evidence.margin or "",
            }
        case SearchEvidence():
            texts = {
                "search": evidence.method,
                "cases": f"{evidence.examples:,}",
                "in": box_text(evidence.box),
                "closest at": parameters_text(evidence.closest),
                "least slack": evidence.margin or "",
                "would have found": evidence.would_catch,
            }
        case EnumerationEvidence():
            texts = {
                "enumerated": evidence.domain,
                "cases": f"{evidence.cases:,}",
                "arithmetic": evidence.arithmetic,
                "case": parameters_text(evidence.example),
            }
        case SamplingEvidence():
            texts = _sampling_facts(evidence, pair_texts)
        case AccountantEvidence():
            texts = _accountant(evidence)
        case EnclosuresEvidence():
            texts = _points(evidence)
        case QuantityEvidence():
            texts = {
                "printed number": evidence.printed,
                "reading": evidence.reading,
                "at": parameters_text(evidence.parameters),
                "computed": enclosed_text(evidence.computed),
                "agreement": evidence.agrees,
            }
        case _:
            texts = {}
    particular = {name: text.removeprefix(f"{_INDEPENDENT}; ") for name, text in texts.items()}
    return {
        name: text
        for name, text in particular.items()
        if text and text not in USUAL and not text.startswith(_ANY_POINT)
    }


def _goal(expression: str) -> str:
    """Return a proved goal in short form; a page explains left and right side once."""
    return re.sub("left side (<=|<|=) right side", r"\1", expression).replace("<=", "≤")


_IN_HEADLINE = "relative error"
"""Relation of which the headline of the finding has the largest value."""
_OVER = " over "
MOST_STEPS = 2
"""Largest number of rows for the steps of a proof on a page."""


def _once(goals: Sequence[str], steps: Sequence[str]) -> list[str]:
    """Return goals over boxes with repeated boxes replaced: a known box becomes the step where it was first written.

    The box of the first goal becomes `there`.
    """
    names: dict[str, str] = {}
    goals_text = []
    for goal, step in zip(goals, steps, strict=True):
        statement, over, box = goal.partition(_OVER)
        prefix = max((each for each in names if f"{box}, ".startswith(f"{each}, ")), key=len, default="")
        goals_text.append(
            f"{statement} {names[prefix]}{box[len(prefix) :]}" if len(names.get(prefix, goal)) < len(prefix) else goal
        )
        if over:
            names.setdefault(box, f"over that of {step}" if names else "there")
    return goals_text


def _witness(evidence: WitnessEvidence, pair_texts: Mapping[str, str]) -> Facts:
    return {
        "witness at": parameters_text(evidence.parameters),
        "pair": _pair(evidence, pair_texts),
        "event": evidence.event,
        evidence.left_name: enclosed_text(evidence.left),
        f"{evidence.right_name}, claimed {evidence.relation}": enclosed_text(evidence.right),
        "why": evidence.explanation,
    }


_DIGITS = 12
"""Digits of numbers of a point; the JSON has all digits."""


def _points(evidence: EnclosuresEvidence) -> Facts:
    """Return the hardest point, and how its quantity relates to the value compared with; the JSON has both values."""
    texts = {"points": f"{evidence.cases:,}", "digits": str(evidence.digits)}
    if not evidence.rows:
        against = f" against {evidence.against}" if evidence.against else ""
        return texts | {evidence.relation: f"{evidence.quantity}{against}"}
    row = evidence.rows[0]
    texts["hardest at"] = parameters_text(row.parameters)
    if any(each.against for each in evidence.rows):
        if evidence.relation != _IN_HEADLINE:
            texts[relation_header(evidence.relation)] = comparison(evidence.relation, row)
    else:
        texts[evidence.quantity] = enclosed_text(row.quantity, _DIGITS)
    return texts


def _sampling_facts(evidence: SamplingEvidence, pair_texts: Mapping[str, str]) -> Facts:
    silent = evidence.detectable_delta and evidence.efficiency is None  # a refutation has an efficiency
    detectable = f"delta >= {evidence.detectable_delta} with probability {evidence.power}" if silent else ""
    return {
        "test by sampling": evidence.method.partition(", theta = ")[0],
        "pair": _pair(evidence, pair_texts),
        "event" if evidence.event_status == "confirmed" else "likely event": shorten(evidence.event, _LONGEST_EVENT),
        "parameters": parameters_text(evidence.parameters),
        "epsilon": evidence.epsilon or "",
        "claimed delta": evidence.delta_claimed or "",
        "delta, lower bound": evidence.delta_lower or "",
        "delta, upper bound": evidence.delta_upper or "",
        "exact delta": enclosed_text(evidence.delta_exact, 6),
        "epsilon, lower bound": "" if evidence.epsilon_lower in (None, "0") else evidence.epsilon_lower,
        "would have found": detectable,
        "also": "; ".join(beside_figure(evidence)),
        "samples": f"{evidence.samples:,}" + (f" in {evidence.blocks} blocks" if evidence.blocks else ""),
        "level": shorten_number(evidence.level),
        "log10 of the wealth": "" if evidence.wealth else evidence.log10_wealth or "",
        "assuming": "; ".join(evidence.assumptions),
    }


def _accountant(evidence: AccountantEvidence) -> Facts:
    """Return the facts beyond the headline, which has the wrong answers; the JSON has all calls.

    The loosest answer is left out if it is right to all digits of its ratio.
    """
    loosest = evidence.loosest
    points = {
        "differs": evidence.differs,
        "loosest": None if loosest is None or ratio_text(loosest.ratio or "") == "1" else loosest,
    }
    return {
        "accountant": evidence.target,
        "against": evidence.against,
        "tolerance": evidence.tolerance,
        **{name: "" if point is None else _point(point) for name, point in points.items()},
    }


def _point(point: AccountantPoint) -> str:
    truth = f"; truth in {enclosed_text(point.truth)}" if point.truth else ""
    ratio = f" (ratio {ratio_text(point.ratio)})" if point.ratio else ""
    reason = f". {point.reason}" if point.reason else ""
    return f"at {parameters_text(point.parameters)} returns {point.returned}{truth}{ratio}{reason}"


_NO_RULES = "rules over laws: none; "
"""Part of the headline of most proofs, which a page leaves out."""
_BY_CLAIM = re.compile(r"ByClaim ([^\s;]+)(?: > )?")


def beyond_table(finding: Finding) -> str:
    """Return a finding's text after its name, without claims that close goals, as the table lists them."""
    goals = [each.expression for each in finding.evidence if isinstance(each, ProofEvidence)]

    def left(match: re.Match[str]) -> str:
        return "" if any(goal.startswith(f"ByClaim of {match[1]}:") for goal in goals) else match[0]

    text = beyond_verdict(finding).replace(_NO_RULES, "", 1)
    if finding.check in BESIDE_THE_CLAIM:  # its name ends with the parameter
        text = text.replace(f" in {finding.id.rpartition('::')[2]}:", ":", 1)
    return _BY_CLAIM.sub(left, text).removesuffix(" > ") if len(goals) > 1 else text


_HEADLINED = frozenset(
    {
        *("cases", "points", "digits", "printed number", "claimed delta", "delta, lower bound"),
        *("relative error", "level"),
    }
)
_SHORT = 12


def in_headline(name: str, text: str, headline: str) -> bool:
    """Return whether the headline states this fact: a long text literally, a short number only for headline names."""
    if len(text) > _SHORT:
        return text.removesuffix(" [...]") in headline
    return name in _HEADLINED and re.search(rf"(?<![\w.-]){re.escape(text)}(?![\w]|\.\d)", headline) is not None


def select_unstated(shared: Facts, finding: Finding, card_texts: Mapping[str, str]) -> Facts:
    """Return the facts that neither the headline, nor the scope, nor the entry (`card_texts`: texts by name) states."""
    return {
        name: text
        for name, text in shared.items()
        if text
        and text != finding.scope
        and card_texts.get(name) != text
        and not in_headline(name, text, finding.headline)
    }


_FEW = 4
_LONGEST_LINE = 160
"""Maximum number of facts, and of their characters, that follow the headline in one line."""


def few_facts(finding: Finding, card_texts: Mapping[str, str], pair_texts: Mapping[str, str]) -> Facts:
    """Return the facts of a finding whose evidence fits in one line; empty for other findings."""
    together = [*groups(in_words(finding), pair_texts)]
    if len(together) != 1 or any(isinstance(each, DerivationEvidence | ReasonEvidence) for each in together[0][0]):
        return {}
    _, shared, names, _ = together[0]
    texts = {} if names else select_unstated(shared, finding, card_texts)
    return texts if len(texts) <= _FEW and len("; ".join(map(": ".join, texts.items()))) <= _LONGEST_LINE else {}


def in_words(finding: Finding) -> list[Evidence]:
    """Return the records without a refuted bound, as the figure has both of its sides."""
    refuted = finding.verdict is Verdict.REFUTED
    in_figure = [
        refuted and isinstance(each, EnclosuresEvidence) and each.relation == "at most" for each in finding.evidence
    ]
    return [each for each, left_out in zip(finding.evidence, in_figure, strict=True) if not left_out]


_ONE_SETTING = re.compile(r"1 pair, epsilon in \{[^,]*\}")


def tells_scope(finding: Finding) -> bool:
    """Return whether the evidence states the scope: an accountant's box, or the only pair and epsilon of a test."""
    sampled = [each for each in finding.evidence if isinstance(each, SamplingEvidence)]
    one = len(sampled) == 1 and bool(sampled[0].pair and sampled[0].epsilon)
    accountant = any(isinstance(each, AccountantEvidence) for each in finding.evidence)
    return accountant or (one and _ONE_SETTING.fullmatch(finding.scope) is not None)


def pairs(findings: Iterable[Finding]) -> dict[str, str]:
    """Return the texts of the findings' pairs, `wc6: {...} against {...}`, by name, in order."""
    records = [each for finding in findings for each in finding.evidence]
    texts = [each.pair for each in records if isinstance(each, WitnessEvidence | SamplingEvidence)]
    return {
        name: shorten(runs(text), _LONGEST) for text in texts for name, colon, _rest in [text.partition(": {")] if colon
    }


def _pair(evidence: WitnessEvidence | SamplingEvidence, pair_texts: Mapping[str, str]) -> str:
    """Return the pair, by name if known and shortened if long, with its full direction."""
    name = evidence.pair.partition(": {")[0]
    if pair_texts.get(name) == shorten(runs(evidence.pair), _LONGEST):
        return f"{name} {evidence.direction}"
    return shorten(f"{runs(evidence.pair)} {evidence.direction}", _LONGEST, placeholder=f" ... {evidence.direction}")


_HISTOGRAM = re.compile(r"\{'\w+': \d+(?:, '\w+': \d+){2,}\}")
_ENTRY = re.compile(r"'(\w*?)(\d+)': (\d+)")


def runs(pair: str) -> str:
    """Return the text of a pair; three or more consecutively numbered keys of equal count become a range."""
    return _HISTOGRAM.sub(lambda match: _ends(match[0]), pair)


def _ends(histogram: str) -> str:
    entries = [(_ENTRY.fullmatch(entry), entry) for entry in histogram[1:-1].split(", ")]
    together: list[list[tuple[re.Match[str] | None, str]]] = []
    for match, entry in entries:
        last = together[-1][-1][0] if together else None
        if match and last and match[1] == last[1] and match[3] == last[3] and match[2] == str(int(last[2]) + 1):
            together[-1].append((match, entry))
        else:
            together.append([(match, entry)])
    entries_text: list[str] = []
    for run in together:
        (first, _), (end, _) = run[0], run[-1]
        if len(run) > 2 and first and end:
            entries_text.append(f"'{first[1]}{first[2]}' to '{end[1]}{end[2]}': {end[3]}")
        else:
            entries_text += [entry for _, entry in run]
    return f"{{{', '.join(entries_text)}}}"


def places(paths: Sequence[str]) -> Iterator[str]:
    """Yield texts unchanged, except that consecutive places under one tree node become a range, as ``1.2.3-5``."""
    parts = [path.rpartition(".") for path in paths]
    start = 0
    for place, (node, dot, last) in enumerate(parts, start=1):
        following = parts[place] if place < len(parts) else ("", "", "")
        if dot and last.isdecimal() and following == (node, dot, f"{int(last) + 1}"):
            continue
        yield paths[start] if place - start == 1 else f"{paths[start]}-{last}"
        start = place


_NODE = 3
"""Depth, in steps of a path, below which places under one node are grouped."""


def under(paths: Iterable[str]) -> Iterator[str]:
    """Yield texts unchanged, except that consecutive deep places below one node are grouped, as ``1.2.3.{1, 2.1}``."""
    for node, below in groupby(paths, key=lambda path: path.split(".")[:_NODE]):
        deep = [*below]
        if len(deep) == 1 or any(path.count(".") < _NODE for path in deep):
            yield from deep
        else:
            parts = [path.split(".") for path in deep]
            levels = range(len(node), min(map(len, parts)))
            same = next((i for i in levels if len({part[i] for part in parts}) > 1), levels[-1])
            yield f"{'.'.join(parts[0][:same])}.{{{', '.join('.'.join(part[same:]) for part in parts)}}}"


def groups(
    records: Iterable[Evidence], pair_texts: Mapping[str, str] = NO_TEXTS
) -> Iterator[tuple[list[Evidence], Facts, list[str], list[list[str]]]]:
    """Group records with equal fact names; replace statements of a derivation's steps by the step numbers.

    Args:
        records: the evidence of a finding.
        pair_texts: texts of the pairs already on the page, by name; their names suffice.

    Yields:
        The records; the facts with one value for all records, plus a single differing fact with its values joined; the
        names of the other facts; their texts, a row per record. Records that differ only in the first name share a row.
    """
    records = list(records)
    derivations = (record for record in records if isinstance(record, DerivationEvidence))
    steps = {_goal(step.statement): f"step {step.number}" for derivation in derivations for step in derivation.steps}
    steps_proved = sum(isinstance(record, ProofEvidence) for record in records)
    alike: dict[tuple[str, ...], list[tuple[Evidence, Facts]]] = {}
    for record in records:
        texts = facts(record, pair_texts)
        if "shown" in texts:
            texts["shown"] = steps.get(texts["shown"], texts["shown"])
        alike.setdefault((record.type, *texts), []).append((record, texts))
    for together in alike.values():
        each = [texts for _, texts in together]
        shared = {name: text for name, text in each[0].items() if all(other[name] == text for other in each)}
        names = [name for name in each[0] if name not in shared]
        if shared.get("step of a proof") == "1" and steps_proved == 1:
            del shared["step of a proof"]
        if len(names) == 1:
            only = names.pop()
            if only != "step of a proof":  # equal steps need no list of their numbers
                shared[only] = "; ".join(texts[only] for texts in each)
        rows: dict[tuple[str, ...], list[str]] = {}
        for texts in each if names else ():
            rows.setdefault(tuple(texts[name] for name in names[1:]), []).append(texts[names[0]])
        table = [[", ".join(under(places(firsts))), *rest] for rest, firsts in rows.items()]
        if "shown" in names[1:]:
            place = names.index("shown")
            goals = _once([row[place] for row in table], [firsts[0] for firsts in rows.values()])
            table = [[*row[:place], goal, *row[place + 1 :]] for row, goal in zip(table, goals, strict=True)]
            if len(table) > MOST_STEPS:
                more = [f"{len(table) - MOST_STEPS} more", "in report.json", *[""] * (len(names) - 2)]
                table = [*table[:MOST_STEPS], more]
        yield [record for record, _ in together], shared, names, table
