package holdfast.plan;

/** What a setting is about. The groups are the headings of {@code --help}, and code selects settings by group. */
public enum SettingGroup {
    DATA("Data"),
    SOURCES("Sources and workers"),
    MODEL("Model"),
    DECISIONS("Probabilities and decisions"),
    ROBUSTNESS("Robustness"),
    SERVER("Rounds"),
    SIMULATION("Simulated liars");

    private final String heading;

    SettingGroup(String heading) {
        this.heading = heading;
    }

    public String heading() {
        return heading;
    }
}
