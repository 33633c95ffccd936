package holdfast.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A page in a headless Chromium without a network, with a mouse: Chromium's own protocol, over a socket on this machine. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SECONDS = 60;

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private int asked;

    /**
     * Opens a page.
     *
     * @param command the name of Chromium's program
     * @param profile a folder that does not exist yet
     * @param options more options for Chromium
     */
    Browser(String command, Path profile, Path page, String... options)
            throws IOException, InterruptedException, TimeoutException {
        List<String> line = new ArrayList<>(List.of(
                command,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--no-first-run",
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "--window-size=1000,1600"));
        line.addAll(List.of(options));
        line.add(page.toUri().toString());
        process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            HttpClient http = HttpClient.newHttpClient();
            socket = http.newWebSocketBuilder()
                    .buildAsync(address(http, profile), listener())
                    .join();
            awaitLoaded();
        } catch (IOException | InterruptedException | TimeoutException | RuntimeException e) {
            process.destroy();
            throw e;
        }
    }

    private static URI address(HttpClient http, Path profile)
            throws IOException, InterruptedException, TimeoutException {
        Path port = profile.resolve("DevToolsActivePort");
        for (int tries = 0; tries < 20 * SECONDS; tries++) {
            List<String> lines = Files.exists(port) ? Files.readAllLines(port) : List.of();
            if (!lines.isEmpty()) {
                URI list = URI.create("http://127.0.0.1:" + lines.get(0) + "/json/list");
                for (JsonNode target : JSON.readTree(
                        http.send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
                                .body())) {
                    if (target.path("type").asText().equals("page")) {
                        return URI.create(target.get("webSocketDebuggerUrl").asText());
                    }
                }
            }
            Thread.sleep(50);
        }
        throw new TimeoutException("Chromium opens no page");
    }

    private void awaitLoaded() throws IOException, InterruptedException, TimeoutException {
        for (int tries = 0; tries < 20 * SECONDS; tries++) {
            if (value("document.readyState == 'complete' && location.protocol == 'file:'")
                    .asBoolean()) {
                return;
            }
            Thread.sleep(50);
        }
        throw new TimeoutException("Chromium does not load the page");
    }

    private WebSocket.Listener listener() {
        return new WebSocket.Listener() {
            private final StringBuilder text = new StringBuilder();

            @Override
            public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
                text.append(part);
                if (last) {
                    heard.add(text.toString());
                    text.setLength(0);
                }
                from.request(1);
                return null;
            }
        };
    }

    private JsonNode ask(String method, ObjectNode parameters)
            throws IOException, InterruptedException, TimeoutException {
        ObjectNode request = JSON.createObjectNode().put("id", ++asked).put("method", method);
        request.set("params", parameters);
        socket.sendText(request.toString(), true).join();
        while (true) {
            String text = heard.poll(SECONDS, TimeUnit.SECONDS);
            if (text == null) {
                throw new TimeoutException("Chromium does not answer " + method);
            }
            JsonNode reply = JSON.readTree(text);
            if (reply.path("id").asInt() == asked) {
                return reply.path("result");
            }
        }
    }

    /** Returns the value of an expression in the page. */
    JsonNode value(String expression) throws IOException, InterruptedException, TimeoutException {
        JsonNode result = ask(
                "Runtime.evaluate",
                JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(result.get("exceptionDetails").toString());
        }
        return result.path("result").path("value");
    }

    /** Presses the mouse at one place of the window, moves it and releases it at another. */
    void drag(double x, double y, double toX, double toY) throws IOException, InterruptedException, TimeoutException {
        mouse("mousePressed", x, y);
        mouse("mouseMoved", (x + toX) / 2, (y + toY) / 2);
        mouse("mouseMoved", toX, toY);
        mouse("mouseReleased", toX, toY);
    }

    private void mouse(String type, double x, double y) throws IOException, InterruptedException, TimeoutException {
        ask(
                "Input.dispatchMouseEvent",
                JSON.createObjectNode()
                        .put("type", type)
                        .put("x", x)
                        .put("y", y)
                        .put("button", "left")
                        .put("buttons", type.equals("mouseReleased") ? 0 : 1)
                        .put("clickCount", 1));
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        try {
            process.waitFor(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
