"""A report that holds one of everything: every evidence type, verdict and outcome, and names that try to break out."""

from auditor.findings.evidence import (
    AccountantEvidence,
    AccountantPoint,
    DerivationEvidence,
    DerivationStep,
    Enclosed,
    EnclosureRow,
    EnclosuresEvidence,
    Ends,
    EnumerationEvidence,
    ProofEvidence,
    QuantityEvidence,
    ReasonEvidence,
    SamplingEvidence,
    SearchEvidence,
    SubjectKind,
    TradeoffPoint,
    WitnessEvidence,
)
from auditor.findings.finding import Finding
from auditor.report.model import (
    AccountantEntry,
    AuditReport,
    ClaimEntry,
    Erratum,
    FaultEntry,
    LedgerEntry,
    MechanismEntry,
    Plot,
    Section,
    Series,
    Table,
    TrustItem,
)
from auditor.version import Environment
from proofs_numeric.statements.verdict import Expectation, Verdict

HOSTILE = "evil\"'><script>alert(1)</script>\x07"
WITNESS = WitnessEvidence(
    parameters={"epsilon": "1", "tau": "0", "tau_star": "19/2"},
    left=Enclosed(lower="0.01323", upper="0.01324", value="0.013235", bits=106), left_name="exact delta", relation="<=",
    right=Enclosed(lower="0.0049", upper="0.0049", value="0.0049"), right_name="printed delta", pair="wc1",
    direction="forward", event="key k0 released", explanation="A row with one user is below no threshold when tau = 0.",
)  # fmt: skip


def reproduce(subject: str) -> str:
    """Give the command a finding prints."""
    return f"auditor run {subject} --profile quick --seed 20240501"


def finding(subject: str, check: str, verdict: Verdict, headline: str, *evidence, kind=SubjectKind.CLAIM, **fields):
    """Build a finding, about a claim unless another kind is given, with the command that it prints."""
    return Finding.of(
        subject=subject, subject_kind=kind, check=check, verdict=verdict, headline=headline, evidence=evidence,
        **{"reproduce": reproduce(subject), **fields},
    )  # fmt: skip


PROOF = ProofEvidence(
    method="interval branch and bound", expression="W(x, u) - 2", claim="wilkins2024.lem5.3",
    box={"x": Ends(lower="1/20", upper="6.05"), "u": Ends(lower="0.05", upper="14.05")}, boxes=726, bits=96,
    margin="7.6e-9", step="W exceeds 2", tree="ab...",
)  # fmt: skip
DERIVATION = DerivationEvidence(
    steps=[
        DerivationStep(
            number=1, statement="third at eps <= 0: f(mu, -x) = 1 - e^-x + e^-x f(mu, x)", claim="wilkins2024.lem5.3",
            verdict=Verdict.PROVED,
        ),
        DerivationStep(number=2, statement="Mills ratio is convex", trusted=True),
    ]
)  # fmt: skip
ENCLOSURES = EnclosuresEvidence(
    quantity="delta (ball)", relation="relative error", against="float64 accountant", digits=50, cases=1200,
    rows=[
        EnclosureRow(
            parameters={"epsilon": "700", "mu": "1e-4"}, ratio="3.1e-14",
            quantity=Enclosed(lower="1.23456e-300", upper="1.23457e-300", bits=256),
            against=Enclosed(lower="1.234565e-300", upper="1.234565e-300"),
        )
    ],
)  # fmt: skip
SAMPLING = SamplingEvidence(
    method="betting e-process", pair="wc1", direction="forward", event="noise above 9.5", event_status="confirmed",
    parameters={"sigma": "2"}, epsilon="1", delta_claimed="1e-5", delta_lower="0.0081",
    delta_exact=Enclosed(lower="0.0104", upper="0.0105"), level="2.5e-8", samples=28952, blocks=29, log10_wealth="9.1",
    detectable_delta="3.1e-4", efficiency="0.26", efficiency_law="estimated", profile_lower={"0": "0.19"},
    tradeoff=[TradeoffPoint(fpr="0", fnr="1"), TradeoffPoint(fpr="0.2", fnr="0.6")],
    assumptions=["the target releases only keys of its input"],
)  # fmt: skip
ACCOUNTANT = AccountantEvidence(
    target="opendp.laplace_threshold_int", against="laplace.threshold", box={"scale": Ends(lower="1/10", upper="100")},
    tolerance="0", examples=400,
    unsafe=AccountantPoint(
        parameters={"scale": "1", "threshold": "3"}, returned="0.004959",
        truth=Enclosed(lower="0.0134", upper="0.0135"), ratio="0.368",
        reason="delta is computed from P[Z > threshold - 1], keys with value >= threshold are released",
    ),
)  # fmt: skip


