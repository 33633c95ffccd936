package holdfast.rounds;

/**
 * How far a run is in its {@link holdfast.objective.FirstStage}, if that one ends by itself. It ends when the combined
 * update has not become shorter by a tenth in two rounds, or in ten if the run has a fixed number of rounds: then what
 * liars and workers' differences leave dominates, and precision begins to matter. It also ends when the stopping rule
 * would end the run, and when the combined update is a hundredth of the longest one: so near to its own minimum, more
 * rounds of the first stage lead nowhere.
 *
 * @param early whether the first stage goes on
 * @param rounds how many rounds it had so far
 * @param longest the length of the longest combined update so far
 * @param shortest the length of the combined update when it last became shorter by a tenth
 * @param since the number of rounds since
 */
public record Stage(boolean early, int rounds, double longest, double shortest, int since) {
    /** The state before the first round. */
    public static final Stage START = new Stage(true, 0, 0, Double.POSITIVE_INFINITY, 0);

    private static final double SHORTER = 0.9;
    private static final double SHORT = 0.01;
    /** With more, the work that the first stage adds to a run that stops by itself exceeds what it saves. */
    private static final int PATIENCE = 2;
    /** For a run with a fixed number of rounds, whose first stage only replaces work. */
    private static final int FIXED_PATIENCE = 10;

    /**
     * Returns the stage after a round of the first stage.
     *
     * @param direction the length of the round's combined update
     * @param stopping the run's stopping rule
     * @param settles whether it would end the run
     */
    Stage after(double direction, StoppingRule stopping, boolean settles) {
        boolean shorter = direction < SHORTER * shortest;
        int waited = shorter ? 0 : since + 1;
        int patience = stopping.equals(StoppingRule.NEVER) ? FIXED_PATIENCE : PATIENCE;
        double most = Math.max(longest, direction);
        boolean over = settles || waited >= patience || direction <= SHORT * most;
        return new Stage(!over, rounds + 1, most, shorter ? direction : shortest, waited);
    }
}
