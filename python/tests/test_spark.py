"""Small real runs of the wrappers; scripts/pyspark-tests starts them with PySpark and holdfast.jar."""

import os
import random
import tempfile
import unittest

from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.classification import OneVsRest, OneVsRestModel
from pyspark.ml.evaluation import MulticlassClassificationEvaluator
from pyspark.ml.feature import SQLTransformer, StandardScaler
from pyspark.ml.linalg import Vectors
from pyspark.ml.pipeline import PipelineModelWriter
from pyspark.ml.tuning import CrossValidator, CrossValidatorModel, ParamGridBuilder
from pyspark.sql import SparkSession

from holdfast.spark import (
    RobustClassificationSummary,
    RobustClassificationTrainingSummary,
    RobustLinearRegression,
    RobustLinearRegressionModel,
    RobustLinearSVC,
    RobustLinearSVCModel,
    RobustLogisticRegression,
    RobustLogisticRegressionModel,
    RobustNetworkClassificationModel,
    RobustNetworkClassifier,
    RobustNetworkRegressionModel,
    RobustNetworkRegressor,
    RobustPoissonRegression,
    RobustPoissonRegressionModel,
    RobustRegressionTrainingSummary,
)


class SparkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.jars", os.environ["HOLDFAST_JAR"])
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()
        )
        cls.spark.sparkContext.setLogLevel("ERROR")
        draw = random.Random(7)
        rows = []
        for i in range(600):
            x, y = draw.gauss(0, 1), draw.gauss(0, 1)
            right = float(x - y + draw.gauss(0, 0.3) > 0)
            source = f"s{i % 6}"
            rows.append(
                (
                    Vectors.dense(x, y),
                    1 - right if source == "s2" else right,
                    right,
                    float((x > 0) + (x > 0 and y > 0)),
                    2 * x - y + 3 + draw.gauss(0, 0.1),
                    float(round(draw.expovariate(1) * 2**x)),
                    1.0 + i % 2,
                    source,
                )
            )
        columns = ["features", "label", "right", "kind", "amount", "count", "weight", "source"]
        cls.rows = cls.spark.createDataFrame(rows, columns).repartition(2, "source").cache()

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def share_right(self, model, label="right"):
        made = model.transform(self.rows)
        return made.filter(made.prediction == made[label]).count() / self.rows.count()


