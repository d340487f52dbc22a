"""Real data that examples, notebooks and tests share.

`shakespeare_word_counts.csv.gz` holds how often each word occurs in the works of Shakespeare (public domain): columns
word and count, most frequent first, ties in alphabetical order; 26414 words in lower case with their apostrophes,
913572 occurrences. The split into words is that of the file's maker; nothing here depends on which edition was counted.
"""

import csv
import gzip
import importlib.resources
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType


@lru_cache(maxsize=1)
def word_counts() -> Mapping[str, int]:
    """Occurrences of every word, most frequent first, ties in alphabetical order; read-only."""
    packed = importlib.resources.files(__name__).joinpath("shakespeare_word_counts.csv.gz").read_bytes()
    rows = csv.DictReader(gzip.decompress(packed).decode("ascii").splitlines())
    return MappingProxyType({row["word"]: int(row["count"]) for row in rows})
