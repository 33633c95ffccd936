package holdfast.app.command;

import holdfast.Check;
import holdfast.InputException;
import holdfast.app.report.CertificateFile;
import holdfast.app.report.CertificateReport;
import holdfast.app.report.Certified;
import holdfast.data.Dataset;
import holdfast.evaluation.TrainedModel;
import holdfast.formats.AtomicFile;
import holdfast.formats.Csv;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.math.Threads;
import holdfast.objective.Box;
import holdfast.objective.PricedCost;
import holdfast.objective.Prices;
import holdfast.plan.PlanKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast certify}: how large the loss and the error of a model can become if rows shift. */
@Command(
        name = "certify",
        description =
                "Certifies a model against shifts: whatever the given rows are moved to within a budget, the mean loss and the"
                        + " error are at most what it prints. Beside each bound stands the loss of a shift really found. Of"
                        + " models that vote (train --vote): the share of rows that are right and stay so, whichever k sources"
                        + " lie and however the row moves within a budget, both at once.",
        mixinStandardHelpOptions = true)
final class CertifyCommand implements Callable<Integer> {
    static final String STANDARD_BUDGETS = "0,0.05,0.1,0.2,0.3,0.5,1";

    @Mixin
    private ModelArgument model;

    @Mixin
    private PluginOption plugins;

    @Parameters(index = "1", paramLabel = "DATA", description = "the table, with its label column")
    private String data;

    @Option(
            names = "--budgets",
            paramLabel = "Q,...",
            description = "how far each row may move, in units of the scaled features, of votes in --units (default:"
                    + " 0,0.05,0.1,0.2,0.3,0.5,1, of votes without --units 0)")
    private String budgets;

    @Option(
            names = "--prices",
            paramLabel = "X",
            description =
                    "what moving a feature costs, as age=4,sex=fixed: 4 times as much as the others, and never; region=whole(2): the"
                            + " category of region changes as a whole, at 2 a change; equal: all the same (default: as the"
                            + " model was trained)")
    private String prices;

    /** Says where the prices are from if none were given; empty if they were. */
    private String pricesFrom = "";

    @Option(
            names = "--tolerated",
            paramLabel = "F",
            description =
                    "bound the mean over the honest sources, whichever F of the data's sources lie; needs the column of"
                            + " sources that the model was trained by")
    private Integer tolerated;

    @Option(
            names = "--box",
            paramLabel = "SIDE",
            description = "how far scaled features may reach; model poisson needs it and no other has it")
    private Double box;

    @Option(
            names = "--confidence",
            paramLabel = "C",
            description =
                    "bound the error of the population that the rows were drawn from, too, with this probability over the draw,"
                            + " such as 0.95; needs rows drawn independently that took no part in training")
    private Double confidence;

    @Mixin
    private VoteCertificateOptions votes = new VoteCertificateOptions();

    @Option(
            names = "--worst-rows",
            paramLabel = "FILE",
            description = "write the rows of the worst shift found within the largest budget as CSV")
    private Path worstRows;

