"""The Params that all stages share, with what the docs of :mod:`holdfast.spark` call settings."""

import numbers
from typing import Any, List

from pyspark.ml.param.shared import (
    HasFitIntercept,
    HasMaxIter,
    HasRegParam,
    HasTol,
    HasWeightCol,
    Param,
    Params,
    TypeConverters,
)
from pyspark.ml.util import JavaMLReadable, JavaMLReader, JavaMLWritable, _jvm
from pyspark.ml.wrapper import JavaParams
from pyspark.sql.utils import is_remote


def _require_jar() -> None:
    """Says what is missing, where PySpark would only say that a package of Java is not callable."""
    if is_remote():
        return  # the server of Spark Connect finds the classes, or says which it does not know
    from py4j.java_gateway import JavaPackage

    if isinstance(_jvm().holdfast.spark.RobustLogisticRegression, JavaPackage):
        raise RuntimeError(
            "holdfast.jar must be on the class path of Spark's driver; name it when the session starts: spark.jars in"
            " SparkSession.builder.config, or spark-submit --jars; a JVM that runs already does not load it"
        )


class _RobustStage(JavaParams, JavaMLWritable, JavaMLReadable):
    """
    A stage whose class has the same full name in Java and in Python, so that PySpark's own readers of stages, pipelines
    and tuned models find it. Comes first among the bases of a stage, because it overrides methods of JavaParams.
    """

    @staticmethod
    def _new_java_obj(java_class: str, *args: Any) -> Any:
        _require_jar()
        return JavaParams._new_java_obj(java_class, *args)

    @classmethod
    def read(cls) -> JavaMLReader:
        _require_jar()
        return super().read()

    def _transfer_params_from_java(self) -> None:
        """Also understands the older names in stages that earlier versions saved."""
        super()._transfer_params_from_java()
        for name, older in (("price", "lambda"), ("tolerated", "screened")):
            java_param = self._java_obj.getParam(older)
            if self._java_obj.isSet(java_param) and not self.isSet(name):
                self._set(**{name: self._java_obj.getOrDefault(java_param)})


def _to_count_or_share(value: Any) -> str:
    """Accepts 2 and 0.1 besides their texts and 'auto'."""
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"tolerated must be a count, a share or a text, got {value!r}")


class _RobustParams(HasMaxIter, HasTol, HasRegParam, HasWeightCol):
    """The training settings, of estimators and models. Java checks the values when ``fit`` starts."""

    learningRate: "Param[float]" = Param(
        Params._dummy(),
        "learningRate",
        "step size (> 0); found from the data and adapted in each round if not set",
        typeConverter=TypeConverters.toFloat,
    )
    scale: "Param[str]" = Param(
        Params._dummy(),
        "scale",
        "none, sd, standardise, min-max or max-abs; auto: standardise, max-abs where rows are sparse, sd without an"
        " intercept",
        typeConverter=TypeConverters.toString,
    )
    # Not HasSeed: its default differs from process to process and would replace the one of Java.
    seed: "Param[int]" = Param(
        Params._dummy(), "seed", "decides everything that is random", typeConverter=TypeConverters.toInt
    )
    price: "Param[float]" = Param(
        Params._dummy(),
        "price",
        "transport price (> 0) of moving a training row to its worst case; smaller is more robust, infinity is plain"
        " training",
        typeConverter=TypeConverters.toFloat,
    )
    ascentSteps: "Param[int]" = Param(
        Params._dummy(),
        "ascentSteps",
        "fixed number of ascent steps per row (>= 0); as many as the precision needs if not set",
        typeConverter=TypeConverters.toInt,
    )
    ascentRate: "Param[float]" = Param(
        Params._dummy(),
        "ascentRate",
        "ascent step size (> 0); 1/price if not set",
        typeConverter=TypeConverters.toFloat,
    )
    rule: "Param[str]" = Param(
        Params._dummy(),
        "rule",
        "how the server combines updates, perhaps after pre-aggregators: nnm + trimmed-mean(tolerated=2)",
        typeConverter=TypeConverters.toString,
    )
    tolerated: "Param[str]" = Param(
        Params._dummy(),
        "tolerated",
        "the number of liars the rule is set up for: a count, a share below 1 of the workers, or auto",
        typeConverter=_to_count_or_share,
    )
    statistics: "Param[str]" = Param(
        Params._dummy(),
        "statistics",
        "how scale, weights and step size are learnt: robust, by worker; pooled, from all rows together",
        typeConverter=TypeConverters.toString,
    )
    numWorkers: "Param[int]" = Param(
        Params._dummy(),
        "numWorkers",
        "number of workers (>= 1) that the rows are dealt to in turn, without workerCol",
        typeConverter=TypeConverters.toInt,
    )
    workerCol: "Param[str]" = Param(
        Params._dummy(),
        "workerCol",
        "column whose values (hospital, vendor, sensor), of any type, are one worker each",
        typeConverter=TypeConverters.toString,
    )
    plan: "Param[str]" = Param(
        Params._dummy(),
        "plan",
        "lines 'key: value' as in a plan file, for settings without a Param; a Param that is set wins",
        typeConverter=TypeConverters.toString,
    )

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._setDefault(
            maxIter=1000, tol=1e-4, regParam=0.0, scale="auto", seed=1, price=8.0,
            rule="norm-screening", tolerated="auto", statistics="robust", numWorkers=10,
        )

    def getLearningRate(self) -> float:
        return self.getOrDefault(self.learningRate)

    def getScale(self) -> str:
        return self.getOrDefault(self.scale)

    def getSeed(self) -> int:
        return self.getOrDefault(self.seed)

    def getPrice(self) -> float:
        return self.getOrDefault(self.price)

    def getAscentSteps(self) -> int:
        return self.getOrDefault(self.ascentSteps)

    def getAscentRate(self) -> float:
        return self.getOrDefault(self.ascentRate)

    def getRule(self) -> str:
        return self.getOrDefault(self.rule)

    def getTolerated(self) -> str:
        return self.getOrDefault(self.tolerated)

    def getStatistics(self) -> str:
        return self.getOrDefault(self.statistics)

    def getNumWorkers(self) -> int:
        return self.getOrDefault(self.numWorkers)

    def getWorkerCol(self) -> str:
        return self.getOrDefault(self.workerCol)

    def getPlan(self) -> str:
        return self.getOrDefault(self.plan)


