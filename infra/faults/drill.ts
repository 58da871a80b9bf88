import type { Stage } from './stage.ts'

/** An incident of one caller that nobody else may notice. */
export interface Drill {
  readonly name: string
  /** Variables of the installation besides those of every drill. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether the drill cuts everybody off from a required service: the probe is then refused, with 503 and within ten seconds. */
  readonly isOutage?: boolean
  /** The process that the drill kills, such as `crm-api`; all others have to go on. */
  readonly kills?: string
  /** The minutes of a drill whose length is a matter of patience, unless the command says otherwise; 10 by default. */
  readonly usualMinutes?: number
  /** How many times as long the probe may take; 5 by default. */
  readonly slowdownMax?: number
  /**
   * Makes the objects that the drill needs, and returns the function that does the harm. The probe watches from just before the harm to
   * its end.
   */
  prepare(stage: Stage, options: DrillOptions): Promise<Harm>
}

/** Does the harm and returns a report; fails when a promise of the drill itself is broken. */
type Harm = () => Promise<string>

interface DrillOptions {
  /** The length of drills that may run for any time. */
  readonly minutes: number
}

/** Repeats work, with a number of concurrent runs, until the seconds are over. */
export async function forSeconds(
  seconds: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<number> {
  const endsAt = performance.now() + seconds * 1_000
  let n = 0
  const worker = async (): Promise<void> => {
    while (performance.now() < endsAt) await work(n++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return n
}

/** Does work a number of times, with a limit of concurrent runs. */
export async function times(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let n = 0
  const worker = async (): Promise<void> => {
    while (n < count) await work(n++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Returns the count of each value, such as `200 × 413, 3 × 429`. */
export function tally(values: readonly (string | number)[]): string {
  const groups = Map.groupBy(values, (value) => value)
  return [...groups].map(([value, those]) => `${those.length} × ${value}`).join(', ') || 'none'
}
