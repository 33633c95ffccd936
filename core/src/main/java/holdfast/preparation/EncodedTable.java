package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Table;
import java.util.List;

/**
 * A table whose cells were made features when it was written, by an encoding that was learnt then. Files of older versions are
 * such; nothing more can be learnt of their columns.
 */
public final class EncodedTable extends Table {
    private final Encoding encoding;

    public EncodedTable(Encoding encoding, Dataset features) {
        super(List.of(), features);
        Check.that(
                encoding.features().equals(features.schema().features()),
                "the features must be those that the encoding makes");
        this.encoding = encoding;
    }

    public Encoding encoding() {
        return encoding;
    }
}
