package holdfast.app.command;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Seed;
import holdfast.app.report.CsvText;
import holdfast.certificate.ClassVotes;
import holdfast.certificate.ConformalScores;
import holdfast.certificate.ConformalThreshold;
import holdfast.certificate.NumberVotes;
import holdfast.certificate.VotedRows;
import holdfast.data.Dataset;
import holdfast.evaluation.FarRows;
import holdfast.evaluation.Predictions;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.DataFile;
import holdfast.formats.KeptColumns;
import holdfast.formats.LabelledVotes;
import holdfast.formats.ModelFile;
import holdfast.formats.VoteFile;
import holdfast.model.Target;
import holdfast.plan.PlanKey;
import holdfast.plan.ResolvedPlan;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast predict}: prints a label for every row, and how sure the model is. */
@Command(
        name = "predict",
        description =
                "Prints a CSV whose last column is the predicted label of each row. For two classes, the column before it is"
                        + " the probability of the second class, or its score if the model has no probabilities; for more"
                        + " classes, there is one column of probabilities for each. For models that vote, the columns before it"
                        + " are the votes for the label and the number of lying sources that it stands."
                        + " With --coverage, columns before the label"
                        + " say which labels are likely enough: set for classes, low and high for numbers.",
        mixinStandardHelpOptions = true)
final class PredictCommand implements Callable<Integer> {
    /** What stands between the classes of a set. */
    private static final String BETWEEN = "|";

    @Mixin
    private ModelArgument model;

    @Mixin
    private PluginOption plugins;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table; a label column is not needed")
    private String data;

    @Option(
            names = "--liars",
            paramLabel = "K",
            description = "for numbers by vote: also print the interval that K lying sources leave")
    private Integer liars;

    @Option(
            names = "--shift",
            paramLabel = "SHIFT",
            description =
                    "for votes: count only what also stands a move of the row: none, l1, l2, linf (default: none)")
    private String shift = "none";

    @Option(names = "--budget", paramLabel = "Q", description = "for votes: how far the row may move (default: 0.3)")
    private Double budget;

    @Mixin
    private MoveOptions moves;

    @Option(
            names = "--coverage",
            paramLabel = "LEVEL",
            description =
                    "add sets of classes, or ranges of numbers, that contain the label with this probability, such as 0.9")
    private Double coverage;

    @Option(
            names = "--coverage-for",
            paramLabel = "ROWS",
            description =
                    "which rows the coverage is about: pool, like those of the honest sources together; new-source, of a"
                            + " source not seen before; or the name of a source (default: pool)")
    private String about;

    @Option(
            names = "--calibration",
            paramLabel = "FILE",
            description =
                    "labelled rows that the model was not trained on, to choose sets by (default: what train held out)")
    private String calibration;

    @Option(
            names = "--keep-columns",
            paramLabel = "NAMES",
            description =
                    "columns of the table to print first, as they are written there, such as id,name; for tables in CSV")
    private String keep;

    @Override
    public Integer call() throws IOException {
        if (model.votes()) {
            Check.that(
                    coverage == null && about == null && calibration == null,
                    "--coverage, --coverage-for and --calibration are for models that do not vote");
            return vote(model.readVotes(plugins.catalogues()));
        }
        Check.that(
                liars == null && budget == null && shift.equals("none") && !moves.given(),
                "--liars, --shift, --budget and --units are for models that vote (train --vote)");
        ModelFile file = model.read(plugins.catalogues());
        TrainedModel trained = file.model();
        Warnings.show(true);
        Check.that(
                coverage != null || about == null && calibration == null,
                "--coverage-for and --calibration need --coverage, such as --coverage 0.9");
        List<String> classes = trained.schema().classes();
        Optional<ConformalThreshold> threshold = coverage == null ? Optional.empty() : Optional.of(threshold(file));
        KeptColumns kept = KeptColumns.parse("--keep-columns", keep);
        Dataset rows = DataFile.read(data, file, false, kept);
        trained.training()
                .flatMap(training -> FarRows.of(trained, training, rows).warning(data))
                .ifPresent(text -> System.err.println("holdfast: warning: " + Warnings.printable(text)));
        Predictions said = trained.predict(rows);
        threshold.ifPresent(found -> System.err.println("holdfast: coverage: " + found));
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        Stream<String> sets = classes.isEmpty() ? Stream.of("low", "high") : Stream.of("set");
        head(
                out,
                kept,
                Stream.concat(names(said, classes), threshold.isPresent() ? sets : Stream.of()),
                trained.schema().label());
        for (int row = 0; row < said.rows(); row++) {
            int current = row;
            double label = said.label(row);
            write(
                    out,
                    kept.row(row),
                    Stream.concat(
                            numbers(said, row).mapToObj(Double::toString),
                            threshold.stream().flatMap(found -> covering(found, said, current, trained))),
                    classes.isEmpty() ? Double.toString(label) : classes.get((int) label));
        }
        out.flush();
        return ExitCode.OK;
    }

