package holdfast.plan;

/** What a setting is about: the headings of {@code --help}, and what whole groups of settings have in common. */
public enum SettingGroup {
    DATA("Data"),
    SOURCES("Sources and workers"),
    MODEL("Model"),
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
