"""How much work a run does: three named profiles, all with the same verdict rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from auditor.errors import UsageError


@dataclass(frozen=True)
class RunProfile:
    """Budgets of a run.  Counts only: nothing depends on the clock, so the same profile gives the same report."""

    name: str
    digits: int
    """Significant digits that enclosures are certified to."""
    grid: int
    """Interior grid points per parameter."""
    points: int
    """Cap on grid points per claim."""
    examples: int
    """Points drawn per searched statement; 0: the grid alone, and what fails there is not shrunk."""
    fewest: int
    """Points of each search for an unsafe answer of an accountant of this suite, however dear a call is."""
    library_examples: int
    """Points of each search for an unsafe answer of a library's accountant; 0: no library is called."""
    samples: int
    """Releases per side of a pair in a black-box test."""
    law_samples: int
    """Releases per law claim."""
    tilted_samples: int
    """Samples of the tilted privacy loss per pair and epsilon."""
    tilted_targets: tuple[str, ...]
    """What the part of delta from finite losses is at most where pairs are sampled under a tilt; decreasing."""
    released_directions: int
    """Directions of a pair, 1 or 2, in which releases are held against the tilted losses."""
    epsilons: tuple[str, ...]
    """Where mechanisms are audited, as exact decimals."""
    patience: int
    """Seconds after which a unit that runs code of a plug-in is ended; nothing of a report but that follows from it."""
    elsewhere: tuple[str, ...]
    """Where their delta is bounded from below besides, as exact decimals; each costs some of a test's time."""

    def at_cost(self, cost: int) -> RunProfile:
        """Return the profile for evaluations `cost` times as dear: fewer points, at least one, and fewer examples."""
        return replace(self, points=max(1, self.points // cost), examples=self.examples // cost)


TARGETS = ("1e-1", "1e-4", "1e-8", "1e-12")
PROFILES = {
    "quick": RunProfile(
        "quick", 15, 1, 16, 30, 10, 0, 30_000, 500_000, 10_000, ("1e-1", "1e-12"), 1, ("1",), 60, ("0",),
    ),
    "standard": RunProfile(
        "standard", 30, 2, 40, 60, 20, 20, 90_000, 1_000_000, 30_000, TARGETS, 2, ("0.5", "1", "2"), 300, ("0", "4"),
    ),
    "deep": RunProfile(
        "deep", 50, 4, 2_000, 5_000, 20, 1_000, 4_000_000, 4_000_000, 1_000_000, TARGETS, 2,
        ("0", "0.25", "0.5", "1", "2", "4"), 3600, ("0", "0.5", "1", "2", "4", "8"),
    ),
}  # fmt: skip


def profile(name: str) -> RunProfile:
    """Look a profile up by name.

    Returns: `quick`, for each change of this suite, calls no library; `standard` calls the installed ones with as many
    examples as the table of the documentation; `deep` has the most of everything.
    """
    if name not in PROFILES:
        raise UsageError(f"expected a profile of {', '.join(PROFILES)}, got '{name}'")
    return PROFILES[name]
