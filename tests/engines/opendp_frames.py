"""OpenDP's query of a frame of polars, grouped by keys that nobody declares, resolved once; the noise is its own."""

import opendp.prelude as dp
import polars as pl

dp.enable_features("contrib")
columns = {"user": pl.String, "state": pl.String, "value": pl.Float64}
context = dp.Context.compositor(
    data=pl.LazyFrame([], schema=columns, orient="row"),  # its types are declared, its rows are not used
    privacy_unit=dp.unit_of(contributions=1),
    privacy_loss=dp.loss_of(epsilon=1.0, delta=1e-5),
    split_evenly_over=1,
)
count_by_state = context.query().group_by("state").agg(dp.len()).resolve()  # solves for scale and threshold, once


def release(rows, rng):
    """Count the rows of each state."""
    frame = count_by_state(pl.LazyFrame(rows, schema=columns, orient="row")).collect()
    return dict(frame.iter_rows())
