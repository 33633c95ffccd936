package holdfast.formats;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** A text in another encoding, as UTF-8. */
final class Utf8Stream extends InputStream {
    private final InputStreamReader text;
    /** One more than is read, for the first half of a character that two of them make. */
    private final char[] chars = new char[(1 << 13) + 1];

    private int begun;
    private byte[] bytes = {};
    private int next;

    Utf8Stream(InputStream in, Charset encoding) {
        this.text = new InputStreamReader(in, encoding);
    }

    /** Reads on unless there are bytes left; returns whether there are. */
    private boolean filled() throws IOException {
        while (next == bytes.length) {
            int count = text.read(chars, begun, chars.length - 1);
            if (count < 0 && begun == 0) {
                return false;
            }
            int end = begun + Math.max(0, count);
            begun = count > 0 && Character.isHighSurrogate(chars[end - 1]) ? 1 : 0;
            bytes = new String(chars, 0, end - begun).getBytes(StandardCharsets.UTF_8);
            next = 0;
            chars[0] = begun == 1 ? chars[end - 1] : chars[0];
        }
        return true;
    }

    @Override
    public int read() throws IOException {
        return filled() ? bytes[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!filled()) {
            return -1;
        }
        int count = Math.min(length, bytes.length - next);
        System.arraycopy(bytes, next, into, offset, count);
        next += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
