"""
Estimators for pipelines of PySpark that hold fast when some of the workers lie and the data shift.

They wrap the classes of the same names in ``holdfast.jar``, which must be on the class path of Spark's driver
(``spark.jars``). They are used like those of :mod:`pyspark.ml`; a setting that is not set has a good default, and
``learningRate``, ``ascentSteps`` and ``ascentRate`` are automatic while they are not set.
"""

from typing import Any, Dict, List, Optional, Union

from pyspark import keyword_only
from pyspark.ml.base import _PredictorParams
from pyspark.ml.classification import (
    _ClassifierParams,
    _JavaClassificationModel,
    _JavaClassifier,
    _JavaProbabilisticClassificationModel,
    _JavaProbabilisticClassifier,
    _ProbabilisticClassifierParams,
)
from pyspark.ml.linalg import Matrix, Vector
from pyspark.ml.param.shared import HasThreshold, Param, Params, TypeConverters
from pyspark.ml.regression import _JavaRegressionModel, _JavaRegressor

from holdfast._model import (
    RobustClassificationSummary,
    RobustClassificationTrainingSummary,
    RobustRegressionSummary,
    RobustRegressionTrainingSummary,
    _LinearModel,
    _Network,
    _RobustClassificationModel,
    _RobustRegressionModel,
)
from holdfast._params import (
    _RobustLinearParams,
    _RobustLinearSetters,
    _RobustNetworkParams,
    _RobustNetworkSetters,
    _RobustParams,
    _RobustStage,
)

__all__ = [
    "RobustLogisticRegression",
    "RobustLogisticRegressionModel",
    "RobustLinearSVC",
    "RobustLinearSVCModel",
    "RobustLinearRegression",
    "RobustLinearRegressionModel",
    "RobustPoissonRegression",
    "RobustPoissonRegressionModel",
    "RobustNetworkClassifier",
    "RobustNetworkClassificationModel",
    "RobustNetworkRegressor",
    "RobustNetworkRegressionModel",
    "RobustClassificationSummary",
    "RobustClassificationTrainingSummary",
    "RobustRegressionSummary",
    "RobustRegressionTrainingSummary",
]


class _RobustProbabilisticParams(_ProbabilisticClassifierParams, _RobustParams, HasThreshold):
    """The Params of robust classifiers that give probabilities, and of their models."""

    threshold: "Param[float]" = Param(
        Params._dummy(),
        "threshold",
        "of two classes, a row is the second when its probability is at least this, in (0, 1), where Spark's own"
        " classifiers want more than this; without thresholds",
        typeConverter=TypeConverters.toFloat,
    )

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._setDefault(threshold=0.5)

    def setThreshold(self, value: float):
        """Sets the threshold and clears ``thresholds``, which would win."""
        self.clear(self.thresholds)
        return self._set(threshold=value)


class _RobustLogisticParams(_RobustProbabilisticParams, _RobustLinearParams):
    """The Params of robust logistic regression and its model."""


class RobustLogisticRegression(
    _RobustStage,
    _JavaProbabilisticClassifier["RobustLogisticRegressionModel"],
    _RobustLogisticParams,
    _RobustLinearSetters,
):
    """
    Logistic regression, of two classes or more. The column ``workerCol`` names the worker of each row; without it, rows
    are dealt to ``numWorkers`` workers in turn. Labels are classes 0, 1, ...
    """

    family: "Param[str]" = Param(
        Params._dummy(),
        "family",
        "auto: binomial for two classes, else multinomial; binomial; multinomial: one vector of weights per class",
        typeConverter=TypeConverters.toString,
    )
    _input_kwargs: Dict[str, Any]

    @keyword_only
    def __init__(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction", probabilityCol: str = "probability",
        threshold: float = 0.5, thresholds: Optional[List[float]] = None, family: str = "auto",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ):
        super().__init__()
        self._setDefault(family="auto")
        self._java_obj = self._new_java_obj("holdfast.spark.RobustLogisticRegression", self.uid)
        kwargs = self._input_kwargs
        self.setParams(**kwargs)

    @keyword_only
    def setParams(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction", probabilityCol: str = "probability",
        threshold: float = 0.5, thresholds: Optional[List[float]] = None, family: str = "auto",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ) -> "RobustLogisticRegression":
        """Sets the Params that are given."""
        kwargs = self._input_kwargs
        return self._set(**kwargs)

    def _create_model(self, java_model: Any) -> "RobustLogisticRegressionModel":
        return RobustLogisticRegressionModel(java_model)

    def setFamily(self, value: str) -> "RobustLogisticRegression":
        return self._set(family=value)

    def getFamily(self) -> str:
        return self.getOrDefault(self.family)


