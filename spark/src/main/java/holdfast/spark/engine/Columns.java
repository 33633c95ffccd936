package holdfast.spark.engine;

import holdfast.Check;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/**
 * The columns of a DataFrame and what they hold.
 *
 * @param features vectors, dense or sparse
 * @param label numbers; for classes, their indices from 0
 * @param weight numbers; null: every row counts the same
 * @param source who the row came from, of any type; null: rows name no source
 */
public record Columns(String features, String label, String weight, String source) implements Serializable {
    /** @throws holdfast.InputException unless all these columns are there */
    public void requireBeIn(StructType schema) {
        List<String> known = List.of(schema.fieldNames());
        Stream.of(features, label, weight, source)
                .filter(Objects::nonNull)
                .forEach(name -> Check.that(
                        known.contains(name),
                        "there must be a column %s; there are %s",
                        name,
                        String.join(", ", known)));
        Check.that(
                weight == null || schema.apply(weight).dataType() instanceof NumericType,
                "column %s must be numbers, got %s",
                weight,
                weight == null ? "" : schema.apply(weight).dataType().simpleString());
    }
}
