package holdfast.data;

import java.util.List;

/**
 * What the columns of rows mean.
 *
 * @param features names of the feature columns; of a {@link Table}, of its columns
 * @param label name of the label column
 * @param classes the label values as users write them, in which case a label is the index of one; empty where labels
 *     are numbers
 * @param groups names of the sources, empty if rows name none
 */
public record Schema(List<String> features, String label, List<String> classes, List<String> groups) {
    public Schema {
        features = List.copyOf(features);
        classes = List.copyOf(classes);
        groups = List.copyOf(groups);
    }

    public Schema withoutGroups() {
        return withGroups(List.of());
    }

    /** The same with rows that name these sources. */
    public Schema withGroups(List<String> names) {
        return new Schema(features, label, classes, names);
    }

    /** The same label and sources with other features. */
    public Schema withFeatures(List<String> names) {
        return new Schema(names, label, classes, groups);
    }
}
