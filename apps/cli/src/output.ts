/** A mistake of the person who called the command. It is reported in one line, with exit code 1. */
export class CommandError extends Error {}

/** Says that a command waits for another one. */
export function sayTurn(): void {
  process.stderr.write('Somebody else migrates or restores this database; this command waits for them.\n')
}

/**
 * Prints the outcome of a command: one JSON document with `--json`, lines for people otherwise.
 *
 * @param toText words the outcome for people; without it the members of the outcome are listed
 */
export function print<T>(outcome: T, asJson: boolean, toText: (outcome: T) => string = forPeople): void {
  process.stdout.write(`${asJson ? JSON.stringify(outcome) : toText(outcome)}\n`)
}

function forPeople(outcome: unknown): string {
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
