"""Check of accountants against claims: accountants of this suite and of libraries, and planted faults."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.accountant_audit.adapter import Accountant
from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.log import FEWEST
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.result import AccountantAudit
from auditor.checks.check import Check, Context, Subject, finding, not_applicable
from auditor.errors import OTHER_PROFILE
from auditor.findings.finding import Finding
from auditor.statistics.seeds import seed_of
from mechanisms.mechanism import AccountantFault

NAME = "numeric.accountant"
MOST_EXAMPLES = 1000


def _audit(subject: Accountant | AccountantFault, context: Context) -> AccountantAudit:
    claim = context.registry.claim(subject.held_to)
    if planted := isinstance(subject, AccountantFault):  # one call can catch it
        examples = context.profile.fewest
    elif subject.library:
        examples = context.profile.library_examples
    else:  # fewer calls of an expensive accountant in a short run
        fewest = context.profile.fewest if subject.cost > 1 else FEWEST
        examples = min(max(context.profile.at_cost(claim.cost * subject.cost).examples, fewest), MOST_EXAMPLES)
    seed = seed_of(context.seed, NAME, claim.id)  # all accountants of a claim share points and exact values
    options = {"max_examples": examples, "seed": seed, "until_refuted": planted}
    return audit_accountant(AccountantRequest.registered(subject, claim, **options))


def check_accountant(subject: Subject, context: Context) -> Sequence[Finding]:
    """Search the claim's domain for unsafe and invalid answers.

    Returns: not applicable if the library is missing, or if the profile calls no library.
    """
    if not isinstance(subject, Accountant | AccountantFault):
        raise TypeError(f"expected an accountant, got {subject.id}")
    if isinstance(subject, Accountant) and subject.installed_version is None:
        return not_applicable(subject, NAME, context, f"{subject.library} is not installed", subject.remedy)
    if isinstance(subject, Accountant) and subject.library and not context.profile.library_examples:
        reason = f"the profile {context.profile.name} calls no library"
        return not_applicable(subject, NAME, context, reason, OTHER_PROFILE)
    audit = _audit(subject, context)
    scope = ", ".join(f"{lower} <= {name} <= {upper}" for name, (lower, upper) in audit.box.items())
    return [finding(subject, NAME, context, audit.verdict, audit.headline, [audit.evidence()], scope=scope)]


CHECKS = (
    Check(
        name=NAME, title="Accountant against its claim",
        explain="Calls the accountant in its own process: at corners of the claim's domain, at points drawn on "
        "logarithmic scales, on walks towards unsafe answers, and at pairs that differ in one parameter. Compares "
        "each answer with the claim's ball enclosure at the exact binary value of the arguments. An answer below the "
        "truth is unsafe, above it loose, and without a number in range invalid. A calibration is judged by the exact "
        "delta that it achieves. Every call contributes to the verdict. Counterexamples are shrunk. A fresh process "
        "repeats some points. Planted faults are searched until an answer refutes them.",
        assumes="The target gives equal answers to equal questions, which a fresh process checks. Inputs without a "
        "call are not covered.",
        of="Registered accountants, and planted faults of this suite.",
        applies=lambda s, _catalogue: isinstance(s, Accountant | AccountantFault), run=check_accountant,
    ),
)  # fmt: skip
