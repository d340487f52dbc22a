"""The type checker sees what is no number."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="needs mypy, of the extra dev")
ROOT = Path(__file__).resolve().parents[3]
SNIPPET = """
from fractions import Fraction
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.special import normal_cdf

def right(A: Arithmetic) -> None:
    A.exp(1)
    A.log1p(Fraction(1, 2))
    A.maximum(0, A.pi, -A.number("1e-8"))
    normal_cdf(A, A.sqrt(2))

def wrong(A: Arithmetic) -> None:
    A.exp("1")
    A.maximum(0, [1])
    normal_cdf(A, "0")
"""


@pytest.mark.slow
def test_a_string_passed_as_a_number_is_a_type_error(tmp_path):
    """Text and lists are refused, in methods and in special functions; integers, fractions and values are not."""
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
    assert [int(line.split(":")[1]) for line in lines] == [first, first + 1, first + 2], done.stdout
    assert all("Number" in line for line in lines)
