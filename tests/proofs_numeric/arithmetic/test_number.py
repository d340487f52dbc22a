"""The type checker sees what is no number."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="needs mypy, of the extra dev")
ROOT = Path(__file__).resolve().parents[3]
SNIPPET = """
from fractions import Fraction
from mechanisms.correlated_stability_histogram.accountant import delta as correlated_accountant
from mechanisms.gaussian_sparse_histogram.law import two_near_profile
from proofs_numeric.arithmetic import Arithmetic, Float64
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.bharadwaj2022.cells import tight
from proofs_numeric.rogers2024.theorem_7.exact_profile import laplace_exact
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import literal_maximum

def right(A: Arithmetic) -> None:
    A.exp(1)
    A.log1p(Fraction(1, 2))
    A.maximum(0, A.pi, -A.number("1e-8"))
    normal_cdf(A, A.sqrt(2))
    increasing_root(A, A.exp, 0, Fraction(1, 2))
    literal_maximum(A, epsilon=1, c_u=3, sigma=A.number("0.1"), gap=Fraction(1, 3), mu_o=0.5)
    correlated_accountant(1.0, k=3, sigma=2.0, gap=5.0)

def wrong(A: Arithmetic) -> None:
    A.exp("1")
    A.maximum(0, [1])
    normal_cdf(A, "0")
    increasing_root(A, A.exp, "0", 1)
    literal_maximum(A, epsilon="1", c_u=3, sigma=1, gap=2, mu_o=0)
    laplace_exact(A, epsilon="1", delta_0=1, delta_inf=1, b=1, T=5)
    tight(A, epsilon=1, alpha="1/6", tau=3)
    two_near_profile(A, "1", Direction.FORWARD, count=3, tau_star=4, sigma=1)
    text: str = normal_cdf(A, 0)
    correlated_accountant("1", k=3, sigma=2.0, gap=5.0)
"""


@pytest.mark.slow
def test_a_string_passed_as_a_number_is_a_type_error(tmp_path):
    """Text and lists are refused by methods, special functions, a formula of each paper, a law and an accountant.

    Integers, fractions, doubles and values are not; a value is no text.
    """
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET, encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(snippet)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    first = SNIPPET.splitlines().index("def wrong(A: Arithmetic) -> None:") + 2
    lines = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert [int(line.split(":")[1]) for line in lines] == list(range(first, len(SNIPPET.splitlines()) + 1)), done.stdout
    assert all("Number" in line for line in lines[:-1])
    assert '"float"' in lines[-1]
