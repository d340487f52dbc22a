"""What every rendering says."""

from collections import Counter

import pytest

from auditor.errors import ExitCode
from auditor.findings.card import WORDS
from auditor.findings.evidence import Enclosed, SamplingEvidence, SubjectKind, TradeoffPoint
from auditor.findings.finding import Finding
from auditor.report import evidence, view
from auditor.report.model import AuditReport, Severity
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import report_of, sample_report


def only(*verdicts: Verdict) -> AuditReport:
    """Sample report cut down to findings with these verdicts that were met or open."""
    report = sample_report()
    selection = [f for f in report.findings if f.verdict in verdicts and (f.met or f.verdict is Verdict.ERROR)]
    return report_of(selection)


@pytest.mark.parametrize(
    ("report", "strict", "code"),
    [
        (sample_report(), False, ExitCode.FINDINGS),
        (only(Verdict.PROVED, Verdict.REFUTED), True, ExitCode.OK),
        (only(Verdict.PROVED, Verdict.ERROR), False, ExitCode.USAGE),
        (only(Verdict.PROVED, Verdict.UNDECIDED), False, ExitCode.OK),
        (only(Verdict.PROVED, Verdict.UNDECIDED), True, ExitCode.UNDECIDED),
        (only(Verdict.PROVED).model_copy(update={"complete": False}), False, ExitCode.INTERRUPTED),
    ],
)
def test_exit_codes(report, strict, code):
    """A refutation outweighs a crash, a crash undecided; interruption is told apart."""
    assert view.exit_code(report, strict=strict) is code


def test_words_cover_every_verdict():
    """No verdict is left without a word, and sampling is never called a proof of privacy."""
    assert set(WORDS) == set(Verdict)
    assert not {"private", "safe", "secure"} & set(" ".join(WORDS.values()).split())


def test_an_empty_report_is_not_green():
    """Zero findings read as nothing, not as success."""
    empty = only()
    assert view.conclusion(empty) == "Nothing was checked."
    assert view.tone(empty) == "warn"


def test_expected_refutations_alone_are_green():
    """Caught faults and known errata are no findings against expectation."""
    report = only(Verdict.PROVED, Verdict.REFUTED)
    assert view.conclusion(report).startswith("No unexpected result")
    assert view.tone(report) == "good"


def test_a_subject_is_open_where_no_check_decides_it():
    """A search that no point decides leaves nothing open beside a proof, and all beside another search."""

    def of_one(*verdicts):
        report = only(*verdicts)
        one = report.findings[0].subject
        return report.model_copy(update={"findings": [f.model_copy(update={"subject": one}) for f in report.findings]})

    assert view.tone(of_one(Verdict.PROVED, Verdict.UNDECIDED)) == "good"
    assert view.tone(of_one(Verdict.CONSISTENT, Verdict.UNDECIDED)) == "warn"
    assert view.tone(of_one(Verdict.UNDECIDED)) == "warn"


@pytest.mark.parametrize(
    ("real", "shown"), [("0.0104321987", "0.0104322"), ("1e-300", "1e-300"), ("infinity", "infinity"), ("3", "3")]
)
def test_numbers_are_shortened_for_reading_only(real, shown):
    """Six digits, and words stay."""
    assert view.shorten_number(real) == shown


def test_the_run_command_repeats_the_run():
    """Selection, profile, seed and level are all in the command, quoted for a shell."""
    assert view.run_command(sample_report()) == "auditor run '*' --profile quick --seed 20240501 --alpha 1e-6"


@pytest.mark.parametrize(
    ("lower", "upper", "value", "shown"),
    [
        ("1e-5", "1e-5", None, "1e-5"),
        ("0.0999", "0.1001", "0.1", "0.1 ± 0.0001"),
        ("9.9999e-06", "0.0000100012", "0.00001", "0.00001 ± 2e-9"),
        ("-infinity", "3", "2", "[-infinity, 3]"),
        ("1", "2", None, "[1, 2]"),
    ],
)
def test_an_enclosure_reads_as_value_and_radius_rounded_up(lower, upper, value, shown):
    """The radius covers both ends; a number known exactly stands alone."""
    assert view.enclosed_text(Enclosed(lower=lower, upper=upper, value=value)) == shown


