"""`auditor doctor`: whether this machine can run the suite, and missing requirements."""

import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

import click

from auditor.errors import ExitCode
from auditor.extras import EXTRAS, remedy
from auditor.front.late import late
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import as_json_option
from auditor.settings import processors
from auditor.target import isolation

REQUIRED = (
    "numpy", "scipy", "mpmath", "python-flint", "hypothesis", "pytest", "pydantic", "click", "rich", "jinja2",
    "latex2mathml", "pylatexenc", "joblib",
)  # fmt: skip
PYTHONS = ((3, 11), (3, 14))


@dataclass(frozen=True)
class Symptom:
    """One examined item: `ok`, `missing` (fatal), `optional` or `left out` (each with its remedy)."""

    name: str
    state: str
    detail: str


def _installed_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def examine() -> Iterator[Symptom]:
    """Examine Python, packages, arithmetic and the registry."""
    supported = PYTHONS[0] <= sys.version_info[:2] < PYTHONS[1]
    yield Symptom(
        "python", "ok" if supported else "missing", f"{platform.python_version()} (3.11 to 3.13 are supported)"
    )
    yield Symptom("processors", "ok", str(processors()))
    for name in REQUIRED:
        version = _installed_version(name)
        yield Symptom(name, "ok" if version else "missing", version or f"pip install {name}")
    for name, purpose in (item for packages in EXTRAS.values() for item in packages.items()):
        version = _installed_version(name)
        yield Symptom(name, "ok" if version else "optional", version or f"for {purpose}: {remedy(name)}")
    yield from (Symptom("package names", "optional", text) for text in isolation.overwritten())
    late("numpy")
    yield from _arithmetic()


def _arithmetic() -> Iterator[Symptom]:
    try:
        import mpmath.libmp
        from flint import arb, ctx

        with ctx.workprec(128):
            encloses = bool(abs(arb.pi() - arb("3.14159265358979323846264338327950288 +/- 1e-34")) < arb("1e-30"))
    except ImportError as error:
        yield Symptom("arithmetic", "missing", str(error))
        return
    backend = mpmath.libmp.BACKEND
    yield Symptom("ball arithmetic", "ok" if encloses else "missing", "encloses pi to 30 digits")
    yield Symptom("mpmath backend", "ok", backend)


@click.command
@as_json_option
def command(*, as_json: bool) -> int:
    """Check whether this machine can run the suite.

    Print each missing requirement with its remedy. Exit 2 if the suite cannot run.
    """
    symptoms = list(examine())
    healthy = all(symptom.state != "missing" for symptom in symptoms)
    if healthy:
        from auditor.engine.registry import registry

        catalogue = registry()
        counts = [
            f"{len(getattr(catalogue, name))} {name}" for name in ("claims", "mechanisms", "faults", "accountants")
        ]
        symptoms.append(Symptom("registry", "ok", ", ".join(counts)))
        symptoms += [Symptom(defect.subject, "left out", str(defect)) for defect in catalogue.defects]
    if as_json:
        emit({"healthy": healthy, "symptoms": [asdict(symptom) for symptom in symptoms]})
    else:
        say(*columns([[s.name, s.state, s.detail] for s in symptoms], ["what", "state", "detail"]))
        say("ready" if healthy else "not ready: install what is missing")
    return ExitCode.OK if healthy else ExitCode.USAGE
