package holdfast.spark;

import java.io.Serializable;

/**
 * Which columns of a DataFrame are what.
 *
 * @param features vectors, dense or sparse
 * @param label numbers; the places of classes from 0 where there are classes
 * @param weight numbers; null: every row counts the same
 * @param source whoever the row came from, of any type; null: rows name no source
 */
record Columns(String features, String label, String weight, String source) implements Serializable {}
