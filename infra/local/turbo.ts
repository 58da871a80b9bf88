import { fileURLToPath } from 'node:url'

export const turboProgram = fileURLToPath(new URL('../../node_modules/.bin/turbo', import.meta.url))

/** What Turborepo is told of tasks: to say only what fails. */
export function turboArgs(...tasks: readonly string[]): string[] {
  return ['run', ...tasks, '--output-logs=errors-only', '--no-update-notifier']
}

/** Turborepo tells nobody that it runs. */
export const turboVariables = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
