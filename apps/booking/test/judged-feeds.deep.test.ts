import { seed, stepsOf } from '@crm/testkit'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { eventsMax, expandCalendar } from '../src/calendars/expand-calendar.ts'
import { chanceOf, randomRule, randomTime } from './random-feeds.ts'

// Two libraries that the product does not use; the second is a program of its own in another language.
const judgesAt = mkdtempSync(join(tmpdir(), 'crm-judges-'))
afterAll(() => rmSync(judgesAt, { recursive: true, force: true }))
writeFileSync(join(judgesAt, 'package.json'), '{"private":true}')
execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', 'rrule@2.8.1', 'rrule-rust@3.1.1'], {
  cwd: judgesAt,
})
const load = createRequire(join(judgesAt, 'package.json'))

interface Rrule {
  rrulestr(text: string, options?: { cache: boolean }): { between(from: Date, to: Date, inc: boolean): Date[] }
}
interface RruleRust {
  RRuleSet: {
    fromString(text: string): { between(from: unknown, to: unknown, inc: boolean): { toString(): string }[] }
  }
  DateTime: { fromString(text: string): unknown }
}
const { rrulestr } = load('rrule') as Rrule
const { RRuleSet, DateTime } = load('rrule-rust') as RruleRust

const [from, to] = ['2026-03-01T00:00:00.000Z', '2027-04-05T00:00:00.000Z']
const basic = (iso: string) => iso.replaceAll(/[-:]|\.\d{3}/g, '')
const msOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/, '$1-$2-$3T$4:$5:$6Z'))

/** The rule with an end: without one, the judges would look for days that never come until the year 9999. */
const bounded = (rule: string) => (/COUNT|UNTIL/.test(rule) ? rule : `${rule};UNTIL=${basic(to)}`)

// The second one says when it gives up, so it is asked first.
const judges: Readonly<Record<string, (start: string, rule: string) => number[]>> = {
  'rrule-rust': (start, rule) =>
    RRuleSet.fromString(`DTSTART:${start}Z\nRRULE:${bounded(rule)}`)
      .between(DateTime.fromString(basic(from)), DateTime.fromString(basic(to)), true)
      .map((time) => msOf(String(time))),
  rrule: (start, rule) =>
    rrulestr(`DTSTART:${start}Z\nRRULE:${bounded(rule)}`)
      .between(new Date(from), new Date(to), true)
      .map(Number),
}

const tooMany = `Only the first ${eventsMax} times of it count.`

/** The times by us, in UTC, without the beginning where the rule does not name it: the standard leaves open whether it counts then. */
function ours(start: string, rule: string): number[] {
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:1',
    `DTSTART:${start}Z`,
    'DURATION:PT1M',
    `RRULE:${rule}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
  const { events, problem } = expandCalendar(text, {
    timezone: 'UTC',
    from,
    to,
    owner: { addresses: [], bookings: [] },
  })
  expect(problem ?? tooMany, rule).toBe(tooMany)
  return events.map(({ startAt }) => Date.parse(startAt))
}

it('1,000 random rules have the times that two other libraries give them', { timeout: 600_000 }, () => {
  const differences: string[] = []
  let [asked, judged] = [0, 0]
  for (let number = 0; judged < stepsOf(1_000); number += 1) {
    const chance = chanceOf(number)
    const [start, rule] = [randomTime(chance), randomRule(chance)]
    asked += 1
    const startMs = msOf(start)
    const answers = new Map<string, number[]>()
    try {
      for (const [name, judge] of Object.entries(judges)) answers.set(name, judge(start, rule).slice(0, eventsMax))
    } catch {
      continue
    }
    judged += 1
    const isCounted = rule.includes('COUNT')
    const mine = ours(start, rule)
    for (const [name, theirs] of answers) {
      const isSame = (a: readonly number[], b: readonly number[]) =>
        a.filter((ms) => ms !== startMs).join() === b.filter((ms) => ms !== startMs).join()
      // A beginning that the rule does not name takes one of the number with us; the standard leaves that open (3.8.5.3).
      const isOneFewer = isCounted && mine.includes(startMs) && !theirs.includes(startMs)
      if (
        !isSame(mine, theirs) &&
        !(
          isOneFewer &&
          isSame(
            mine.filter((ms) => ms !== startMs),
            theirs.slice(0, -1),
          )
        )
      )
        differences.push(`${name}: ${start} ${rule}\n  ours ${sample(mine, theirs)}\n  theirs ${sample(theirs, mine)}`)
    }
  }
  expect(differences, `seed ${seed}, ${asked} asked`).toEqual([])
})

/** The first times of one answer that the other has not. */
function sample(some: readonly number[], others: readonly number[]): string {
  const missing = some.filter((ms) => !others.includes(ms))
  return `${some.length} times, alone ${missing
    .slice(0, 3)
    .map((ms) => new Date(ms).toISOString())
    .join(' ')}`
}
