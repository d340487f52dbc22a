"""Claims withdrawn because they said nothing, or less than another: their ids stay taken, each with the reason."""

from __future__ import annotations

WITHDRAWN = {
    "bharadwaj2022.exp.tau.exact": "sampled epsilon from 0.1 to 1; exp.tau.every has every epsilon",
    "bharadwaj2022.fix.mixture": "outcome by outcome what fix.removed says of all data",
    "bharadwaj2022.fix.tight": "three items of up to 12 clients; fix.delta has any data of any number of clients",
    "bharadwaj2022.fix.typ": "m/n > 1/n is m > 1, which its cases had by construction; the leak is fix.delta",
    "bharadwaj2022.lem4.abst": "took the abstentions from the sample's size and added them again",
    "bharadwaj2022.lem6.num": "3 * 10 * 10 = 300; what the printed mean guarantees is lem6.solve and its correction",
    "bharadwaj2022.lem9.num": "10^2 * 10^2 = 10^4; the error that the number leaves out is lem9.stmt",
    "bharadwaj2022.pre.kanon": "enumerated the definition of the threshold against itself",
    "bharadwaj2022.pre.msgsize": "counted the letters of messages that were made one letter long",
    "bharadwaj2022.pre.nospurious": "enumerated a law whose outcomes were made of the input's labels alone",
    "bharadwaj2022.sec31.dimfree": "summed one cell out of a product law: true of every product",
    "bharadwaj2022.thm2.size.released": "one client is fewer than tau >= 2 clients; the size is thm2.size",
    "bharadwaj2022.tight.enumerated": "up to 24 copies; tight.every_count has every count and every threshold",
    "lebeda2025.lem13.key": "one step of lem13, which the kernel has whole",
    "lebeda2025.sec3.reverse.staircase": "silence of two steps; sec3.reverse has any that falls as the mean rises",
    "lebeda2025.sec6.lower": "one function at tau + gap - tau and at gap; what it meant is audited by the fault "
    "correlated_lower_threshold_not_added",
    **dict.fromkeys(
        ("rogers2024.range.ledger", "rogers2024.range.ledger.stream"),
        "pick by pick, for a quarter more noise; what a ledger takes is range.pool",
    ),
    "rogers2024.sec422.scaling": "k* <= sum k_i held by the choice of cases, and a sum is at most length times maximum",
    "rogers2024.thm3.dp_to_cdp.parts": "outcome by outcome what thm3.dp_to_cdp says of every pair",
    "rogers2024.thm8.region": "added points of half-spaces through 0 and found the sum there; what convexity grants is "
    "thm8.rho, and that a set without it will not do is lem4.1.as_printed",
    "rogers2024.thm9.first_ring": "one common item's ring; thm9.list says it of lists of any length",
    "rogers2024.thm11.renyi": "x <= 2 x: the bound twice the exact value; as printed, with equality, it is "
    "thm11.renyi.as_printed",
    "wilkins2024.composition.adaptive.value": "a user on one side in every release, to six of them, from above alone; "
    "either side, to ten thousand, is composition.adaptive.stopping",
    "wilkins2024.composition.filter.step": "one step of composition.filter's induction, which the kernel has whole",
    **dict.fromkeys(
        (
            "wilkins2024.thm5.4.collapse.G_prime",
            "wilkins2024.thm5.4.collapse.W",
            "wilkins2024.thm5.4.collapse.W.box",
            "wilkins2024.thm5.4.collapse.W.left",
            "wilkins2024.thm5.4.collapse.W.right",
            "wilkins2024.thm5.4.collapse.W.slope",
            "wilkins2024.thm5.4.collapse.self_similar",
            "wilkins2024.thm5.4.collapse.u_mills",
        ),
        "a step of a longer proof of the collapse; that rho increases, collapse.rho.rises, is enough",
    ),
}
"""Id -> what the claim compared, and where what it meant is stated."""