def findings() -> list[Finding]:
    """One finding of every kind."""
    proved, refuted, consistent = Verdict.PROVED, Verdict.REFUTED, Verdict.CONSISTENT
    unseen = SAMPLING.model_copy(update={"delta_lower": "0", "event_status": "none", "event": ""})
    return [
        finding(
            "wilkins2024.thm5.4", "numeric", proved, "float64 accountant within 3.1e-14 of the ball at 1200 points",
            ENCLOSURES, scope="0 <= epsilon <= 700",
        ),
        finding("wilkins2024.thm5.4.collapse", "derivation", Verdict.DERIVED, "2 steps, 1 trusted", DERIVATION),
        finding("wilkins2024.lem5.3", "proof", proved, "W > 2 on 726 boxes", PROOF, scope="box, 0.93 of the domain"),
        finding(
            "wilkins2024.alg1", "numeric", refuted, "delta 0.01323 > 0.0049 at tau = 0", WITNESS,
            expected=Expectation.REFUTED,
        ),
        finding(
            "wilkins2024.alg1.corrected", "lemma", consistent, "no violation seen in 500 cases",
            SearchEvidence(method="hypothesis", examples=500, margin="1e-3", closest={"tau": "1"}),
        ),
        finding(
            "wilkins2024.def2.1", "enumeration", proved, "4000 cases, exact",
            EnumerationEvidence(domain="histograms over 3 keys, counts to 4", cases=4000, example={"left": "{a: 1}"}),
        ),
        finding(
            "wilkins2024.sec6.threshold", "numeric", Verdict.UNDECIDED, "enclosures overlap at 4096 bits",
            QuantityEvidence(
                printed="3.32", reading="rounded to nearest",
                computed=Enclosed(lower="3.3199", upper="3.3201", value="3.32"),
            ),
        ),
        finding(
            "wilkins2024.fig2", "numeric", Verdict.NOT_CHECKABLE, "rests on data nobody has",
            ReasonEvidence(text="the data set was not published"), expected=Expectation.NOT_CHECKABLE,
        ),
        finding(
            "wilkins2024.thm7.1", "numeric", Verdict.ERROR, "the check crashed: ZeroDivisionError",
            ReasonEvidence(text="ZeroDivisionError: division by zero", remedy="report it with the seed"),
        ),
        finding("wilkins2024.cor5.4.1", "numeric", refuted, "delta 0.2 > 0.1 at epsilon = 0", WITNESS),
        finding(
            "gaussian_sparse_histogram", "empirical", consistent,
            "no violation seen; would have found a delta >= 3.1e-4 with probability 0.95 (claimed 1e-5)", unseen,
            kind=SubjectKind.MECHANISM,
        ),
        finding(
            "half_noise", "empirical", refuted, "delta >= 0.0081 against 1e-5 at epsilon = 1", SAMPLING,
            kind=SubjectKind.FAULT, expected=Expectation.REFUTED,
        ),
        finding(
            "tau_zero", "empirical", consistent, "the fault escaped: no violation seen in 20000 samples",
            kind=SubjectKind.FAULT, expected=Expectation.REFUTED,
        ),
        finding(
            "opendp.laplace_threshold_int", "accountant", refuted,
            "returns 0.004959, truth 0.0134 at scale = 1, threshold = 3", ACCOUNTANT, kind=SubjectKind.ACCOUNTANT,
            expected=Expectation.REFUTED,
        ),
        finding(
            "hostile", "accountant", Verdict.NOT_APPLICABLE, f"{HOSTILE} is not installed",
            ReasonEvidence(text=HOSTILE, remedy="pip install 'sparse-histogram-auditor[accountants]'"),
            kind=SubjectKind.ACCOUNTANT, reproduce="auditor run hostile",
        ),
    ]  # fmt: skip


EXACT_DELTA = (
    r"\delta(\epsilon) = \max\left\{1 - \Phi\left(\frac{\tau^*-\tau}{\sigma}\right)^{C_u}, "
    r"f(\sqrt{C_u}\,\mu, \epsilon)\right\}"
)
ATTAINED = r"For every $C_u$ and $\epsilon \ge 0$ the lower bound of (5.10) is attained."


def claims() -> list[ClaimEntry]:
    """Entries for the claims above."""
    rows = [
        ("wilkins2024.thm5.4", "Exact delta", EXACT_DELTA, "delta bound"),
        ("wilkins2024.thm5.4.collapse", "The maximum collapses", ATTAINED, "identity"),
        ("wilkins2024.lem5.3", "W exceeds 2", "W > 2", "inequality"),
        ("wilkins2024.alg1", "Thresholds as printed", r"\tau = 0 \text{ is allowed}", "delta bound"),
        ("wilkins2024.alg1.corrected", "Thresholds", r"\tau \ge 1 \text{, an integer}", "delta bound"),
        ("wilkins2024.def2.1", "Neighbours", "One user's records are added or removed.", "definition"),
        ("wilkins2024.sec6.threshold", "Printed threshold", "3.32", "printed number"),
        ("wilkins2024.fig2", "Figure 2", "Figure 2", "editorial"),
        ("wilkins2024.thm7.1", "f-DP composition", r"T(P, Q) \ge G_\mu", "inequality"),
        ("wilkins2024.cor5.4.1", "Add the deltas", r"\delta_{\infty} + \delta_G", "delta bound"),
    ]  # fmt: skip
    about = {finding.subject: finding for finding in findings()}
    return [
        ClaimEntry(
            id=identifier, title=title, paper="wilkins2024", locator="Theorem 5.4", kind=kind, statement=statement,
            expected=about[identifier].expected, verdict=about[identifier].verdict, scope=about[identifier].scope,
            ours=identifier.endswith("collapse"),
            corrected_by="wilkins2024.alg1.corrected" if identifier == "wilkins2024.alg1" else None,
        )
        for identifier, title, statement, kind in rows
    ]  # fmt: skip