class RobustLogisticRegressionModel(
    _RobustClassificationModel, _LinearModel, _JavaProbabilisticClassificationModel[Vector], _RobustLogisticParams
):
    """The model that :class:`RobustLogisticRegression` fits. Coefficients are those of unscaled features."""

    @property
    def coefficientMatrix(self) -> Matrix:
        """One row for a binomial model, else one row per class."""
        return self._call_java("coefficientMatrix")

    @property
    def interceptVector(self) -> Vector:
        return self._call_java("interceptVector")


class _RobustLinearSVCParams(_ClassifierParams, _RobustLinearParams, HasThreshold):
    """The Params of the robust linear classifier and its model."""

    threshold: "Param[float]" = Param(
        Params._dummy(),
        "threshold",
        "a row is of the second class if its raw prediction is at least this, where Spark's own LinearSVC wants more than"
        " this",
        typeConverter=TypeConverters.toFloat,
    )

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._setDefault(threshold=0.0)

    def setThreshold(self, value: float):
        return self._set(threshold=value)


class RobustLinearSVC(
    _RobustStage, _JavaClassifier["RobustLinearSVCModel"], _RobustLinearSVCParams, _RobustLinearSetters
):
    """
    A linear support vector machine for two classes, 0 and 1. Works like :class:`RobustLogisticRegression`, but gives no
    probabilities; ``threshold`` applies to the raw score.
    """

    _input_kwargs: Dict[str, Any]

    @keyword_only
    def __init__(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction", threshold: float = 0.0,
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ):
        super().__init__()
        self._java_obj = self._new_java_obj("holdfast.spark.RobustLinearSVC", self.uid)
        kwargs = self._input_kwargs
        self.setParams(**kwargs)

    @keyword_only
    def setParams(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction", threshold: float = 0.0,
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ) -> "RobustLinearSVC":
        """Sets the Params that are given."""
        kwargs = self._input_kwargs
        return self._set(**kwargs)

    def _create_model(self, java_model: Any) -> "RobustLinearSVCModel":
        return RobustLinearSVCModel(java_model)


class RobustLinearSVCModel(
    _RobustClassificationModel, _LinearModel, _JavaClassificationModel[Vector], _RobustLinearSVCParams
):
    """The model that :class:`RobustLinearSVC` fits. Coefficients are those of unscaled features."""


class _RobustRegressionParams(_PredictorParams, _RobustLinearParams):
    """The Params of robust linear regressions and their models."""


class RobustLinearRegression(
    _RobustStage, _JavaRegressor["RobustLinearRegressionModel"], _RobustRegressionParams, _RobustLinearSetters
):
    """
    Linear regression, by least squares or Huber's loss. Works like :class:`RobustLogisticRegression`, for labels that are
    numbers.
    """

    loss: "Param[str]" = Param(
        Params._dummy(), "loss", "squaredError; huber: outliers count less", typeConverter=TypeConverters.toString
    )
    _input_kwargs: Dict[str, Any]

    @keyword_only
    def __init__(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        loss: str = "squaredError",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ):
        super().__init__()
        self._setDefault(loss="squaredError")
        self._java_obj = self._new_java_obj("holdfast.spark.RobustLinearRegression", self.uid)
        kwargs = self._input_kwargs
        self.setParams(**kwargs)

    @keyword_only
    def setParams(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        loss: str = "squaredError",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ) -> "RobustLinearRegression":
        """Sets the Params that are given."""
        kwargs = self._input_kwargs
        return self._set(**kwargs)

    def _create_model(self, java_model: Any) -> "RobustLinearRegressionModel":
        return RobustLinearRegressionModel(java_model)

    def setLoss(self, value: str) -> "RobustLinearRegression":
        return self._set(loss=value)

    def getLoss(self) -> str:
        return self.getOrDefault(self.loss)


class RobustLinearRegressionModel(
    _RobustRegressionModel, _LinearModel, _JavaRegressionModel[Vector], _RobustRegressionParams
):
    """The model that :class:`RobustLinearRegression` fits. Coefficients are those of unscaled features and labels."""


class RobustPoissonRegression(
    _RobustStage, _JavaRegressor["RobustPoissonRegressionModel"], _RobustRegressionParams, _RobustLinearSetters
):
    """
    Poisson regression, for labels that are counts. Works like :class:`RobustLogisticRegression`; predictions are expected
    counts.
    """

    _input_kwargs: Dict[str, Any]

    @keyword_only
    def __init__(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ):
        super().__init__()
        self._java_obj = self._new_java_obj("holdfast.spark.RobustPoissonRegression", self.uid)
        kwargs = self._input_kwargs
        self.setParams(**kwargs)

    @keyword_only
    def setParams(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        fitIntercept: bool = True, scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ) -> "RobustPoissonRegression":
        """Sets the Params that are given."""
        kwargs = self._input_kwargs
        return self._set(**kwargs)

    def _create_model(self, java_model: Any) -> "RobustPoissonRegressionModel":
        return RobustPoissonRegressionModel(java_model)


