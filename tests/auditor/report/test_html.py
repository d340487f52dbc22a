"""The HTML page: self-contained, escaped, complete."""

import hashlib
import itertools
import re
from base64 import b64encode
from decimal import Decimal
from html.parser import HTMLParser

import pytest

from auditor.findings.evidence import Enclosed, EnclosureRow, EnclosuresEvidence, ProofEvidence
from auditor.report import html, view
from auditor.report.evidence import (
    beyond_table,
    facts,
    few_facts,
    groups,
    in_headline,
    pairs,
    places,
    tells_scope,
    under,
)
from auditor.report.html import anchor
from auditor.report.model import Plot, Series, Severity
from auditor.report.svg import render as draw
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report import sample
from tests.auditor.report.sample import HOSTILE, reproduce, sample_report

VOID = {"meta", "br", "wbr", "link", "hr", "img", "input"}
ENDED_BY = {
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "th": {"th", "td"},
    "td": {"th", "td"},
    "tr": {"th", "td", "tr"},
    "li": {"li"},
    "thead": {"caption"},
    "tbody": {"th", "td", "tr", "thead", "tbody"},
    **dict.fromkeys(("article", "details", "div", "dl", "figure", "h2", "h3", "h4", "ol", "p"), ("p",)),
    **dict.fromkeys(("section", "table", "ul"), ("p",)),
}
"""HTML lets the end of these be left out: what starts, and what it ends."""
ENDLESS = set().union(*ENDED_BY.values())


class Outline(HTMLParser):
    """Tags, ids, links and headings of a page; notes tags that are not closed."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.ids, self.links, self.attributes, self.crossed = [], [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        """Record a tag."""
        while self.open and self.open[-1] in ENDED_BY.get(tag, ()):
            self.open.pop()
        values = dict(attrs)
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Record a tag that closes itself."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        """Check that tags nest."""
        while self.open and self.open[-1] != tag and self.open[-1] in ENDLESS:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)


@pytest.fixture(scope="module")
def page():
    """Render the sample."""
    return html.render(sample_report())


@pytest.fixture(scope="module")
def outline(page):
    """Parse the sample page."""
    parser = Outline()
    parser.feed(page)
    return parser


@pytest.mark.slow
def test_tags_nest(outline):
    """Every tag is closed in order."""
    assert (outline.crossed, outline.open) == ([], [])


def test_nothing_is_loaded_from_outside(outline, page):
    """No style sheet, no font, no picture, no frame: only links inside the page."""
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(outline.tags)
    assert all(link.startswith("#") for link in outline.links)
    assert not re.search(r"@import|url\((?!#)|src=", page)


def test_the_policy_forbids_everything_else(page):
    """Even a page that was tampered with loads nothing in a browser."""
    (script,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page


def test_there_are_no_event_handlers(outline):
    """No attribute can run anything."""
    assert not [name for _, name, value in outline.attributes if name.startswith("on") or "javascript:" in value]


def test_proof_steps_are_prose(page):
    """What a proof step says is read as it is written: an exponent is no subscripted word, a minus sign no text."""
    steps = re.search(r"<ol>.*?</ol>", page)
    assert steps is not None
    assert "third at eps &lt;= 0: f(mu, -x) = 1 - e^-x + e^-x f(mu, x)" in steps[0]


def test_hostile_names_stay_text(page):
    """A library's name that is markup is shown, never obeyed."""
    assert page.count("<script>") == 1
    assert "&lt;script>alert(1)&lt;/script>" in page


def test_hostile_plots_stay_text():
    """Captions, labels and curve names that are markup or mathematics do not break a drawing."""
    series = Series(name=HOSTILE.replace("\x07", "$_{"), x=["1", "2"], y=["1", "2"])
    drawing = draw(Plot(caption=HOSTILE, x_label="<b>", y_label='"', series=[series, series]))
    assert "<script>" not in drawing
    assert "<b>" not in drawing


def test_ids_are_unique(outline):
    """Two drawings and many findings share one page without sharing an id."""
    assert len(outline.ids) == len(set(outline.ids))


