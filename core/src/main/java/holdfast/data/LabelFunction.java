package holdfast.data;

import java.io.Serializable;
import java.util.function.DoubleUnaryOperator;

/** A function of a label. It contains only numbers, so that it can be sent to where the rows are. */
@FunctionalInterface
public interface LabelFunction extends DoubleUnaryOperator, Serializable {}
