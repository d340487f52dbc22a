"""What installed distributions hold: digests by name, for what is to be known again between runs."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from auditor.started import STARTED

_REQUIRED = re.compile(r"([\w.-]+)(?!.*;.*\bextra\b)")
"""At the beginning of a requirement, the distribution; of no extra.  What another system needs is not there."""


def required(name: str) -> list[Distribution]:
    """The installed distribution of this name and those that it requires, at any depth; none where it is not there."""
    those, left = dict[str, Distribution](), [name]
    while left:
        try:
            one = distribution(left.pop())
        except PackageNotFoundError:
            continue
        if one.name not in those:
            those[one.name] = one
            left += [found.group(1) for each in one.requires or [] if (found := _REQUIRED.match(each))]
    return list(those.values())


def code_of(found: Iterable[Distribution], *, imported: bool = True) -> dict[str, str] | None:
    """Digests of all files in the folders of distributions, by name; compiled modules and lists of files left out.

    Args:
        found: the distributions.
        imported: whether they are those of this process, where another place may come before theirs.

    Returns:
        None where what is imported may be something else: a distribution does not list its files, or its code lies
        elsewhere (an editable installation); a module of that name comes before; a file was written after this process
        had begun.

    """
    digests = {}
    for one in found:
        tops = {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}
        places = [Path(str(one.locate_file(top))) for top in sorted(tops)]
        if not tops or _editable(one) or (imported and not all(map(_comes_first, places))):
            return None
        digest = hashlib.sha256()
        for path in (path for place in places for path in _files(place)):
            if path.stat().st_mtime >= STARTED:
                return None
            digest.update(f"{path.relative_to(places[0].parent)} {path.stat().st_size}\n".encode())
            with path.open("rb") as file:
                while part := file.read(2**20):
                    digest.update(part)
        digests[one.name] = digest.hexdigest()[:32]
    return digests


def _files(place: Path) -> list[Path]:
    """A file, or the files in a folder; none that follow from others and from where these lie."""
    inside = sorted(place.rglob("*")) if place.is_dir() else [place]
    return [path for path in inside if path.is_file() and path.suffix != ".pyc" and path.name != "RECORD"]


def _editable(one: Distribution) -> bool:
    """Whether its code lies where it is edited."""
    told = json.loads(one.read_text("direct_url.json") or "{}")
    return bool(told.get("dir_info", {}).get("editable", False))


def _comes_first(place: Path) -> bool:
    """Whether what lies there is what an import finds, if it can be imported."""
    name = place.name.partition(".")[0]
    if not name.isidentifier() or place.suffix not in ({""} if place.is_dir() else {".py", ".so"}):
        return True
    found = find_spec(name)
    return found is None or str(place) in {found.origin, *(found.submodule_search_locations or ())}