def test_links_inside_the_page_arrive(outline):
    """Every fragment names an id of the page."""
    assert {link[1:] for link in outline.links} <= set(outline.ids)


def test_headings_step_by_one(outline):
    """One h1, and no level is skipped."""
    levels = [int(tag[1]) for tag in outline.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(deeper <= level + 1 for level, deeper in itertools.pairwise(levels))


def test_tables_have_captions_and_headers(page, outline):
    """Every table says what it shows; its head holds the columns' headers alone, and each row begins with its own."""
    assert outline.tags.count("table") == outline.tags.count("caption") > 5
    for table in re.findall("<table.*?</table>", page, re.DOTALL):
        head, _, body = table.partition("<tbody>")
        assert "<td" not in head
        assert all(row.startswith("<th>") for row in body.split("<tr>")[1:])


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("reference.discrete_correlated.delta_with_sums", "reference.discrete_<wbr>correlated.delta_with_<wbr>sums"),
        ("proved, wilkins2024.thm5.4.mono.epsilon", "proved, wilkins2024.thm5.4.mono.<wbr>epsilon"),
        ("at most 0.12345678901234567890123456789", "at most 0.12345678901234567890123456789"),
        ("<script>alert(a_very_long_name_of_something)</script>",
         "&lt;script&gt;alert(a_very_long_name_of_<wbr>something)&lt;/script&gt;"),
    ],
)  # fmt: skip
def test_long_ids_go_on_in_the_next_line(cell, written):
    """After a point or an underscore, where they are longer than a line; numbers do not, and text stays text."""
    row = {"caption": "c", "columns": ["a"], "rows": [[cell]]}
    assert f"<th>{written}" in str(html._environment().get_template("macros.html.j2").module.table(row))


def test_drawings_have_names(outline):
    """Every plot and figure has a text alternative; what only decorates is hidden from who cannot see it."""
    names = ("aria-label", "aria-labelledby", "aria-hidden")
    told = [(name, value) for tag, name, value in outline.attributes if tag == "svg" and name in names]
    assert len(told) == outline.tags.count("svg")
    assert sum(name != "aria-hidden" for name, _ in told) > 1
    assert {value for name, value in told if name == "aria-labelledby"} <= set(outline.ids)


def test_the_summary_comes_first(page):
    """What was found is told before anything else."""
    order = [page.index(f"id={name}") for name in ("summary", "unexpected", "errata", "faults", "claims", "trust")]
    assert order == sorted(order)
    assert page.index("2 unexpected results, 1 check crashed") < order[0]


def test_the_field_is_hidden_until_the_script_runs(page):
    """Without scripts nothing on the page pretends to work."""
    assert "<div id=search role=search hidden>" in page


def test_what_needs_attention_and_what_costs_privacy_are_on_the_first_screen():
    """Unexpected and undecided findings, each a link; then the errata as a table with both sides at the witness."""
    report = sample_report()
    costly = [erratum.model_copy(update={"severity": Severity.PRIVACY}) for erratum in report.errata]
    page = html.render(report.model_copy(update={"errata": costly}))
    listed = re.search(r"<ol class=matters>(.*?)</ol>", page, re.DOTALL)
    assert listed is not None
    assert listed.start() < page.index("id=summary")
    links = re.findall(r"<a href=#([^ >]+)>", listed[1])
    assert links == [anchor(f.id) for f in (*view.unexpected_findings(report), *view.undecided_findings(report))]
    table = re.search(r"<table class=errata>(.*?)</table>", page, re.DOTALL)
    assert table is not None
    assert listed.start() < table.start() < page.index("id=summary")
    assert re.findall(r"<td>([^<]*)", table[1])[1:4] == ["0.0049", "0.013235", "2.7"]


def test_counts_that_differ_are_explained(page):
    """The errata are refuted claims, and not all refuted claims are errata."""
    report = sample_report()
    refuted = sum(claim.verdict is Verdict.REFUTED for claim in report.claims)
    same = [entry for entry in report.errata if entry.printed_verdict is Verdict.REFUTED]
    assert view.explained_counts(report) in page
    assert ("of them errata" in page) == (refuted != len(same))
    more = [claim.model_copy(update={"verdict": Verdict.REFUTED}) for claim in report.claims]
    assert f"{len(more)} claims refuted, {len(same)} of them errata" in view.explained_counts(
        report.model_copy(update={"claims": more})
    )


