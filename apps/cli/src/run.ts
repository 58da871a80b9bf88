import type { Connection } from './connection.ts'

/** The work of a command: commander passes its options and arguments, as the command declares them. */
type Work<T> = (options: never, connection: Connection, ...args: never[]) => Promise<T>

/** Makes the action of a command: it connects, works, and prints the outcome, for people in the words of `toText`. */
export type Run = <T>(work: Work<T>, toText?: (outcome: T) => string) => (...given: unknown[]) => Promise<void>
