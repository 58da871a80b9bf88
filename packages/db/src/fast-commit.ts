/**
 * The query `fast` for the WITH of a statement whose commit does not wait for the disk, because the work is simply repeated when a
 * crash of the database undoes it. It takes effect only where the statement reads from it.
 */
export const fastCommit = `fast AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`
