package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import knobscape.app.ui.FirstSteps.Entry;
import org.junit.jupiter.api.Test;

class FirstStepsTest {
    @Test
    void headingsStepsTermsAndSentencesAreToldApart() {
        assertThat(FirstSteps.entries("""
                        First steps

                        1. Open something: a kernel,
                           a network.
                        2. Look.
                        Ctrl+K finds every command.

                        What the figures mean

                        Pareto            Every design
                                          by two objectives.
                        Parallel coordinates
                                          A line for every design.
                        """))
                .containsExactly(
                        new Entry("First steps", ""),
                        new Entry("1.", "Open something: a kernel, a network."),
                        new Entry("2.", "Look."),
                        new Entry("", "Ctrl+K finds every command."),
                        new Entry("What the figures mean", ""),
                        new Entry("Pareto", "Every design by two objectives."),
                        new Entry("Parallel coordinates", "A line for every design."));
    }

    @Test
    void everyWordOfTheHelpStandsOnThePage() {
        String shown = FirstSteps.entries(FirstSteps.text()).stream()
                .map(e -> e.name() + " " + e.words())
                .reduce("", (a, b) -> a + " " + b);
        assertThat(shown.split("\\s+")).contains(FirstSteps.text().strip().split("\\s+"));
        assertThat(FirstSteps.entries(FirstSteps.text()))
                .filteredOn(e -> e.words().isEmpty())
                .extracting(Entry::name)
                .containsExactly(
                        "First steps",
                        "What the figures mean: FPGA directives",
                        "What the figures mean: GPU schedules",
                        "What the figures mean: layer fusion");
    }
}
