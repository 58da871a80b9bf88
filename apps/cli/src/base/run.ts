import type { Command } from 'commander'
import type { Connection } from './connection.ts'

/** The work of a command: commander passes its options and arguments, as the command declares them. */
type Work<T> = (options: never, connection: Connection, ...args: never[]) => Promise<T>

/**
 * Makes the action of a command: it connects, works, and prints the outcome, for people in the words of `toText`; `codeOf` says the
 * exit code of the outcome, 0 without it.
 */
export type Run = <T>(
  work: Work<T>,
  toText?: (outcome: T) => string,
  codeOf?: (outcome: T) => number,
) => (...given: unknown[]) => Promise<void>

/**
 * Prints the outcome of a command: one JSON document with `--json`, lines for people otherwise. `toText` words it for people; without
 * it the members of the outcome are listed.
 */
export type Print = <T>(outcome: T, command: Command, toText?: (outcome: T) => string) => void
