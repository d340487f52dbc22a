"""Audit of an accountant against a claim: the audit calls the target, and the log of calls decides."""

from collections.abc import Callable, Mapping, Sequence

from auditor.accountant_audit.conclusion import concluded
from auditor.accountant_audit.log import Call
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.result import AccountantAudit
from auditor.accountant_audit.search import Caller, search
from auditor.accountant_audit.untaken import untaken
from proofs_numeric.arithmetic.formula import Value


def audit_accountant(
    request: AccountantRequest, watch: Callable[[Sequence[Call], float], object] | None = None
) -> AccountantAudit:
    """Search a claim's domain for inputs at which a callable is unsafe, invalid, inconsistent, or loosest.

    Args:
        request: target, claim, box, tolerance and size of the search.
        watch: called after each call with the log and the CPU seconds spent.

    Errors:
        TargetError: the target does not import, cannot be called, or takes other names.
        UsageError: the box holds no point of the claim's domain.
    """
    with request.located() as target:
        box = request.searched(target)
        caller = Caller(target, request.judge, box, float(request.budget), watch=watch)
        search(caller, request.max_examples, request.seed, until_refuted=request.until_refuted)
        open_branches = untaken(target.branches, target.ways, box)
        return concluded(request, target.name, box, caller.log, len(caller.cut), open_branches)


def audit_points(request: AccountantRequest, points: Sequence[Mapping[str, Value]]) -> AccountantAudit:
    """Call a target at the given points only, to check whether recorded results still occur.

    Args:
        request: target, claim, box and tolerance.
        points: exact numbers by parameter.

    Errors:
        as `audit_accountant`; UsageError: the box holds none of the points.
    """
    with request.located() as target:
        box = request.searched(target)
        caller = Caller(target, request.judge, box)
        for point in box.published_points(tuple(points)):
            caller(point)
        return concluded(request, target.name, box, caller.log)
