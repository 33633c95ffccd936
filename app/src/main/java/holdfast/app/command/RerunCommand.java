package holdfast.app.command;

import holdfast.certificate.Roster;
import holdfast.certificate.VotingModel;
import holdfast.data.DataSource;
import holdfast.data.Table;
import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.formats.VoteFile;
import holdfast.formats.VoteTable;
import holdfast.plan.Plan;
import holdfast.training.Provenance;
import holdfast.training.Training;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast rerun}: trains a model again from its own plan and compares the weights bit by bit. */
@Command(
        name = "rerun",
        description =
                "Trains again with the plan in the model file, and says whether the weights are the same to the bit.",
        mixinStandardHelpOptions = true)
final class RerunCommand implements Callable<Integer> {
    @Mixin
    private ModelArgument model;

    @Mixin
    private PluginOption plugins;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "DATA",
            description = "the data that the model was trained on; all files if it was trained on several")
    private List<String> data;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "number of threads (default: all cores); the result does not depend on it")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Override
    public Integer call() {
        if (model.votes()) {
            return vote(model.readVotes(plugins.catalogues()));
        }
        ModelFile file = model.read(plugins.catalogues());
        Warnings.show(true);
        Table rows = DataFile.read(data, file.plan(plugins.catalogues()));
        String now = rows.source().sha256();
        warnOfOtherData(file.provenance(), rows.source());
        Warnings.show(false);
        double[] old = file.model().theta();
        double[] theta = Training.of(rows, file.plan(plugins.catalogues()))
                .threads(threads)
                .run()
                .model()
                .theta();
        if (old.length != theta.length) {
            System.out.println("not the same: " + old.length + " weights before, " + theta.length + " now");
            return ExitCode.NOT_THE_SAME;
        }
        int differ = 0;
        double most = 0;
        for (int i = 0; i < old.length; i++) {
            if (Double.doubleToLongBits(old[i]) != Double.doubleToLongBits(theta[i])) {
                differ++;
                most = Math.max(most, Math.abs(old[i] - theta[i]));
            }
        }
        if (differ == 0) {
            System.out.println("the same to the bit: " + old.length + " weights, seed "
                    + file.provenance().seed() + ", data sha256 " + now);
            return ExitCode.OK;
        }
        System.out.println("not the same: " + differ + " of " + old.length + " weights differ, by at most " + most);
        return ExitCode.NOT_THE_SAME;
    }

    private static void warnOfOtherData(Provenance before, DataSource now) {
        if (!before.data().sha256().equals(now.sha256())) {
            System.err.println("holdfast: warning: the data differ: the model was trained on sha256 "
                    + before.data().sha256() + ", " + now.name() + " has " + now.sha256());
        }
    }

    private int vote(VoteFile file) {
        VoteTable table = VoteTable.of(data, file.plan(plugins.catalogues()));
        warnOfOtherData(file.provenance(), table.source());
        Roster roster = file.model().roster();
        roster.requireHas(table.sources().keySet());
        Warnings.show(false);
        VotingModel again = VoteOptions.train(table, roster, VoteOptions.heldOut(table), threads, g -> {});
        int[] differ = IntStream.range(0, roster.size())
                .filter(g -> !print(file.model(), g).equals(print(again, g)))
                .toArray();
        if (differ.length == 0) {
            System.out.println("the same to the bit: " + roster.size() + " groups, seed "
                    + file.provenance().seed() + ", data sha256 "
                    + table.source().sha256());
            return ExitCode.OK;
        }
        System.out.println("not the same: " + differ.length + " of " + roster.size()
                + " groups differ, the first is group " + (differ[0] + 1));
        return ExitCode.NOT_THE_SAME;
    }

    /** Returns everything about a group as text, numbers to the bit. */
    private static String print(VotingModel model, int group) {
        VotingModel alone = new VotingModel(
                model.label(),
                model.classes(),
                new Roster(List.of(model.roster().groups().get(group))),
                List.of(model.groups().get(group)));
        return new VoteFile(alone, Plan.defaults(), new Provenance(new DataSource("", ""), 0, 0, "", "", "")).print();
    }
}
