"""Coq proves goals that hold, leaves open what does not, and its lemmas say what the claim says."""

import shutil
import subprocess
from pathlib import Path

import pytest

from auditor.engine import coq
from auditor.engine.registry import registry
from auditor.errors import UsageError
from auditor.front.cli import invoke
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.statement import Statement


def there() -> bool:
    """Whether Coq and its library of interval arithmetic are installed."""
    command = [shutil.which("coqtop"), "-where"]
    if command[0] is None:
        return False
    folder = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
    return Path(folder, "user-contrib", "Interval").exists()


installed = pytest.mark.skipif(not there(), reason="needs Coq: apt install coq libcoq-interval")
X = Parameter("x", "", lower=0, upper=1)
Y = Parameter("y", "", open_lower=True)

x_ = lambda A, *, x, **_at: A.number(x)
y_ = lambda A, *, y, **_at: A.number(y)
one = lambda A, **_at: A.number(1)

HOLD = (
    Statement(x_, one, "<=", Box((X,))),
    Statement(one, lambda A, *, y, **_at: A.exp(y), "<", Box((Y,))),
    Statement(lambda A, *, x, **_at: A.log1p(x), lambda A, *, x, **_at: x + A.number("1/100"), "<", Box((X,))),
    Statement(lambda A, *, y, **_at: 1 / y - 1 / (1 + y), lambda A, *, y, **_at: 1 / (y * (1 + y)), "=", Box((Y,))),
    Statement(x_, y_, "<=", Box((X, Y)), hypotheses=(AtMost(one, y_),)),
    Statement(x_, y_, "<=", Box((X, Y), constraint=lambda x, y: x <= y)),
    Statement(lambda A, *, x, y: A.maximum(x, y) - y, x_, "<=", Box((X, Y))),
)
FAIL = (
    Statement(x_, one, "<", Box((X,))),
    Statement(one, lambda A, *, y, **_at: A.exp(y), "<", Box((Parameter("y", "", lower="-infinity"),))),
    Statement(lambda A, *, x, **_at: A.log1p(x), lambda A, *, x, **_at: x - x**2 / 2, "<=", Box((X,))),
    Statement(lambda A, *, y, **_at: 1 / y - 1 / (1 + y), lambda A, *, y, **_at: 1 / (y * (2 + y)), "=", Box((Y,))),
    Statement(x_, y_, "<=", Box((X, Y))),
    Statement(x_, y_, "<", Box((X, Y), constraint=lambda x, y: x <= y)),
    Statement(lambda A, *, x, y: A.maximum(x, y), y_, "<=", Box((X, Y))),
)


def closed(statements):
    """The goals, as if the kernel had closed them."""
    return [coq.Closed("claim", str(place), coq.proposition(one)) for place, one in enumerate(statements)]


def compiled(path):
    """The exit code of Coq's compiler."""
    command = ["coqc", "-q", str(path)]
    return subprocess.run(command, capture_output=True, check=False, cwd=path.parent).returncode  # noqa: S603


@installed
@pytest.mark.slow
def test_what_holds_is_proved_and_what_does_not_is_left_open():
    """Inequalities, equalities, hypotheses and maxima; and the same with an end, a side or a constant wrong."""
    goals = closed((*HOLD, *FAIL))
    assert coq.proved_by_coq(goals) == {goal.says for goal in goals[: len(HOLD)]}


@installed
@pytest.mark.slow
def test_coq_without_a_library_is_said(monkeypatch, tmp_path):
    """Nothing that was not tried is left open."""
    without = tmp_path / "without.v"
    without.write_text(coq.prelude(1).replace("Interval", "Absent"), "utf-8")
    monkeypatch.setattr(coq, "PRELUDE", without)
    with pytest.raises(UsageError, match=r"with coq-interval, got Cannot find .* prefix Absent\.; apt install"):
        coq.proved_by_coq(closed(HOLD))


def test_what_a_busy_machine_leaves_open_is_tried_for_longer(monkeypatch):
    """With a tenth of a processor twenty times as long; nothing that was proved, and nothing that had its time."""
    monkeypatch.setattr(coq, "coqtop", lambda: "coqtop")
    goals, requests = closed(HOLD), []

    def answered(_path, written, longer):
        requests.append((list(written), longer))
        return set(written[:1]), 0.1

    monkeypatch.setattr(coq, "_ask_coq", answered)
    says = [goal.says for goal in goals]
    assert coq.proved_by_coq(goals) == {*says[:2]}
    assert requests == [(says, 1), (says[1:], 20)]
    assert "timeout 60 sgn" in coq.prelude(20)


def test_a_lemma_says_the_ranges_the_hypotheses_and_the_sides():
    """A parameter of one value is that value."""
    box = Box((X, Y, Parameter("k", "", lower=2, upper=2)), constraint=lambda x, y, k: x <= k * y)
    goal = Statement(x_, lambda A, *, y, k, **_at: y**k, "<", box, hypotheses=(AtMost(one, y_, strict=True),))
    assert coq.proposition(goal) == (
        "forall v_x v_y : R, 0 <= v_x -> v_x <= 1 -> 0 < v_y -> 1 < v_y -> v_x <= (2 * v_y) -> v_x < (v_y ^ 2)"
    )


@pytest.mark.slow
def test_a_goal_that_cannot_be_written_says_why():
    """Words, special functions and rounded values are not written; a hypothesis is left out, which is no loss."""
    catalogue = registry().claims
    goals = list(coq.closed_goals(prove(catalogue["wilkins2024.thm5.4.third"], catalogue)))
    assert {bool(goal.says) for goal in goals} == {False, True}
    assert all(bool(goal.says) != bool(goal.why) for goal in goals)
    with pytest.raises(TypeError, match="words of side"):
        coq.proposition(Statement(one, one, "<=", Box((Parameter("side", "", choices=("a", "b")),))))
    unsaid = Statement(x_, one, "<=", Box((X, Y), constraint=lambda x, y: x < y < 1))
    assert coq.proposition(unsaid) == "forall v_x v_y : R, 0 <= v_x -> v_x <= 1 -> 0 < v_y -> v_x <= 1"


@installed
@pytest.mark.slow
def test_coqc_accepts_what_is_written_out(capsys, tmp_path):
    """Of two claims every goal is proved; in a copy with one side changed Coq stops."""
    out = tmp_path / "goals.v"
    assert invoke(["coq", "rogers2024.thm9.list", "rogers2024.thm9.picks", "--out", str(out)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "29 of 29 closed goals of 2 claims proved by Coq"
    assert compiled(out) == 0
    text = out.read_text()
    assert "rogers2024_thm9_picks_at_1" in text
    head, _, last = text.rpartition(".\nProof.")
    out.write_text(f"{head} + 1 = 0.\nProof.{last}")
    assert compiled(out) != 0
    assert invoke(["coq", "rogers2024.bm.l2"]) == 5  # no proof by tactics, nothing proved: not green


def test_without_coq_the_remedy_is_told(monkeypatch):
    """In one line; nothing is said of the goals."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="apt install coq libcoq-interval"):
        coq.proved_by_coq(closed(HOLD))
