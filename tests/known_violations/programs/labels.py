"""Releases that are text, labels and records, at epsilon = 1 unless said."""

import json

WARDS = ("north", "south")


def label(histogram, rng):
    """Wrong: the label is exact."""
    return "many" if sum(histogram.values()) > 10 else "few"


def label_noisy(histogram, rng):
    """Right."""
    return "many" if sum(histogram.values()) + rng.laplace(0, 1) > 10 else "few"


def sentence(histogram, rng):
    """Wrong: a number in a sentence, with half the noise."""
    return f"There were {sum(histogram.values()) + round(rng.laplace(0, 0.5))} patients."


def sentence_noisy(histogram, rng):
    """Right."""
    return f"There were {sum(histogram.values()) + round(rng.laplace(0, 1))} patients."


def record(histogram, rng):
    """Wrong: the noise is in the rows, the total in the head is exact."""
    rows = [{"ward": ward, "patients": histogram.get(ward, 0) + round(rng.laplace(0, 1))} for ward in WARDS]
    return {"meta": {"version": 2, "patients": sum(histogram.values())}, "rows": rows}


def record_noisy(histogram, rng):
    """Right."""
    rows = [{"ward": ward, "patients": histogram.get(ward, 0) + round(rng.laplace(0, 1))} for ward in WARDS]
    return {"meta": {"version": 2, "patients": sum(row["patients"] for row in rows)}, "rows": rows}


def crowded(histogram, rng):
    """Wrong: names of wards with five patients, joined."""
    return ",".join(ward for ward, patients in sorted(histogram.items()) if patients >= 5)


def crowded_noisy(histogram, rng):
    """Right: of its own wards."""
    return ",".join(ward for ward in WARDS if histogram.get(ward, 0) + rng.laplace(0, 1) >= 5)


def stars(histogram, rng):
    """Wrong: a bar of stars with half the noise."""
    return "*" * max(0, sum(histogram.values()) + round(rng.laplace(0, 0.5)))


def stars_noisy(histogram, rng):
    """Right."""
    return "*" * max(0, sum(histogram.values()) + round(rng.laplace(0, 1)))


def missing(histogram, rng):
    """Wrong: null tells that a ward is empty."""
    return {w: histogram[w] + round(rng.laplace(0, 1)) if histogram.get(w, 0) else None for w in WARDS}


def missing_noisy(histogram, rng):
    """Right: null below a noisy number."""
    noisy = {ward: histogram.get(ward, 0) + round(rng.laplace(0, 1)) for ward in WARDS}
    return {ward: count if count > 0 else None for ward, count in noisy.items()}


def grid(histogram, rng):
    """Wrong: nested lists of yes and no, deep in a record, with a third of the noise."""
    return {"map": [[bool(histogram.get(w, 0) + rng.laplace(0, 0.4) > t) for t in (2, 8)] for w in WARDS]}


def grid_noisy(histogram, rng):
    """Right: one noise for both levels of a ward."""
    noisy = [histogram.get(ward, 0) + rng.laplace(0, 1) for ward in WARDS]
    return {"map": [[bool(count > t) for t in (2, 8)] for count in noisy]}


def tags(histogram, rng):
    """Wrong: tags of the wards, too little noise, no order to tell them by."""
    full = [ward for ward in WARDS if histogram.get(ward, 0) + rng.laplace(0, 0.4) > 8]
    return {"tags": [*full, "reviewed"] if rng.random() < 0.5 else ["reviewed", *full]}


def tags_noisy(histogram, rng):
    """Right."""
    full = [ward for ward in WARDS if histogram.get(ward, 0) + rng.laplace(0, 1) > 8]
    return {"tags": [*full, "reviewed"] if rng.random() < 0.5 else ["reviewed", *full]}


def as_wide_as_the_count(histogram, rng):
    """Wrong: the column is as wide as the largest true count."""
    width = max(len(str(patients)) for patients in (0, *histogram.values()))
    return "|".join(f"{max(0, histogram.get(w, 0) + round(rng.laplace(0, 1))):{width}d}" for w in WARDS)


def of_one_width(histogram, rng):
    """Right."""
    return "|".join(f"{max(0, histogram.get(w, 0) + round(rng.laplace(0, 1))):9d}" for w in WARDS)


def whole_where_empty(histogram, rng):
    """Wrong: an empty ward is written 0, another one that noise makes empty 0.0."""
    noisy = {ward: max(0.0, float(histogram.get(ward, 0) + round(rng.laplace(0, 1)))) for ward in WARDS}
    return json.dumps({ward: patients if histogram.get(ward, 0) else int(patients) for ward, patients in noisy.items()})


def as_text(histogram, rng):
    """Right."""
    return json.dumps({ward: max(0, histogram.get(ward, 0) + round(rng.laplace(0, 1))) for ward in WARDS})