    @Option(names = "--out", paramLabel = "FILE", description = "write the certificate as JSON to this file")
    private Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "write the certificate as a page to this file, such as certificate.html")
    private Path page;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description = "compute a certificate again, with its own settings, and compare; exit code 5 if it differs")
    private Path check;

    @Option(names = "--json", description = "print the certificate as JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Check.that(
                check == null || out == null && page == null && worstRows == null && !json,
                "--check compares and writes nothing; leave out --out, --report, --worst-rows and --json");
        OutputFile.requireWritable("--out", out, model.file(), data, worstRows, page);
        OutputFile.requireWritable("--worst-rows", worstRows, model.file(), data, out, page);
        OutputFile.requireWritable("--report", page, model.file(), data, out, worstRows);
        CertificateFile before = check == null ? null : CertificateFile.read(check);
        String hash = hash();
        if (before != null) {
            Check.that(
                    settings().isEmpty() && !votes.given(),
                    "--check uses the settings of the certificate; give no others");
            before.requireModel(check, model.file(), hash);
            take(before);
        }
        Warnings.show(true);
        try (Threads all = Threads.of(Runtime.getRuntime().availableProcessors())) {
            return all.call(() -> certify(model.votes() ? ofVotes() : ofModel(before), hash, before));
        }
    }

    private Certified ofVotes() {
        Check.that(
                prices == null && tolerated == null && box == null && confidence == null && worstRows == null,
                "--prices, --tolerated, --box, --confidence and --worst-rows are for one model, and %s holds models that vote",
                model.file());
        return votes.certify(
                data,
                model.readVotes(plugins.catalogues()),
                Optional.ofNullable(budgets).map(CertifyCommand::numbers));
    }

    private Certified ofModel(CertificateFile before) {
        votes.requireNone(model.file());
        Check.that(
                confidence == null || confidence >= 0.5 && confidence < 1,
                "--confidence must be at least 0.5 and below 1, got %s",
                confidence);
        Check.that(
                confidence == null || tolerated == null,
                "--confidence and --tolerated exclude each other: rows of sources that differ, or lie, are no draw from one"
                        + " population");
        ModelFile file = model.read(plugins.catalogues());
        TrainedModel trained = file.model();
        double[] q = numbers(budgets == null ? STANDARD_BUDGETS : budgets);
        Prices own = PlanKey.PRICES.parse(file.settings().getOrDefault(PlanKey.PRICES.name(), Prices.EQUAL.toString()));
        Prices chosen = prices == null ? own : PlanKey.PRICES.parse(prices);
        if (prices == null && !own.areEqual()) {
            // Without a price of moving rows, training did not use them; what auto has chosen is not in the file.
            String lambda = file.settings().getOrDefault(PlanKey.LAMBDA.name(), "");
            boolean radius =
                    !file.settings().getOrDefault(PlanKey.RADIUS.name(), "none").equals("none");
            boolean unused = !radius && (lambda.equals("none") || lambda.equals("auto"));
            pricesFrom = unused ? ", as in the plan of the model" : ", as in training";
        }
        if (prices != null || !own.areEqual()) {
            prices = chosen.toString();
        }
        PricedCost cost = chosen.scaled(
                        trained.encoding().categories(trained.scaling()),
                        trained.schema().features())
                .on(trained.schema().features());
        Dataset rows = DataFile.read(
                data,
                trained.schema(),
                trained.encoding(),
                trained.model().target(),
                PlanKey.WORKERS_BY.parse(file.settings().getOrDefault(PlanKey.WORKERS_BY.name(), "")),
                file.cells());
        ModelArgument.noteLeftOut(file, rows);
        Check.that(
                tolerated == null || rows.hasGroups(),
                "--tolerated needs the column of sources that the model was trained by (--workers-by), and %s has none",
                data);
        Check.that(tolerated == null || tolerated >= 0, "--tolerated must be at least 0, got %s", tolerated);
        Check.that(
                confidence == null
                        || !rows.source()
                                .sha256()
                                .equals(file.provenance().data().sha256()),
                "--confidence needs rows that took no part in training, and %s is what the model was trained on",
                data);
        return new CertificateReport(
                trained,
                rows,
                cost,
                box == null ? Box.NONE : new Box(box),
                q,
                tolerated == null ? OptionalInt.empty() : OptionalInt.of(tolerated),
                Optional.ofNullable(confidence),
                before == null || before.saysLossUnit());
    }

    private int certify(Certified report, String hash, CertificateFile before) {
        CertificateFile certificate = report.certificate(hash, settings());
        if (before != null) {
            certificate.requireDataOf(check, before);
            boolean same = certificate.saysTheSame(before);
            System.out.println(same ? "the same to the bit" : "not the same: a number or a setting differs");
            return same ? ExitCode.OK : ExitCode.NOT_THE_SAME;
        }
        // All of it is computed before anything is written.
        String text = json ? certificate.text() : pricesText() + report.text();
        String worst = worstRows == null ? null : ((CertificateReport) report).worstRows();
        String html = page == null ? null : report.html(hash);
        System.out.print(text);
        if (out != null) {
            AtomicFile.write(out, certificate.text());
        }
        if (worstRows != null) {
            AtomicFile.write(worstRows, worst);
        }
        if (page != null) {
            AtomicFile.write(page, html);
        }
        return ExitCode.OK;
    }

    /** Returns how the certificate is asked for, as options with their values. */
    private List<String> settings() {
        List<String> settings = new ArrayList<>();
        add(settings, "--budgets", budgets);
        add(settings, "--prices", prices);
        add(settings, "--tolerated", tolerated);
        add(settings, "--box", box);
        add(settings, "--confidence", confidence);
        votes.settings().forEach((option, value) -> add(settings, option, value));
        return settings;
    }

    private static void add(List<String> settings, String option, Object value) {
        if (value != null) {
            settings.addAll(List.of(option, value.toString()));
        }
    }

    private void take(CertificateFile before) {
        List<String> settings = before.settings();
        for (int i = 0; i + 1 < settings.size(); i += 2) {
            String value = settings.get(i + 1);
            switch (settings.get(i)) {
                case "--budgets" -> budgets = value;
                case "--prices" -> prices = value;
                case "--tolerated" -> tolerated = (int) number("--tolerated", value);
                case "--box" -> box = number("--box", value);
                case "--confidence" -> confidence = number("--confidence", value);
                default ->
                    Check.that(votes.take(settings.get(i), value), "%s: unknown setting %s", check, settings.get(i));
            }
        }
        votes.takeUnits(before.units());
    }

    private String pricesText() {
        return prices == null ? "" : "Prices of moves: " + prices + pricesFrom + "\n";
    }

    static double[] numbers(String budgets) {
        double[] q = Arrays.stream(budgets.split(",", -1))
                .mapToDouble(text -> number("--budgets", text))
                .toArray();
        for (double budget : q) {
            Check.that(budget >= 0, "--budgets must be at least 0, got %s", budget);
            Check.that(Double.isFinite(budget * budget), "--budgets must have finite squares, got %s", budget);
        }
        Check.that(
                Arrays.stream(q).distinct().count() == q.length,
                "--budgets must be different numbers, got %s",
                budgets);
        return q;
    }

    static double number(String flag, String text) {
        double number = Csv.number(text.strip());
        Check.that(Double.isFinite(number), "%s must be numbers, got '%s'", flag, text);
        return number;
    }

    private String hash() {
        try {
            return HexFormat.of().formatHex(DataFile.sha256().digest(Files.readAllBytes(model.file())));
        } catch (IOException e) {
            throw new InputException(model.file() + ": cannot be read");
        }
    }
}
