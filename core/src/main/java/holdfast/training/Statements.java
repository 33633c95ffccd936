package holdfast.training;

import holdfast.training.Forecast.Answer;
import holdfast.training.Forecast.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The statements of a forecast, as they are made. */
final class Statements {
    private final List<Statement> statements = new ArrayList<>();

    void say(String about, Answer answer, String formula, String words) {
        statements.add(new Statement(about, answer, words, formula, Optional.empty()));
    }

    void say(String about, Answer answer, String formula, String words, String change) {
        statements.add(new Statement(about, answer, words, formula, Optional.of(change)));
    }

    static String number(double value) {
        double size = Math.abs(value);
        String text = String.format(Locale.ROOT, size >= 1e5 || size < 1e-3 && size > 0 ? "%.2e" : "%.3g", value);
        return text.contains(".") ? text.replaceAll(text.contains("e") ? "\\.?0+(?=e)" : "\\.?0+$", "") : text;
    }

    /** Returns what fails of all that Theorems 2 to 4 depend on together; the step and convexity are each theorem's own. */
    List<String> failing() {
        return statements.stream()
                .filter(s -> s.answer() == Answer.FAILS)
                .map(Statement::about)
                .filter(about ->
                        !List.of("Assumption 5", "Assumption 7", "Step").contains(about))
                .toList();
    }

    static String count(double whole) {
        return whole < 1e7 ? text("%.0f", whole) : number(whole);
    }

    static String text(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }

    List<Statement> all() {
        return statements;
    }

    Statement about(String what) {
        return new Forecast("", statements).about(what);
    }
}