class _RobustSetters(_RobustParams):
    """Setters of the training settings, for estimators. ``clear(param)`` makes a setting automatic again."""

    def setMaxIter(self, value: int):
        return self._set(maxIter=value)

    def setTol(self, value: float):
        return self._set(tol=value)

    def setRegParam(self, value: float):
        return self._set(regParam=value)

    def setWeightCol(self, value: str):
        return self._set(weightCol=value)

    def setLearningRate(self, value: float):
        return self._set(learningRate=value)

    def setScale(self, value: str):
        return self._set(scale=value)

    def setSeed(self, value: int):
        return self._set(seed=value)

    def setPrice(self, value: float):
        return self._set(price=value)

    def setAscentSteps(self, value: int):
        return self._set(ascentSteps=value)

    def setAscentRate(self, value: float):
        return self._set(ascentRate=value)

    def setRule(self, value: str):
        return self._set(rule=value)

    def setTolerated(self, value: "int | float | str"):
        return self._set(tolerated=value)

    def setStatistics(self, value: str):
        return self._set(statistics=value)

    def setNumWorkers(self, value: int):
        return self._set(numWorkers=value)

    def setWorkerCol(self, value: str):
        return self._set(workerCol=value)

    def setPlan(self, value: str):
        return self._set(plan=value)


class _RobustLinearParams(_RobustParams, HasFitIntercept):
    """The Param that linear models have besides: networks always have biases."""

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._setDefault(fitIntercept=True)


class _RobustLinearSetters(_RobustSetters, _RobustLinearParams):
    """Setters of the training settings, for estimators of linear models."""

    def setFitIntercept(self, value: bool):
        return self._set(fitIntercept=value)


class _RobustNetworkParams(_RobustParams):
    """The Params that networks have besides."""

    hiddenLayers: "Param[List[int]]" = Param(
        Params._dummy(),
        "hiddenLayers",
        "how many units (>= 1) each hidden layer has, first layer first",
        typeConverter=TypeConverters.toListInt,
    )
    activation: "Param[str]" = Param(
        Params._dummy(),
        "activation",
        "what a unit does with its sum: softplus, tanh, gelu (the form with tanh), elu or relu, which has a kink",
        typeConverter=TypeConverters.toString,
    )

    def __init__(self, *args: Any):
        super().__init__(*args)
        self._setDefault(hiddenLayers=[32], activation="softplus")

    def getHiddenLayers(self) -> List[int]:
        return self.getOrDefault(self.hiddenLayers)

    def getActivation(self) -> str:
        return self.getOrDefault(self.activation)


class _RobustNetworkSetters(_RobustSetters, _RobustNetworkParams):
    """Setters of the training settings, for estimators of networks."""

    def setHiddenLayers(self, value: List[int]):
        return self._set(hiddenLayers=value)

    def setActivation(self, value: str):
        return self._set(activation=value)
