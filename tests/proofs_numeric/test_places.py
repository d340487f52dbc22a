"""A claim's id tells where it stands."""

import importlib
import pkgutil

import pytest

import proofs_numeric
from proofs_numeric.statements.places import place

PACKAGES = [
    importlib.import_module(f"proofs_numeric.{info.name}")
    for info in pkgutil.iter_modules(proofs_numeric.__path__)
    if info.ispkg
]
TABLES: dict[str, dict[str, str]] = {
    package.__name__.removeprefix("proofs_numeric."): package.PLACES
    for package in PACKAGES
    if hasattr(package, "PLACES")
}


def declared(paper: str) -> list[tuple[str, str]]:
    """(id of a claim, the module within the paper's folder that declares it)."""
    package = importlib.import_module(f"proofs_numeric.{paper}")
    found = []
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        claims = getattr(importlib.import_module(info.name), "CLAIMS", ())
        found += [(claim.id, info.name.removeprefix(f"{package.__name__}.")) for claim in claims]
    return found


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("wilkins2024.thm5.4", "theorem_5_4"),
        ("wilkins2024.thm5.4.shape.kappa", "theorem_5_4"),
        ("wilkins2024.cor5.4.1.ub", "corollary_5_4_1"),
        ("wilkins2024.lemA.3", "lemma_a_3"),
        ("wilkins2024.secA3.H", "section_a3"),
        ("wilkins2024.sec6.1pct.add", "section_6"),
        ("wilkins2024.fig1b.ratio", "figure_1b"),
        ("rogers2024.rem7.eps2", "remark_7"),
        ("lebeda2025.csh.exact", "csh"),
    ],
)
def test_a_place_is_the_results_word_and_number(claim: str, expected: str) -> None:
    """Where no table says otherwise."""
    assert place(claim, {}) == expected


def test_the_longest_beginning_in_the_table_wins() -> None:
    """A beginning ends at a dot: `A.1` is not the beginning of `A.12`."""
    places = {"A": "appendix", "A.1": "lemma_1", "A.12.third": "corollary_5_4_1"}
    assert [place(f"paper.{part}", places) for part in ("A.1.x", "A.12", "A.12.third")] == [
        "lemma_1",
        "appendix",
        "corollary_5_4_1",
    ]


@pytest.mark.parametrize("paper", TABLES)
def test_every_claim_stands_in_its_place(paper: str) -> None:
    """In the module of that name, or in a module of the folder of that name."""
    found = declared(paper)
    assert found, f"{paper} declares no claim"
    elsewhere = {
        claim: (module, expected)
        for claim, module in found
        if not f"{module}.".startswith(f"{(expected := place(claim, TABLES[paper]))}.")
    }
    assert elsewhere == {}


@pytest.mark.parametrize("paper", TABLES)
def test_every_row_of_a_table_is_needed(paper: str) -> None:
    """Without it, some claim's place would be another."""
    table, claims = TABLES[paper], [claim for claim, _module in declared(paper)]
    needless = [
        row
        for row in table
        if not any(
            place(claim, table) != place(claim, {key: there for key, there in table.items() if key != row})
            for claim in claims
        )
    ]
    assert needless == []
