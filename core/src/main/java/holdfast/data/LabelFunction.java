package holdfast.data;

import java.io.Serializable;
import java.util.function.DoubleUnaryOperator;

/** A function of a label that is made of numbers alone: it may travel to where the rows are. */
@FunctionalInterface
public interface LabelFunction extends DoubleUnaryOperator, Serializable {}
