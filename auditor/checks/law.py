"""Laws of reference mechanisms: the probability of an event against samples, by an exact binomial test."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scipy import stats

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.watched import watched
from auditor.report.model import Finding, SamplingEvidence
from auditor.statistics.error_budget import level
from auditor.statistics.seeds import block_generator
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Law
from proofs_numeric.statements.verdict import Verdict


def laws(context: Context) -> int:
    """Number of registered laws: they share their family's level evenly."""
    return sum(isinstance(claim.kind, Law) for claim in context.registry.claims.values())


def check_law(subject: Subject, context: Context) -> Sequence[Finding]:
    """Two-sided exact binomial test of the event's frequency in fresh releases."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, Law):
        raise TypeError(f"expected a law, got {subject.id}")
    kind, name, n = subject.kind, "law.sampling", context.profile.law_samples
    spec = context.registry.mechanisms[kind.mechanism]
    mechanism = watched(spec.build, kind.settings, spec.id)
    keys, values = mechanism.release_many(kind.histogram, n, block_generator(context.seed, name, subject.id))
    hits = int(kind.event(keys, values).sum())
    probability = enclose(kind.probability, {}, 15)
    p = float((probability.lower + probability.upper) / 2)
    share = float(level(context.alpha, "laws", laws(context)))
    p_value = float(stats.binomtest(hits, n, p).pvalue)
    verdict = Verdict.REFUTED if p_value <= share else Verdict.CONSISTENT
    interval = stats.binomtest(hits, n, p).proportion_ci(1 - share, method="exact")
    evidence = SamplingEvidence(
        method="two-sided exact binomial test on fresh releases",
        pair=str(dict(kind.histogram)),
        direction="one law",
        event=subject.title,
        parameters={key: str(value) for key, value in kind.settings.items()},
        delta_exact=show.enclosed(probability, 12),
        delta_lower=f"{interval.low:.6g}",
        delta_upper=f"{interval.high:.6g}",
        level=show.real(Fraction(share), 12, 1),
        samples=n,
        assumptions=["releases are independent draws of the mechanism's generator"],
    )
    headline = f"{hits} of {n} releases; exact probability {show.enclosed(probability, 8).value}, p-value {p_value:.2g}"
    return [finding(subject, name, context, verdict, headline, [evidence])]


CHECKS = (
    Check(
        name="law.sampling",
        title="Sampler against its law",
        explain="Counts an event in fresh releases of a registered mechanism and holds the count against the exact "
        "probability by a two-sided exact binomial test at the family's share of the run's false-alarm probability.",
        applies=lambda s, _known: isinstance(s, Claim) and isinstance(s.kind, Law),
        run=check_law,
    ),
)