def test_a_fault_that_was_refuted_is_caught(page):
    """A planted fault has the word for what should happen, and one that escaped has its verdict."""
    section = page[page.index("<section id=faults") : page.index("<section id=accountants")]
    words = re.findall(r"<h3>.*?<b[^>]*>([^<]*)</b>", section)
    caught = [fault.verdict is Verdict.REFUTED for fault in sample_report().faults]
    assert [word == "caught" for word in words] == caught
    assert set(caught) == {True, False}


def test_a_known_defect_is_red(page):
    """The colour is for the reader; the expectation of the suite is in the filter alone."""
    report = sample_report()
    refuted = [e for e in report.errata if e.printed_verdict is Verdict.REFUTED]
    assert refuted
    for erratum in refuted:
        card = page[page.index(f"<article id={anchor(erratum.printed)} ") :]
        assert '<b class="bad known">refuted, known to be false</b>' in card[: card.index("</article>")]


def test_the_first_sentence_answers_whether_to_ship(page):
    """Before the result of the run, which has a sentence on its meaning."""
    tone = view.answer_tone(view.answers(sample_report()))
    first = re.search(r"<h1>[^<]*</h1><p class=[^>]*><strong[^>]*>May we ship\?</strong> ([^<]*)", page)
    assert first is not None
    assert first[1].strip() == view.MAY_WE_SHIP[tone]
    assert page.index(view.ABOUT_PASS[view.tone(sample_report())]) > first.end()


def test_the_contents_have_counts(page):
    """Each link of the contents with a number has that many entries in its section."""
    contents = re.search(r"<nav .*?</nav>", page, re.DOTALL)
    assert contents is not None
    report = sample_report()
    for name, entries in (("errata", report.errata), ("faults", report.faults), ("claims", report.claims)):
        assert re.search(rf"<a href=#{name}>[^<]*</a> <span>{len(entries)}</span>", contents[0])


def test_every_finding_is_there_with_its_command(page):
    """No finding is dropped, what the page leads to has its id, and each says how to see it again."""
    report = sample_report()
    entries = page[page.index("<main>") :]
    leads = {
        *(e.finding for e in report.errata),
        *(f.id for f in (*view.unexpected_findings(report), *view.undecided_findings(report))),
    }
    assert len(re.findall(r"<details|<p\b[^>]*>(?:<b[^>]*>[^<]*</b> )?<code>", entries)) == len(report.findings)
    for finding in report.findings:
        matches = re.findall(rf'id="?{re.escape(anchor(finding.id))}[" >]', page)
        assert len(matches) == (finding.id in leads)
        assert f"See it again: <code>{finding.reproduce}</code>" in page
    assert page.count("See it again") == len(sample_report().findings)


@pytest.mark.slow
def test_a_command_that_is_the_same_for_all_is_said_once():
    """But for its subject; what is against expectation has its own command all the same."""
    report = sample_report()
    alike = [finding.model_copy(update={"reproduce": reproduce(finding.subject)}) for finding in report.findings]
    page = html.render(report.model_copy(update={"findings": alike}))
    assert page.count(reproduce("ID")) == 1
    assert page.count("See it again") == len(view.unexpected_findings(report)) + len(view.undecided_findings(report))
    absent = [entry.id for entry in report.accountants if entry.verdict == "NOT_APPLICABLE"]
    cards = [re.search(rf'<article id="?{re.escape(anchor(one))}[" >].*?</article>', page, re.DOTALL) for one in absent]
    assert cards
    assert all(card is not None and card[0].count("not applicable") == 1 for card in cards)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "verdict", "scope", "told"),
    [
        ("lemma.search", "PROVED", "", False),
        ("lemma.search", "PROVED", "k <= 3", True),
        ("lemma.search", "CONSISTENT", "", True),
        ("lemma.direction", "CONSISTENT", "", False),
    ],
)
def test_a_search_beside_a_whole_proof_and_a_direction_are_one_line(check, verdict, scope, told):
    """The count stays; the closest point is on the claim's own page."""
    report, searched = sample_report(), "wilkins2024.alg1.corrected"
    claims = [
        claim.model_copy(update={"verdict": Verdict(verdict), "scope": scope}) if claim.id == searched else claim
        for claim in report.claims
    ]
    findings = [
        f.model_copy(update={"check": check}) if f.subject == searched and "in 500 cases" in f.headline else f
        for f in report.findings
    ]
    report = report.model_copy(update={"claims": claims, "findings": findings})
    card = re.search(rf"<article id={searched}.*?</article>", html.render(report), re.DOTALL)
    assert card is not None
    assert "in 500 cases" in card[0]
    assert ("least slack" in card[0]) is told
    assert "least slack" in html.site(report)[f"subjects/{searched}.html"]


