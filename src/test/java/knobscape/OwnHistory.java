package knobscape;

import knobscape.project.UserHistory;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Keeps tests away from the history of whoever runs them; found by JUnit itself.
public final class OwnHistory implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        System.setProperty(UserHistory.PROPERTY, System.getProperty(UserHistory.PROPERTY, "none"));
    }
}