def sample_report() -> AuditReport:
    """Give the whole report."""
    xs = [str(x) for x in range(8)]
    escaped = ("tau_zero", "tau = 0, as printed", "a row of one user passes the lower threshold", Verdict.CONSISTENT)
    caught = ("half_noise", "Half the noise", "sigma/2 is drawn where sigma was promised", Verdict.REFUTED)
    return AuditReport.of(
        suite_version="0.1.0", profile="quick", seed=20240501, alpha="1e-6", selection=["*"],
        environment=Environment(python="3.11", packages={"mpmath": "1.3.0", "python-flint": "0.9.0"}),
        findings=findings(), claims=claims(),
        mechanisms=[
            MechanismEntry(
                id="gaussian_sparse_histogram", title="Gaussian sparse histogram mechanism",
                source="wilkins2024, Algorithm 1", guarantee_claim="wilkins2024.thm5.4",
                parameters={"sigma": "2", "gap": "17/2", "c_u": "3"},
                adjacency="add or remove one user with at most 3 keys", pairs=["wc1", "wc2"],
                verdict=Verdict.CONSISTENT,
            ),
            MechanismEntry(
                id="sub_threshold_groups", title="Groups below tau released with tau* kept", kind="control",
                source="ours", guarantee_claim="wilkins2024.thm5.4", parameters={}, adjacency="add or remove one user",
                verdict=Verdict.CONSISTENT, note="post-processing of the same release",
            ),
        ],
        faults=[
            FaultEntry(
                id=identifier, title=title, mechanism="gaussian_sparse_histogram", violates="wilkins2024.thm5.4",
                caught_by="empirical", pair="wc1", epsilon="1",
                delta_claimed=Enclosed(lower="1e-5", upper="1e-5", value="1e-5"),
                delta_exact=Enclosed(lower="0.0104", upper="0.0105", value="0.01043"), explanation=explanation,
                verdict=verdict,
            )
            for identifier, title, explanation, verdict in (caught, escaped)
        ],
        accountants=[
            AccountantEntry(
                id="opendp.laplace_threshold_int", library="opendp", version="0.16.0", against="laplace.threshold",
                verdict=Verdict.REFUTED, note="known: opendp issue 2922",
            ),
            AccountantEntry(
                id="hostile", library=HOSTILE.replace("\x07", ""), version="1", against="laplace.threshold",
                verdict=Verdict.NOT_APPLICABLE,
            ),
        ],
        errata=[
            Erratum(
                printed="wilkins2024.alg1", corrected="wilkins2024.alg1.corrected",
                source="wilkins2024, Algorithm 1", printed_statement=r"\tau = 0 \text{ is allowed}",
                corrected_statement=r"\tau \ge 1 \text{, an integer}", printed_verdict=Verdict.REFUTED,
                corrected_verdict=Verdict.CONSISTENT, witness=WITNESS, finding="wilkins2024.alg1::numeric",
            )
        ],
        trust=[
            TrustItem(name="python-flint", kind="library", version="0.9.0", used_for="ball arithmetic"),
            TrustItem(name="Mills ratio is convex", kind="step", used_for="wilkins2024.thm5.4.collapse, step 2"),
        ],
        false_alarm_ledger=[
            LedgerEntry(family="gaussian sparse histogram", share="5e-7", spent="4e-7", tests=16),
            LedgerEntry(
                family="reserved for plug-ins", share="1e-7", spent="0", tests=0, note="selection changes nothing"
            ),
        ],
        sections=[
            Section(
                id="accuracy", title="Certified accuracy of the fast accountant",
                text=r"Relative error of the float64 $\delta$ against the ball.",
                tables=[
                    Table(
                        caption="Largest relative error", columns=["delta between", "points", "largest relative error"],
                        rows=[["1e-300 and 1e-100", "400", "3.1e-14"], ["1e-100 and 1", "800", "8e-16"]],
                    )
                ],
                plots=[
                    Plot(
                        caption="Exact delta and what a fault makes of it", x_label="ε", y_label="δ", y_log=True,
                        series=[
                            Series(name="exact", x=xs, y=[f"1e-{3 + x}" for x in range(8)]),
                            Series(name="half the noise", x=xs, y=[f"3e-{1 + x}" for x in range(8)], style="dashed"),
                            Series(name="lower bound", x=["1"], y=["0.0081"], style="points"),
                        ],
                    )
                ],
            )
        ],
    )  # fmt: skip


def report_of(findings):
    """The sample report with other findings, entries and counts made again."""
    report = sample_report()
    fields = {name: getattr(report, name) for name in ("suite_version", "profile", "seed", "alpha", "selection")}
    return AuditReport.of(**fields, environment=report.environment, findings=findings)
