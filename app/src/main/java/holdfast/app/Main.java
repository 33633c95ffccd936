package holdfast.app;

/** The command {@code holdfast}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("holdfast");
    }
}
