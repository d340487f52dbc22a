"""The rules over laws: what the kernel takes for granted about random releases, each named and stated once.

A tactic names its rule.  Its docstring states the goals that it leaves and how the rule applies to them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule that the kernel applies by an unchecked argument."""

    name: str
    states: str


COMPOSITION = Rule(
    "composition",
    "The hockey stick of several releases is a mean over the first release of hockey sticks of the others, at the "
    "level that the first one leaves.",
)
CONCENTRATED = Rule(
    "hockey stick by one Renyi order",
    "A hockey stick is a mean under Q of a function of the ratio P/Q. The mean of the ratio's power alpha is "
    "e^((alpha - 1) D_alpha).",
)
EVENT = Rule(
    "conditioning on an event",
    "A law is the sum of its parts on an event and outside it, each as probable as it. Given events that restrict the "
    "same coordinates on both sides, a release is a function of these coordinates. The mass of half-spaces is an "
    "integral over one coordinate after the other, and densities of a coordinate are transported to each other by the "
    "share of their mass that lies below. A sample of fixed size contains a client with the probability size/clients, "
    "and without this client it is a sample of the rest.",
)
RACE = Rule(
    "exponential races",
    "Independent exponential clocks that have not rung start afresh. The entries of a list are picks one by one, each "
    "given the picks before.",
)
RATIO = Rule(
    "monotone likelihood ratio",
    "A hockey stick is the sum of (p - e^epsilon q)_+ over the outcomes, and the largest P(E) - e^epsilon Q(E) of an "
    "event E. The best event consists of the outcomes with p > e^epsilon q. Where the ratio is monotone it is a "
    "half-line, with or without the outcomes that are shown as one symbol.",
)
ROWS = Rule(
    "independent rows",
    "A row that is shown less often, or with a smaller change, shows a function of the other row. Given all other "
    "rows, a row's hockey stick is taken at another level.",
)
SHARED_COUNTERS = Rule(
    "counters that share noise",
    "Given the mean of the shared counters, the noise that is shared and what else the counters show are independent "
    "normals, and new counters are shown or not by the shared noise alone.",
)
SHARED_NOISE = Rule(
    "shared noise below a threshold",
    "Given the shared noise, the counters' own noises are independent, and all are below with the product of their "
    "probabilities.",
)
SORTED_COUNTS = Rule(
    "sorted counts",
    "The j-th largest count is at least x exactly where j counts or more are at least x; so counts that fall by at "
    "most s move each place by at most s.",
)
