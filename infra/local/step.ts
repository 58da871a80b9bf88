import { ConfigError } from '@crm/runtime'
import type { Progress, Report } from './progress.mjs'

/** A step of the start, and the remedy when it fails. */
export interface Step {
  /** Shown while it runs, such as `Start Redis`. */
  readonly title: string
  /** The beginning of the sentence for its failure, such as `Starting Redis`. */
  readonly doing: string
  /** The end of that sentence, such as `see .data/logs/redis.log`. */
  readonly remedy: string
}

/**
 * Runs a step of the start.
 *
 * Every failure becomes a ConfigError of one line that names the step, the reason and the remedy. A ConfigError passes
 * unchanged, because it has all of that already.
 */
export async function runStep<T>(progress: Progress, step: Step, work: (report: Report) => Promise<T>): Promise<T> {
  try {
    return await progress.step(step.title, work)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError([explainFailure(step, error)])
  }
}

/** Returns one sentence for a step that failed. */
export function explainFailure({ doing, remedy }: Step, error: unknown): string {
  if (isDiskFull(error)) return `${doing} failed: the disk is full; free some space and start again.`
  return `${doing} failed: ${reasonOf(error)}; ${remedy}.`
}

function isDiskFull(error: unknown): boolean {
  return /ENOSPC|no space left on device/i.test(textOf(error))
}

/** Returns the deepest cause, which is the most specific. Of many lines, it is the first that names an error. */
function reasonOf(error: unknown): string {
  const lines = textOf(error)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const line =
    lines.find((text) => /\b(error|cannot|failed|denied)\b|\bE[A-Z]{4,}\b/i.test(text) && !text.startsWith('•')) ??
    lines[0] ??
    'it ended without a word'
  return line.replace(/[.;:]+$/, '')
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? textOf(error.cause) : ''
  return [error.message, cause].filter((text) => text !== '').join('\n')
}
