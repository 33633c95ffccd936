/**
 * Distributed learning that holds fast when workers lie and data shift: the mathematics, the round loop and the in-process
 * engine. Start at {@code holdfast.training.Training}.
 *
 * <p>The Vector API makes training several times faster and changes no bit of its results. It is an incubator of the JDK,
 * which no program gets unasked: start java with {@code --add-modules jdk.incubator.vector}, or, to spare the JVM's warning,
 * with {@code --add-opens java.base/jdk.internal.module=holdfast.core}. Without either, plain Java is used.
 */
module holdfast.core {
    exports holdfast;
    exports holdfast.aggregate;
    exports holdfast.attack;
    exports holdfast.certificate;
    exports holdfast.data;
    exports holdfast.evaluation;
    exports holdfast.math;
    exports holdfast.model;
    exports holdfast.objective;
    exports holdfast.plan;
    exports holdfast.preparation;
    exports holdfast.rounds;
    exports holdfast.shift;
    exports holdfast.sources;
    exports holdfast.theory;
    exports holdfast.training;
    exports holdfast.training.engine;

    uses holdfast.plan.Plugin;
    uses holdfast.training.engine.Engine;
}
