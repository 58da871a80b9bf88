import { zoneRulesSeen, type Pool, type ZoneRulesSeen } from '@crm/db'
import type { Environment } from '@crm/runtime'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, warn, type Finding } from './finding.ts'

const area = 'zones'
/** The files of a release for this runtime (docs/guide/operate.md). */
const files = ['metaZones.res', 'timezoneTypes.res', 'windowsZones.res', 'zoneinfo64.res']
const monthsMax = 15
const update = 'Bring the rules of time zones up to date (docs/guide/operate.md).'

/** Examines the rules of time zones of this process and of all that run. */
export async function lookAtZones(pool: Pool, env: Environment): Promise<readonly Finding[]> {
  const own = process.versions['tz'] ?? 'unknown'
  return [
    ...judgeFolder(env['ICU_TIMEZONE_FILES_DIR'] ?? ''),
    judgeRelease(own, new Date()),
    judgeProcesses(own, await zoneRulesSeen(pool)),
  ]
}

/** The runtime says nothing when a named folder lacks a file, and takes the rules that came with it. */
export function judgeFolder(folder: string): readonly Finding[] {
  const missing = folder === '' ? [] : files.filter((name) => !existsSync(join(folder, name)))
  return missing.length === 0
    ? []
    : [
        fail(
          area,
          `${missing.join(', ')} of the rules of time zones cannot be read in ICU_TIMEZONE_FILES_DIR.`,
          'Put the files of one release there, or name no folder.',
        ),
      ]
}

/** Judges a release such as `2026c` by the year in its name: every year has several. */
export function judgeRelease(release: string, now: Date): Finding {
  const year = Number(/^(\d{4})[a-z]*$/.exec(release)?.[1])
  if (Number.isNaN(year)) return warn(area, `The release of the rules of time zones is ${release}.`, update)
  const months = (now.getUTCFullYear() - year) * 12 + now.getUTCMonth()
  const sentence = `The rules of time zones are those of ${release}, at most ${months + 1} months old.`
  return months >= monthsMax ? warn(area, sentence, update) : ok(area, sentence)
}

/** Processes with different rules show and book the same meeting at different hours. */
export function judgeProcesses(own: string, seen: readonly ZoneRulesSeen[]): Finding {
  const others = seen.filter(({ release }) => release !== own)
  if (others.length === 0) return ok(area, 'All processes that run have the same rules of time zones.')
  const told = others.map(({ release, kinds }) => `${kinds.join(', ')} ${release ?? 'an unknown release'}`).join('; ')
  return fail(
    area,
    `Processes have other rules of time zones than this command (${own}): ${told}.`,
    'Give all of them the same folder in ICU_TIMEZONE_FILES_DIR, and start them again.',
  )
}
