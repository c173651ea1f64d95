/// Networks in files of our own: layer tables (CSV or JSON) for chains with skips, and JSON graphs for everything.
package knobscape.network.table;