class RobustPoissonRegressionModel(
    _RobustRegressionModel, _LinearModel, _JavaRegressionModel[Vector], _RobustRegressionParams
):
    """The model that :class:`RobustPoissonRegression` fits. Coefficients are those of unscaled features."""


class _RobustNetworkClassifierParams(_RobustProbabilisticParams, _RobustNetworkParams):
    """The Params of robust networks of classes and their models."""


class RobustNetworkClassifier(
    _RobustStage, _JavaProbabilisticClassifier["RobustNetworkClassificationModel"], _RobustNetworkClassifierParams, _RobustNetworkSetters
):
    """
    A neural network of fully connected layers, for two classes or more. Works like :class:`RobustLogisticRegression`, for
    what no linear model can learn: features that count only together.
    """

    _input_kwargs: Dict[str, Any]

    @keyword_only
    def __init__(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction", probabilityCol: str = "probability",
        threshold: float = 0.5, thresholds: Optional[List[float]] = None,
        hiddenLayers: List[int] = [32], activation: str = "softplus",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ):
        super().__init__()
        self._java_obj = self._new_java_obj("holdfast.spark.RobustNetworkClassifier", self.uid)
        kwargs = self._input_kwargs
        self.setParams(**kwargs)

    @keyword_only
    def setParams(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        rawPredictionCol: str = "rawPrediction", probabilityCol: str = "probability",
        threshold: float = 0.5, thresholds: Optional[List[float]] = None,
        hiddenLayers: List[int] = [32], activation: str = "softplus",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ) -> "RobustNetworkClassifier":
        """Sets the Params that are given."""
        kwargs = self._input_kwargs
        return self._set(**kwargs)

    def _create_model(self, java_model: Any) -> "RobustNetworkClassificationModel":
        return RobustNetworkClassificationModel(java_model)


class RobustNetworkClassificationModel(
    _RobustClassificationModel, _Network, _JavaProbabilisticClassificationModel[Vector], _RobustNetworkClassifierParams
):
    """The model that :class:`RobustNetworkClassifier` fits."""


class _RobustNetworkRegressionParams(_PredictorParams, _RobustNetworkParams):
    """The Params of robust networks of numbers and their models."""


class RobustNetworkRegressor(
    _RobustStage, _JavaRegressor["RobustNetworkRegressionModel"], _RobustNetworkRegressionParams, _RobustNetworkSetters
):
    """
    A neural network of fully connected layers for labels that are numbers, by least squares or Huber's loss. Works like
    :class:`RobustNetworkClassifier`.
    """

    loss: "Param[str]" = Param(
        Params._dummy(), "loss", "squaredError; huber: outliers count less", typeConverter=TypeConverters.toString
    )
    _input_kwargs: Dict[str, Any]

    @keyword_only
    def __init__(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        loss: str = "squaredError", hiddenLayers: List[int] = [32], activation: str = "softplus",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ):
        super().__init__()
        self._setDefault(loss="squaredError")
        self._java_obj = self._new_java_obj("holdfast.spark.RobustNetworkRegressor", self.uid)
        kwargs = self._input_kwargs
        self.setParams(**kwargs)

    @keyword_only
    def setParams(
        self, *, featuresCol: str = "features", labelCol: str = "label", predictionCol: str = "prediction",
        loss: str = "squaredError", hiddenLayers: List[int] = [32], activation: str = "softplus",
        maxIter: int = 1000, tol: float = 1e-4, learningRate: Optional[float] = None, regParam: float = 0.0,
        scale: str = "auto", seed: int = 1, price: float = 8.0,
        ascentSteps: Optional[int] = None, ascentRate: Optional[float] = None, rule: str = "norm-screening",
        tolerated: Union[int, float, str] = "auto", statistics: str = "robust", numWorkers: int = 10,
        workerCol: Optional[str] = None, weightCol: Optional[str] = None, plan: Optional[str] = None,
    ) -> "RobustNetworkRegressor":
        """Sets the Params that are given."""
        kwargs = self._input_kwargs
        return self._set(**kwargs)

    def _create_model(self, java_model: Any) -> "RobustNetworkRegressionModel":
        return RobustNetworkRegressionModel(java_model)

    def setLoss(self, value: str) -> "RobustNetworkRegressor":
        return self._set(loss=value)

    def getLoss(self) -> str:
        return self.getOrDefault(self.loss)


class RobustNetworkRegressionModel(
    _RobustRegressionModel, _Network, _JavaRegressionModel[Vector], _RobustNetworkRegressionParams
):
    """The model that :class:`RobustNetworkRegressor` fits."""
