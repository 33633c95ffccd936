package holdfast.data;

import java.util.List;

/**
 * What the columns of rows mean.
 *
 * @param features names of the feature columns; for a {@link Table}, names of its columns
 * @param label name of the label column
 * @param classes the label values as users write them, in which case a label is the index of one; empty if labels are
 *     numbers
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

    /** Returns the same schema with these sources. */
    public Schema withGroups(List<String> names) {
        return new Schema(features, label, classes, names);
    }

    /** Returns the same schema with other features. */
    public Schema withFeatures(List<String> names) {
        return new Schema(names, label, classes, groups);
    }
}