def test_a_sampled_test_says_its_bounds_and_efficiency_in_one_line():
    """Nothing where it has none."""
    bare = SamplingEvidence(method="m", pair="p", direction="forward", level="0.05", samples=1)
    full = bare.model_copy(
        update={
            "efficiency": "0.26",
            "efficiency_law": "estimated",
            "notes": ["ignores its rng"],
            "profile_lower": {"0": "0.19", "2": "0"},
            "tradeoff": [TradeoffPoint(fpr="0.2", fnr="0.6")],
        }
    )
    assert view.bounds_text(bare) == ""
    assert view.bounds_text(full) == (
        "delta is at least, by epsilon and all at once: 0.19 at 0; "
        "the trade-off function (fpr, fnr) lies below the lines through (0.2, 0.6); "
        "efficiency about 0.26, by the estimated law; "
        "note: ignores its rng"
    )
    assert "efficiency at least 0.26" in view.bounds_text(full.model_copy(update={"efficiency_law": "exact"}))


def test_what_silence_means_shows_the_corner_with_the_fewest_errors():
    """Of false positives and false negatives together; nothing for a test that bounds no trade-off function."""
    table = view.detectable_table(sample_report())
    place = table.columns.index("trade-off function at most (fpr, fnr)")
    assert "(0.2, 0.6)" in {row[place] for row in table.rows}
    bare = SamplingEvidence(method="m", pair="p", direction="forward", level="0.05", samples=1)
    assert view.best_corner(bare) == ""


def test_an_erratum_says_what_it_costs():
    """A promise that is exceeded says by how much at least: 0.01323 / 0.0049, rounded down."""
    (erratum,) = sample_report().errata
    assert view.consequence(erratum) == "conclusions from it need another argument"
    promise = erratum.model_copy(update={"severity": Severity.PRIVACY})
    assert view.consequence(promise).endswith("by a factor of at least 2.7 at epsilon = 1, tau = 0, tau_star = 19/2")
    close = erratum.witness.model_copy(update={"right": Enclosed(lower="0.01322998", upper="0.01322999")})
    little = view.consequence(promise.model_copy(update={"witness": close}))
    assert "at least 1 + 7.55e-7 at" in little
    worst = close.model_copy(update={"right": Enclosed(lower="0.001", upper="0.001"), "parameters": {"epsilon": "7"}})
    assert view.consequence(promise.model_copy(update={"worst": worst})).endswith("at least 13.2 at epsilon = 7")
    (row,) = view.errata_rows([promise.model_copy(update={"worst": worst})])
    assert (row.printed, row.factor) == ("0.001", "13.2")
    nothing = erratum.witness.model_copy(update={"right": Enclosed(lower="0", upper="0")})
    unbounded = view.consequence(promise.model_copy(update={"witness": nothing}))
    assert unbounded == "users of the statement have less privacy than it promises"


@pytest.mark.parametrize(
    ("pair", "shown"),
    [
        ("a: {'k0': 5, 'k1': 5, 'k2': 5} against {}", "a: {'k0' to 'k2': 5} against {}"),
        ("{'k0': 1, 'k1': 5, 'k2': 5, 'k3': 5, 'z': 5}", "{'k0': 1, 'k1' to 'k3': 5, 'z': 5}"),
        ("{'k0': 5, 'k1': 5}", "{'k0': 5, 'k1': 5}"),
        ("{'k0': 5, 'k2': 5, 'k3': 5}", "{'k0': 5, 'k2': 5, 'k3': 5}"),
        ("{'k9': 5, 'k10': 5, 'k11': 5, 'j12': 5}", "{'k9' to 'k11': 5, 'j12': 5}"),
        ("{'k08': 5, 'k09': 5, 'k010': 5}", "{'k08': 5, 'k09': 5, 'k010': 5}"),
        ("{'1/a': 2, '1/b': 2, '1/c': 2}", "{'1/a': 2, '1/b': 2, '1/c': 2}"),
    ],
)
def test_numbered_keys_of_one_count_are_told_by_their_ends(pair, shown):
    """Three at least, one after another; nothing else is left out."""
    assert evidence.runs(pair) == shown


