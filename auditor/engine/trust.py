"""The trust base of a run: libraries, the kernel and its rules, classical theorems, arguments, assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.checks.lemma import rules_behind, theorems_behind
from auditor.engine.index import kernel_size
from auditor.findings.evidence import DerivationEvidence, SamplingEvidence
from auditor.findings.finding import Finding
from auditor.report.model import TrustItem
from auditor.version import environment
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.classical import ClassicalTheorem
from proofs_numeric.statements.rules import Rule
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from auditor.engine.registry import Registry

_LIBRARIES = {
    "python-flint": "ball arithmetic (Arb): every enclosure and every box",
    "mpmath": "printed values; the independent intervals of `auditor verify`",
    "sympy": "identities, signs, derivatives and limits in the kernel's proofs",
    "numpy": "random streams and array arithmetic of the sampling checks",
    "scipy": "exact binomial tails of the sampling tests; float64 kernels",
    "hypothesis": "search only; nothing rests on it",
}


def trust(findings: Sequence[Finding], catalogue: Registry) -> list[TrustItem]:
    """Return the unchecked premises of a run's verdicts."""
    versions = environment().packages
    items = {
        TrustItem(name=name, kind="library", version=versions[name], used_for=use)
        for name, use in _LIBRARIES.items()
        if name in versions
    }
    items.add(
        TrustItem(
            name="real-number model",
            kind="assumption",
            used_for=(
                "proved and derived are about mechanisms over the reals; a floating-point release is another mechanism"
            ),
        )
    )
    items.add(TrustItem(name="processor and operating system", kind="hardware", used_for="everything"))
    proved = {finding.subject for finding in findings if finding.verdict is Verdict.PROVED}
    derived = sorted({finding.subject for finding in findings if finding.verdict is Verdict.DERIVED})
    items.add(
        TrustItem(
            name="proofs_numeric.kernel",
            kind="kernel",
            version=", ".join(f"{number} {what}" for what, number in kernel_size().items()),
            used_for=f"the {len(proved)} claims of this run that are proved",
        )
    )
    items.add(
        TrustItem(
            name="arguments of derivations",
            kind="step",
            used_for=f"the {len(derived)} derived claims of this run: written arguments, which nothing checks",
        )
    )
    items |= {
        TrustItem(name=theorem.name, kind="theorem", version=theorem.reference, used_for=_dependents_text(resting))
        for theorem, resting in theorems(derived, catalogue.claims).items()
    }
    items |= {
        TrustItem(name=rule.name, kind="rule", version=rule.states, used_for=", ".join(resting))
        for rule, resting in rules(sorted(proved | set(derived)), catalogue.claims).items()
    }
    for finding in findings:
        for evidence in finding.evidence:
            if isinstance(evidence, DerivationEvidence):
                items |= {
                    TrustItem(name=f"{finding.subject} step {step.number}", kind="step", used_for=step.statement)
                    for step in evidence.steps
                    if step.trusted and not step.theorem
                }
            elif isinstance(evidence, SamplingEvidence):
                items |= {
                    TrustItem(name=text, kind="assumption", used_for="sampling tests") for text in evidence.assumptions
                }
    return sorted(items, key=lambda item: (item.kind, item.name, item.used_for))


def theorems(derived: Iterable[str], claims: Mapping[str, Claim]) -> dict[ClassicalTheorem, dict[str, bool]]:
    """Return each classical theorem with its dependent claims: True if they cite it, False if they inherit it."""
    result: dict[ClassicalTheorem, dict[str, bool]] = {}
    for identifier in derived:
        for theorem, is_cited in theorems_behind(claims[identifier], claims).items():
            result.setdefault(theorem, {})[identifier] = is_cited
    return dict(sorted(result.items(), key=lambda item: item[0].name))


def rules(subjects: Iterable[str], claims: Mapping[str, Claim]) -> dict[Rule, list[str]]:
    """Return each rule over laws with the claims whose proofs apply it, directly or by a premise."""
    result: dict[Rule, list[str]] = {}
    for identifier in subjects:
        for rule in rules_behind(claims[identifier], claims) if identifier in claims else ():
            result.setdefault(rule, []).append(identifier)
    return dict(sorted(result.items(), key=lambda item: item[0].name))


def _dependents_text(claims: Mapping[str, bool]) -> str:
    citing = ", ".join(name for name, is_cited in claims.items() if is_cited)
    inherited = ", ".join(name for name, is_cited in claims.items() if not is_cited)
    return "; inherited: ".join(filter(None, (citing, inherited)))
