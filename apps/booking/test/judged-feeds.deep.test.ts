import { seed, stepsOf } from '@crm/testkit'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { eventsMax, expandCalendar } from '../src/calendars/expand-calendar.ts'
import { readRule } from '../src/calendars/recurrence-rule.ts'
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
    fromString(text: string): {
      between(from: unknown, to: unknown, inc: boolean): { toString(): string }[]
      all(limit: number): { toString(): string }[]
    }
  }
  DateTime: { fromString(text: string): unknown }
}
const { rrulestr } = load('rrule') as Rrule
const { RRuleSet, DateTime } = load('rrule-rust') as RruleRust

const [from, to] = ['2026-03-01T00:00:00.000Z', '2027-04-05T00:00:01.000Z']
const basic = (iso: string) => iso.replaceAll(/[-:]|\.\d{3}/g, '')
const msOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/, '$1-$2-$3T$4:$5:$6Z'))

/** The rule with an end: without one, a judge would look for days that never come until the year 9999. */
const bounded = (rule: string) => (rule.includes('UNTIL') ? rule : `${rule};UNTIL=${basic(to)}`)

/** What the judges take otherwise than the standard says: a week without a day is that day of the week on which the event begins (3.3.10). */
const asJudged = (start: string, rule: string) => {
  const day = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][new Date(msOf(start)).getUTCDay()]
  return /BYWEEKNO/.test(rule) && !/BYDAY/.test(rule) ? `${rule};BYDAY=${day}` : rule
}

// The first one says when it gives up. The second one never does, so it is asked where there is something to find.
const judges: Readonly<Record<string, (start: string, rule: string) => number[]>> = {
  'rrule-rust': (start, rule) =>
    RRuleSet.fromString(`DTSTART:${start}Z\nRRULE:${rule.includes('COUNT') ? rule : bounded(rule)}`)
      .between(DateTime.fromString(basic(from)), DateTime.fromString(basic(to)), true)
      .map((time) => msOf(String(time))),
  rrule: (start, rule) =>
    rrulestr(`DTSTART:${start}Z\nRRULE:${bounded(rule)}`)
      .between(new Date(from), new Date(to), true)
      .map(Number),
}

/** The first time of a rule from a time on, as iCalendar writes it. */
function firstOf(time: string, rule: string): string | undefined {
  const endless = asJudged(time, rule.replace(/;COUNT=\d+/, ''))
  try {
    const [first] = RRuleSet.fromString(`DTSTART:${time}Z\nRRULE:${bounded(endless)}`).all(1)
    return first && String(first).replace(/^.*:|Z$/g, '')
  } catch {
    return undefined
  }
}

const dayMs = 86_400_000
const intervalDays: Readonly<Record<string, number>> = { HOURLY: 1, DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 }

/**
 * The end of the interval in which a rule begins, where that matters: the judges begin the first set of BYSETPOS at the event, the standard with its interval
 * (findings/rrule-begins-a-set-at-the-event.sh).
 */
function judgedFrom(startMs: number, rule: string): number {
  const [, freq = ''] = /FREQ=(\w+)/.exec(rule) ?? []
  return rule.includes('BYSETPOS') ? startMs + (intervalDays[freq] ?? 0) * dayMs : startMs + 1
}

const tooMany = `Only the first ${eventsMax} times of it count.`

/** The times by us, in UTC, without the beginning where the rule does not name it: the standard leaves open whether it counts then. */
function ours(start: string, rule: string, since = from): number[] {
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
    from: since,
    to,
    owner: { addresses: [], bookings: [] },
  })
  expect(problem ?? tooMany, rule).toBe(tooMany)
  return events.map(({ startAt }) => Date.parse(startAt))
}

/** The day of a time, ISO 8601. */
const dayOf = (start: string) => new Date(msOf(start) - (msOf(start) % dayMs)).toISOString()

/** As many of the times of a rule as its number says, by us. */
function firstTimes(start: string, rule: string, whole: string): number[] {
  const [, count] = /COUNT=(\d+)/.exec(whole) ?? []
  return ours(start, rule, dayOf(start)).slice(0, Number(count))
}

it('1,000 random rules have the times that two other libraries give them', { timeout: 600_000 }, () => {
  const differences: string[] = []
  let [asked, judged] = [0, 0]
  for (let number = 0; judged < stepsOf(1_000); number += 1) {
    const chance = chanceOf(number)
    const [time, whole] = [randomTime(chance), randomRule(chance)]
    // The standard leaves open whether a beginning that its rule does not name is one of a number (3.8.5.3).
    const start = whole.includes('COUNT') ? firstOf(time, whole) : time
    if (start === undefined || !readRule(whole).isWhole) continue
    // A number depends on the first set, so it is judged by our own times.
    const rule = whole.includes('BYSETPOS') ? whole.replace(/;COUNT=\d+/, '') : whole
    if (rule !== whole) expect(ours(start, whole, dayOf(start)), whole).toEqual(firstTimes(start, rule, whole))
    asked += 1
    const startMs = msOf(start)
    const answers = new Map<string, number[]>()
    try {
      for (const [name, judge] of Object.entries(judges)) {
        answers.set(name, judge(start, asJudged(start, rule)).slice(0, eventsMax))
        if (answers.get(name)?.length === 0) break
      }
    } catch {
      continue
    }
    judged += 1
    const mine = ours(start, rule)
    const timesBut = (all: readonly number[]) =>
      [...new Set(all)].filter((ms) => ms >= judgedFrom(startMs, rule)).slice(0, eventsMax - 1)
    const others = [...answers].filter(([, theirs]) => timesBut(mine).join() !== timesBut(theirs).join())
    // One judge alone errs where the other one agrees with us: the second takes a position that two numbers name for two.
    if (others.length < answers.size) continue
    for (const [name, theirs] of others)
      differences.push(`${name}: ${start} ${rule}\n  ours ${sample(mine, theirs)}\n  theirs ${sample(theirs, mine)}`)
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