class LogisticTest(SparkTest):
    def learner(self, **params):
        return RobustLogisticRegression(workerCol="source", tolerated=1, maxIter=60, **params)

    def test_a_source_of_wrong_labels_does_no_harm(self):
        self.assertGreater(self.share_right(self.learner().fit(self.rows)), 0.9)

    def test_keywords_setters_and_defaults(self):
        learner = RobustLogisticRegression(price=4, tolerated=0.1, rule="trimmed-mean", featuresCol="x")
        self.assertEqual((learner.getPrice(), learner.getTolerated()), (4.0, "0.1"))
        self.assertEqual((learner.getRule(), learner.getFeaturesCol()), ("trimmed-mean", "x"))
        self.assertEqual((learner.getMaxIter(), learner.getSeed(), learner.getNumWorkers()), (1000, 1, 10))
        self.assertFalse(learner.isDefined(learner.learningRate))
        self.assertIs(learner.setLearningRate(0.5).setPlan("attack: aggressive"), learner)
        self.assertEqual((learner.getLearningRate(), learner.getPlan()), (0.5, "attack: aggressive"))
        learner.clear(learner.learningRate)
        self.assertFalse(learner.isDefined(learner.learningRate))
        self.assertIn("transport price", learner.explainParams())

    def test_wrong_values_are_refused(self):
        with self.assertRaisesRegex(TypeError, "count, a share or a text"):
            RobustLogisticRegression(tolerated=True)
        with self.assertRaisesRegex(TypeError, "lambda"):
            RobustLogisticRegression(**{"lambda": 4})
        with self.assertRaisesRegex(Exception, "unknown rule 'none'"):
            RobustLogisticRegression(rule="none").fit(self.rows)

    def test_the_seed_is_that_of_java(self):
        learner = RobustLogisticRegression()
        java = learner._to_java()
        self.assertEqual(java.getSeed(), 1)
        self.assertFalse(java.isSet(java.getParam("seed")))

    def test_threshold_and_thresholds(self):
        model = self.learner().fit(self.rows)
        none = model.copy().setThreshold(0.999999)
        self.assertLess(none.transform(self.rows).agg({"prediction": "avg"}).head()[0], 0.1)
        all = model.copy().setThresholds([1.0, 1e-6])
        self.assertGreater(all.transform(self.rows).agg({"prediction": "avg"}).head()[0], 0.9)
        self.assertFalse(all.setThreshold(0.5).isSet("thresholds"))

    def test_extra_params_and_copy(self):
        learner = self.learner()
        model = learner.fit(self.rows, {learner.price: 2.0})
        self.assertEqual((model.getPrice(), learner.getPrice()), (2.0, 8.0))
        copy = learner.copy({learner.price: 3.0})
        self.assertEqual((copy.getPrice(), copy.uid, learner.getPrice()), (3.0, learner.uid, 8.0))
        self.assertEqual(copy._to_java().getPrice(), 3.0)

    def test_a_model_knows_what_the_plan_said(self):
        self.assertEqual(self.learner(plan="lambda: 3").fit(self.rows).getPrice(), 3.0)

    def test_coefficients_and_sizes(self):
        model = self.learner().fit(self.rows)
        self.assertEqual((model.numFeatures, model.numClasses), (2, 2))
        self.assertGreater(model.coefficients[0], 0)
        self.assertLess(model.coefficients[1], 0)
        self.assertEqual(model.coefficientMatrix.toArray()[0].tolist(), model.coefficients.toArray().tolist())
        self.assertEqual(model.interceptVector[0], model.intercept)
        self.assertEqual(model.predict(Vectors.dense(3, -3)), 1.0)
        self.assertAlmostEqual(sum(model.predictProbability(Vectors.dense(1, 1))), 1.0)
        self.assertEqual(len(model.predictRaw(Vectors.dense(1, 1))), 2)

    def test_summary_and_evaluate(self):
        model = self.learner().fit(self.rows)
        summary = model.summary
        self.assertIsInstance(summary, RobustClassificationTrainingSummary)
        self.assertTrue(0 < summary.rounds <= 60)
        self.assertIsInstance(summary.converged, bool)
        self.assertEqual(summary.totalIterations, summary.rounds)
        self.assertLess(summary.objectiveHistory[-1], summary.objectiveHistory[0])
        self.assertGreater(summary.learningRate, 0)
        self.assertIn("rounds", str(summary))
        named = {row.source for row in summary.verdicts.collect() if row.verdict == "suspect"}
        self.assertEqual(named, {"s2"})
        self.assertEqual({row.worker for row in summary.ledger.collect()}, {f"s{i}" for i in range(6)})
        self.assertEqual(summary.predictions.count(), 600)
        self.assertEqual(len(summary.precisionByLabel), 2)
        honest = self.rows.filter("source <> 's2'")
        found = model.evaluate(honest)
        self.assertIsInstance(found, RobustClassificationSummary)
        self.assertAlmostEqual(found.accuracy, model.transform(honest).filter("prediction = label").count() / 500)
        self.assertGreater(found.areaUnderROC, 0.95)
        self.assertEqual(found.roc.columns, ["FPR", "TPR"])
        with self.assertRaises(TypeError):
            model.evaluate("rows")

    def test_many_classes(self):
        model = self.learner(labelCol="kind").fit(self.rows)
        self.assertEqual(model.numClasses, 3)
        self.assertGreater(self.share_right(model, "kind"), 0.85)
        self.assertIsInstance(model.summary, RobustClassificationTrainingSummary)
        self.assertGreater(model.summary.accuracy, 0.8)

    def test_save_and_load(self):
        learner = self.learner(price=4)
        learner.save(self.folder + "/learner")
        loaded = RobustLogisticRegression.load(self.folder + "/learner")
        self.assertEqual((loaded.uid, loaded.getPrice(), loaded.getTolerated()), (learner.uid, 4.0, "1"))
        self.assertFalse(loaded.isDefined(loaded.ascentSteps))
        model = learner.fit(self.rows).setThreshold(0.4)
        model.write().overwrite().save(self.folder + "/model")
        again = RobustLogisticRegressionModel.load(self.folder + "/model")
        self.assertEqual(again.coefficients, model.coefficients)
        self.assertEqual((again.getThreshold(), again.getPrice()), (0.4, 4.0))
        self.assertEqual(again.summary.rounds, model.summary.rounds)
        with self.assertRaisesRegex(Exception, "not saved with a model"):
            again.summary.accuracy

    def test_pipelines(self):
        scaler = StandardScaler(inputCol="features", outputCol="scaled", withMean=True)
        pipeline = Pipeline(stages=[scaler, self.learner(featuresCol="scaled", scale="none", price=4)])
        pipeline.save(self.folder + "/pipeline")
        loaded = Pipeline.load(self.folder + "/pipeline")
        self.assertIs(type(loaded.getStages()[1]), RobustLogisticRegression)
        self.assertEqual(loaded.getStages()[1].getPrice(), 4.0)
        model = loaded.fit(self.rows)
        self.assertTrue(model.stages[1].hasSummary)
        model.save(self.folder + "/model")
        again = PipelineModel.load(self.folder + "/model")
        self.assertIs(type(again.stages[1]), RobustLogisticRegressionModel)
        self.assertEqual(self.share_right(again), self.share_right(model))

    def test_a_pipeline_written_by_python(self):
        model = Pipeline(stages=[SQLTransformer(statement="SELECT * FROM __THIS__"), self.learner()]).fit(self.rows)
        PipelineModelWriter(model).save(self.folder + "/model")  # as PySpark does if a stage has no writer in Java
        again = PipelineModel.load(self.folder + "/model")
        self.assertIs(type(again.stages[1]), RobustLogisticRegressionModel)

    def test_cross_validation(self):
        learner = self.learner()
        grid = ParamGridBuilder().addGrid(learner.price, [2.0, 8.0]).build()
        judge = MulticlassClassificationEvaluator(labelCol="right", metricName="accuracy")
        tuned = CrossValidator(estimator=learner, estimatorParamMaps=grid, evaluator=judge, numFolds=2, seed=3)
        tuned.save(self.folder + "/tuned")
        loaded = CrossValidator.load(self.folder + "/tuned")
        self.assertIs(type(loaded.getEstimator()), RobustLogisticRegression)
        self.assertEqual([list(m.values()) for m in loaded.getEstimatorParamMaps()], [[2.0], [8.0]])
        model = loaded.fit(self.rows)
        self.assertGreater(max(model.avgMetrics), 0.9)
        self.assertIn(model.bestModel.getPrice(), (2.0, 8.0))
        model.save(self.folder + "/model")
        again = CrossValidatorModel.load(self.folder + "/model")
        self.assertIs(type(again.bestModel), RobustLogisticRegressionModel)
        self.assertEqual(self.share_right(again), self.share_right(model))

    def test_one_vs_rest_with_weights(self):
        classifier = RobustLogisticRegression(numWorkers=4, maxIter=60)
        many = OneVsRest(classifier=classifier, labelCol="kind", weightCol="weight")
        many.save(self.folder + "/many")
        loaded = OneVsRest.load(self.folder + "/many")
        self.assertIs(type(loaded.getClassifier()), RobustLogisticRegression)
        model = loaded.fit(self.rows)
        self.assertEqual([m.getWeightCol() for m in model.models], ["weight"] * 3)
        self.assertGreater(self.share_right(model, "kind"), 0.7)
        model.save(self.folder + "/model")
        again = OneVsRestModel.load(self.folder + "/model")
        self.assertEqual([type(m) for m in again.models], [RobustLogisticRegressionModel] * 3)


