"""Trains a pipeline on rows of several sources: spark-submit --jars holdfast.jar pipeline.py ROWS.parquet MODEL"""

import sys

from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.feature import StandardScaler
from pyspark.sql import SparkSession

from holdfast.spark import RobustLogisticRegression

spark = SparkSession.builder.getOrCreate()
# In the guide from here
rows = spark.read.parquet(sys.argv[1])
scaler = StandardScaler(inputCol="features", outputCol="scaled", withMean=True)
learner = RobustLogisticRegression(
    featuresCol="scaled",
    scale="none",  # the scaler did it
    workerCol="source",  # the rows of a source are one worker
    tolerated=1,  # one of them may lie
    price=4,  # rows may shift, at this price
)
model = Pipeline(stages=[scaler, learner]).fit(rows)
summary = model.stages[1].summary
print(summary.rounds, summary.accuracy)
summary.verdicts.show(truncate=False)
model.write().overwrite().save(sys.argv[2])
again = PipelineModel.load(sys.argv[2])
again.transform(rows).select("source", "label", "probability", "prediction").show(5)
# to here
