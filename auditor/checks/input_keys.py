"""Whether a mechanism that declares to release keys of its input only does so.

One-sample tests of keys that only one neighbour holds rest on that declaration; a single key from elsewhere refutes it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.checks.check import Check, Context, Subject, finding, releasing
from auditor.checks.empirical import Setting
from auditor.findings.evidence import EnumerationEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from auditor.statistics.seeds import block_generator
from proofs_numeric.statements.verdict import Verdict

NAME = "empirical.input_keys"
_RELEASES = 256
"""Releases a histogram: a key that comes out once in 40 releases is missed with probability below 0.002."""


def check_input_keys(subject: Subject, context: Context) -> Sequence[Finding]:
    """Release every declared histogram and look for keys that it does not hold."""
    setting = Setting(subject, context)
    if not setting.mechanism.releases_only_input_keys:
        why = "the mechanism does not declare to release keys of its input only"
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, why, [ReasonEvidence(text=why)])]
    looked = 0
    for pair in setting.pairs:
        for side, histogram in (("left", pair.left), ("right", pair.right)):
            rng = block_generator(context.seed, NAME, subject.id, pair.id, side)
            keys, values = setting.mechanism.release_many(histogram, _RELEASES, rng)
            released = np.any(~np.isnan(values), axis=0)
            looked += _RELEASES
            strange = [key for key, out in zip(keys, released, strict=True) if out and not histogram.get(key, 0)]
            if strange:
                headline = (
                    f"differs from its specification: {strange[0]} is released on {pair.id} ({side}), which does not "
                    "hold it, though only keys of the input were declared"
                )
                evidence = WitnessEvidence(
                    parameters={"key": strange[0]},
                    relation="in",
                    pair=f"{pair.id}: {dict(pair.left)} against {dict(pair.right)}",
                    explanation=f"{len(strange)} such keys in {_RELEASES} releases",
                )
                return [finding(subject, NAME, context, Verdict.REFUTED, headline, [evidence])]
    evidence_seen = EnumerationEvidence(domain="releases of every declared histogram", cases=looked, example={})
    headline = f"{looked} releases held keys of their input only, as declared"
    return [finding(subject, NAME, context, Verdict.CONSISTENT, headline, [evidence_seen])]


CHECKS = (
    Check(
        name=NAME,
        title="Keys of the input only",
        explain="Releases both histograms of every declared pair and searches the releases for keys that are in "
        "neither histogram. The mechanisms declare that they release no such key. Tests of keys in one histogram only "
        "rely on the declaration.",
        assumes="The declared pairs represent other inputs. A key that is rarely released may be missed.",
        of="Mechanisms, controls, and faults that name this check, if they declare that they release input keys only.",
        applies=releasing(NAME),
        run=check_input_keys,
    ),
)