def test_the_parameter_of_a_direction_is_in_its_name_alone():
    """The line of a direction begins with `lemma.direction::sigma`; other checks keep their text."""
    one = sample.finding(
        "a.b", "lemma.direction", Verdict.PROVED, "never rises in sigma: closed 2 goals in sigma: Slope"
    )
    direction = one.model_copy(update={"id": "a.b::lemma.direction::sigma"})
    assert beyond_table(direction) == "never rises: closed 2 goals in sigma: Slope"
    other = direction.model_copy(update={"check": "lemma.proof"})
    assert beyond_table(other) == "never rises in sigma: closed 2 goals in sigma: Slope"


def test_what_several_records_share_is_said_once():
    """Records of the same facts are one table: its columns are what differs."""
    finding = next(f for f in sample_report().findings if f.id == "half_noise::empirical")
    (first,) = finding.evidence
    second = first.model_copy(update={"epsilon": "2", "delta_lower": "0.0042"})
    ((records, shared, names, rows),) = groups([first, second])
    assert records == [first, second]
    assert (names, rows) == (["epsilon", "delta, lower bound"], [["1", "0.0081"], ["2", "0.0042"]])
    assert shared["samples"] == "28,952 in 29 blocks"


def test_a_few_short_facts_follow_the_headline_and_more_open():
    """Nothing is lost either way, and a line says what its entry does not."""
    finding = next(f for f in sample_report().findings if f.id == "half_noise::empirical")
    three = Enclosed(lower="3", upper="3", value="3")
    row = EnclosureRow(parameters={"x": "2"}, quantity=three)
    short = EnclosuresEvidence(quantity="delta", digits=9, relation="equal", cases=1, rows=[row])
    result = few_facts(finding.model_copy(update={"evidence": [short]}), {"points": "1"}, {})
    assert result == {"digits": "9", "hardest at": "x = 2", "delta": "3"}
    long = short.model_copy(update={"rows": [EnclosureRow(parameters={"x": "2" * 200}, quantity=three)]})
    assert few_facts(finding.model_copy(update={"evidence": [long]}), {}, {}) == {}
    assert few_facts(finding, {}, {}) == {}


def test_records_that_differ_in_their_first_fact_alone_are_one_row():
    """Its texts stand one after another; a row that says something else stays its own."""
    step = ProofEvidence(step="1", method="", expression="Sign: x >= 0")
    steps = [
        step,
        step.model_copy(update={"step": "2", "expression": "Sign: y >= 0"}),
        step.model_copy(update={"step": "3"}),
    ]
    ((_records, _shared, names, rows),) = groups(steps)
    assert (names[0], rows) == ("step of a proof", [["1, 3", "Sign: x >= 0"], ["2", "Sign: y >= 0"]])


