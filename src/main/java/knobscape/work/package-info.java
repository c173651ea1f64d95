/// What an area of work is to the floors above: settings, an opened workbench, methods and evaluators by name.
/// Nothing here knows hardware. Start with [knobscape.work.Area].
package knobscape.work;
