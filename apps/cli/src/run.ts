import type { Connection } from './connection.ts'

/** What a command does: commander gives its options and arguments, as the declaration of the command says. */
type Work<T> = (options: never, connection: Connection, ...args: never[]) => Promise<T>

/** Makes a command's action: connects, works, prints the outcome, for people as `toText` words it. */
export type Run = <T>(work: Work<T>, toText?: (outcome: T) => string) => (...given: unknown[]) => Promise<void>