def test_a_box_is_told_once_in_the_table_of_a_proof(monkeypatch):
    """Where a goal's box, or the names that begin it, was told, its step is named; nothing else is left out."""
    wide, narrow = "0 <= epsilon <= 700, 1 <= c_u <= 30, an integer", "1e-6 <= sigma <= 1000000, any real gap"
    over = [wide, wide, f"{wide}, 0 <= place", narrow, narrow, f"{wide}0", f"{wide}, 0 <= place"]
    outputs = [f"{rule}: x >= 0 over {box}" for rule, box in zip("ABCDEFG", over, strict=True)]
    steps = [
        ProofEvidence(step=f"1.{place}", method="", expression=goal, boxes=place + 1)
        for place, goal in enumerate(outputs, start=1)
    ]
    ((_records, _shared, _names, shortened),) = groups(steps)
    assert [row[:2] for row in shortened[1:]] == [["1.2", "B: x >= 0 there"], ["5 more", "in report.json"]]
    monkeypatch.setattr("auditor.report.evidence.MOST_STEPS", len(steps))
    ((_records, _shared, names, rows),) = groups(steps)
    place = names.index("shown")
    assert [row[place] for row in rows] == [
        outputs[0].replace("<=", "≤"),
        "B: x >= 0 there",
        "C: x >= 0 there, 0 ≤ place",
        outputs[3].replace("<=", "≤"),
        "E: x >= 0 over that of 1.4",
        outputs[5].replace("<=", "≤"),
        "G: x >= 0 over that of 1.3",
    ]


def test_places_deep_below_one_node_are_told_together():
    """Those near the root, and one alone, stay as they are."""
    paths = [
        "1.1",
        "1.3.2.1.1",
        "1.3.2.1.2.1",
        "1.3.2.4-5",
        "1.4.1",
        "1.5.1.2.1",
        "1.5.1.2.2.1",
        "1.6.1.1",
        "1.6.1.1.2",
    ]
    assert [*under(paths)] == ["1.1", "1.3.2.{1.1, 1.2.1, 4-5}", "1.4.1", "1.5.1.2.{1, 2.1}", "1.6.1.{1, 1.2}"]


def test_a_goal_says_its_sides_in_a_word():
    """What holds between them, and where, stays; other prose about sides does too."""
    goal = ProofEvidence(step="1", method="", expression="Sign: left side <= right side over 0 < x")
    assert facts(goal)["shown"] == "Sign: ≤ over 0 < x"
    assert facts(goal.model_copy(update={"expression": "the left side is 0"}))["shown"] == "the left side is 0"


def test_a_pair_that_was_told_is_called_by_its_name():
    """Its direction is told each time; another pair of the same name is told whole, and so is one without a name."""
    finding = next(f for f in sample_report().findings if f.id == "half_noise::empirical")
    (first,) = finding.evidence
    one = first.model_copy(update={"pair": "n1: {'a': 1} against {}", "direction": "forward"})
    other = one.model_copy(update={"pair": "n1: {'b': 2} against {}"})
    told = pairs([finding.model_copy(update={"evidence": [one]})])
    assert told == {"n1": "n1: {'a': 1} against {}"}
    assert facts(one, told)["pair"] == "n1 forward"
    assert facts(other, told)["pair"] == "n1: {'b': 2} against {} forward"
    assert facts(one)["pair"] == "n1: {'a': 1} against {} forward"


@pytest.mark.parametrize(
    ("name", "text", "headline", "there"),
    [
        ("cases", "70", "70 cases decided exactly, none fails", True),
        ("cases", "70", "1.70 of 170 cases, 70.5 of 701", False),
        ("claimed delta", "0.0396", "delta(1) >= 0.06743 on wc1, claimed 0.0396; event", True),
        ("epsilon", "1", "1 pair", False),
        ("digits", "15", "70 points enclosed to 15 digits", True),
        ("digits", "10", "within 3e-10 at 70 points", False),
        ("why", "one longer sentence", "not what one longer sentence says", True),
    ],
)
def test_what_a_headline_says_is_not_said_again(name, text, headline, there):
    """A short number counts as said where headlines are of it, and only whole."""
    assert in_headline(name, text, headline) is there


