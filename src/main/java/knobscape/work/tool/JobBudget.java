package knobscape.work.tool;

/// The resources that jobs may use.
///
/// @param jobGb memory of a job in GiB; one that places and routes can take 20
/// @param licences jobs that may run at once for want of licences, 0 for no limit
/// @param diskGb room for the folders of designs in GiB, 0 for no limit: where it is over, the projects of those
/// evaluated longest ago go (reports and logs stay)
public record JobBudget(double jobGb, int licences, double diskGb) {
    /// 4 GiB a job, no limits else.
    public static final JobBudget DEFAULT = new JobBudget(4, 0, 0);

    /// Jobs that may run at once on a machine.
    public int jobs(int processors, double memoryGb) {
        int fit = Math.max(1, (int) Math.min(processors, memoryGb / jobGb));
        return licences > 0 ? Math.min(fit, licences) : fit;
    }
}
