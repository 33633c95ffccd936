package holdfast.app.report;

import holdfast.evaluation.Evaluation;
import holdfast.evaluation.Interval;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Small pictures for pages, as inline SVG. They have no text, so that they can stretch to any width while the text
 * beside them stays readable; lines and dots keep their size.
 */
final class Drawing {
    private static final String STRETCHED =
            "<svg class=\"%s\" viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" aria-hidden=\"true\">%s</svg>";

    private Drawing() {}

    /** What the left and the right edge of a picture stand for. */
    record Scale(double low, double high) {
        /** Returns the position of a value from 0 to 100; beyond an edge, that of the edge. */
        double at(double value) {
            double position = high > low ? 100 * (value - low) / (high - low) : 50;
            return Double.isNaN(position) ? 50 : Math.max(0, Math.min(100, position));
        }

        /** Returns the scale from 0 to the largest finite headline metric or end of its interval. */
        static Scale from0(List<Evaluation> evaluations) {
            return new Scale(
                    0,
                    evaluations.stream()
                            .flatMapToDouble(e -> DoubleStream.of(
                                    e.headline(),
                                    e.interval(e.headlineMetric())
                                            .map(Interval::high)
                                            .orElse(0.0)))
                            .filter(Double::isFinite)
                            .max()
                            .orElse(1));
        }

        /** Returns the scale from -r to r, where r is the largest finite of these, up to sign. */
        static Scale around0(double... values) {
            double reach = 0;
            for (double value : values) {
                reach = Double.isFinite(value) ? Math.max(reach, Math.abs(value)) : reach;
            }
            return new Scale(-reach, reach);
        }
    }

    private static String format(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    /** A dot for a value and a line for its interval; a thin line marks the value to compare it with. */
    static String dotAndWhisker(Scale scale, double value, Optional<Interval> interval, double reference) {
        return format(
                STRETCHED,
                "dot",
                (Double.isNaN(reference) ? "" : format("<path class=\"mark\" d=\"M%.2f 0V20\"/>", scale.at(reference)))
                        + whisker(scale, interval)
                        + (Double.isNaN(value)
                                ? ""
                                : format("<path class=\"point\" d=\"M%.2f 10h0\"/>", scale.at(value))));
    }

    /** A bar from 0 to a value and a line for its interval. */
    static String bar(Scale scale, double value, Optional<Interval> interval, String look) {
        double zero = scale.at(0);
        double end = scale.at(value);
        return format(
                STRETCHED,
                "bar",
                format(
                                "<rect class=\"%s\" x=\"%.2f\" y=\"4\" width=\"%.2f\" height=\"12\"/>",
                                look, Math.min(zero, end), Math.abs(end - zero))
                        + format("<path class=\"mark\" d=\"M%.2f 0V20\"/>", zero)
                        + whisker(scale, interval));
    }

    private static String whisker(Scale scale, Optional<Interval> interval) {
        return interval.map(i ->
                        format("<path class=\"whisker\" d=\"M%.2f 10H%.2f\"/>", scale.at(i.low()), scale.at(i.high())))
                .orElse("");
    }

    /**
     * A strip of fields, each as dark as its share, from 0 to 1. Neighbours that look the same are drawn as one.
     *
     * @param looks the shares of each class of the style sheet, drawn over each other
     */
    static <T> String strip(List<T> fields, ToDoubleFunction<T> width, List<Look<T>> looks) {
        double all = fields.stream().mapToDouble(width).sum();
        StringBuilder rects = new StringBuilder();
        for (Look<T> look : looks) {
            double x = 0;
            for (int i = 0; i < fields.size(); ) {
                String shade = shade(look, fields.get(i));
                double from = x;
                while (i < fields.size() && shade(look, fields.get(i)).equals(shade)) {
                    x += 100 * width.applyAsDouble(fields.get(i++)) / all;
                }
                if (!shade.equals("0.00")) {
                    rects.append(format(
                            "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"20\" fill-opacity=\"%s\"/>",
                            look.name, from, x - from, shade));
                }
            }
        }
        return format(STRETCHED, "strip", rects);
    }

    /** How dark a class of the style sheet makes a field of a strip. */
    record Look<T>(String name, ToDoubleFunction<T> share) {}

    private static <T> String shade(Look<T> look, T field) {
        return format("%.2f", look.share.applyAsDouble(field));
    }

    /** A line through points, and a dot at each. */
    static String line(Scale across, Scale up, List<double[]> points) {
        return format(STRETCHED, "line", curve(across, up, points));
    }

    /** The same in a square from 0 to 1, with its diagonal. */
    static String againstDiagonal(List<double[]> points) {
        Scale share = new Scale(0, 1);
        return format(STRETCHED, "square", "<path class=\"mark\" d=\"M0 20L100 0\"/>" + curve(share, share, points));
    }

    /** A line of several in one picture, with its class in the style sheet. */
    record Line(String look, List<double[]> points) {}

    /** Several lines, and a mark at a value, which a script may move. */
    static String lines(Scale across, Scale up, List<Line> lines, double mark) {
        StringBuilder drawn = new StringBuilder(format("<path class=\"mark\" d=\"M%.2f 0V20\"/>", across.at(mark)));
        for (Line line : lines) {
            drawn.append(format("<path class=\"%s\" d=\"M%s\"/>", line.look, places(across, up, line.points)));
        }
        return format(STRETCHED, "line", drawn);
    }

    private static String places(Scale across, Scale up, List<double[]> points) {
        return points.stream()
                .map(p -> format("%.2f %.2f", across.at(p[0]), 20 - up.at(p[1]) / 5))
                .collect(Collectors.joining("L"));
    }

    private static String curve(Scale across, Scale up, List<double[]> points) {
        String places = places(across, up, points);
        return "<path class=\"curve\" d=\"M" + places + "\"/><path class=\"point\" d=\"M" + places.replace("L", "h0M")
                + "h0\"/>";
    }
}
