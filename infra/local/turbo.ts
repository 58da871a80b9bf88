import { fileURLToPath } from 'node:url'

export const turboProgram = fileURLToPath(new URL('../../node_modules/.bin/turbo', import.meta.url))

/** Returns the arguments of Turborepo for tasks, with output only for failures. */
export function turboArgs(...tasks: readonly string[]): string[] {
  return ['run', ...tasks, '--output-logs=errors-only', '--no-update-notifier']
}

/** Turns off the telemetry of Turborepo. */
export const turboVariables = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
