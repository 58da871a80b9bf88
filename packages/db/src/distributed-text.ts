import { fastCommit } from './fast-commit.ts'

const hidden = /\(SELECT (\$\d+)::uuid\)/g

/**
 * Returns a statement for the coordinator of a distributed database, without what only one PostgreSQL gains from: an id that is hidden from the
 * planner (`opaque`) would lead to every machine instead of one, and a commit that does not wait (`fastCommit`) would split a statement into several,
 * for a commit that is not the one of the machine with the rows.
 */
export function distributedText(text: string): string {
  return text.replace(fastCommit, 'fast AS (SELECT 1)').replaceAll(hidden, '$1::uuid')
}
