"""Attacks on samples of fixed size: their share closes, nothing near it."""

from dataclasses import replace

from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.kinds import AllOf
from tests.proofs_numeric.kernel.attacks import refusals, times
from tests.proofs_numeric.kernel.rules.profiles import PROOF, REMOVED, REPLACED, SLOW, of

WRONG = {
    "samples: a little less": times(REMOVED, "0.999999999"),
    "samples: a little more": times(REMOVED, "1.000000001"),
    "samples: a little less, as an upper bound": of(
        REMOVED, lambda A, *, m, n, **_rest: (A.number(m) - 1) / n, role=Role.UPPER
    ),
    "samples: of those without the client": of(REMOVED, lambda A, *, m, n, **_rest: A.number(m) / (n - 1)),
    "samples: less at a level": of(
        REMOVED, lambda A, *, m, n, epsilon, **_rest: A.number(m) / n * A.exp(-A.number(epsilon)), role=Role.UPPER
    ),
    "samples: of any size": replace(REMOVED, domain=Box(REMOVED.domain.parameters)),
    "samples: below the threshold": replace(
        REMOVED, domain=replace(REMOVED.domain, constraint=AllOf(REMOVED.domain.constraint.parts[1:]))
    ),
    "samples: of all clients, one less": replace(REMOVED, domain=REPLACED.domain),
    "samples: under a constraint that is not read": replace(
        REMOVED, domain=replace(REMOVED.domain, constraint=REMOVED.domain.constraint.__call__)
    ),
    "samples: of one more": of(
        REMOVED, pairs=replace(REMOVED.kind.pairs, size=lambda A, *, m, **_rest: A.number(m) + 1)
    ),
    "samples: of half a client": of(
        REPLACED, pairs=replace(REPLACED.kind.pairs, threshold=lambda A, *, tau, **_rest: A.number(tau) / 2)
    ),
    "samples: of no threshold": of(
        REPLACED, pairs=replace(REPLACED.kind.pairs, threshold=lambda A, **_at: A.number(0))
    ),
    "samples: at levels below zero": replace(
        REPLACED,
        domain=replace(
            REPLACED.domain, parameters=(replace(REPLACED.domain["epsilon"], lower=-1), *REPLACED.domain.parameters[1:])
        ),
    ),
    "samples: as a lower bound": of(REPLACED, role=Role.LOWER),
    "samples: by the goals of counts": of(REPLACED, proof=PROOF),
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)
