"""What models of :mod:`holdfast.spark` have in common, and the summaries they give."""

from typing import Any

from pyspark.ml.classification import _BinaryClassificationSummary, _TrainingSummary
from pyspark.ml.linalg import Vector
from pyspark.ml.util import HasTrainingSummary
from pyspark.ml.wrapper import JavaWrapper
from pyspark.sql import DataFrame
from pyspark.sql.utils import is_remote

from holdfast._params import _RobustStage


class RobustRegressionSummary(JavaWrapper):
    """Figures of a regression on a dataset."""

    @property
    def predictions(self) -> DataFrame:
        """The dataset with the predictions."""
        return self._call_java("predictions")

    @property
    def labelCol(self) -> str:
        return self._call_java("labelCol")

    @property
    def predictionCol(self) -> str:
        return self._call_java("predictionCol")

    @property
    def explainedVariance(self) -> float:
        return self._call_java("explainedVariance")

    @property
    def meanAbsoluteError(self) -> float:
        return self._call_java("meanAbsoluteError")

    @property
    def meanSquaredError(self) -> float:
        return self._call_java("meanSquaredError")

    @property
    def rootMeanSquaredError(self) -> float:
        return self._call_java("rootMeanSquaredError")

    @property
    def r2(self) -> float:
        return self._call_java("r2")


class RobustClassificationSummary(_BinaryClassificationSummary):
    """Figures of a classifier on a dataset. Curves and the areas under them need two classes."""

    @property
    def areaUnderPR(self) -> float:
        """The area under the curve of ``pr``."""
        return self._call_java("areaUnderPR")


class _RobustTrainingSummary(_TrainingSummary):
    """How training went. ``objectiveHistory`` has every round if the step adapts, otherwise every tenth or fewer."""

    @property
    def rounds(self) -> int:
        return self._call_java("rounds")

    @property
    def converged(self) -> bool:
        """Whether training ended before ``maxIter`` rounds because the objective had converged."""
        return self._call_java("converged")

    @property
    def objective(self) -> float:
        """The objective of the final model."""
        return self._call_java("objective")

    @property
    def learningRate(self) -> float:
        """The step size used; of the last round, unless it was given."""
        return self._call_java("learningRate")

    @property
    def ledger(self) -> DataFrame:
        """What happened to each worker. Being screened is no accusation: some honest worker nearly always is."""
        return self._call_java("ledgerFrame")

    @property
    def verdicts(self) -> DataFrame:
        """What is said about each source, if workers are sources and there are at least four; otherwise empty."""
        return self._call_java("verdictsFrame")

    @property
    def guarantee(self) -> str:
        """What the convergence theorems say about this run."""
        return self._call_java("guarantee")

    def __str__(self) -> str:
        return self._call_java("toString")


class RobustRegressionTrainingSummary(RobustRegressionSummary, _RobustTrainingSummary):
    """How the training of a regression went, with its figures on the training rows."""


class RobustClassificationTrainingSummary(RobustClassificationSummary, _RobustTrainingSummary):
    """How the training of a classifier went, with its figures on the training rows."""


class _RobustModel(_RobustStage, HasTrainingSummary):
    """A fitted model."""

    def __init__(self, java_model: Any = None):
        super().__init__(java_model)
        if java_model is not None and not is_remote():
            self._transfer_params_from_java()  # what the text of a plan has set

    @property
    def summary(self) -> _RobustTrainingSummary:
        """
        How training went. The summary of a model that was loaded has no predictions of the training rows and no figures;
        ``evaluate`` gives them. Models saved by earlier versions have no summary; see ``hasSummary``.
        """
        if not self.hasSummary:
            raise RuntimeError(f"No training summary available for this {type(self).__name__}")
        return self._training_summary(super().summary)

    def evaluate(self, dataset: DataFrame) -> JavaWrapper:
        """Returns the figures of this model on a dataset."""
        if not isinstance(dataset, DataFrame):
            raise TypeError(f"dataset must be a DataFrame but got {type(dataset)}.")
        return self._summary(self._call_java("evaluate", dataset))


class _RobustRegressionModel(_RobustModel):
    """A fitted regression."""

    _summary = RobustRegressionSummary
    _training_summary = RobustRegressionTrainingSummary


class _RobustClassificationModel(_RobustModel):
    """A fitted classifier."""

    _summary = RobustClassificationSummary
    _training_summary = RobustClassificationTrainingSummary


class _LinearModel(JavaWrapper):
    """A fitted model with a coefficient for each feature."""

    @property
    def coefficients(self) -> Vector:
        """For unscaled features. A model of many classes has a ``coefficientMatrix`` instead."""
        return self._call_java("coefficients")

    @property
    def intercept(self) -> float:
        """For unscaled features. A model of many classes has an ``interceptVector`` instead."""
        return self._call_java("intercept")


class _Network(JavaWrapper):
    """A fitted network."""

    @property
    def weights(self) -> Vector:
        """
        The weights of each layer, first layer first, a row of them for each number that comes in; then the biases of all
        layers. They apply to scaled features.
        """
        return self._call_java("weights")
