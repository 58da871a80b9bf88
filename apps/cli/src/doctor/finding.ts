import { within } from '@crm/runtime'
import { causeOf } from '../base/output.ts'

/** The doctor's result for one subject. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  /** The subject, such as `database`. */
  readonly area: string
  readonly sentence: string
  /** The action to take; absent when no action is needed. */
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

/** An examination of one area; an error that it throws is a finding as well. */
export interface Look {
  readonly area: string
  /** The action to take when the examination itself fails. */
  readonly remedy: string
  look(): Promise<readonly Finding[]>
}

const lookMsMax = 10_000

/** Runs all examinations at once; an examination that fails or hangs does not hinder the others. */
export async function examine(looks: readonly Look[]): Promise<readonly Finding[]> {
  const found = await Promise.all(
    looks.map(async ({ area, remedy, look }) => {
      try {
        return await within(lookMsMax, look(), () => {
          throw new Error(`no answer within ${lookMsMax / 1_000} seconds`)
        })
      } catch (error) {
        return [fail(area, `The look at it failed: ${causeOf(error)}`, remedy)]
      }
    }),
  )
  return found.flat()
}

/** The findings as lines for people. */
export function told(findings: readonly Finding[]): string {
  return findings
    .map(({ level, area, sentence, remedy }) =>
      [level.padEnd(4), area.padEnd(9), remedy === undefined ? sentence : `${sentence} ${remedy}`].join('  '),
    )
    .join('\n')
}