def test_tiles_add_up_to_what_they_count():
    """The parts of each bar; one of the two planted faults escaped."""
    results = {tile.words: tile for tile in view.tiles(sample_report())}
    assert {words: tile.number for words, tile in results.items()} == {
        "claims": "10",
        "mechanisms": "1",
        "planted faults caught": "1 of 2",
        "privacy-neutral controls": "1",
        "accountants": "2",
    }
    for words, tile in results.items():
        assert sum(number for _, number, _ in tile.parts) == int(tile.number.rpartition(" ")[2]), words
    assert results["planted faults caught"].parts == (("good", 1, "caught"), ("bad", 1, "escaped"))


def answers_by_subject(report):
    """Return the tone and text of each answer by the kind of its subjects."""
    return {answer.about: (answer.tone, answer.text) for answer in view.answers(report)}


def test_a_known_defect_of_a_library_is_a_reason_not_to_ship():
    """The audit passes, as the defect was expected; a reader of the report must not rely on the library."""
    accountant = sample_report().accountants[0].model_copy(update={"verdict": Verdict.REFUTED, "library": "lib"})
    other = accountant.model_copy(update={"id": "z", "library": "other", "verdict": Verdict.CONSISTENT})
    report = report_of([]).model_copy(update={"accountants": [accountant, other]})
    tone, text = answers_by_subject(report)["Accountants"]
    assert tone == "bad"
    assert "Do not rely on 1 of 2 accountants" in text
    assert "lib (1 of 1)" in text
    assert text.endswith("No defect seen in other.")
    assert view.answer_tone(view.answers(report)) == "bad"
    assert "recorded" not in text
    record = accountant.model_copy(
        update={"verdict": Verdict.NOT_APPLICABLE, "recorded": {"class": "unsafe", "worst": "0.5", "loosest": ""}}
    )
    record = report.model_copy(update={"accountants": [record, accountant]})
    assert (
        "This run refuted 1; the other results are from recorded audits."
        in answers_by_subject(record)["Accountants"][1]
    )
    clean = report.model_copy(update={"accountants": [other]})
    assert answers_by_subject(clean)["Accountants"][0] == "good"


def test_the_answer_about_print_names_the_worst_statement():
    """How badly: the largest certified factor among the statements that promise more privacy than they give."""
    costly = [each.model_copy(update={"severity": Severity.PRIVACY}) for each in sample_report().errata]
    report = sample_report().model_copy(update={"errata": costly})
    tone, text = answers_by_subject(report)["Printed statements"]
    worst = view.errata_rows(costly)[0]
    assert tone == "bad"
    assert worst.factor
    paper = worst.erratum.printed.partition(".")[0]
    assert text.endswith(f"give, {paper}, {worst.erratum.source}, by a factor of at least {worst.factor}.")
    papers = Counter(each.printed.partition(".")[0] for each in costly)
    assert all(f"{number} of {paper}" in text.partition(":")[0] for paper, number in papers.items())
    bare = [each.model_copy(update={"worst": None, "witness": None}) for each in costly]
    answer = answers_by_subject(report.model_copy(update={"errata": bare}))["Printed statements"]
    assert answer[1].endswith("more privacy than they give.")


def test_an_accountant_that_was_not_run_is_judged_by_its_record():
    """A library that is neither installed nor in the record is in no answer."""
    one = sample_report().accountants[0].model_copy(update={"verdict": Verdict.NOT_APPLICABLE, "recorded": {}})
    report = report_of([]).model_copy(update={"accountants": [one]})
    assert view.answers(report) == []
    row = {"library": "lib 1", "of": "Laplace", "class": "unsafe", "worst": "0.5", "loosest": ""}
    known = report.model_copy(update={"accountants": [one.model_copy(update={"recorded": row})]})
    assert answers_by_subject(known)["Accountants"][0] == "bad"


@pytest.mark.parametrize(
    ("verdict", "tone"), [(Verdict.REFUTED, "bad"), (Verdict.UNDECIDED, "warn"), (Verdict.CONSISTENT, "good")]
)
def test_each_mechanism_is_in_the_answer(verdict, tone):
    """Refuted mechanisms are named; undecided ones are not ready."""
    kind = SubjectKind.MECHANISM
    one = Finding.of(
        subject="noise.py:release", subject_kind=kind, check="c", verdict=verdict, headline="h", reproduce=""
    )
    report = report_of([one])
    assert answers_by_subject(report)["Mechanisms"][0] == tone
    assert ("noise.py:release" in answers_by_subject(report)["Mechanisms"][1]) == (tone != "good")
