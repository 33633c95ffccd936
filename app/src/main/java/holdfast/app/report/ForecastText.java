package holdfast.app.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.training.Forecast;
import java.util.Locale;

/** What the theorems say about a plan, as text and as JSON. */
public final class ForecastText {
    private static final int WIDTH = 120;
    private static final int INDENT = 14;

    private ForecastText() {}

    public static String of(Forecast forecast) {
        StringBuilder out = new StringBuilder(forecast.setting()).append("\n\n");
        for (Forecast.Statement statement : forecast.statements()) {
            wrap(out, statement.about(), verdict(statement) + statement.words());
            wrap(out, "", "[" + statement.formula() + "]");
            statement.change().ifPresent(change -> wrap(out, "", "-> " + change));
        }
        return out.toString();
    }

    private static String verdict(Forecast.Statement statement) {
        boolean theorem = statement.about().startsWith("Theorem");
        return switch (statement.answer()) {
            case HOLDS -> theorem ? "applies: " : "holds: ";
            case FAILS ->
                !theorem ? "fails: " : statement.about().startsWith("Theorems") ? "do not apply: " : "does not apply: ";
            case OPEN -> "open: ";
            case NUMBER -> "";
        };
    }

    private static String answer(Forecast.Statement statement) {
        return statement.answer().name().toLowerCase(Locale.ROOT);
    }

    private static void wrap(StringBuilder out, String about, String words) {
        StringBuilder line = new StringBuilder(String.format("%-" + INDENT + "s", about));
        for (String word : words.split(" ")) {
            if (line.length() + word.length() + 1 > WIDTH) {
                out.append(line.toString().stripTrailing()).append('\n');
                line = new StringBuilder(" ".repeat(INDENT));
            }
            line.append(line.length() > INDENT ? " " : "").append(word);
        }
        out.append(line.toString().stripTrailing()).append('\n');
    }

    public static ObjectNode json(Forecast forecast) {
        ObjectNode root = JsonText.object();
        root.put("setting", forecast.setting());
        ArrayNode statements = root.putArray("statements");
        for (Forecast.Statement statement : forecast.statements()) {
            ObjectNode node = statements.addObject();
            node.put("about", statement.about());
            node.put("answer", answer(statement));
            node.put("words", statement.words());
            node.put("formula", statement.formula());
            statement.change().ifPresent(change -> node.put("change", change));
        }
        return root;
    }
}
