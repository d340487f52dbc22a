"""Checks of laws by samples: an event's probability by an exact binomial test, a mean by a betting interval."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from auditor.checks import show
from auditor.checks.check import Catalogue, Check, Context, Subject, finding
from auditor.checks.watched import watch_mechanism
from auditor.findings.evidence import SamplingEvidence
from auditor.findings.finding import Finding
from auditor.statistics.error_budget import level
from auditor.statistics.seeds import block_generator
from auditor.statistics.tilting import betting_mean_interval
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Law, Mean
from proofs_numeric.statements.verdict import Verdict

ROUNDING = Fraction(1, 10**9)
"""Relative margin for double rounding in the ends of an interval."""


def number_of_laws(catalogue: Catalogue) -> int:
    """Return the number of registered laws and means, which share their family's level evenly."""
    return sum(len(catalogue.where("claims", {"kind.title": kind.title})) for kind in (Law, Mean))


def check_law(subject: Subject, context: Context) -> Sequence[Finding]:
    """Test the event's frequency in fresh releases by a two-sided exact binomial test."""
    from scipy.stats import binomtest  # slow to import, for two checks of a run

    if not isinstance(subject, Claim) or not isinstance(subject.kind, Law):
        raise TypeError(f"expected a law, got {subject.id}")
    kind, name, n = subject.kind, "law.sampling", context.profile.law_samples
    spec = context.registry.mechanisms[kind.mechanism]
    mechanism = watch_mechanism(spec.build, kind.settings, spec.id)
    keys, values = mechanism.release_many(kind.histogram, n, block_generator(context.seed, name, subject.id))
    hits = int(kind.event(keys, values).sum())
    probability = enclose(kind.probability, {}, 15)
    p = float((probability.lower + probability.upper) / 2)
    share = float(level(context.alpha, "laws", number_of_laws(context.registry)))
    p_value = float(binomtest(hits, n, p).pvalue)
    verdict = Verdict.REFUTED if p_value <= share else Verdict.CONSISTENT
    interval = binomtest(hits, n, p).proportion_ci(1 - share, method="exact")
    evidence = SamplingEvidence(
        method="two-sided exact binomial test on fresh releases",
        pair=str(dict(kind.histogram)),
        direction="one law",
        event=subject.title,
        parameters={key: str(value) for key, value in kind.settings.items()},
        delta_exact=show.enclosure_text(probability, 12),
        delta_lower=f"{interval.low:.6g}",
        delta_upper=f"{interval.high:.6g}",
        level=show.real(Fraction(share), 12, 1),
        samples=n,
        hits=hits,
        assumptions=["releases are independent draws of the mechanism's generator"],
    )
    headline = (
        f"{hits} of {n} releases; exact probability {show.enclosure_text(probability, 8).value}, p = {p_value:.2g}"
    )
    return [finding(subject, name, context, verdict, headline, [evidence])]


def check_mean(subject: Subject, context: Context) -> Sequence[Finding]:
    """Test the exact value by a betting interval for the mean of fresh draws, times the factor."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, Mean):
        raise TypeError(f"expected a mean, got {subject.id}")
    kind, name, n = subject.kind, "law.mean", context.profile.tilted_samples
    share = float(level(context.alpha, "laws", number_of_laws(context.registry)))
    draws = kind.draws(n, block_generator(context.seed, name, subject.id))
    ends = betting_mean_interval(draws, share)
    factor, value = enclose(kind.factor, {}, 15), enclose(kind.value, {}, 15)
    lower = Fraction(ends[0]) * factor.lower * (1 - ROUNDING)
    upper = Fraction(ends[1]) * factor.upper * (1 + ROUNDING)
    missed = value.upper < lower or upper < value.lower
    evidence = SamplingEvidence(
        method="betting interval for the mean of draws in [0, 1], times a known factor",
        pair="none: draws of one law",
        direction="one law",
        event=subject.title,
        delta_exact=show.enclosure_text(value, 12),
        delta_lower=show.real(lower, 6, -1),
        delta_upper=show.real(upper, 6, 1),
        level=show.real(Fraction(share), 12, 1),
        samples=n,
        assumptions=["draws of the generator are independent"],
    )
    interval = f"[{show.real(lower, 4, -1)}, {show.real(upper, 4, 1)}]"
    headline = f"{n} draws give {interval}; exact value {show.enclosure_text(value, 8).value}"
    return [finding(subject, name, context, Verdict.REFUTED if missed else Verdict.CONSISTENT, headline, [evidence])]


CHECKS = (
    Check(
        name="law.sampling", title="Sampler against its law",
        explain="Counts an event in fresh releases of a registered mechanism. Compares the count with the exact "
        "probability by a two-sided exact binomial test, at the family's share of the run's false-alarm probability.",
        assumes="Releases are independent.", of="Claims about the probability of an event of a registered mechanism.",
        applies=lambda s, _catalogue: isinstance(s, Claim) and isinstance(s.kind, Law), run=check_law,
    ),
    Check(
        name="law.mean", title="Exact value against draws",
        explain="Draws values in [0, 1] whose mean, times a known factor, is the claimed exact value. Encloses the "
        "mean by a betting interval at the family's share of the run's false-alarm probability. The relative width of "
        "the interval is bounded, even for very small values.",
        assumes="Draws are independent and lie in [0, 1].", of="Claims about the mean of values that can be drawn.",
        applies=lambda s, _catalogue: isinstance(s, Claim) and isinstance(s.kind, Mean), run=check_mean,
    ),
)  # fmt: skip
