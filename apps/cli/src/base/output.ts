import type { Environment } from '@crm/runtime'

/** A mistake of the person who called the command. It is reported in one line, with exit code 1. */
export class CommandError extends Error {}

/** Where a command reads its settings, and writes what comes of it. */
export interface Terminal {
  readonly environment: Environment
  /** Writes the outcome, as standard output does. */
  readonly out: (text: string) => void
  /** Writes what people are told besides, as standard error does. */
  readonly err: (text: string) => void
}

/** What a command says that waits for another one. */
export const waitsForTurn = 'Somebody else migrates or restores this database; this command waits for them.'

/** Words an outcome for people: its members, and lists in lines. */
export function forPeople(outcome: unknown): string {
  if (Array.isArray(outcome)) return outcome.length === 0 ? '(none)' : outcome.map((row) => forPeople(row)).join('\n')
  if (outcome !== null && typeof outcome === 'object') {
    return Object.entries(outcome)
      .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
      .join('  ')
  }
  return String(outcome)
}

/** Returns the root cause of an error: for example the message of the database rather than the failed query. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return causeOf(error.cause)
  return error instanceof AggregateError ? error.errors.map(causeOf).join('; ') : error.message
}
