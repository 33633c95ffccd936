package holdfast.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "paper")
final class PaperCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return 0;
    }
}
