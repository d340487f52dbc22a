"""How a run of many tests spends its time: what a worker does not import, which files come first, what each test took.

No test fails because the machine is busy.
"""

import gc
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from auditor.settings import ONE_THREAD, SELDOM

# Before NumPy is loaded: workers share the processors already.
os.environ.update(ONE_THREAD)
gc.set_threshold(*SELDOM)  # collecting, too, makes half a million objects that stay
# On a busy machine an example takes what it takes.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

# Where it is installed, jsonschema compiles this grammar of IRIs on import: 4 s of CPU, and no schema here has an IRI.
sys.modules.setdefault("rfc3987_syntax", None)

CPU = "cpu_seconds"
"""Property of each test's report, in JUnit too: what its process and those that it started spent, fixtures included."""
SLOWEST = 100


RECORD = "auditor/cpu_seconds"
"""Where pytest's cache keeps, by test, what each took when it was last run."""
UNKNOWN = {True: 0.3, False: 0.01}
"""CPU seconds expected of a test without a record, whether or not it is marked slow: as `slow(30)` it says itself."""


def pytest_collection_modifyitems(config, items):
    """Files that will take longest first: the many short ones then fill what is left, so that no worker waits."""
    record, files = recorded(config), Counter()
    for item in items:
        slow = item.get_closest_marker("slow")
        said = slow.args[0] if slow and slow.args else UNKNOWN[bool(slow)]
        files[item.path] += record.get(item.nodeid, said)
    items.sort(key=lambda item: -files[item.path])


def pytest_collection_finish():
    """What was collected stays: nobody looks through it, and no fork has to copy what was looked at."""
    gc.freeze()


@pytest.fixture
def everything():
    """Have a steered target look for generators among what was collected, too: SciPy's, those of a test's module."""
    from auditor.target import worker

    worker.beside("draws/sample").steering.cache_clear()
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.fixture
def verdict_alone(monkeypatch):
    """Audits of mechanisms end with their verdict: the search of the lines that draw takes longer than most of them."""
    from auditor.mechanism_audit import audit

    monkeypatch.setattr(audit, "_located", lambda _sampler, decided, _promise, _request: decided)


def recorded(config):
    """What tests took when they were last run; nothing where pytest keeps no cache."""
    if RECORD in getattr(config, "workerinput", {}):
        return config.workerinput[RECORD]
    return config.cache.get(RECORD, {}) if hasattr(config, "cache") else {}


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Give all workers one record, and so one order: another run may end and change it while they start."""
    node.workerinput[RECORD] = recorded(node.config)


def spent():
    """CPU seconds of this process, of its children that ended, and of those that still run."""
    return sum(os.times()[:4]) + sum(map(running, children("self")))


def children(process):
    """Give the ids of the processes that a process started and that still run, where /proc tells."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        return [child for task in tasks for child in (task / "children").read_text("utf-8").split()]
    except OSError:
        return []


def running(process):
    """CPU seconds of a process and of what it started."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(running, children(process)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Start the count of a test."""
    item.stash[BEGUN] = spent()
    return (yield)


BEGUN = pytest.StashKey[float]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note on the last of a test's reports what it took."""
    report = yield
    if report.when == "teardown":
        report.user_properties.append((CPU, round(spent() - item.stash[BEGUN], 2)))
    return report


def pytest_terminal_summary(terminalreporter, config):
    """Keep what each test took of processors, as the clock of a busy machine lies; with --durations, show the most."""
    taken = {
        report.nodeid: seconds
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, seconds in getattr(report, "user_properties", ())
        if name == CPU
    }
    if hasattr(config, "cache"):
        config.cache.set(RECORD, recorded(config) | taken)
    if not config.getoption("durations"):
        return
    files = Counter()
    for test, seconds in taken.items():
        files[test.partition("::")[0]] += seconds
    terminalreporter.section(f"CPU seconds: {sum(files.values()):.0f} in all")
    for counted in (files, Counter(taken)):
        for name, seconds in counted.most_common(SLOWEST):
            if seconds >= 1:
                terminalreporter.write_line(f"{seconds:7.1f} {name}")
        terminalreporter.write_line("")
