package holdfast.shift;

import holdfast.Catalogue;
import holdfast.shift.WorstCaseShift.Norm;

/** The shifts that users may name: {@code l2(budget=0.3)}. */
public final class Shifts {
    private Shifts() {}

    private static final Catalogue<Shift> CATALOGUE = Catalogue.<Shift>of("shift")
            .with("none", "rows as they are", p -> Shift.NONE)
            .with(
                    "l1",
                    "each row to its worst case within this L1 distance",
                    p -> new WorstCaseShift(Norm.L1, p.number("budget", 0.3)))
            .with(
                    "l2",
                    "each row to its worst case within this L2 distance",
                    p -> new WorstCaseShift(Norm.L2, p.number("budget", 0.3)))
            .with(
                    "linf",
                    "each feature to its worst case within this distance",
                    p -> new WorstCaseShift(Norm.LINF, p.number("budget", 0.3)))
            .with("noise", "normal noise on every feature", p -> new Noise(p.number("sd", 0.3)))
            .with(
                    "drift",
                    "each column of numbers times its own factor, at most this far from 1; other draws have other factors",
                    p -> new Drift(p.number("factor", 0.2), p.integer("draw", 0)))
            .with(
                    "missing",
                    "each cell lost with this probability, and filled as the model fills missing cells",
                    p -> new Missing(p.number("share", 0.2)))
            .with(
                    "prior",
                    "a class, counted from 0, becomes this frequent",
                    p -> new Prior(p.integer("class", 1), p.number("share", 0.5)))
            .with(
                    "trigger",
                    "every row carries the backdoor's trigger, a scaled value in a feature counted from 0",
                    p -> new Trigger(p.integer("column", 0), p.number("value", 5)));

    public static Catalogue<Shift> catalogue() {
        return CATALOGUE;
    }
}
