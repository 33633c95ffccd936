package holdfast.formats;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import holdfast.Check;
import holdfast.InputException;
import holdfast.certificate.Roster;
import holdfast.certificate.VotingModel;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PluginJar;
import holdfast.training.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * votes.json: the models of all groups, their roster, the plan they share and its provenance. Its digest detects damage, like
 * that of a {@link ModelFile}.
 *
 * @param settings the text of the plan
 * @param plugins the jars that define names in the plan
 */
public record VoteFile(
        VotingModel model, Map<String, String> settings, List<PluginJar> plugins, Provenance provenance) {
    static final String FORMAT = "holdfast-votes";
    private static final int VERSION = 1;

    public VoteFile(VotingModel model, Plan plan, Provenance provenance) {
        this(model, plan.settings(), plan.catalogues().plugins(), provenance);
    }

    public VoteFile {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        plugins = List.copyOf(plugins);
    }

    /** Returns the plan that the groups were trained with, using the names in these catalogues. */
    public Plan plan(Catalogues catalogues) {
        RecordedPlugins.requireGiven("the votes", plugins, catalogues);
        return Plan.of(settings, catalogues);
    }

    /** Returns how the cells of tables for the models are written. */
    public CellFormat cells() {
        return CellFormat.of(settings);
    }

    public void write(Path file) {
        AtomicFile.write(file, print());
    }

    public String print() {
        ObjectNode root = Json.MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("version", VERSION);
        root.put("label", model.label());
        Json.put(root, "classes", model.classes());
        ArrayNode groups = root.putArray("groups");
        for (int g = 0; g < model.groups().size(); g++) {
            VotingModel.Group group = model.groups().get(g);
            ObjectNode node = groups.addObject();
            Json.put(node, "sources", model.roster().groups().get(g));
            node.put("rows", group.rows());
            if (group.model().isPresent()) {
                ModelFile.putModel(node.putObject("learnt"), group.model().get());
            } else {
                node.put("unusable", group.reason());
            }
        }
        Json.put(root, "plan", settings);
        RecordedPlugins.put(root, plugins);
        ModelFile.putProvenance(root, provenance);
        root.put(ModelFile.DIGEST, ModelFile.digest(root));
        return Json.print(root);
    }

    /** Returns whether a file says that it holds models that vote. */
    public static boolean isOne(Path file) {
        return Json.read(file).node().path("format").asText().equals(FORMAT);
    }

    /**
     * Reads models that vote.
     *
     * @throws InputException if the file was damaged or changed after it was written
     */
    public static VoteFile read(Path file, Catalogues catalogues) {
        return read(Json.read(file), false, catalogues);
    }

    /** Reads models that may have been edited by hand. */
    public static VoteFile readChanged(Path file, Catalogues catalogues) {
        return read(Json.read(file), true, catalogues);
    }

    private static VoteFile read(Json root, boolean mayBeChanged, Catalogues catalogues) {
        Check.that(
                root.node().path("format").asText().equals(FORMAT),
                "%s: holds no holdfast models that vote",
                root.file());
        int version = root.integer("version");
        Check.that(
                version >= 1 && version <= VERSION,
                "%s: the version of votes must be at most %d, got %d; it was written by a newer holdfast",
                root.file(),
                VERSION,
                version);
        if (!mayBeChanged) {
            ModelFile.requireBeUnchanged(root);
        }
        try {
            List<List<String>> roster = new ArrayList<>();
            List<VotingModel.Group> groups = new ArrayList<>();
            for (Json node : root.objects("groups")) {
                roster.add(node.texts("sources"));
                boolean learnt = node.node().has("learnt");
                groups.add(new VotingModel.Group(
                        learnt ? Optional.of(ModelFile.model(node.object("learnt"), catalogues)) : Optional.empty(),
                        node.whole("rows"),
                        learnt ? "" : node.text("unusable")));
            }
            return new VoteFile(
                    new VotingModel(root.text("label"), root.texts("classes"), new Roster(roster), groups),
                    root.settings("plan"),
                    RecordedPlugins.read(root),
                    ModelFile.provenance(root));
        } catch (InputException e) {
            throw e.getMessage().startsWith(root.file()) ? e : new InputException(root.file() + ": " + e.getMessage());
        }
    }
}
