package holdfast.certificate;

import holdfast.data.Block;
import holdfast.data.Dataset;
import holdfast.math.Threads;
import holdfast.objective.CategoryGains;
import holdfast.objective.MixedCost;
import java.util.Arrays;
import java.util.List;

/** By how much changes of categories raise the score of each class, for the rows of a certificate. */
final class ClassGains {
    /** For rows whose categories stay. */
    static final ClassGains NONE = new ClassGains(List.of(), new double[0][], 0);

    private final List<MixedCost.Change> changes;
    private final int classes;
    /** What each category of each column adds to the score of each class. */
    private final double[][][] scores;
    /** What the columns of each row add, row after row: for each class the columns. */
    private final double[][] own;

    private final double size;

    private ClassGains(List<MixedCost.Change> changes, double[][] w, int rows) {
        this.changes = changes;
        this.classes = w.length;
        scores = new double[classes][changes.size()][];
        own = new double[rows][classes * changes.size()];
        double sizes = 0;
        for (int c = 0; c < classes; c++) {
            for (int g = 0; g < changes.size(); g++) {
                scores[c][g] = CategoryGains.scores(changes.get(g).column(), w[c]);
            }
            sizes = Math.max(sizes, CategoryGains.size(changes, w[c]));
        }
        size = sizes;
    }

    /**
     * Finds them.
     *
     * @param w the weights of each class
     * @param scaled the rows
     */
    static ClassGains of(List<MixedCost.Change> changes, double[][] w, Dataset scaled) {
        ClassGains gains = new ClassGains(changes, w, scaled.rows());
        int columns = changes.size();
        List<Block> blocks = scaled.blocks();
        Threads.here().each(blocks.size(), b -> {
            for (int c = 0; c < w.length; c++) {
                double[] part = CategoryGains.own(changes, w[c], blocks.get(b));
                for (int i = 0; i < blocks.get(b).rows(); i++) {
                    System.arraycopy(part, i * columns, gains.own[b * scaled.blockRows() + i], c * columns, columns);
                }
            }
        });
        return gains;
    }

    int columns() {
        return changes.size();
    }

    int categories(int column) {
        return changes.get(column).column().categories();
    }

    double price(int column) {
        return changes.get(column).price();
    }

    /** Returns the largest sum over the columns of the sizes of what they may add to the score of a class. */
    double size() {
        return size;
    }

    /** Returns by how much the score of a class grows if a column of a row changes to a category. */
    double gain(int row, int column, int category, int c) {
        return scores[c][column][category] - own[row][c * changes.size() + column];
    }

    /** Returns the largest growth of the score of c over that of y; 0 if none grows. */
    double best(int row, int column, int c, int y) {
        double best = 0;
        for (int k = 0; k < categories(column); k++) {
            best = Math.max(best, gain(row, column, k, c) - gain(row, column, k, y));
        }
        return best;
    }

    /** Returns the largest growth of any score over that of y if a column changes to a category. */
    double bestOfClasses(int row, int column, int category, int y) {
        double best = 0;
        for (int c = 0; c < classes; c++) {
            best = Math.max(best, gain(row, column, category, c) - gain(row, column, category, y));
        }
        return best;
    }

    /** Returns scores after changes; -1 for a column that stays. */
    double[] changed(int row, int[] categories, double[] u) {
        double[] changed = u.clone();
        for (int g = 0; g < categories.length; g++) {
            for (int c = 0; categories[g] >= 0 && c < classes; c++) {
                changed[c] += gain(row, g, categories[g], c);
            }
        }
        return changed;
    }

    /** Returns what changes cost. */
    double paid(int[] categories) {
        double paid = 0;
        for (int g = 0; g < categories.length; g++) {
            paid += categories[g] >= 0 ? price(g) : 0;
        }
        return paid;
    }

    /** Puts categories into a row. */
    void put(int[] categories, double[] x) {
        CategoryGains.put(changes, categories, x, 0);
    }

    /** Returns what no column changes to. */
    int[] stay() {
        int[] stay = new int[changes.size()];
        Arrays.fill(stay, -1);
        return stay;
    }
}
