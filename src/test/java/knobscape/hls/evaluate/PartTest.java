package knobscape.hls.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartTest {
    @Test
    void theTableIsWhole() {
        assertThat(Part.all()).hasSizeGreaterThanOrEqualTo(60);
        assertThat(Part.all().getFirst().name()).isEqualTo(Part.DEFAULT);
        assertThat(Part.all()).extracting(Part::name).doesNotHaveDuplicates();
        // Two flip-flops a look-up table is a law of every generation in the table.
        assertThat(Part.all()).allSatisfy(p -> assertThat(p.ff()).isEqualTo(2 * p.lut()));
        assertThat(Part.all()).allSatisfy(p -> assertThat(p.maximumWatts()).isGreaterThan(p.staticWatts()));
    }

    /// Percentages of public reports of C synthesis, which round down: used, percent, part.
    @ParameterizedTest
    @CsvSource({
        "LUT, 88148, 43, xc7k325t-ffg900-2",
        "FF, 44345, 10, xc7k325t-ffg900-2",
        "BRAM, 668, 75, xc7k325t-ffg900-2",
        "LUT, 15518, 193, xa7a12t-cpg238-2I",
        "FF, 17943, 112, xa7a12t-cpg238-2I",
        "DSP, 55, 137, xa7a12t-cpg238-2I",
        "LUT, 15353, 28, xc7z020-clg400-1",
        "BRAM, 103, 36, xc7z020-clg400-1",
        "LUT, 28244, 24, xck26-sfvc784-2LV-c",
        "DSP, 156, 12, xck26-sfvc784-2LV-c",
        "BRAM, 30, 10, xck26-sfvc784-2LV-c",
    })
    void resourcesAreThoseOfTheTools(String resource, int used, int percent, String name) {
        Part p = Part.byName(name);
        int has = Map.of("LUT", p.lut(), "FF", p.ff(), "DSP", p.dsp(), "BRAM", p.bram())
                .get(resource);
        assertThat(100 * used / has).isEqualTo(percent);
    }

    @ParameterizedTest
    @CsvSource({
        "xc7z020clg400-1, xc7z020-1",
        "XC7Z020-CLG484-1, xc7z020-1",
        "xc7z020, xc7z020-1",
        "Zynq-7020, xc7z020-1",
        "xcvu9p-flgc2104-1-e, xcvu9p-1",
        "xcu250-figd2104-2L-e, xcu250-2",
        "U280, xcu280-2",
        "xczu5cg-sfvc784-1-i, xczu5ev-1",
        "xczu3cg, xczu3eg-1",
        "xa7a12t-cpg238-2I, xc7a12t-2",
        "xcvc1902-vsva2197-2MP-e-S, xcvc1902-2",
    })
    void namesOfAllKindsLead(String asked, String name) {
        assertThat(Part.byName(asked).name()).isEqualTo(name);
        assertThat(Part.nearest(asked).note()).isEmpty();
    }

    @Test
    void theToolGetsTheFullNameThatWasGiven() {
        assertThat(Part.byName("xc7z020clg400-1").orderingName()).isEqualTo("xc7z020clg400-1");
        assertThat(Part.byName("xc7z020").orderingName()).isEqualTo("xc7z020clg484-1");
        assertThat(Part.byName("xczu9eg").orderingName()).isEqualTo("xczu9eg-ffvb1156-2-e");
        assertThat(Part.byName("VCU118").orderingName()).isEqualTo("xcvu9p-flga2104-2L-e");
    }

    @Test
    void anUnknownPartSaysWhichIsUsedInstead() {
        Part.Choice choice = Part.nearest("xc7a350t-fbg676-2");
        assertThat(choice.part().name()).startsWith("xc7a35t-2");
        assertThat(choice.part().orderingName()).isEqualTo("xc7a350t-fbg676-2");
        assertThat(choice.note().orElseThrow()).contains("not among the known parts", "xc7a35t-2");
    }

    /// Scripts may name a family only.
    @ParameterizedTest
    @CsvSource({"virtexuplus, xcvu9p-2", "zynq, xc7z020-1", "virtexu, xcvu095-2", "versal, xcvc1902-2"})
    void aFamilyLeadsToOneOfItsParts(String family, String part) {
        Part.Choice choice = Part.nearest(family);
        assertThat(choice.part().name()).isEqualTo(part);
        assertThat(choice.note().orElseThrow()).contains("'" + family + "' is a family of parts", part);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "LFE5U-45F", "10AX115", "xc7z020; rm -rf /", "x"})
    void whatIsNoPartOfTheVendorIsRefused(String name) {
        assertThatThrownBy(() -> Part.nearest(name))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no part is named '" + name + "'; choose one of");
    }

    /// A faster grade is never slower, and Artix fabric is slower than Kintex fabric.
    @Test
    void speedGradesAreOrdered() {
        for (String device : new String[] {"xc7a100t", "xc7k325t", "xcku040", "xcvu9p", "xcvc1902"}) {
            for (int grade = 1; grade < 3; grade++) {
                Part slow = Part.byName(device + "-" + grade);
                Part fast = Part.byName(device + "-" + (grade + 1));
                assertThat(fast.logicDelay()).isLessThan(slow.logicDelay());
                assertThat(fast.dspDelay()).isLessThan(slow.dspDelay());
            }
        }
        assertThat(Part.byName("xc7a100t-2").logicDelay())
                .isGreaterThan(Part.byName("xc7k325t-2").logicDelay());
    }
}
