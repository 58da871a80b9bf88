import type { Stage } from './stage.ts'

/** What somebody does that nobody else may notice. */
export interface Drill {
  readonly name: string
  /** Variables of the installation beyond those of every drill. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether everybody is cut off from what the service needs: the probe is refused then, with 503 and within ten seconds. */
  readonly isOutage?: boolean
  /** Makes what the drill needs, and gives what does the harm. The probe watches from a moment before the harm until its end. */
  prepare(stage: Stage, options: DrillOptions): Promise<Harm>
}

/** Does the harm and says what was seen; fails when a promise of the drill itself is broken. */
export type Harm = () => Promise<string>

export interface DrillOptions {
  /** How long drills go on whose length is a matter of patience. */
  readonly minutes: number
}

/** Fails with a sentence unless a promise holds. */
export function promise(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence)
}

/** Does something again and again, so many at once, until the seconds are over. */
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

/** Does something so many times, so many at once. */
export async function times(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let n = 0
  const worker = async (): Promise<void> => {
    while (n < count) await work(n++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** How many there are of each, such as `200 × 413, 3 × 429`. */
export function tally(values: readonly (string | number)[]): string {
  const groups = Map.groupBy(values, (value) => value)
  return [...groups].map(([value, those]) => `${those.length} × ${value}`).join(', ') || 'none'
}
