package knobscape.project;

import java.util.List;
import knobscape.fusion.FusionArea;
import knobscape.gpu.GpuArea;
import knobscape.hls.HlsArea;
import knobscape.study.StudyArea;
import knobscape.work.Registry;

/// The areas that come with the program. A new area is one folder and one entry here.
public final class Areas {
    private static final Registry STANDARD =
            new Registry(List.of(new HlsArea(), new GpuArea(), new FusionArea(), new StudyArea()));

    private Areas() {}

    /// Every area, in the order shown.
    public static Registry standard() {
        return STANDARD;
    }
}
