package knobscape.app.system;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/// Messages go to standard error: standard output belongs to what the user asked for. Found by Logback through the
/// service loader; a file of its own would cost every start the reading of XML.
public final class LogSetup extends ContextAwareBase implements Configurator {
    /// Made by Logback.
    public LogSetup() {}

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss} %-5level %logger{0}: %msg%n");
        encoder.start();
        var errors = new ConsoleAppender<ILoggingEvent>();
        errors.setContext(context);
        errors.setTarget("System.err");
        errors.setEncoder(encoder);
        errors.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getenv("KNOBSCAPE_LOG"), Level.WARN));
        root.addAppender(errors);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
