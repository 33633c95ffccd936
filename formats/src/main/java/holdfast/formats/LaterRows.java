package holdfast.formats;

import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import holdfast.evaluation.TrainedModel;
import holdfast.plan.Header;
import holdfast.preparation.Encoding;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Rows for a model that may or may not have labels.
 *
 * @param rows unscaled features, with sources if the table has them
 * @param labelled whether they have labels; if not, labels are 0
 * @param missing the share of missing cells of each column that may have some
 */
public record LaterRows(Dataset rows, boolean labelled, Map<String, Double> missing) {
    /**
     * Reads them.
     *
     * @param useLabels whether to read the label column if the table has one
     * @param source the column that names sources, if the table has it
     * @param kept receives columns as text
     */
    public static LaterRows read(
            String name, ModelFile file, boolean useLabels, Optional<String> source, KeptColumns kept) {
        TrainedModel model = file.model();
        boolean[] labelled = new boolean[1];
        boolean[] counted = new boolean[1];
        Encoding marking = marking(model.encoding());
        Dataset read = new DataFile(name)
                .scan(
                        file.cells(),
                        kept,
                        (reader, in) -> {
                            counted[0] = reader instanceof Csv && !marking.equals(model.encoding());
                            labelled[0] = useLabels
                                    && (!(reader instanceof Csv)
                                            || hasColumn(in, model.schema().label()));
                            Schema schema = model.schema();
                            return reader.read(
                                    in,
                                    counted[0] ? schema.withFeatures(marking.features()) : schema,
                                    counted[0] ? marking : model.encoding(),
                                    labelled[0]
                                            ? new Labels(
                                                    name, schema, model.model().target())
                                            : null,
                                    source);
                        },
                        share -> {});
        return counted[0] ? counted(model, marking, read, labelled[0]) : new LaterRows(read, labelled[0], Map.of());
    }

    /** Returns an encoding that marks missing cells wherever there may be any. */
    private static Encoding marking(Encoding encoding) {
        return new Encoding(encoding.columns().stream()
                .map(column -> new Encoding.Column(
                        column.name(), column.categories(), column.fill(), column.mayBeMissing(), column.date()))
                .toList());
    }

    /** Counts the marks and removes those that the model does not know. */
    private static LaterRows counted(TrainedModel model, Encoding marking, Dataset marked, boolean labelled) {
        List<Encoding.Column> columns = marking.columns();
        int[] first = marking.firstFeatures();
        Map<String, Double> missing = new LinkedHashMap<>();
        boolean[] removed = new boolean[marked.columns()];
        double[] row = new double[marked.columns()];
        int[] marks = new int[columns.size()];
        for (int c = 0; c < marks.length; c++) {
            int end = c + 1 < marks.length ? first[c + 1] : removed.length;
            marks[c] = columns.get(c).marked() ? end - 1 : -1;
            if (marks[c] >= 0) {
                removed[marks[c]] = !model.encoding().columns().get(c).marked();
            }
        }
        int[] stay = IntStream.range(0, removed.length).filter(i -> !removed[i]).toArray();
        int[] counts = new int[marks.length];
        DatasetBuilder builder = model.encoding().builder();
        double[] own = new double[stay.length];
        for (int r = 0; r < marked.rows(); r++) {
            marked.copyRow(r, row);
            for (int c = 0; c < marks.length; c++) {
                counts[c] += marks[c] >= 0 && row[marks[c]] != 0 ? 1 : 0;
            }
            for (int i = 0; i < stay.length; i++) {
                own[i] = row[stay[i]];
            }
            builder.add(own, marked.label(r), marked.hasGroups() ? marked.group(r) : 0, marked.weight(r));
        }
        for (int c = 0; c < marks.length; c++) {
            if (marks[c] >= 0) {
                missing.put(columns.get(c).name(), counts[c] / (double) marked.rows());
            }
        }
        return new LaterRows(
                builder.build(marked.schema().withFeatures(model.schema().features()), marked.source()),
                labelled,
                missing);
    }

    /** Returns whether a table has a column; reads nothing. */
    private static boolean hasColumn(Reader.Input in, String name) throws IOException {
        BufferedInputStream stream = in.stream();
        stream.mark(DataFile.SNIFFED);
        byte[] begin = stream.readNBytes(DataFile.SNIFFED);
        stream.reset();
        Csv.Head head = Csv.head(
                in.name(),
                new BufferedInputStream(new ByteArrayInputStream(begin), DataFile.SNIFFED),
                Header.AUTO,
                in.cells());
        return new CsvColumns(in.name(), head.names(), !head.named()).known(name) != null;
    }
}
