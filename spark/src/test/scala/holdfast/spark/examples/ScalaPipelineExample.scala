package holdfast.spark.examples

import holdfast.spark.{RobustLogisticRegression, RobustLogisticRegressionModel}
import org.apache.spark.ml.evaluation.MulticlassClassificationEvaluator
import org.apache.spark.ml.tuning.{CrossValidator, ParamGridBuilder}
import org.apache.spark.sql.SparkSession

/** Chooses the price of shifts by cross-validation: `ScalaPipelineExample rows.parquet model`. */
object ScalaPipelineExample {
  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    // In the guide from here
    val rows = spark.read.parquet(args(0))
    val learner = new RobustLogisticRegression()
      .setWorkerCol("source")
      .setRule("nnm + trimmed-mean(f=1)")
      .setMaxIter(100)
    val tuned = new CrossValidator()
      .setEstimator(learner)
      .setEstimatorParamMaps(new ParamGridBuilder().addGrid(learner.price, Array(2.0, 8.0)).build())
      .setEvaluator(new MulticlassClassificationEvaluator().setMetricName("accuracy"))
      .setNumFolds(2)
      .fit(rows)
    val model = tuned.bestModel.asInstanceOf[RobustLogisticRegressionModel]
    model.write.overwrite().save(args(1))
    println(s"price ${model.getPrice}, coefficients ${model.coefficients}, intercept ${model.intercept}")
    // to here
  }
}
