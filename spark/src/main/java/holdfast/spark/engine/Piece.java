package holdfast.spark.engine;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import holdfast.data.Block;
import holdfast.data.DataSource;
import holdfast.data.Dataset;
import holdfast.data.DatasetBuilder;
import holdfast.data.Schema;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Consecutive blocks of a worker, packed. Serialised as numbers. */
@DefaultSerializer(JavaSerializer.class)
public final class Piece implements Externalizable {
    private static final long serialVersionUID = 1;

    private int worker;
    private int firstBlock;
    private transient Dataset rows;
    /** An object that is made from these rows once and used in every round, and its purpose. */
    private transient Object kept;

    private transient Object keptFor;

    /** For deserialisation. */
    public Piece() {}

    Piece(int worker, int firstBlock, Dataset rows) {
        this.worker = worker;
        this.firstBlock = firstBlock;
        this.rows = rows;
    }

    int worker() {
        return worker;
    }

    int firstBlock() {
        return firstBlock;
    }

    /** One past its last block. */
    int endBlock() {
        return firstBlock + rows.blocks().size();
    }

    Dataset rows() {
        return rows;
    }

    Piece map(UnaryOperator<Dataset> change) {
        return new Piece(worker, firstBlock, change.apply(rows));
    }

    /** Returns the kept object, made anew if the old one was for another purpose. */
    synchronized <T> T kept(Class<T> type, Object purpose, Supplier<T> make) {
        if (!purpose.equals(keptFor)) {
            kept = make.get();
            keptFor = purpose;
        }
        return type.cast(kept);
    }

    /** Returns a schema with this many columns without their names, which nobody needs where the rows are. */
    public static Schema unnamed(int columns, String label, List<String> classes) {
        return new Schema(
                IntStream.range(0, columns).mapToObj(Integer::toString).toList(), label, classes, List.of());
    }

    public static DatasetBuilder builder(boolean sparse, int columns) {
        return sparse ? DatasetBuilder.sparse(columns) : new DatasetBuilder(columns);
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        Schema schema = rows.schema();
        out.writeInt(worker);
        out.writeInt(firstBlock);
        out.writeUTF(schema.label());
        out.writeInt(schema.classes().size());
        for (String name : schema.classes()) {
            out.writeUTF(name);
        }
        out.writeInt(rows.columns());
        boolean floats = rows.hasFloats();
        out.writeBoolean(rows.sparse());
        out.writeBoolean(floats);
        out.writeInt(rows.rows());
        double[] row = new double[rows.sparse() ? 0 : rows.columns()];
        Numbers numbers = new Numbers();
        for (Block block : rows.blocks()) {
            for (int j = 0; j < block.rows(); j++) {
                out.writeDouble(block.label(j));
                out.writeDouble(block.weight(j));
                if (block.sparse()) {
                    numbers.count = 0;
                    block.nonZeros(j, numbers::add);
                    numbers.write(out);
                } else {
                    block.copyRow(j, row, 0);
                    for (double value : row) {
                        if (floats) {
                            out.writeFloat((float) value);
                        } else {
                            out.writeDouble(value);
                        }
                    }
                }
            }
        }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        worker = in.readInt();
        firstBlock = in.readInt();
        String label = in.readUTF();
        String[] classes = new String[in.readInt()];
        for (int c = 0; c < classes.length; c++) {
            classes[c] = in.readUTF();
        }
        int columns = in.readInt();
        boolean sparse = in.readBoolean();
        boolean floats = in.readBoolean();
        DatasetBuilder builder = builder(sparse, columns);
        double[] row = new double[sparse ? 0 : columns];
        Numbers numbers = new Numbers();
        int count = in.readInt();
        for (int r = 0; r < count; r++) {
            double y = in.readDouble();
            double weight = in.readDouble();
            if (sparse) {
                numbers.read(in);
                builder.add(numbers.at, numbers.x, numbers.count, y, 0, weight);
            } else {
                for (int i = 0; i < columns; i++) {
                    row[i] = floats ? in.readFloat() : in.readDouble();
                }
                builder.add(row, y, 0, weight);
            }
        }
        Dataset read = builder.build(unnamed(columns, label, List.of(classes)), DataSource.MEMORY);
        rows = floats ? read.inFloats(r -> r) : read;
    }

    /** The values of a row that are not zero. */
    private static final class Numbers {
        private int[] at = new int[16];
        private double[] x = new double[16];
        private int count;

        void add(int column, double value) {
            if (count == at.length) {
                at = Arrays.copyOf(at, 2 * count);
                x = Arrays.copyOf(x, 2 * count);
            }
            at[count] = column;
            x[count++] = value;
        }

        void write(ObjectOutput out) throws IOException {
            out.writeInt(count);
            for (int k = 0; k < count; k++) {
                out.writeInt(at[k]);
                out.writeDouble(x[k]);
            }
        }

        void read(ObjectInput in) throws IOException {
            int more = in.readInt();
            for (count = 0; count < more; ) {
                int column = in.readInt();
                add(column, in.readDouble());
            }
        }
    }
}
