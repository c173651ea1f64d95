package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedTableTest {
    @Test
    void aCellIsFoundByItsRowAndColumnAndAnEmptyOneWasNotPublished() {
        PublishedTable thesis = PublishedTable.named("thesis-hls");
        assertThat(thesis.figure("adrs over ann", "dcgp")).isEqualTo(0.34);
        assertThat(thesis.figure("tool hours", "mes")).isNaN();
        assertThat(thesis.figure("tool hours", "random")).isNaN();
        assertThatThrownBy(() -> thesis.figure("hours", "dcgp")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PublishedTable.named("none")).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"thesis-hls", "python-hls", "thesis-dgp", "thesis-gtuner", "dnnfuser"})
    void everyRowHasACellForEveryColumn(String name) {
        PublishedTable table = PublishedTable.named(name);
        assertThat(table.columns()).doesNotHaveDuplicates();
        assertThat(table.rows())
                .isNotEmpty()
                .allMatch(r -> r.size() == table.columns().size());
    }

    @Test
    void figuresOfSeedsAreThoseOfTextbooks() {
        assertThat(Statistics.median(3, 1, 2)).isEqualTo(2);
        assertThat(Statistics.median(4, 1, 2, 3)).isEqualTo(2.5);
        assertThat(Statistics.median()).isNaN();
        assertThat(Statistics.variance(1, 2, 3, 4)).isEqualTo(5.0 / 3);
        assertThat(Statistics.variance(1)).isNaN();
        double[] sorted = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        assertThat(Statistics.quantile(sorted, 0.9)).isEqualTo(9);
        assertThat(Statistics.quantile(sorted, 0)).isEqualTo(1);
        assertThat(Statistics.quantile(sorted, 1)).isEqualTo(10);
    }
}