class OthersTest(SparkTest):
    def test_linear_svc(self):
        model = RobustLinearSVC(workerCol="source", tolerated=1, threshold=0.0).fit(self.rows)
        self.assertGreater(self.share_right(model), 0.9)
        self.assertIsInstance(model.evaluate(self.rows), RobustClassificationSummary)
        self.assertLess(model.copy().setThreshold(1e6).transform(self.rows).agg({"prediction": "max"}).head()[0], 1)
        self.again(model, RobustLinearSVCModel)

    def test_linear_regression(self):
        model = RobustLinearRegression(labelCol="amount", loss="huber", price=float("inf"), tol=0.0).fit(self.rows)
        for found, expected in zip([*model.coefficients, model.intercept], [2, -1, 3]):
            self.assertAlmostEqual(found, expected, delta=0.05)
        self.assertIsInstance(model.summary, RobustRegressionTrainingSummary)
        self.assertAlmostEqual(model.summary.rootMeanSquaredError, 0.1, delta=0.02)
        self.assertGreater(model.evaluate(self.rows).r2, 0.99)
        self.again(model, RobustLinearRegressionModel)

    def test_poisson_regression(self):
        model = RobustPoissonRegression(labelCol="count", numWorkers=4, price=float("inf"), maxIter=100).fit(self.rows)
        self.assertGreater(model.coefficients[0], 0.3)
        self.assertGreater(model.transform(self.rows).agg({"prediction": "min"}).head()[0], 0)
        self.again(model, RobustPoissonRegressionModel)

    def test_a_network_of_classes(self):
        learner = RobustNetworkClassifier(hiddenLayers=[8, 4], workerCol="source", tolerated=1, maxIter=60, price=100)
        self.assertEqual((learner.getHiddenLayers(), learner.getActivation()), ([8, 4], "softplus"))
        model = learner.fit(self.rows)
        self.assertGreater(self.share_right(model), 0.9)
        self.assertEqual(model.getHiddenLayers(), [8, 4])
        self.assertEqual(len(model.weights), 2 * 8 + 8 * 4 + 4 + 8 + 4 + 1)
        self.assertEqual({row.source for row in model.summary.verdicts.filter("verdict = 'suspect'").collect()}, {"s2"})
        self.assertEqual(RobustNetworkClassifier(labelCol="kind", maxIter=5).fit(self.rows).numClasses, 3)
        self.again(model, RobustNetworkClassificationModel, "weights")

    def test_a_network_of_numbers(self):
        learner = RobustNetworkRegressor(labelCol="amount", loss="huber", price=float("inf"), maxIter=200)
        model = learner.setHiddenLayers([4]).setActivation("tanh").fit(self.rows)
        self.assertGreater(model.evaluate(self.rows).r2, 0.9)
        self.assertEqual((model.getHiddenLayers(), model.getActivation()), ([4], "tanh"))
        self.again(model, RobustNetworkRegressionModel, "weights")

    def again(self, model, type_, *learnt):
        model.save(self.folder + "/model")
        loaded = type_.load(self.folder + "/model")
        self.assertIs(type(loaded), type_)
        for name in learnt or ("coefficients", "intercept"):
            self.assertEqual(getattr(loaded, name), getattr(model, name))


if __name__ == "__main__":
    unittest.main()
