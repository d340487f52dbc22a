"""`auditor explain`: a page about a claim, mechanism, fault, control, check or accountant."""

from __future__ import annotations

import inspect
import re
import textwrap
from typing import TYPE_CHECKING, Any

import click

from auditor.errors import UnknownIdError
from auditor.front.late import late
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import as_json_option, ids

if TYPE_CHECKING:
    from auditor.engine.registry import Registry
    from proofs_numeric.statements.box import Parameter
    from proofs_numeric.statements.claim import Claim
    from proofs_numeric.statements.tactics import Tactic

Page = dict[str, str]
"""Text by heading, in order."""


def to_text(text: str, **options: bool) -> str:
    """Convert LaTeX to Unicode; the converter is imported on first use."""
    from auditor.report import latex

    return latex.to_text(text, **options)


def _join_lines(text: str) -> str:
    """Join the lines of each paragraph; the terminal's width is known only at output."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _symbols(parameters: tuple[Parameter, ...]) -> str:
    if not parameters:
        return "none"
    rows = [
        [
            p.name,
            p.unit,
            p.allowed.split(" (")[0],
            p.description + (f" (default {p.default})" if p.default is not None else ""),
        ]
        for p in parameters
    ]
    return "\n".join(columns(rows, ["name", "unit", "domain", "meaning"]))


def _example(claim: Claim) -> str:
    point = dict(claim.points[0]) if claim.points else {}

    def example_value(parameter: Parameter) -> object:
        if parameter.name in point:
            return point[parameter.name]
        if parameter.default is not None:
            return parameter.default
        return parameter.choices[0] if parameter.choices else parameter.name.upper()

    words = [f"{parameter.name}={example_value(parameter)}" for parameter in claim.domain.parameters]
    return " ".join(["auditor evaluate", claim.id, *words, "--arithmetic ball --digits 30"])


def _numerics(claim: Claim) -> str:
    if claim.formula is None:
        return "nothing to evaluate"
    from proofs_numeric.expression import Expression  # `--help` starts without this import

    formula = claim.formula
    documentation = f"``{formula}``" if isinstance(formula, Expression) else inspect.getdoc(formula)
    described = "" if documentation is None else _join_lines(to_text_keeping_lines(documentation)) + "\n\n"
    return described + _join_lines(
        "One formula in every arithmetic: mpmath for the printed value, balls (Arb) for verdicts, float64 for curves. "
        "Parameters are exact; a float is refused."
    )


def to_text_keeping_lines(text: str) -> str:
    """Remove the inline code marks of a docstring."""
    return text.replace("``", "").replace(":class:", "")


def _proof(claim: Claim) -> str:
    proof = getattr(claim.kind, "proof", None)
    if proof is None:
        return ""
    if not hasattr(proof, "steps"):
        return _tactics(claim, proof)
    return f"A derivation: its argument is not checked by the machine, its steps are.\n{_steps(proof)}"


def _steps(proof: Any) -> str:
    return "\n".join(f"{number}. {_step(step)}" for number, step in enumerate(proof.steps, 1))


_BY_SLOPE = (
    "proved by the kernel if the formula's slope has one sign, else derived or searched: `auditor run` reports which"
)


def _moves(claim: Claim) -> str:
    """Return the direction of the value in each parameter with its argument, grouped by argument."""
    sentences: dict[str, list[str]] = {}
    for name in (*claim.falls, *claim.rises):
        proof = claim.moves.get(name)
        kernel = (
            ""
            if proof is None or hasattr(proof, "steps")
            else f"tactics for the kernel, from the formula: {proof.summary}"
        )
        why = _BY_SLOPE if proof is None else kernel or _steps(proof)
        sentences.setdefault(why, []).append(f"{'falls' if name in claim.falls else 'rises'} in {name}")
    return "\n".join(f"{', '.join(names)}:\n{textwrap.indent(why, '  ')}" for why, names in sentences.items())


def _tactics(claim: Claim, proof: Tactic) -> str:
    return (
        f"Tactics for the kernel, from the statement to closed goals: {proof.summary}\n"
        f"`auditor run {claim.id}` proves it and prints the goals with their domains."
    )


def _step(step: Any) -> str:
    theorem = getattr(step, "theorem", None)
    name = getattr(theorem or step, "name", "") or getattr(step, "claim", "")
    kind = {
        "PositiveOnBox": "positive on a box",
        "SymbolicIdentity": "symbolic identity",
        "Premise": "by the claim",
        "Trusted": "trusting",
        "Unchecked": "unchecked",
    }.get(type(step).__name__, "step")
    return f"{f'{kind} {name}'.rstrip()}: {step.argument}"


def _checked(claim: Claim) -> str:
    """Return the statement printed from the formulas, if it is written differently in the paper."""
    from proofs_numeric.expression import print_statement  # `--help` starts without this import

    printed = print_statement(claim)
    return f"checked as: {_join_lines(to_text(printed))}" if printed not in {"", claim.statement} else ""


def _source(claim: Claim) -> str:
    parts = [claim.source.paper, claim.source.locator, claim.source.equation]
    remarks = [
        "a statement of this project, not of the paper" if claim.source.ours else "",
        "reconstructed from prose and proof: the available text lacks the formula"
        if claim.source.reconstruction
        else "",
    ]
    return "; ".join([", ".join(part for part in parts if part), *(remark for remark in remarks if remark)])


def _expectation_text(claim: Claim) -> str:
    if claim.corrected_by:
        return f"expected: {claim.expected.words}; corrected by {claim.corrected_by}"
    return f"expected: {claim.expected.words}"


def claim_page(claim: Claim) -> Page:
    """Return the page of a claim, under the fixed headings."""
    from proofs_numeric.statements.thresholds import by_gap  # needs NumPy, which most commands do not

    constraint = f"\n{claim.domain.constraint_text}" if claim.domain.constraint_text else ""
    by_thresholds = claim.privacy is not None and claim.privacy.reads is by_gap
    thresholds = "\nan audit also takes tau_star and tau (default 1) in the place of gap" if by_thresholds else ""
    page = {
        "Statement": "\n".join(
            part
            for part in (
                claim.title,
                _join_lines(to_text(claim.statement)),
                _checked(claim),
                f"({claim.kind.title}, {_expectation_text(claim)})",
            )
            if part
        ),
        "Source": _source(claim),
        "Symbols": _symbols(claim.domain.parameters) + constraint + thresholds,
        "Assumptions": "\n".join(claim.assumptions) or "none beyond the domain",
        "Where it is loose": _join_lines(claim.loose or claim.bracketed or f"{claim.role}: nowhere known"),
        "Numerics": _numerics(claim),
        "Errors": _join_lines(
            "A parameter that is missing, unknown, not exact, or outside its domain: one line with the name, the value "
            "and what is allowed; exit code 2."
        ),
        "How to evaluate": _example(claim) if claim.formula is not None else f"auditor run {claim.id}",
    }
    if proof := _proof(claim):
        page["Proof"] = proof
    if claim.rises or claim.falls:
        page["Monotone"] = _moves(claim)
    if claim.partial:
        page["In part"] = _join_lines(claim.partial)
    if claim.note:
        page["Note"] = _join_lines(claim.note)
    return page


def _parameters(values: Any) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items()) or "none"


def _mechanism_page(item: Any) -> Page:
    pairs = item.pairs(item.parameters)
    return {
        "Mechanism": item.title,
        "Source": item.source,
        "Guarantee": item.guarantee_claim,
        "Parameters": _parameters(item.parameters),
        "Neighbours": str(item.adjacency(item.parameters)),
        "Pairs": "\n".join(columns([[pair.id, pair.description] for pair in pairs], ["id", "what it tests"])),
        "How to audit": f"auditor run {item.id}",
    }


def _fault_page(item: Any) -> Page:
    return {
        "Fault": item.title,
        "What it does": _join_lines(item.explanation),
        "Mechanism": item.mechanism,
        "Violates": item.violates,
        "Caught by": item.caught_by,
        "Parameters": _parameters(item.parameters),
        "How to see it caught": f"auditor run {item.id}",
    }


def _control_page(item: Any) -> Page:
    return {
        "Control": item.title,
        "Why it is neutral": _join_lines(item.proof),
        "Variant of": item.mechanism,
        "Satisfies": item.satisfies,
        "Parameters": _parameters(item.parameters),
        "How to audit": f"auditor run {item.id}",
    }


def _check_page(item: Any) -> Page:
    return {
        "Check": item.title,
        "What it decides": _join_lines(to_text_keeping_lines(item.explain)),
        "What it assumes": _join_lines(item.assumes),
        "What it applies to": _join_lines(item.of),
    }


def _accountant_page(item: Any) -> Page:
    return {
        "Accountant": item.title,
        "Library": f"{item.library or 'this suite'} {item.installed_version or '(not installed)'}",
        "Computes": item.against,
        "Called as": item.function,
        "Tolerance": f"{item.tolerance} (relative distance below the truth that still counts as right)",
        "Expected": item.expected.words + (f"; {item.note}" if item.note else ""),
        "How to audit": f"auditor accountant {item.id}",
    }


def page(identifier: str, catalogue: Registry) -> Page:
    """Return the page of an id.

    Raises:
        UnknownIdError: the id does not exist.
    """
    if identifier in catalogue.claims:
        return claim_page(catalogue.claims[identifier])
    for items, build in (
        (catalogue.mechanisms, _mechanism_page),
        (catalogue.faults, _fault_page),
        (catalogue.controls, _control_page),
        (catalogue.accountants, _accountant_page),
        (catalogue.checks, _check_page),
    ):
        if identifier in items:
            return build(items[identifier])
    kind, known_ids = ("claim", catalogue.claims) if "." in identifier else ("id", catalogue.subjects)
    raise UnknownIdError(kind, identifier, known_ids)


@click.command
@click.argument(
    "identifier",
    metavar="ID",
    shell_complete=ids("claims", "mechanisms", "faults", "controls", "accountants", "checks"),
    help="Id of a claim, mechanism, fault, check or accountant.",
)
@as_json_option
def command(identifier: str, *, as_json: bool) -> int:
    """Print the statement, source, symbols and file of an id."""
    late("numpy")
    from auditor.engine.registry import place_of, registry

    sections, place = page(identifier, registry()), place_of(identifier)
    if as_json:
        emit({"id": identifier, "place": place, "sections": sections})
        return 0
    say(*lines(identifier, place, sections))
    return 0


def lines(identifier: str, place: str, sections: Page) -> list[str]:
    """Format a page for a terminal, under the id and `path:line` of its declaration."""
    page_lines = [identifier, place]
    for heading, text in sections.items():
        page_lines += ["", heading, *textwrap.indent(text, "  ").splitlines()]
    return page_lines
