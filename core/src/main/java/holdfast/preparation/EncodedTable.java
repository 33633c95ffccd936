package holdfast.preparation;

import holdfast.Check;
import holdfast.data.Dataset;
import holdfast.data.Table;
import holdfast.data.TableColumn;
import java.util.List;
import java.util.Set;

/**
 * A table with cells that became features when it was written, by an encoding learnt at that time. Files of older
 * versions contain such tables; nothing more can be learnt about their columns.
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

    private EncodedTable(Encoding encoding, Dataset features, Table other) {
        super(List.of(), features, other);
        this.encoding = encoding;
    }

    @Override
    public Table with(List<TableColumn> others, Dataset changed) {
        return new EncodedTable(encoding, changed, this);
    }

    @Override
    public Table leftOut(Set<String> sources) {
        return new EncodedTable(encoding, cells(), super.leftOut(sources));
    }

    public Encoding encoding() {
        return encoding;
    }
}
