package holdfast.app.lab.redteam;

import holdfast.Check;
import holdfast.InputException;
import holdfast.Spec;
import holdfast.app.lab.Testbed;
import holdfast.model.Target;
import holdfast.plan.Catalogues;
import holdfast.plan.Plan;
import holdfast.plan.PlanKey;
import holdfast.plan.Tolerated;
import holdfast.shift.Shift;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What to try: every rule against every attack with every number of liars, measured under every shift, with several
 * seeds. Its text form is a training plan with lists for {@code rules}, {@code attacks}, {@code shifts} and
 * {@code liars}, and {@code data}, {@code seeds} and {@code source-groups}.
 *
 * @param training the settings that all cases share; its seed is the first
 * @param data a file or builtin:spambase
 * @param rules as a plan names them
 * @param attacks other than none, which is always tried
 * @param shifts as a catalogue names them; none comes first
 * @param liars the numbers of liars, ascending
 * @param sourceGroups how many groups the sources are divided into, each of which is tested by a model that is trained on
 *     the others; 0 if this is not measured
 */
public record RedTeamPlan(
        Plan training,
        String data,
        List<String> rules,
        List<String> attacks,
        List<String> shifts,
        List<Integer> liars,
        int seeds,
        int sourceGroups) {
    /** The keys that a training plan does not have, and the one that is a list here. */
    public static final List<String> KEYS =
            List.of("data", "rules", "attacks", "shifts", "liars", "seeds", "source-groups");

    /** The shifts that are tried by default: worst cases, and what happens without intent. */
    private static final List<String> SHIFTS = List.of(
            "none", "l1(budget=0.3)", "l2(budget=0.3)", "linf(budget=0.05)", "noise", "drift", "missing", "prior");

    /** The defaults: enough workers for most rules, and few rounds, because there are many trainings. */
    public static final Plan STANDARD =
            Plan.defaults().with(PlanKey.WORKERS, 20).with(PlanKey.ROUNDS, 100).with(PlanKey.TOLERANCE, 0.0);

    /**
     * Reads the plan from its settings. Every training plan is also a red-team plan: its rule is the only one tried,
     * and so is its attack, if it has one.
     *
     * @param known what names stand for
     * @throws InputException for unknown keys and for values that are not allowed
     */
    public static RedTeamPlan of(Map<String, String> given, Catalogues known) {
        Map<String, String> settings = lists(given);
        Plan training = STANDARD.with(known);
        for (Map.Entry<String, String> e : settings.entrySet()) {
            if (!KEYS.contains(e.getKey())) {
                requireBeKnown(e.getKey());
                String name = PlanKey.named(e.getKey()).name();
                Check.that(
                        name.equals(e.getKey()) || !settings.containsKey(name),
                        "%s is given twice, also by its older name %s",
                        name,
                        e.getKey());
                training = training.with(e.getKey(), e.getValue());
            }
        }
        boolean newSources = !training.get(PlanKey.TEST_SOURCES).isEmpty();
        if (newSources && !settings.containsKey(PlanKey.TEST_SHARE.name())) {
            training = training.with(PlanKey.TEST_SHARE, 0.0);
        }
        Check.that(
                newSources || training.get(PlanKey.TEST_SHARE) > 0,
                "--test-share must be > 0: a red team measures on held-out rows");
        List<Integer> liars = list(settings, "liars", List.of(1, 3), text -> {
            int count = whole("liars", text);
            Check.that(count >= 1, "--liars must be at least 1, got %d; 0 is always tried", count);
            return count;
        });
        liars = liars.stream().sorted().toList();
        if (!settings.containsKey("screened") && !settings.containsKey("tolerated")) {
            // The rules are told the truth: the largest number of liars.
            training = training.with(PlanKey.TOLERATED, Tolerated.count(liars.get(liars.size() - 1)));
        }
        List<String> rules = list(
                settings,
                "rules",
                List.copyOf(known.rules().names()),
                text -> PlanKey.RULE.parse(text, known).toString());
        training = Testbed.serving(rules, training);
        List<String> attacks = list(
                settings,
                "attacks",
                known.attacks().names().stream()
                        .filter(name -> !name.equals("none"))
                        .toList(),
                text -> PlanKey.ATTACK.parse(text, known).toString());
        attacks = attacks.stream().filter(a -> !a.equals("none")).toList();
        int seeds = whole("seeds", settings.getOrDefault("seeds", "3"));
        Check.that(seeds >= 1, "--seeds must be at least 1, got %d", seeds);
        int groups = whole("source-groups", settings.getOrDefault("source-groups", "10"));
        Check.that(groups == 0 || groups >= 2, "--source-groups must be 0 or at least 2, got %d", groups);
        return new RedTeamPlan(
                training,
                settings.getOrDefault("data", "builtin:spambase"),
                rules,
                attacks,
                shifts(settings, known),
                liars,
                seeds,
                groups);
    }

    private static void requireBeKnown(String key) {
        List<String> known = PlanKey.all().stream().map(PlanKey::name).toList();
        boolean older = PlanKey.all().stream().anyMatch(k -> k.olderNames().contains(key));
        Check.that(
                older || known.contains(key),
                "unknown key '%s'; known: %s, %s",
                key,
                String.join(", ", KEYS),
                String.join(", ", known));
    }

    /** Returns the shifts given, with none first. */
    private static List<String> shifts(Map<String, String> settings, Catalogues known) {
        List<String> shifts = new ArrayList<>(list(settings, "shifts", SHIFTS, text -> shift(text, known)));
        shifts.remove("none");
        shifts.add(0, "none");
        return shifts;
    }

    private static Map<String, String> lists(Map<String, String> given) {
        Map<String, String> settings = new LinkedHashMap<>(given);
        String rule = settings.remove("rule");
        if (rule != null) {
            settings.putIfAbsent("rules", rule);
        }
        String attack = settings.remove("attack");
        if ("none".equals(attack)) {
            settings.remove("liars", "0");
        } else if (attack != null) {
            settings.putIfAbsent("attacks", attack);
        }
        String byzantine = settings.remove("byzantine");
        Check.that(
                byzantine == null || byzantine.isEmpty() || byzantine.equals("none"),
                "--byzantine must be none: a red team draws its liars by seed; got %s",
                byzantine);
        return settings;
    }

    private static String shift(String text, Catalogues known) {
        return known.shifts().choose(text).toString();
    }

    private static int whole(String key, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new InputException("--" + key + " must be a whole number, got '" + text + "'");
        }
    }

    private static <T> List<T> list(
            Map<String, String> settings, String key, List<T> standard, Function<String, T> parser) {
        if (!settings.containsKey(key)) {
            return standard;
        }
        List<T> items = new ArrayList<>();
        for (String item : Spec.split(settings.get(key))) {
            T value = parser.apply(item);
            Check.that(!items.contains(value), "--%s must name each once, got %s twice", key, value);
            items.add(value);
        }
        Check.that(!items.isEmpty(), "--%s must name at least one", key);
        return items;
    }

    /** Returns the same plan with these attacks. */
    RedTeamPlan with(List<String> others) {
        return new RedTeamPlan(training, data, rules, others, shifts, liars, seeds, sourceGroups);
    }

    /**
     * Returns the same plan for certain data: without the default shift of two classes if there are not two, though shifts
     * that are given stay, and with as many groups of sources as there can be.
     */
    RedTeamPlan fitting(Target target, int groups) {
        boolean withoutPrior = target != Target.TWO_CLASSES && shifts.equals(SHIFTS);
        return new RedTeamPlan(
                training,
                data,
                rules,
                attacks,
                withoutPrior
                        ? SHIFTS.stream()
                                .filter(shift -> !shift.equals("prior"))
                                .toList()
                        : shifts,
                liars,
                seeds,
                leavesSourcesOut() ? groups : sourceGroups);
    }

    /** Whether the error on sources that a model has not seen is measured, besides that on held-out rows. */
    boolean leavesSourcesOut() {
        return sourceGroups > 0
                && training.bySource()
                && training.get(PlanKey.TEST_SOURCES).isEmpty();
    }

    /** The shifts, in order. */
    public List<Shift> shiftList() {
        return shifts.stream()
                .map(shift -> training.catalogues().shifts().create(Spec.parse(shift)))
                .toList();
    }

    /** Every setting as text. */
    public Map<String, String> settings() {
        Map<String, String> out = new LinkedHashMap<>();
        out.put("data", data);
        out.put("rules", String.join(", ", rules));
        out.put("attacks", String.join(", ", attacks));
        out.put("shifts", String.join(", ", shifts));
        out.put("liars", liars.stream().map(Object::toString).collect(Collectors.joining(", ")));
        out.put("seeds", Integer.toString(seeds));
        out.put("source-groups", Integer.toString(sourceGroups));
        training.settings().forEach(out::putIfAbsent);
        List.of("rule", "attack", "byzantine").forEach(out::remove);
        return out;
    }

    /** All combinations to train; those without liars come first. */
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        rules.forEach(rule -> cases.add(new Case(rule, "none", 0)));
        for (int count : liars) {
            for (String attack : attacks) {
                rules.forEach(rule -> cases.add(new Case(rule, attack, count)));
            }
        }
        return cases;
    }

    /** One combination. */
    public record Case(String rule, String attack, int liars) {
        Plan plan(Plan common) {
            Plan plan = common.with("rule", rule);
            return liars == 0 ? plan : plan.with("attack", attack).with(PlanKey.LIARS, liars);
        }
    }
}
