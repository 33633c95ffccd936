package holdfast.formats;

import holdfast.Check;
import holdfast.InputException;
import holdfast.data.DatePart;
import holdfast.preparation.Encoding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The columns of one file. */
record CsvColumns(String file, List<String> names, boolean numbered) {

    static CsvColumns of(String file, CsvRows.Row first, boolean named) {
        List<String> names = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int c = 0; c < first.cells(); c++) {
            String name = named ? first.cell(c).strip() : "";
            name = name.isEmpty() ? Integer.toString(c + 1) : name;
            Check.that(seen.add(name), "%s: line 1: two columns are called '%s'", file, name);
            names.add(name);
        }
        return new CsvColumns(file, List.copyOf(names), !named);
    }

    int find(String wanted, String role) {
        return Csv.find(file, names, wanted, role);
    }

    /** Returns a column by name, else by number from 1; null if there is none. */
    Integer known(String wanted) {
        boolean number = wanted.matches("[1-9][0-9]{0,8}") && Integer.parseInt(wanted) <= names.size();
        return names.contains(wanted) || number ? (Integer) find(wanted, "column") : null;
    }

    void requireHaveAll(CsvRows.Row record) {
        Check.that(
                record.cells() == names.size(),
                "%s: line %d: must have %d cells like the first line, got %d",
                file,
                record.line(),
                names.size(),
                record.cells());
    }

    /**
     * Returns a cell of a column that a model uses, as {@link Encoding#add} takes it.
     *
     * @param unseen receives a text that training did not have
     */
    double known(CsvRows.Row record, int c, Encoding.Column column, Consumer<String> unseen) {
        boolean date = column.date() != DatePart.NONE;
        double number = column.isText() || date ? Double.NaN : record.number(c);
        if (!Double.isNaN(number)) {
            return number;
        }
        String cell = record.cell(c).strip();
        if (date && !Csv.isMissing(cell)) {
            double days = Csv.days(cell, () -> at(record, c));
            if (!column.isText()) {
                return column.date().of(days);
            }
            cell = column.date().text(days);
        }
        if (column.isText()) {
            double place = column.place(cell);
            if (place >= 0) {
                return place;
            }
            if (!Csv.isMissing(cell)) {
                unseen.accept(cell);
                return place;
            }
        }
        Check.that(
                Csv.isMissing(cell),
                "%s must be a finite number, got '%s'%s",
                at(record, c),
                CellReader.written(record.cell(c)),
                CellReader.hasPoint(record.cell(c))
                        ? "; the model was trained with --decimal comma, so numbers must have commas here too"
                        : "");
        Check.that(column.mayBeMissing(), "%s is missing, which --missing fail in training forbids", at(record, c));
        return Double.NaN;
    }

    double weight(CsvRows.Row record, int column) {
        double weight = record.number(column);
        if (!(weight > 0)) {
            throw new InputException(Csv.notAWeight(at(record, column), record.cell(column)));
        }
        return weight;
    }

    String at(CsvRows.Row record, int column) {
        return file + ": line " + record.line() + ", column " + (column + 1) + " (" + names.get(column) + ")";
    }

    Iterator<CsvRows.Row> replay(CsvRows.Row first, Iterator<CsvRows.Row> rest) {
        return new Iterator<>() {
            private boolean replayed;

            @Override
            public boolean hasNext() {
                return !replayed || rest.hasNext();
            }

            @Override
            public CsvRows.Row next() {
                if (replayed) {
                    return rest.next();
                }
                replayed = true;
                return first;
            }
        };
    }
}
