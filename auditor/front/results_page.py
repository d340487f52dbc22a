"""The documentation page of this project's theorems, from the claims and their verdicts in CLAIMS.md.

``python -m auditor.front.results_page`` writes the page. Statements, parameters and numbers come from the claims.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from auditor.engine.registry import registry
from auditor.errors import counted
from auditor.report.markdown import table_text
from proofs_numeric.arithmetic.enclosure import decimal_string, enclose
from proofs_numeric.statements.claim import Claim

PAGE = Path("docs/explanation/results.md")
CLAIMS = Path("CLAIMS.md")
COMMAND = "python -m auditor.front.results_page"
DIGITS = 4
NOT_RECORDED = "not in CLAIMS.md yet"


@dataclass(frozen=True)
class Value:
    """A number of a claim: its formula, or a side of its inequality, at exact parameters."""

    claim: str
    point: str
    side: str = ""

    @property
    def parameters(self) -> dict[str, str]:
        """Parameters by name."""
        return dict(word.split("=") for word in self.point.split())

    def exact(self) -> tuple[str, float]:
        """Return the value to `DIGITS` digits, from an enclosure, and its nearest double."""
        claim = registry().claim(self.claim)
        formula = getattr(claim.kind, self.side) if self.side else claim.formula
        assert formula is not None  # noqa: S101 - of our own data
        enclosure = enclose(formula, claim.domain.parse(self.parameters), DIGITS + 2)
        return decimal_string((enclosure.lower + enclosure.upper) / 2, DIGITS, 0), float(
            (enclosure.lower + enclosure.upper) / 2
        )


@dataclass(frozen=True)
class Gain:
    """One row: the number by the earlier rule, and the exact number."""

    setting: str
    earlier: Value
    ours: Value


@dataclass(frozen=True)
class Result:
    """One theorem of this project, in the words of the field.

    Attributes:
        claim: id of the claim that states it.
        title: heading of its section.
        earlier: what was known, with its source.
        idea: idea of the proof.
        compared: the two columns of the table of gains.
        gains: rows of the table.
        curves: a figure: caption and lines of the directive `curves`.
        steps: other claims of the proof.
        y: label of the figure's value axis.
    """

    claim: str
    title: str
    earlier: str
    idea: str
    compared: tuple[str, str] = ("", "")
    gains: tuple[Gain, ...] = ()
    curves: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    y: str = "delta"


def _both(setting: str, earlier: str, ours: str, point: str) -> Gain:
    return Gain(setting, Value(earlier, point), Value(ours, point))


def _rounds(*rounds: str) -> str:
    """Return the parameters of rounds, each its noise and its threshold."""
    each = ("sigma_{0}={1} threshold_{0}={2}".format(i, *one.split()) for i, one in enumerate(rounds, start=1))
    return " ".join(each)


_SPLIT_ROUNDS = _rounds("15.26 77", "8.36 40.6", "4.58 21.6")
_TWO_KEYS = "scale=20 threshold=75 c_u=2 per_key=1"

RESULTS = (
    Result(
        "wilkins2024.thm5.4.collapse",
        "Gaussian sparse histogram: two terms instead of C_u + 1",
        "Theorem 5.4 of Karrer, Kifer, Wilkins and Zhang is a maximum over 0 to $C_u$ rows at the threshold. Practice "
        "adds the two deltas (Corollary 5.4.1).",
        "The proof extends the second term to a real number of rows. At each critical point this term is below the "
        "Gaussian term. The proof compares "
        "$-\\log(1 - f)$ with a bound from the Mills ratio.",
        ("added deltas", "exact delta"),
        (
            _both("ε 1, 10 keys, σ 12, gap 57.2", "wilkins2024.cor5.4.1.ub", "wilkins2024.thm5.4",
                  "epsilon=1 c_u=10 sigma=12 gap=57.2 mu_o=0"),
            _both("ε 1, 1,000 keys, σ 118, gap 700", "wilkins2024.cor5.4.1.ub", "wilkins2024.thm5.4",
                  "epsilon=1 c_u=1000 sigma=118 gap=700 mu_o=0"),
        ),
        (
            "Delta of the Gaussian sparse histogram by its gap (epsilon 1, 10 keys, sigma 12)",
            ":x: gap = 48, 50, 52, 54, 56, 58, 60, 62, 64",
            ":label: gap",
            *(
                f"{label} | {claim} | value | epsilon=1 c_u=10 sigma=12 mu_o=0"
                for label, claim in (("added deltas", "wilkins2024.cor5.4.1.ub"), ("exact", "wilkins2024.thm5.4"))
            ),
        ),
        steps=("wilkins2024.thm5.4.collapse.second", "wilkins2024.thm5.4.sigma", "wilkins2024.thm5.4.gap"),
    ),
    Result(
        "lebeda2025.csh.exact",
        "Correlated stability histogram: exact delta",
        "Theorems 11 and 12 of Lebeda and Retschmeier are upper bounds. The exact delta is an open problem of their "
        "Section 8.",
        "Given the shared noise, the released counters are independent. A pair of l new and j changed counters is one "
        "integral. A certificate excludes all pairs but two in most settings.",
        ("delta by Theorem 12", "exact delta"),
        tuple(
            _both(f"ε 1, {k} counters, σ {sigma}, gap {gap}", "lebeda2025.thm12", "lebeda2025.csh.exact",
                  f"epsilon=1 k={k} sigma={sigma} gap={gap}")
            for k, sigma, gap in ((4, 4, 16), (10, 5, 24), (100, 20, 110))
        ),
        (
            "Delta of the correlated stability histogram by its gap (epsilon 1, 10 counters, sigma 5)",
            ":x: gap = 16, 18, 20, 22, 24, 26, 28",
            ":label: gap",
            "Theorem 12 | lebeda2025.thm12 | value | epsilon=1 k=10 sigma=5",
            "exact | lebeda2025.csh.exact | value | epsilon=1 k=10 sigma=5",
        ),
        ("lebeda2025.csh.exact.pair", "lebeda2025.sec3.cert"),
    ),
    Result(
        "lebeda2025.thm21.exact",
        "Discrete correlated histogram: exact delta",
        "Theorem 21 of Lebeda and Retschmeier bounds delta by a sum of bounds, for discrete Gaussian noise.",
        "The loss of changed counters is a sum on a lattice. The sum over the shared noise is a table.",
        ("delta by Theorem 21", "exact delta"),
        (
            _both("ε 1, 3 counters, σ 5/2, gap 14", "lebeda2025.thm21", "lebeda2025.thm21.exact",
                  "epsilon=1 k=3 sigma=5/2 gap=14"),
            _both("ε 2, 2 counters, σ 2, gap 12", "lebeda2025.thm21", "lebeda2025.thm21.exact",
                  "epsilon=2 k=2 sigma=2 gap=12"),
        ),
        (
            "Delta of the discrete correlated histogram by its gap (epsilon 1, 3 counters, sigma 5/2)",
            ":x: gap = 8, 10, 12, 14, 16, 18",
            ":label: gap",
            "Theorem 21 | lebeda2025.thm21 | value | epsilon=1 k=3 sigma=5/2",
            "exact | lebeda2025.thm21.exact | value | epsilon=1 k=3 sigma=5/2",
        ),
    ),
    Result(
        "lebeda2025.sparse.histogram",
        "Correlated noise for users of few counters",
        "The paper's noise is for users of any number of counters. Users with at most m of k counters are an open "
        "problem of its Section 8.",
        "The squared distance is concave in the number of changed counters. It is largest at (k + γ)/2. The "
        "best γ follows from the stationary points of the total variance.",
        ("exact delta, users of 10 counters", "exact delta, users of 3"),
        (
            Gain("ε 1, σ 5, gap 24", Value("lebeda2025.csh.exact", "epsilon=1 k=10 sigma=5 gap=24"),
                 Value("lebeda2025.sparse.histogram", "epsilon=1 k=10 m=3 sigma=5 gamma=3.1623 gap=24")),
        ),
        (
            "Delta of the correlated histogram by the counters of a user (epsilon 1, 10 counters, sigma 5, gap 24)",
            ":x: m = 1, 2, 3, 4, 5, 6, 8, 10",
            ":label: counters of a user",
            "exact | lebeda2025.sparse.histogram | value | epsilon=1 k=10 sigma=5 gamma=3.1623 gap=24",
        ),
        steps=("lebeda2025.sparse.delta", "lebeda2025.sparse.one"),
    ),
    Result(
        "lebeda2025.sparse.covariance",
        "No Gaussian covariance has less noise than own and shared noise",
        "The least noise over one family was known: own noise of each counter and a noise that all counters share "
        "(`lebeda2025.sparse.least`).",
        "The condition on a covariance is convex and invariant under permutations of counters. So a covariance with "
        "one variance and one correlation is as good. A negative correlation needs more noise than independence.",
        ("variance of independent noise at distance 1", "least variance of any covariance"),
        tuple(
            Gain(f"{k} counters, users of {m}", Value("lebeda2025.sparse.covariance", point, "right"),
                 Value("lebeda2025.sparse.covariance", point, "left"))
            for k, m in ((10, 3), (10, 10), (100, 50))
            for point in [f"k={k} m={m} correlation=0"]
        ),
        (
            "Least variance of a counter at distance 1 by the counters of a user (100 counters)",
            ":x: m = 2, 5, 10, 20, 30, 40, 50, 60, 80, 100",
            ":label: counters of a user",
            "independent noise | lebeda2025.sparse.covariance | right | k=100 correlation=0",
            "any covariance | lebeda2025.sparse.covariance | left | k=100 correlation=0",
        ),
        steps=("lebeda2025.sparse.least", "lebeda2025.sparse.covariance.opposed"),
        y="variance",
    ),
    Result(
        "rogers2024.thm7.gaussian.exact",
        "Unknown domain with Gaussian noise: exact delta",
        "Theorem 7 of Rogers states approximate concentrated privacy. A conversion gives its delta at an epsilon.",
        "Shared labels above the threshold are one Gaussian pair. New labels name the user. Theorem 5.4 of the "
        "Gaussian sparse histogram applies with the distance of one label.",
        ("delta by Theorem 7, best conversion", "exact delta"),
        (
            Gain("ε 2, 10 labels, σ 10, T 53",
                 Value("rogers2024.thm7.gaussian.profile", "epsilon=2 delta_0=10 delta_inf=1 sigma=10 delta=1e-6"),
                 Value("rogers2024.thm7.gaussian.exact", "epsilon=2 delta_0=10 delta_inf=1 sigma=10 T=53")),
            Gain("ε 1, 10 labels, σ 10, T 53",
                 Value("rogers2024.thm7.gaussian.profile", "epsilon=1 delta_0=10 delta_inf=1 sigma=10 delta=1e-6"),
                 Value("rogers2024.thm7.gaussian.exact", "epsilon=1 delta_0=10 delta_inf=1 sigma=10 T=53")),
        ),
        (
            "Delta of Algorithm 1 with Gaussian noise (10 labels, sigma 10, T 53)",
            ":x: epsilon = 1/2, 3/4, 1, 5/4, 3/2, 7/4, 2",
            ":label: epsilon",
            *(
                f"{label} | rogers2024.thm7.gaussian.{name} | value | delta_0=10 delta_inf=1 sigma=10 {threshold}"
                for label, name, threshold in (
                    ("Theorem 7, best conversion", "profile", "delta=1e-6"), ("exact", "exact", "T=53"),
                )
            ),
        ),
    ),
    Result(
        "bharadwaj2022.tight",
        "Sample-and-threshold: exact delta",
        "Theorem 2 of Bharadwaj and Cormode bounds delta by Chernoff's inequality.",
        "The hockey stick of one count is a binomial tail on its bad event. It never grows with the count from the "
        "first count whose bad event passes the threshold.",
        ("delta by Theorem 2", "exact delta"),
        tuple(
            _both(f"ε 1, half of the largest rate, τ {tau}", "bharadwaj2022.thm2.stmt", "bharadwaj2022.tight",
                  f"epsilon=1 alpha=1/2 tau={tau}")
            for tau in (10, 20, 40)
        ),
        (
            "Delta of sample-and-threshold by its threshold (epsilon 1, half of the largest rate)",
            ":x: tau = 5, 10, 15, 20, 25, 30, 35, 40",
            ":label: threshold tau",
            "Theorem 2 | bharadwaj2022.thm2.stmt | value | epsilon=1 alpha=1/2",
            "exact | bharadwaj2022.tight | value | epsilon=1 alpha=1/2",
        ),
        ("bharadwaj2022.thm2.case2.corrected",),
    ),
    Result(
        "thresholds.weighted.delta",
        "Weighted Gaussian set union: exact delta",
        "The rule in use spends half of delta on the noise and half on the threshold (Gopi and others, ICML 2020). Its "
        "public descriptions were read, not the paper.",
        "A user of t keys is a user of t rows in units of the weight. The root of $-\\log\\Phi$ is convex, by "
        "Sampford's inequality. So the worst user has one key or all keys.",
        ("threshold at (1, 1e-5), rule in use", "least threshold"),
        tuple(
            Gain(f"{keys:,} key{'s' * (keys > 1)} of a user",
                 Value("thresholds.weighted.threshold", f"epsilon=1 delta=5e-6 sigma=3.8842 c_u={keys}"),
                 Value("thresholds.weighted.threshold", f"epsilon=1 delta=1e-5 sigma=3.7307 c_u={keys}"))
            for keys in (1, 10, 100)
        ),
        (
            "Least threshold at (1, 1e-5) by the keys of a user, with the noise of each rule",
            ":x: c_u = 1, 2, 5, 10, 20, 50, 100",
            ":label: keys of a user",
            "rule in use | thresholds.weighted.threshold | value | epsilon=1 delta=5e-6 sigma=3.8842",
            "exact | thresholds.weighted.threshold | value | epsilon=1 delta=1e-5 sigma=3.7307",
        ),
        ("thresholds.weighted.root", "thresholds.weighted.ends", "thresholds.weighted.rule"),
        "threshold (weights)",
    ),
    Result(
        "thresholds.iterated.one",
        "Iterated partition selection (DP-SIPS): exact delta for one key of a user",
        "Composition adds the noise of all rounds and the deltas of their thresholds (Swanberg, Desfontaines and "
        "Haney, PoPETs 2023). Its abstract and a public implementation were read, not the paper.",
        "A released key is removed, so a shared key is in the later rounds only after the earlier rounds "
        "withheld it. Its law is a censored normal in each round. The largest delta over the number of other "
        "users is exact.",
        ("composition, data may change between rounds", "exact delta"),
        (
            *(
                Gain(
                    setting, Value("thresholds.iterated.delta", f"{point} c_u=1"),
                    Value("thresholds.iterated.one", point),
                )
                for setting, rounds in (
                    ("ε 1, three rounds, budgets 9:30:100", _SPLIT_ROUNDS),
                    ("ε 1, three equal rounds", _rounds(*["6.73 32.3"] * 3)),
                    ("ε 1, three rounds, high thresholds", _rounds("15.26 100", "8.36 60", "4.58 30")),
                )
                for point in [f"epsilon=1 {rounds}"]
            ),
        ),
        (
            "Delta of three rounds with budgets 9:30:100, users of one key",
            ":x: epsilon = 0, 1/4, 1/2, 3/4, 1, 5/4, 3/2, 2",
            ":label: epsilon",
            *(
                f"{label} | {claim} | value | {_SPLIT_ROUNDS}{keys}"
                for label, claim, keys in (
                    ("composition", "thresholds.iterated.delta", " c_u=1"), ("exact", "thresholds.iterated.one", ""),
                )
            ),
        ),
        ("thresholds.iterated.delta", "thresholds.iterated.between", "thresholds.iterated.added"),
    ),
    Result(
        "thresholds.iterated.keys",
        "Iterated partition selection (DP-SIPS): users of several keys",
        "Composition adds the delta of the noise of all rounds and the deltas of their thresholds.",
        "A key that the neighbour lacks is new in every round. New keys therefore take their share of the squared "
        "weight from the noise of all rounds, as in one Gaussian sparse histogram. A user of new keys alone attains "
        "the bound: it is exact in all rows of the table. It is not exact where the noise alone is the largest term.",
        ("composition", "delta if the data stay the same, attained"),
        tuple(
            _both(f"ε 1, three rounds, budgets 9:30:100, {keys} keys per user", "thresholds.iterated.delta",
                  "thresholds.iterated.keys", f"epsilon=1 {_SPLIT_ROUNDS} c_u={keys}")
            for keys in (2, 3, 10, 100)
        ),
        (
            "Delta of three rounds with budgets 9:30:100 by the keys of a user (epsilon 1)",
            ":x: c_u = 1, 2, 3, 5, 10, 20, 30",
            ":label: keys of a user",
            *(
                f"{label} | {claim} | {side} | epsilon=1 {_SPLIT_ROUNDS}"
                for label, claim, side in (
                    ("composition", "thresholds.iterated.delta", "value"),
                    ("data stay the same", "thresholds.iterated.keys", "value"),
                    ("attained", "thresholds.iterated.keys", "exact"),
                )
            ),
        ),
        ("thresholds.iterated.one", "thresholds.weighted.ends", "wilkins2024.composition.filter"),
    ),
    Result(
        "thresholds.adaptive.level",
        "Weights that move with the data: how much may be rerouted",
        "MaxAdaptiveDegree reroutes weight from keys well above the threshold (Chen, Cohen-Addad, Epasto and "
        "Zadimoghaddam, ICML 2025). Its abstract and public descriptions were read, not the paper. The constants are "
        "of this project.",
        "The weight of a new user on full keys goes back to other users, and nobody gets less back. So the rerouted "
        "weight has a bounded sum and bounded entries. If the share is at most $\\sqrt2 - 1$, the sensitivity stays "
        "1. New keys use a part of it, so the other keys have less.",
        ("added deltas", "delta, the level at least 1"),
        tuple(
            _both(f"ε 1, {counted(keys, 'key')} per user, σ 3.8, T 17.2", "thresholds.adaptive.delta",
                  "thresholds.adaptive.level", f"epsilon=1 sigma=3.8 threshold=17.2 c_u={keys}")
            for keys in (1, 10, 100)
        ),
        (
            "Delta of adaptive weights by the keys of a user (epsilon 1, sigma 3.8, T 17.2)",
            ":x: c_u = 1, 2, 5, 10, 20, 50, 100",
            ":label: keys of a user",
            *(
                f"{label} | {claim} | value | epsilon=1 sigma=3.8 threshold=17.2"
                for label, claim in (
                    ("added deltas", "thresholds.adaptive.delta"),
                    ("adaptive weights", "thresholds.adaptive.level"),
                    ("no rerouting, exact", "thresholds.weighted.delta"),
                )
            ),
        ),
        ("thresholds.adaptive.sensitivity", "thresholds.adaptive.whole", "thresholds.adaptive.delta"),
    ),
    Result(
        "thresholds.laplace.integer.profile",
        "Laplace noise on whole counts: exact delta",
        "With Gaussian noise delta is the larger of two values: all keys of the user are new, or all are shared. With "
        "Laplace noise the maximum of these two is unsafe.",
        "The privacy loss of the shared keys is a sum of values on a lattice. Each new key adds its loss to the "
        "level of the shared keys. The maximum over the number of new keys is exact.",
        ("maximum of two, unsafe", "exact delta"),
        (
            Gain("ε 0, 2 keys, b 20, T 75",
                 Value("thresholds.laplace.integer.two_ends", f"epsilon=0 {_TWO_KEYS}", "right"),
                 Value("thresholds.laplace.integer.profile", f"epsilon=0 {_TWO_KEYS}")),
        ),
        (
            "Delta of two keys with Laplace noise on whole counts (b 20, T 75)",
            ":x: epsilon = 0, 1/400, 1/200, 3/400, 1/100, 3/200, 1/50, 3/100",
            ":label: epsilon",
            f"maximum of two, unsafe | thresholds.laplace.integer.two_ends | right | {_TWO_KEYS}",
            f"exact | thresholds.laplace.integer.profile | value | {_TWO_KEYS}",
        ),
        ("thresholds.laplace.integer", "thresholds.laplace.real", "rogers2024.thm7.laplace.exact"),
    ),
    Result(
        "standard.selection.largest",
        "Optimal partition selection: a machine-checked proof",
        "Desfontaines, Voss, Gipson and Mandayam (PoPETs 2022) state the largest private probabilities. Public "
        "descriptions were read, not the paper. Practice adds Laplace noise to the number of users and "
        "releases a key above a threshold.",
        "By induction over the users: no private probability exceeds the largest one by more than $e^\\varepsilon$ "
        "times the excess before, and the first excess is 0.",
        ("probability of a release, Laplace noise and threshold", "largest probability of a release"),
        tuple(
            Gain(f"ε {epsilon}, δ 1e-5, a key of {users} users",
                 Value("rogers2024.thm7.laplace.new_item_mass", f"epsilon={epsilon} delta_0=1 lead={lead}"),
                 Value("standard.selection.keep", f"epsilon_0={epsilon} delta_0=1e-5 users={users}"))
            for epsilon, users, lead in (
                ("1", 5, "6.8198"), ("1", 10, "1.8198"), ("1", 12, "-0.1802"), ("1/10", 60, "4.9198"),
                ("1/10", 90, "1.9198"), ("1/10", 110, "-0.0802"),
            )
        ),
        (
            "Largest private probability of releasing a key by its number of users (epsilon 1)",
            ":x: users = 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24",
            ":label: users of the key",
            *(
                f"delta {delta} | standard.selection.keep | value | epsilon_0=1 delta_0={delta}"
                for delta in ("1e-5", "1e-8")
            ),
        ),
        steps=("standard.selection.private", "standard.selection.keep", "standard.selection.keys"),
        y="probability",
    ),
)  # fmt: skip

INTRO = f"""# Theorems of this project

