/**
 * The query `fast` for the WITH of a statement whose commit does not wait for the disk: one that is simply done again when a crash of
 * the database takes it back. It counts only where the statement reads from it.
 */
export const fastCommit = `fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`
