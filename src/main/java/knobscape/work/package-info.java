/// The view of an area of work from the floors above: settings, an opened workbench, methods and evaluators by name.
///
/// Begin with [Area], then [Workbench] and [Registry]. Nothing here knows hardware: the areas themselves are
/// `hls`, `gpu` and `fusion`; folders, stores and runs are `project`.
package knobscape.work;