    private int vote(VoteFile file) throws IOException {
        boolean numbers = file.model().predictsNumbers();
        Check.that(liars == null || numbers && liars >= 0, "--liars must be >= 0 and is for numbers, got %s", liars);
        Check.that(!numbers || shift.equals("none"), "--shift of models that vote is for classes, not for numbers");
        KeptColumns kept = KeptColumns.parse("--keep-columns", keep);
        VotedRows voted = LabelledVotes.of(data, file, false, moves.move(shift, budget, file), kept)
                .voted();
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        Stream<String> before = !numbers
                ? Stream.of("votes", "certified_liars")
                : liars == null ? Stream.of() : Stream.of("lowest", "highest");
        head(out, kept, before, file.model().label());
        for (int row = 0; row < voted.rows(); row++) {
            if (numbers) {
                NumberVotes votes = voted.numbers(row);
                write(
                        out,
                        kept.row(row),
                        (liars == null ? DoubleStream.of() : DoubleStream.of(votes.lowest(liars), votes.highest(liars)))
                                .mapToObj(Double::toString),
                        Double.toString(votes.median()));
            } else {
                ClassVotes votes = voted.classes(row);
                write(
                        out,
                        kept.row(row),
                        Stream.of(votes.support(), voted.certified(row)).map(Object::toString),
                        file.model().classes().get(votes.label()));
            }
        }
        out.flush();
        return ExitCode.OK;
    }

    private ConformalThreshold threshold(ModelFile file) {
        file.model().schema().classes().stream()
                .filter(name -> name.contains(BETWEEN))
                .findFirst()
                .ifPresent(name -> {
                    throw new InputException("--coverage separates classes by |, and '" + name + "' is a class");
                });
        ConformalScores scores = calibration == null
                ? file.conformal()
                        .orElseThrow(
                                () -> new InputException(
                                        "--coverage needs rows that the model was not trained on, and the"
                                                + " model has kept none: train it again with --test-share above 0, or give --calibration FILE"))
                : calibrated(file);
        return switch (about == null ? "pool" : about) {
            case "pool" -> scores.forPool(coverage);
            case "new-source" -> scores.forNewSource(coverage);
            default -> scores.forSource(about, coverage);
        };
    }

    /** Scores the rows of a file. As many of their sources may lie as the training plan tolerates. */
    private ConformalScores calibrated(ModelFile file) {
        TrainedModel trained = file.model();
        Dataset rows = DataFile.read(
                calibration,
                trained.schema(),
                trained.encoding(),
                trained.model().target(),
                PlanKey.WORKERS_BY.parse(file.settings().getOrDefault(PlanKey.WORKERS_BY.name(), "")),
                file.cells());
        Check.that(
                !rows.source().sha256().equals(file.provenance().data().sha256()),
                "--calibration needs rows that the model was not trained on, and %s is what it was trained on",
                calibration);
        int sources =
                (int) rows.rowsBySource().stream().filter(own -> own.length > 0).count();
        int tolerated = file.conformal()
                .filter(kept -> !kept.sources().isEmpty())
                .map(ConformalScores::tolerated)
                .orElseGet(() -> sources == 0 ? 0 : ResolvedPlan.tolerated(file.plan(plugins.catalogues()), sources));
        return ConformalScores.of(
                trained, rows, tolerated, Seed.of(file.provenance().seed()));
    }

    private static Stream<String> covering(
            ConformalThreshold threshold, Predictions said, int row, TrainedModel model) {
        List<String> classes = model.schema().classes();
        // No count is below 0, so the range covers as many without what is.
        double least = model.model().target() == Target.COUNT ? 0 : Double.NEGATIVE_INFINITY;
        return classes.isEmpty()
                ? Stream.of("" + Math.max(least, threshold.low(said, row)), "" + threshold.high(said, row))
                : Stream.of(Arrays.stream(threshold.classes(said, row))
                        .mapToObj(classes::get)
                        .collect(Collectors.joining(BETWEEN)));
    }

    private static Stream<String> names(Predictions said, List<String> classes) {
        if (classes.size() > 2) {
            return classes.stream().map(name -> "probability of " + name);
        }
        return classes.isEmpty() ? Stream.of() : Stream.of(said.hasProbabilities() ? "probability" : "score");
    }

    /**
     * Returns the numbers before the label: for two classes the probability of the second, or the score if the model
     * gives no probabilities.
     */
    private static DoubleStream numbers(Predictions said, int row) {
        if (said.classes() == 0) {
            return DoubleStream.of();
        }
        if (!said.hasProbabilities()) {
            return DoubleStream.of(said.score(row));
        }
        double[] p = said.probabilities(row);
        return p.length == 2 ? DoubleStream.of(p[1]) : DoubleStream.of(p);
    }

    /**
     * Writes the names of the columns. A column that is kept under a name that is also written, such as the label's, would
     * make the output ambiguous, so its name gets "input " in front.
     */
    private static void head(Writer out, KeptColumns kept, Stream<String> cells, String label) throws IOException {
        List<String> own = cells.toList();
        List<String> names = kept.names().stream()
                .map(name -> own.contains(name) || name.equals(label) ? "input " + name : name)
                .toList();
        write(out, names, own.stream(), label);
    }

    private static void write(Writer out, List<String> kept, Stream<String> cells, String label) throws IOException {
        out.write(CsvText.line(Stream.of(kept.stream(), cells, Stream.of(label)).flatMap(s -> s)));
    }
}
