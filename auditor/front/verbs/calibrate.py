"""`auditor calibrate`: certified noise, threshold or epsilon of one mechanism, or of all that make a release."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from auditor.errors import ExitCode, UnknownIdError, UsageError
from auditor.front.verbs.output import assignments, columns, emit, say
from auditor.front.verbs.parameters import as_json_option

MOST_DIGITS = 12
LEAST_DELTA = "1e-140"
"""Least target: above the probability that noise passes a limit threshold, and well within doubles."""

if TYPE_CHECKING:
    from fractions import Fraction

    from auditor.engine.calibration import Calibrated, Choice
    from mechanisms.calibrator import Calibrator
    from proofs_numeric.arithmetic.formula import Value


def _releases() -> dict[str, str]:
    """Return the release of every mechanism with a calibration, from the index if the suite declares it."""
    from auditor.engine.index import cells, index
    from auditor.engine.registry import registry

    indexed, suite_calibrators = index()["calibrators"], registry().calibrators
    return {
        name: (indexed.get(name) or cells("calibrators", suite_calibrators[name]))["release"]
        for name in suite_calibrators
    }


def _names(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    from auditor.engine.index import index

    entries = index()["calibrators"]
    names = {*entries, *(entry["release"] for entry in entries.values())}
    return [CompletionItem(name) for name in sorted(names) if name.startswith(typed)]


@click.command
@click.argument(
    "mechanism",
    metavar="MECHANISM",
    shell_complete=_names,
    help="Id of a mechanism, or a kind of release: counts, adaptive_counts, repeated_counts, running_counts, keys, "
    "known_keys, picks or selections.",
)
@click.argument(
    "values",
    nargs=-1,
    metavar="[NAME=VALUE]...",
    help="Exact values of the claim's parameters; NAME=? computes one. Of a release, facts, too: keys=10 all_keys=100.",
)
@click.option("--epsilon", metavar="EXACT", help="Target epsilon. Without it, epsilon is computed.")
@click.option("--delta", metavar="EXACT", help="Target delta. Without it, delta is computed.")
@click.option(
    "--digits", default=5, help=f"Significant digits of a result, rounded to the safe side: 1 to {MOST_DIGITS}."
)
@as_json_option
def command(
    mechanism: str, values: tuple[str, ...], *, epsilon: str | None, delta: str | None, digits: int, as_json: bool
) -> int:
    """Compute the noise, threshold or epsilon of a mechanism.

    The command computes the missing parameters. At the printed value the claim's delta is at most the target, and at
    the next value it is above the target. Balls enclose both deltas. If the claim adds the deltas of noise and
    threshold, the noise has 3/4 of the target. With a kind of release, the command compares all mechanisms that make
    this release.
    """
    from auditor.engine.registry import registry

    suite_calibrators, releases = registry().calibrators, _releases()
    alike = [name for name, release in releases.items() if release == mechanism]
    if mechanism not in suite_calibrators and not alike:
        raise UnknownIdError("mechanism", mechanism, [*suite_calibrators, *releases.values()])
    if not 1 <= digits <= MOST_DIGITS:
        raise UsageError(f"expected 1 <= digits <= {MOST_DIGITS}, got digits={digits}")
    values_by_name, target = assignments(values), None if delta is None else _target(delta)
    if epsilon is not None:
        if "epsilon" in values_by_name:
            raise UsageError(f"expected epsilon once, got --epsilon {epsilon} and epsilon={values_by_name['epsilon']}")
        values_by_name = {"epsilon": epsilon, **values_by_name}
    if mechanism in suite_calibrators:
        from auditor.engine.calibration import calibrate, stated

        one, claim_of = suite_calibrators[mechanism], registry().claim
        calibrated = calibrate(one, claim_of(one.claim), target, values_by_name, digits=digits)
        numbers = [_choice(each) for each in (*calibrated.choices, *stated(calibrated, claim_of, digits=digits))]
        emit(_document(calibrated, numbers)) if as_json else say(*_lines(calibrated, numbers))
        return ExitCode.OK
    if target is None or epsilon is None:
        raise UsageError(f"expected --epsilon and --delta to compare mechanisms for {mechanism}")
    if _exact("epsilon", epsilon) < 0:
        raise UsageError(f"expected epsilon >= 0 (nats), got epsilon={epsilon}")
    rows = _compared([suite_calibrators[name] for name in alike], target, values_by_name, digits)
    emit({"release": mechanism, "mechanisms": rows}) if as_json else say(*_table(rows))
    return ExitCode.OK


def _exact(name: str, text: str) -> Fraction:
    from fractions import Fraction

    from proofs_numeric.arithmetic import exact

    try:
        return Fraction(exact(text))
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: {error}") from None


def _target(delta: str) -> Fraction:
    target = _exact("delta", delta)
    if not _exact("delta", LEAST_DELTA) <= target < 1:
        raise UsageError(f"expected {LEAST_DELTA} <= delta < 1, got delta={delta}")
    return target


def _number(value: Value) -> str:
    """Return an exact number as text: a decimal if it has one."""
    from auditor.checks import show

    return show.exact_text(value)


def _assignment(name: str, value: Value) -> str:
    return f"{name}={_number(value)}"


def _document(calibrated: Calibrated, numbers: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "mechanism": calibrated.calibrator.id,
        "claim": calibrated.calibrator.claim,
        "parameters": {name: _number(value) for name, value in calibrated.point.items()},
        "numbers": numbers,
        "noise_share": _number(calibrated.noise_share),
    }


def _choice(one: Choice) -> dict[str, Any]:
    return {
        "name": one.name,
        "value": _number(one.value),
        "delta_at_most": one.delta or None,
        "next_value": None if one.next_value is None else _number(one.next_value),
        "next_delta_at_least": one.next_delta,
        "least_by": one.least_by,
        "at": {name: _number(value) for name, value in one.at.items()},
    }


def _lines(calibrated: Calibrated, numbers: list[dict[str, Any]]) -> list[str]:
    cells = []
    for one in numbers:
        at = "".join(f" at {name}={value}" for name, value in one["at"].items())
        beside, above = one["next_value"], one["next_delta_at_least"] or "not decided"
        if beside is None:
            beside, above = "end of the domain" if one["delta_at_most"] else "", ""
        claim = one["least_by"] or calibrated.calibrator.claim
        cells.append([one["name"], one["value"], (one["delta_at_most"] or "") + at, beside, above, claim])
    headings = ["number", "value", "delta at most", "next value", "delta at least", "claim"]
    chosen = {one.name for one in calibrated.choices if calibrated.point.get(one.name) == one.value}
    rest = ", ".join(f"{name}={_number(value)}" for name, value in calibrated.point.items() if name not in chosen)
    of_noise = (
        f"; the noise has at most {_number(calibrated.noise_share)} of delta" if calibrated.noise_share < 1 else ""
    )
    return [
        *columns(cells, headings),
        f"delta by {calibrated.calibrator.claim}" + (f"; {rest}" if rest else "") + of_noise,
    ]


def _compared(
    calibrators: list[Calibrator], target: Any, values_by_name: dict[str, str], digits: int
) -> list[dict[str, Any]]:
    """Return a row for each mechanism that fits the facts: the lowest threshold first, then those without a result."""
    from auditor.engine.calibration import FACTS, CalibrationError, calibrate, fitting
    from auditor.engine.registry import registry
    from proofs_numeric.statements.box import ParameterError

    facts = {name: value for name, value in values_by_name.items() if name in FACTS}
    if wrong := [name for name, value in facts.items() if not value.isdecimal() or int(value) < 1]:
        raise UsageError(f"expected an integer {wrong[0]} >= 1, got {wrong[0]}={facts[wrong[0]]}")
    of_parameters = {name: value for name, value in values_by_name.items() if name not in FACTS}
    claims = {one.id: registry().claim(one.claim) for one in calibrators}
    known_parameters = {name for claim in claims.values() for name in claim.domain.names}
    if unknown := [name for name in of_parameters if name not in known_parameters]:
        allowed = ", ".join((*FACTS, *sorted(known_parameters - {"epsilon"})))
        raise UsageError(f"expected values of {allowed}, got {unknown[0]}")
    rows, without = [], []
    for one in calibrators:
        of_claim = fitting(one, facts)
        if of_claim is None or not {*of_parameters} <= {*claims[one.id].domain.names}:
            continue
        row = {"mechanism": one.id, "title": registry().mechanisms[one.of].title, "claim": one.claim}
        try:
            calibrated = calibrate(one, claims[one.id], target, {**of_claim, **of_parameters}, digits=digits)
        except (CalibrationError, ParameterError, UsageError) as error:
            without.append({**row, "error": str(error)})
            continue
        count = calibrated.first_count
        numbers = {
            "noise": _assignment(one.noise, calibrated.point[one.noise]) if one.noise else "",
            "others": [
                _assignment(choice.name, choice.value)
                for choice in calibrated.choices
                if choice.name not in {one.noise, one.threshold}
            ],
            "deviation": "" if math.isnan(calibrated.deviation) else f"{calibrated.deviation:.4g}",
            "released_from": "" if count is None else _number(count),
        }
        rows.append((calibrated.deviation if count is None else count, {**row, **numbers}))
    if not rows and not without:
        text = ", ".join(f"{name}={value}" for name, value in values_by_name.items()) or "none"
        raise UsageError(f"expected values that a mechanism takes, such as keys=10 (the keys of one user), got {text}")
    return [row for _rank, row in sorted(rows, key=lambda pair: pair[0])] + without


def _table(rows: list[dict[str, Any]]) -> list[str]:
    cells = [
        [
            row["mechanism"],
            row.get("noise") or ", ".join(row.get("others", ())),
            row.get("deviation", ""),
            row.get("released_from", ""),
            row["claim"],
        ]
        for row in rows
    ]
    reasons = [f"{row['mechanism']}: {row['error']}" for row in rows if "error" in row]
    return [*columns(cells, ["mechanism", "parameter", "deviation", "released from", "claim"]), *reasons]
