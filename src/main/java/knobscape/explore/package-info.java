/// Search strategies and the loop that runs them. An explorer knows no screen, no file and no clock but the one it is given.
package knobscape.explore;
