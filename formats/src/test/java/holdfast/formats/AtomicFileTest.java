package holdfast.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    @TempDir
    Path folder;

    @Test
    void replacesTheFileAndLeavesNothingElse() throws IOException {
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "old");
        AtomicFile.write(file, "new ä");
        assertThat(file).hasContent("new ä");
        assertThat(folder).isDirectoryContaining(p -> p.equals(file));
        try (var all = Files.list(folder)) {
            assertThat(all).containsExactly(file);
        }
    }

    @Test
    void whatIsWrittenIsAsReadableAsAnyOtherFile() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain.txt"), "text");
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "text");
        Assumptions.assumeTrue(Files.getFileStore(folder).supportsFileAttributeView(PosixFileAttributeView.class));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(plain));
    }

    @Test
    void aFailureLeavesTheOldAndNoTemporaryFile() throws IOException {
        Path occupied = Files.createDirectory(folder.resolve("occupied"));
        Files.writeString(occupied.resolve("inside"), "kept");
        assertThatThrownBy(() -> AtomicFile.write(occupied, "text"))
                .isInstanceOf(InputException.class)
                .hasMessage(occupied + ": is a folder; a file is needed");
        assertThat(occupied.resolve("inside")).hasContent("kept");
        try (var all = Files.list(folder)) {
            assertThat(all).containsExactly(occupied);
        }
    }

    @Test
    void saysBeforehandWhereNothingCanBeWritten() {
        AtomicFile.requireBeWritable(folder.resolve("new.txt"));
        assertThatThrownBy(() -> AtomicFile.requireBeWritable(folder))
                .isInstanceOf(InputException.class)
                .hasMessage(folder + ": is a folder; a file is needed");
        Path nowhere = folder.resolve("no/such/file.txt");
        assertThatThrownBy(() -> AtomicFile.requireBeWritable(nowhere))
                .hasMessage(nowhere + ": the folder " + folder.resolve("no/such") + " does not exist");
        assertThatThrownBy(() -> AtomicFile.write(nowhere, "x"))
                .isInstanceOf(InputException.class)
                .hasMessage(nowhere + ": the folder " + folder.resolve("no/such") + " does not exist");
    }

    @Test
    void aLinkStaysAndItsTargetIsReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link.txt"), file);
        AtomicFile.write(link, "new");
        assertThat(link).isSymbolicLink();
        assertThat(file).isRegularFile().hasContent("new");
    }

    @Test
    void aDeviceIsNeverReplaced() {
        assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/null"), "x"))
                .isInstanceOf(InputException.class)
                .hasMessage("/dev/null: is a device or a pipe; a file that can be replaced is needed");
    }
}
