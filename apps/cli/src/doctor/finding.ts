/** What the doctor found out about one thing. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  /** What it is about, such as `database`. */
  readonly area: string
  readonly sentence: string
  /** What to do; absent where nothing is to be done. */
  readonly remedy?: string
}

export const ok = (area: string, sentence: string): Finding => ({ level: 'ok', area, sentence })
export const warn = (area: string, sentence: string, remedy: string): Finding => ({
  level: 'warn',
  area,
  sentence,
  remedy,
})
export const fail = (area: string, sentence: string, remedy: string): Finding => ({
  level: 'fail',
  area,
  sentence,
  remedy,
})

/** A look at one area; what it throws is a finding as well. */
export interface Look {
  readonly area: string
  /** What to do when the look itself fails. */
  readonly remedy: string
  look(): Promise<readonly Finding[]>
}

const lookMsMax = 10_000

/** Looks everywhere at once; a look that fails or hangs hinders no other one. */
export async function examine(looks: readonly Look[]): Promise<readonly Finding[]> {
  const found = await Promise.all(
    looks.map(async ({ area, remedy, look }) => {
      try {
        return await withinTime(look())
      } catch (error) {
        return [fail(area, `The look at it failed: ${reasonOf(error)}`, remedy)]
      }
    }),
  )
  return found.flat()
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${lookMsMax / 1_000} seconds`)), lookMsMax)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error instanceof AggregateError ? error.errors.map(reasonOf).join('; ') : error.message
}

/** The findings as lines for people. */
export function told(findings: readonly Finding[]): string {
  return findings
    .map(({ level, area, sentence, remedy }) =>
      [level.padEnd(4), area.padEnd(9), remedy === undefined ? sentence : `${sentence} ${remedy}`].join('  '),
    )
    .join('\n')
}
