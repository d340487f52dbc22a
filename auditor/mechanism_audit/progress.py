"""How far an audit of a mechanism is, for whoever watches it; nothing of it decides."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """What is known between two batches of releases.

    Attributes:
        stage: what is being done.
        releases: releases drawn so far, of all inputs.
        speed: releases a second of the target's own time.
        samples: releases a side that were bet on in this stage.
        log10_wealth: of the bets of this stage so far; at `log10_needed` the claim is refuted. None before any.
        log10_needed: see there.
        power: the delta that so many releases would have shown with probability .95, in an event that the neighbour
            never shows; None before any were bet on.
        seconds: CPU seconds of auditor and target so far.
        budget: the most that there may be.
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
                f"{self.samples:,} releases a side, {self.speed:,.0f} a second",
                f"wealth 10^{self.log10_wealth:.1f} of 10^{self.log10_needed:.1f}",
            ]
        if self.power is not None and self.power < 1:
            parts.append(f"would have caught delta >= {self.power:.2g}")
        left = max(0.0, self.budget - self.seconds)
        return f"{self.stage}: {', '.join(parts)}; at most {left:.0f} CPU s left"