@pytest.mark.parametrize(
    ("scope", "said"), [("1 pair, epsilon in {1}", True), ("1 pair, epsilon in {1, 2}", False), ("2 pairs", False)]
)
def test_a_scope_is_left_out_where_the_only_record_says_it(scope, said):
    """One test at one epsilon: its pair and its epsilon are named below; of two tests the scope is told."""
    finding = next(f for f in sample_report().findings if f.id == "half_noise::empirical")
    scoped = finding.model_copy(update={"scope": scope})
    assert tells_scope(scoped) is said
    assert not tells_scope(scoped.model_copy(update={"evidence": finding.evidence * 2}))


def test_records_of_other_facts_stay_apart():
    """A fact that one record lacks is no empty cell."""
    finding = next(f for f in sample_report().findings if f.id == "half_noise::empirical")
    (first,) = finding.evidence
    assert len(list(groups([first, first.model_copy(update={"delta_lower": None})]))) == 2


def test_a_number_rounded_for_a_table_still_encloses():
    """The radius grows by what rounding moved the value."""
    number = Enclosed(lower="0.123456789012345", upper="0.123456789012346", value="0.123456789012345")
    text = view.enclosed_text(number, 6)
    value, radius = map(Decimal, text.split(" ± "))
    assert value - radius <= Decimal(number.lower) <= Decimal(number.upper) <= value + radius
    assert text == "0.123457 ± 3e-7"


def test_dark_mode_reaches_the_plots(page):
    """Drawings take their colours from the page."""
    assert "prefers-color-scheme:dark" in page
    drawing = page[page.index('aria-label="Exact delta') :]
    drawing = drawing[: drawing.index("</svg>")]
    assert "var(--plot-0)" in drawing
    assert not re.search(r"#0\d0f0f|#010101|#020202", drawing)


def relative_luminance(colour):
    """WCAG relative luminance of #rgb or #rrggbb."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize(
    ("front", "back"),
    [("ink", "bg"), ("muted", "bg"), ("muted", "card"), ("link", "bg"), ("link", "card"), ("good", "good-bg"),
     ("bad", "bad-bg"), ("warn", "warn-bg"), ("ink", "plain-bg")],
)  # fmt: skip
def test_text_has_enough_contrast(scheme, front, back, page):
    """Text reaches the 4.5 to 1 of WCAG AA in both colour schemes."""
    colours = dict(re.findall(r"--([a-z0-9-]+):(#[0-9a-f]{3,6})", re.findall(r":root\{([^}]*)\}", page)[scheme]))
    light, dark = sorted((relative_luminance(colours[front]), relative_luminance(colours[back])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.slow
def test_the_same_report_gives_the_same_page(page):
    """Rendering is a function, drawings included."""
    assert html.render(sample_report()) == page


@pytest.mark.slow
def test_an_interrupted_report_says_so():
    """A partial report names what was not run and how to go on."""
    partial = sample_report().model_copy(update={"complete": False, "pending": ["wilkins2024.thm2.2::numeric"]})
    page = html.render(partial)
    assert "Interrupted: 1 check not run" in page
    assert "auditor run --resume" in page
    assert "wilkins2024.thm2.2::numeric" in page


@pytest.mark.slow
def test_a_correction_that_was_not_selected_is_said_to_be_missing(page):
    """No empty parentheses where links to its evidence would be."""
    report = sample_report()
    errata = [report.errata[0].model_copy(update={"corrected": "wilkins2024.absent"})]
    selected = html.render(report.model_copy(update={"errata": errata}))
    assert "absent</code> (not in this run)" in selected
    assert "(not in this run)" not in page


def test_anchors_do_not_collide():
    """Different ids have different anchors, whatever characters they use."""
    ids = ["a::b", "a:b", "a_b", "a b", "a_3a_b", "a.b", "a<b"]
    assert len({anchor(identifier) for identifier in ids}) == len(ids)


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["1.2.3", "1.2.4", "1.2.5", "1.3.6"], ["1.2.3-5", "1.3.6"]),
        (["1", "2", "1.9", "1.10", "1.12"], ["1", "2", "1.9-10", "1.12"]),
        (["given", "a step"], ["given", "a step"]),
    ],
)
def test_places_that_follow_each_other_are_said_as_one(paths, said):
    """Of a tree's leaves only those under one node, and of other texts none."""
    assert list(places(paths)) == said
