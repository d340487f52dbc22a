"""The catalogue of the paper: no row missing."""

import importlib
import pkgutil

import pytest

import proofs_numeric.rogers2024
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.withdrawn import WITHDRAWN

CLAIMS: dict[str, Claim] = {
    claim.id: claim
    for place in pkgutil.walk_packages(proofs_numeric.rogers2024.__path__, "proofs_numeric.rogers2024.")
    for claim in getattr(importlib.import_module(place.name), "CLAIMS", ())
}
ROWS = [
    "def2.1", "intro.gauss_not_pure", "intro.bad_outcomes_insufficient", "def.lp_sens", "thm1.laplace", "def.range",
    "thm2.em_pure", "def2.2", "thm3.dp_to_cdp", "thm3.cdp_to_dp", "thm4.gauss", "em_naive", "thm5.em_cdp", "thm6",
    "lem3.1", "lem3.1.P''", "lem3.1.Q''", "lem3.1.cond2", "def.l0linf", "alg1", "alg1.ext_cmin", "thm7.laplace.T",
    "thm7.laplace.rho", "thm7.gaussian.T", "thm7.gaussian.rho", "thm7.proof.PE", "thm7.proof.laplace_bernoulli",
    "thm7.proof.gauss_bernoulli", "thm7.proof.Eprime", "thm7.proof.factor", "thm7.proof.l1route",
    "thm7.proof.univariate", "thm7.proof.nolambda", "thm7.proof.gauss_std", "thm7.proof.l2sens",
    "thm7.proof.gauss_half", "thm7.proof.final_line", "rem7.dp_route", "rem7.gain", "rem7.single", "rem7.eps1",
    "rem7.eps2", "rem7.cmp", "alg2", "thm8.T", "thm8.rho", "thm8.lem5.2", "thm8.chain", "thm8.Eprime", "thm8.sum",
    "thm8.factor", "thm8.lem6.4", "lem4.1", "lem4.1.instance", "thm8.region", "sec421.kbar", "gumbel.max",
    "gumbel.topk", "expnoise.pf", "rnm.argmax_only", "alg3", "gumbel.logistic", "thm9.T", "thm9.rho", "thm9.factor",
    "thm9.proofT", "thm9.nolambda", "alg4", "thm10.delta", "thm10.rho", "thm10.union", "thm10.product", "thm10.kstar",
    "thm10.mixture", "thm10.params", "sec422.scaling", "bm.noise_terms", "bm.std", "bm.cells_text", "bm.l2", "bm.cells",
    "bm.example", "thm11.T_stmt", "thm11.T_proof", "thm11.popcount", "thm11.union", "thm11.rho", "thm11.factor",
    "thm11.renyi", "concl",
]  # fmt: skip


def test_every_row_of_the_catalogue_is_a_claim():
    """Ninety rows; what was withdrawn has a reason."""
    assert len(ROWS) == 90
    assert [row for row in ROWS if f"rogers2024.{row}" not in CLAIMS.keys() | WITHDRAWN.keys()] == []


def test_what_is_sharper_than_print_is_ours():
    """It carries no words of the paper."""
    sharp = [claim for id_, claim in CLAIMS.items() if id_.startswith("rogers2024.sharp.")]
    assert len(sharp) >= 8
    assert all(claim.source.ours for claim in sharp)


@pytest.mark.parametrize(
    ("row", "parameters"),
    [
        ("thm3.cdp_to_dp", {"rho", "delta"}),
        ("thm7.laplace.T", {"delta_0", "delta_inf", "epsilon", "delta"}),
        ("thm7.gaussian.T", {"delta_0", "delta_inf", "epsilon", "delta"}),
        ("thm8.T", {"delta_0", "delta_inf", "epsilon", "delta"}),
        ("thm8.new_item_mass", {"delta_0", "delta"}),
        ("thm9.T", {"k_bar", "epsilon", "delta"}),
        ("thm11.T_stmt", {"L", "delta_0", "epsilon", "delta"}),
        ("thm11.T_proof", {"L", "delta_0", "epsilon", "delta"}),
    ],
)
def test_claims_that_evaluate_take_the_papers_parameters(row, parameters):
    """Names are a contract."""
    claim = CLAIMS[f"rogers2024.{row}"]
    assert claim.formula is not None
    assert set(claim.domain.names) == parameters