This page lists theorems that are not in the papers. Each has a statement, a reference to earlier work and a proof.

- The verdicts come from `CLAIMS.md`. [Verdicts](../reference/verdicts.md) defines the words.
- Balls enclose all numbers. The page rounds them to the nearest digit.

This page is generated:

```sh
{COMMAND}
```

To cite a theorem, cite the software (`CITATION.cff`) with its version, and the id of the claim.
"""


def verdicts(text: str) -> dict[str, str]:
    """Return the verdict of each claim in the text of CLAIMS.md."""
    rows = (re.split(r"(?<!\\)\|", line) for line in text.splitlines() if line.startswith("`"))
    return {cells[0].strip().strip("`"): cells[3].strip() for cells in rows if len(cells) > 3}


def _gain(row: Gain) -> list[str]:
    (earlier, first), (ours, second) = row.earlier.exact(), row.ours.exact()
    return [row.setting, earlier, ours, f"{first / second:.3g}"]


def _command(claim: Claim, result: Result) -> str:
    """Return the command that evaluates the result; that explains it if it has no value or no row."""
    mine = next((row.ours for row in result.gains if row.ours.claim == claim.id), None)
    return f"auditor explain {claim.id}" if mine is None else f"auditor evaluate {claim.id} {mine.point}"


def _section(result: Result, verdicts: Mapping[str, str]) -> str:
    claim = registry().claim(result.claim)
    parts = [f"## {result.title}", f"$$\n{claim.statement}\n$$"]
    parts.append(
        f"- Claim `{claim.id}`: {verdicts.get(claim.id, NOT_RECORDED)}.\n- Known before: {result.earlier}\n"
        f"- Proof: {result.idea}"
    )
    if result.steps:
        steps = [f"`{step}` ({verdicts.get(step, NOT_RECORDED)})" for step in result.steps]
        parts[-1] += f"\n- Also: {', '.join(steps)}."
    if result.gains:
        columns = ["setting", *result.compared, "factor"]
        parts.append(table_text(columns, [_gain(row) for row in result.gains]))
    if result.curves:
        caption, *lines = result.curves
        parts.append("\n".join([f"```{{curves}} {caption}", *lines[:2], f":y: {result.y}", *lines[2:], "```"]))
    parts.append(f"```sh\n{_command(claim, result)}\n```")
    return "\n\n".join(parts) + "\n"


def render(verdicts: Mapping[str, str]) -> str:
    """Return the page as Markdown.

    Args:
        verdicts: verdict of each claim.
    """
    index = table_text(
        ["theorem", "claim", "verdict"],
        [[one.title, f"`{one.claim}`", verdicts.get(one.claim, NOT_RECORDED)] for one in RESULTS],
    )
    return "\n".join([INTRO, index, "", *(_section(one, verdicts) for one in RESULTS)])


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(verdicts(CLAIMS.read_text(encoding="utf-8"))), "utf-8")
    sys.stdout.write(f"wrote {PAGE}\n")


if __name__ == "__main__":
    main()
