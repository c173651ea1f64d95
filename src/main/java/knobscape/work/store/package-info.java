/// SQLite files and the text forms of what is kept in them: [Database] and [StoredForms]. Which tables there are
/// is their owner's: `project` for runs, `work.history` for the tuning history.
package knobscape.work.store;
