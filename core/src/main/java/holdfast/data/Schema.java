package holdfast.data;

import holdfast.Check;
import java.util.List;

/**
 * What the columns mean.
 *
 * @param features names of the feature columns
 * @param label name of the label column
 * @param classes the label values as users write them, in which case a label is the index of one; empty where labels
 *     are numbers
 * @param groups names of the sources, empty if rows name none
 * @param encoding how the features were made of the columns of a table
 * @param table the columns of a table whose cells are not features yet, called as {@code features} are: what they become
 *     is learnt from training rows, see {@link Encoding#learn}; empty where rows are features
 */
public record Schema(
        List<String> features,
        String label,
        List<String> classes,
        List<String> groups,
        Encoding encoding,
        List<TableColumn> table) {
    public Schema {
        Check.that(
                encoding.equals(Encoding.NONE) || encoding.features().equals(features),
                "the features must be those that the encoding makes");
        Check.that(
                table.isEmpty()
                        || encoding.equals(Encoding.NONE)
                                && table.stream()
                                        .map(TableColumn::name)
                                        .toList()
                                        .equals(features),
                "cells of a table have its columns and no encoding yet");
        features = List.copyOf(features);
        classes = List.copyOf(classes);
        groups = List.copyOf(groups);
        table = List.copyOf(table);
    }

    /** Rows that are features. */
    public Schema(List<String> features, String label, List<String> classes, List<String> groups, Encoding encoding) {
        this(features, label, classes, groups, encoding, List.of());
    }

    /** Rows that are the cells of a table; features at once if it has neither text nor cells that may be missing. */
    public static Schema of(List<TableColumn> table, String label, List<String> classes, List<String> groups) {
        return new Schema(
                table.stream().map(TableColumn::name).toList(),
                label,
                classes,
                groups,
                Encoding.NONE,
                table.stream().allMatch(TableColumn::isFeature) ? List.of() : table);
    }

    /** Features that are the columns of a table. */
    public Schema(List<String> features, String label, List<String> classes, List<String> groups) {
        this(features, label, classes, groups, Encoding.NONE);
    }

    public Schema withoutGroups() {
        return withGroups(List.of());
    }

    Schema withGroups(List<String> names) {
        return new Schema(features, label, classes, names, encoding, table);
    }
}
