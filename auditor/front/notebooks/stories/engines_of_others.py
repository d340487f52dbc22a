"""Engines of others, each from a few lines of a user's code: what audits of them find."""

# %% [markdown]
# # Engines of others

# %% [markdown]
# Here engines are called as their users call them, and audited by what they release. Their noise is their own: it cannot
# be replayed, so numbers differ from run to run, and verdicts alone are printed. An engine that is not installed beside
# the auditor is not applicable; the line says how to install it.

# %% tags=["parameters"]
scale, threshold, epsilon, keys, budget, seed = 1.0, 4, 1, 20_000, 60, 0

# %%
from importlib.util import find_spec

import auditor

distributions = {"opendp": "opendp", "diffprivlib": "diffprivlib 'scikit-learn<1.8'", "pipeline_dp": "pipeline-dp", "pydp": "python-dp"}
here = {name for name in distributions if find_spec(name) is not None}
for name in sorted({*distributions} - here):
    print(f"{name}: not applicable; pip install {distributions[name]}")

# %% [markdown]
# ## OpenDP: noisy counts above a threshold
#
# Keys of one user each, counts of users, noise of `scale`; what stays below `threshold` is left out. What OpenDP's own
# `map` says that is worth is the promise. On integers it is that of real numbers, and a count may equal its threshold.


# %%
def thresholded(number, make, distance):
    """OpenDP's mechanism on counts of one type, and the delta that it promises beside epsilon."""
    dp.enable_features("contrib")
    atoms = dp.atom_domain(T=number, **({} if number is int else {"nan": False}))
    space = dp.map_domain(dp.atom_domain(T=str), atoms), distance(dp.absolute_distance(T=number))
    measurement = make(*space, scale=scale, threshold=number(threshold))
    _epsilon, delta = measurement.map((1, number(1), number(1)))
    return lambda histogram, _rng: measurement({key: number(count) for key, count in histogram.items()}), delta


if "opendp" in here:
    import opendp.prelude as dp

    for number in (int, float):
        release, delta = thresholded(number, dp.m.make_laplace_threshold, dp.l01inf_distance)
        promise = {"epsilon": epsilon, "delta": repr(delta)}
        audit = auditor.audit_mechanism(release, **promise, one_run=keys, budget=budget, seed=seed)
        print(f"Laplace noise on {number.__name__}, delta = {delta:.4g}: {audit.verdict.value}")

# %% [markdown]
# One release of many single-user keys decides: keys get independent noise, so it is as many trials as it has keys. Exact
# is $P[Z \ge 3] = e^{-3}/(1 + e^{-1})$ of the discrete law, where $P[Z \ge 4]$ of another is promised. The same with
# neighbours, and nothing assumed about other keys:

# %%
if "opendp" in here:
    release, delta = thresholded(int, dp.m.make_laplace_threshold, dp.l01inf_distance)
    pair = {"left": {"k0": 1}, "right": {}}
    audit = auditor.audit_mechanism(release, epsilon=epsilon, delta=repr(delta), pair=pair, budget=budget, seed=seed)
    print("Laplace noise on int, one user more:", audit.verdict.value)
    display(audit)

# %% [markdown]
# ## diffprivlib: a histogram

# %%
visits = [(f"u{i}", "x", float(value)) for i, value in enumerate((0, 1, 1, 2, 3, 3))]


def histogram(rows, rng):
    """Four bins at epsilon = 1."""
    from diffprivlib.tools import histogram as private

    random_state = int(rng.integers(2**31))
    return private([value for *_, value in rows], epsilon=1.0, bins=4, range=(0, 4), random_state=random_state)[
        0
    ].tolist()


if "diffprivlib" in here:
    audit = auditor.audit_mechanism(histogram, epsilon=1, dataset=visits, detect="0.1", budget=budget, seed=seed)
    print("diffprivlib, four bins:", audit.verdict.value)

# %% [markdown]
# ## PipelineDP: users of each partition, with private selection


# %%
def users(rows, rng):
    """Users of each partition at epsilon = 1, delta = 0.01."""
    import pipeline_dp as p

    accountant = p.NaiveBudgetAccountant(total_epsilon=1, total_delta=1e-2)
    engine = p.DPEngine(accountant, p.LocalBackend())
    bounds = {"max_partitions_contributed": 1, "max_contributions_per_partition": 1}
    params = p.AggregateParams([p.Metrics.PRIVACY_ID_COUNT], p.NoiseKind.LAPLACE, **bounds)
    columns = (lambda row, i=i: row[i] for i in range(3))
    counted = engine.aggregate(rows, params, p.DataExtractors(*columns))
    accountant.compute_budgets()
    return {partition: count[0] for partition, count in counted}


if "pipeline_dp" in here:
    audit = auditor.audit_mechanism(
        users, epsilon=1, delta="0.01", dataset=visits, detect="0.2", budget=budget, seed=seed
    )
    print("PipelineDP, users of partitions:", audit.verdict.value)

# %% [markdown]
# ## python-dp: Google's partition selection


# %%
def release_kept(histogram, rng):
    """Noisy counts of the partitions that are kept, at epsilon = 1, delta = 0.01."""
    from pydp.algorithms.partition_selection import create_partition_strategy

    keep = create_partition_strategy("laplace", 1.0, 1e-2, 1).noised_value_if_should_keep
    return {key: noisy for key, count in histogram.items() if (noisy := keep(count)) is not None}


if "pydp" in here:
    audit = auditor.audit_mechanism(release_kept, epsilon=1, delta="0.01", budget=budget, seed=seed)
    print("python-dp, Laplace selection:", audit.verdict.value)

# %% [markdown]
# ## Tumult Core: partition selection on Spark
#
# Tumult runs on Java and needs other versions of NumPy and pandas than the auditor. It therefore has its own interpreter.
# `auditor accountants install tmlt_core` makes the interpreter from a lock file;
# `python -m venv tumult && tumult/bin/pip install tmlt-core` makes one without. The target takes users, keys and values,
# and returns noisy counts of the keys that pass. The file is `tumult.py`:
#
#     import os, sys
#     os.environ["PYSPARK_PYTHON"] = sys.executable
#     from pyspark.sql import SparkSession
#     from tmlt.core.domains.spark_domains import SparkDataFrameDomain, SparkStringColumnDescriptor
#     from tmlt.core.measurements.spark_measurements import GeometricPartitionSelection
#
#     spark = SparkSession.builder.master("local[1]").config("spark.sql.shuffle.partitions", "1").getOrCreate()
#     domain = SparkDataFrameDomain({"key": SparkStringColumnDescriptor()})
#     select = GeometricPartitionSelection(domain, threshold=4, alpha=1)
#
#     def release(rows, rng):
#         data = spark.createDataFrame([(key,) for _user, key, _value in rows], "key string not null")
#         return {row["key"]: row["count"] for row in select(data).collect()}
#
# A release takes seconds, so its audit is undecided, and says what it would take:
#
#     auditor mechanism tumult.py:release --python tumult/bin/python --epsilon 1 --delta 0.0364 --dataset visits.csv \
#         --answer-seconds 600 --samples 10

# %% [markdown]
# ## Change this and run again
#
# An engine in another environment is audited through its own interpreter (`--python`) or as a program
# (`exec:COMMAND`). `docs/explanation/engines.md` has the results for the installed engines. A command for your engine:
#
#     auditor mechanism my_engine.py:release --python venv/bin/python --epsilon 1 --delta 0.01 --dataset visits.csv
#
# A slow engine draws few releases in a budget: then the verdict is *undecided*, and says how many more it takes.
