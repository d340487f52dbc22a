"""Tumult Core's geometric partition selection on Spark, as it is, at scale 1 and threshold 4; the noise is its own."""

import os
import sys
import tempfile

from pyspark.sql import SparkSession
from tmlt.core.domains.spark_domains import SparkDataFrameDomain, SparkStringColumnDescriptor
from tmlt.core.measurements.spark_measurements import GeometricPartitionSelection

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.sql.warehouse.dir", tempfile.mkdtemp())
    .getOrCreate()
)
domain = SparkDataFrameDomain({"key": SparkStringColumnDescriptor()})
select = GeometricPartitionSelection(domain, threshold=4, alpha=1)


def release(rows, rng):
    """Return the noisy counts of the keys that are kept."""
    data = spark.createDataFrame([(key,) for _user, key, *_value in rows], "key string not null")
    return {row["key"]: row["count"] for row in select(data).collect()}
