package holdfast.app.lab.paper;

import holdfast.app.lab.Statistic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A figure: misclassification rate against one quantity.
 *
 * @param title what is shown
 * @param axis what varies
 * @param x its values
 * @param series by name, one statistic per x
 */
public record Figure(String title, String axis, List<Double> x, Map<String, List<Statistic>> series) {
    /** Algorithm 2 in Figure 3 with the paper's ascent rate throughout. */
    public static final String PAPER_RATE = "eta_z = 0.05";

    /** Algorithm 2 in Figure 3 with a rate at which the ascent converges for every lambda. */
    public static final String STABLE_RATE = "eta_z = 0.05, 1/lambda from 40 on";

    public Figure {
        x = List.copyOf(x);
        series = new LinkedHashMap<>(series);
    }

    public double mean(String name, double at) {
        return series.get(name).get(x.indexOf(at)).mean();
    }
}
