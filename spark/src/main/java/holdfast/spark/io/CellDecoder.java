package holdfast.spark.io;

import holdfast.formats.CellFormat;
import holdfast.formats.CellReader;
import java.io.Serializable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema;

/**
 * Reads the cells of rows as a {@link CellFormat} says.
 *
 * <p>Spark 4 knows few encodings. So it reads a table in another one than UTF-8 as if each byte were a letter, which is
 * Latin-1, and these bytes become letters here. Lines and cells end at the same bytes if the encoding
 * {@linkplain CellFormat#extendsAscii extends ASCII}.
 *
 * @param encoding its name; null if text is read already
 */
record CellDecoder(String encoding, CellReader cells) implements Serializable {
    CellDecoder(Charset encoding, CellFormat cells) {
        this(encoding.equals(StandardCharsets.UTF_8) ? null : encoding.name(), cells.reader());
    }

    /** Returns the encoding that Spark shall assume. */
    Charset readAs() {
        return encoding == null ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    }

    /** Returns a text as Spark reads it. */
    String asRead(String text) {
        return encoding == null
                ? text
                : new String(text.getBytes(Charset.forName(encoding)), StandardCharsets.ISO_8859_1);
    }

    /** @param columns how many cells a row has; Spark may add what is wrong with it */
    JavaRDD<Row> read(JavaRDD<Row> rows, int columns) {
        return encoding == null && cells.isPlain() ? rows : rows.map(row -> read(row, columns));
    }

    private Row read(Row row, int columns) {
        Charset charset = encoding == null ? null : Charset.forName(encoding);
        Object[] values = new Object[row.size()];
        for (int c = 0; c < values.length; c++) {
            values[c] = c < columns ? read(row.get(c), charset) : row.get(c);
        }
        return new GenericRowWithSchema(values, row.schema());
    }

    private Object read(Object cell, Charset charset) {
        if (cell instanceof String text) {
            return cells.read(charset == null ? text : new String(text.getBytes(StandardCharsets.ISO_8859_1), charset));
        }
        boolean missing = cell instanceof Number number
                ? cells.isMissing(number.doubleValue())
                : cell instanceof Boolean && cells.read(cell.toString()).isEmpty();
        return missing ? null : cell;
    }
}
