/// SQLite files and the text forms of what is kept in them: [Database] and [StoredForms]. Which tables there are
/// is their owner's: `project` for runs, an area for what an earlier version kept apart.
package knobscape.work.store;
