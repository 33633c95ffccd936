package holdfast.modulepath;

import holdfast.formats.DataFile;
import holdfast.formats.ModelFile;
import holdfast.formats.PlanFile;
import holdfast.plan.Plan;
import holdfast.training.Training;

/** Reads a plan and data, trains, writes the model as text and reads it again. */
final class ReadsAndWrites {
    private ReadsAndWrites() {}

    public static void main(String[] args) {
        System.out.println(DataFile.class.getModule().getName() + " " + model());
    }

    static String model() {
        Plan plan = Plan.of(PlanFile.parse("plan", "rounds: 2\nworkers: 3\n"));
        ModelFile trained = ModelFile.of(
                Training.of(DataFile.read("builtin:spambase", plan), plan).run());
        return ModelFile.parse("model", trained.print()).print();
    }
}
