"""Mechanisms of frames, arrays, numbers and records, right and wrong, each at epsilon 1 on data of SCORES or VISITS."""

import numpy as np
import pandas as pd

LIMIT = 10.0
SCORES = [1.0, 3.5, 9.0, 4.0]


def array_right(values: np.ndarray, rng):
    """Sum clipped values, with noise of the scale of the clip."""
    return round(float(np.clip(values, 0, LIMIT).sum() + rng.laplace(0, LIMIT)), 2)


def array_wrong_scale(values: np.ndarray, rng):
    """Sum clipped values, with a third of the noise."""
    return round(float(np.clip(values, 0, LIMIT).sum() + rng.laplace(0, LIMIT / 3)), 2)


def array_no_clip(values: np.ndarray, rng):
    """Sum values as they are."""
    return round(float(values.sum() + rng.laplace(0, LIMIT)), 2)


def numbers_right(values: list[float], rng):
    """Sum clipped numbers."""
    return round(sum(min(LIMIT, max(0.0, value)) for value in values) + rng.laplace(0, LIMIT), 2)


def records_wrong(records, rng):
    """Sum the minutes of records, with noise for one minute."""
    return round(sum(record["minutes"] for record in records) + rng.laplace(0, 1), 2)


def frame_wrong(frame: pd.DataFrame, rng):
    """Sum a column, with noise for one minute."""
    return round(float(frame["minutes"].sum() + rng.laplace(0, 1)), 2)


def frame_no_threshold(frame: pd.DataFrame, rng):
    """Count the visitors of every page of the data, and release every count."""
    pages, counts = np.unique(frame["page"].to_numpy(str), return_counts=True)
    return {page: round(n + rng.laplace(0, 1), 2) for page, n in zip(pages.tolist(), counts.tolist(), strict=True)}


def neighbours(frame, _rng):
    """Leave the first record out."""
    return frame, frame.iloc[1:]
