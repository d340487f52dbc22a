"""Progress of an audit of a mechanism, for display only; it decides nothing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Progress between two batches of releases.

    Attributes:
        stage: description of the current stage.
        releases: releases drawn so far, over all inputs.
        speed: releases per second of the target's own time.
        samples: releases per dataset tested in this stage.
        log10_wealth: base-10 logarithm of this stage's wealth; None before the first test.
        log10_needed: value of `log10_wealth` that refutes the claim; None before the first test.
        power: smallest delta that this number of releases detects with probability .95, on an event that is impossible
            on the neighbour; None before the first test.
        seconds: CPU seconds of auditor and target so far.
        budget: largest number of CPU seconds.
    """

    stage: str
    releases: int
    speed: float
    samples: int
    log10_wealth: float | None
    log10_needed: float | None
    power: float | None
    seconds: float
    budget: float

    def __str__(self) -> str:
        parts = [f"{self.releases:,} releases, {self.speed:,.0f} a second"]
        if self.log10_wealth is not None and self.log10_needed is not None:
            parts = [
                f"{self.samples:,} releases per dataset, {self.speed:,.0f} a second",
                f"e-value 10^{self.log10_wealth:.1f}, refuted at 10^{self.log10_needed:.1f}",
            ]
        if self.power is not None and self.power < 1:
            parts.append(f"would have found delta >= {self.power:.2g}")
        left = max(0.0, self.budget - self.seconds)
        return f"{self.stage}, at most {left:.0f} CPU s left: {', '.join(parts)}"
