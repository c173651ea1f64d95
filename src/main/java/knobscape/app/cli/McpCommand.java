package knobscape.app.cli;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import knobscape.evaluate.UserError;
import knobscape.project.ProgramVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `knobscape mcp`: the verbs for an agent, by the Model Context Protocol (modelcontextprotocol.io) over standard input
/// and output.
@Command(
        name = "mcp",
        description =
                "Offer the verbs to an agent by the Model Context Protocol over standard input and output, until it closes them. It may read the folder; with --write it may also run searches and write results there.")
final class McpCommand extends Verb {
    @Parameters(paramLabel = "FOLDER", arity = "0..1", description = "All it may see (default: this folder).")
    private Optional<Path> folder = Optional.empty();

    @Option(names = "--write", description = "Let it run searches, hand out and take designs, and export.")
    private boolean write;

    @Option(names = "--programs", description = "With --write: let it start programs that studies and projects name.")
    private boolean programs;

    McpCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        Path root = context().here().resolve(folder.orElse(Path.of(""))).normalize();
        if (!Files.isDirectory(root)) {
            throw new UserError("There is no folder '" + root + "'.");
        }
        var ended = new CountDownLatch(1);
        try (var tools = new AgentTools(context(), real(root), write, programs)) {
            var server = McpServer.sync(new StdioServerTransportProvider(
                            McpJsonDefaults.getMapper(), watched(System.in, ended), System.out))
                    .serverInfo("knobscape", ProgramVersion.current())
                    .instructions(
                            "Verbs of the program Knobscape as tools; each answers with one JSON document. Files are named relative to the folder that was opened. A search is started by explore (FPGA kernels), tune (networks on a GPU), fuse (layers) or study (studies, kernels of one's own, tables of results) and looked at with watch.")
                    .capabilities(ServerCapabilities.builder().tools(false).build())
                    .tools(tools.all())
                    .build();
            ended.await();
            server.closeGracefully();
        }
        return 0;
    }

    private static Path real(Path root) {
        try {
            return root.toRealPath();
        } catch (IOException e) {
            throw new UserError("Cannot look at '" + root + "': " + UserError.reason(e) + ".", e);
        }
    }

    /// The same input, whose end is told.
    private static InputStream watched(InputStream in, CountDownLatch ended) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                return told(super.read());
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                return told(super.read(bytes, from, length));
            }

            private int told(int count) {
                if (count < 0) {
                    ended.countDown();
                }
                return count;
            }
        };
    }
}
