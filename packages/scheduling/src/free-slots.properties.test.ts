import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SlotQuery } from './index.ts'
import { changesOf, daysAround, ZONES } from '../test/change-days.ts'
import { naiveSlots } from '../test/naive-slots.ts'
import { freeSlots, isFree } from './index.ts'

const HOUR_MS = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
const later = (time: string, minutes: number) => iso(Date.parse(time) + minutes * 60_000)

/** Interesting dates: clock changes of several kinds, a skipped date, a quiet week, a leap day. */
const anchors = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/Havana', '2026-11-01T05:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00:00Z'],
  ['Asia/Kathmandu', '2024-02-29T00:00:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00:00Z'],
  ['Pacific/Kiritimati', '2026-06-01T00:00:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
] as const

const clockTime = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('00:00', '24:00', '02:00', '02:30', '03:00', '23:59') },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  },
)
const hours = fc.record({ start: clockTime, end: clockTime })

const query: fc.Arbitrary<SlotQuery> = fc.constantFrom(...anchors).chain(([timezone, anchor]) => {
  const time = fc.integer({ min: -96 * 60, max: 96 * 60 }).map((minute) => Date.parse(anchor) + minute * 60_000)
  const date = time.map((ms) => iso(ms).slice(0, 10))
  return fc.record({
    timezone: fc.constant(timezone),
    weeklyHours: fc.array(
      fc.tuple(fc.nat(6), hours).map(([day, entry]) => ({ day, ...entry })),
      { maxLength: 14 },
    ),
    dateOverrides: fc.array(fc.record({ date, hours: fc.array(hours, { maxLength: 3 }) }), { maxLength: 3 }),
    durationMin: fc.oneof(fc.constantFrom(15, 30, 45, 60), fc.integer({ min: 1, max: 600 })),
    bufferMin: fc.nat(90),
    minNoticeMin: fc.nat(300),
    now: time.map((ms) => iso(ms - 72 * HOUR_MS)),
    from: time.map(iso),
    to: time.map((ms) => iso(ms + 48 * HOUR_MS)),
    busy: fc.array(
      fc
        .tuple(time, fc.nat(300))
        .map(([start, minutes]) => ({ start: iso(start), end: iso(start + minutes * 60_000) })),
      { maxLength: 12 },
    ),
  })
})

const isSubset = (part: string[], whole: string[]) => part.every((slot) => whole.includes(slot))

function forAny<T>(arbitrary: fc.Arbitrary<T>, judge: (value: T) => void, numRuns = 300): void {
  fc.assert(
    fc.property(arbitrary, (value) => {
      judge(value)
    }),
    { numRuns },
  )
}

describe('for any rules', () => {
  it('answers as the rules read word by word', () => {
    forAny(query, (asked) => expect(freeSlots(asked)).toEqual(naiveSlots(asked)), 600)
  })
  it('lists slots in order, once each', () => {
    forAny(query, (asked) => {
      const slots = freeSlots(asked)
      expect(slots).toEqual([...new Set(slots)].sort())
    })
  })
  it('calls exactly the listed starts free', () => {
    forAny(
      fc.tuple(query, fc.nat(144 * 60)),
      ([asked, minute]) => {
        const slots = freeSlots(asked)
        expect(slots.every((slot) => isFree(asked, slot))).toBe(true)
        const probe = later(asked.from, minute)
        if (probe < asked.to) expect(isFree(asked, probe)).toBe(slots.includes(probe))
      },
      100,
    )
  })
  it('joins two neighbouring windows into one', () => {
    forAny(fc.tuple(query, fc.nat(1000)), ([asked, share]) => {
      const length = Date.parse(asked.to) - Date.parse(asked.from)
      const middle = iso(Date.parse(asked.from) + Math.round((share / 1000) * Math.max(0, length)))
      const parts = [...freeSlots({ ...asked, to: middle }), ...freeSlots({ ...asked, from: middle })]
      expect(parts).toEqual(length > 0 ? freeSlots(asked) : [])
    })
  })
  it('does not depend on the order of rules and busy times', () => {
    forAny(query, (asked) => {
      const turned = { ...asked, weeklyHours: asked.weeklyHours.toReversed(), busy: asked.busy.toReversed() }
      expect(freeSlots(turned)).toEqual(freeSlots(asked))
    })
  })
})

describe('slots only disappear with', () => {
  const fewer = (change: (asked: SlotQuery, minutes: number) => Partial<SlotQuery>) =>
    forAny(fc.tuple(query, fc.nat(600)), ([asked, minutes]) => {
      expect(isSubset(freeSlots({ ...asked, ...change(asked, minutes) }), freeSlots(asked))).toBe(true)
    })

  it('more busy time', () =>
    fewer((asked, minutes) => ({ busy: [...asked.busy, { start: asked.from, end: later(asked.from, minutes) }] })))
  it('a later now', () => fewer((asked, minutes) => ({ now: later(asked.now, minutes) })))
  it('a larger buffer', () => fewer((asked, minutes) => ({ bufferMin: asked.bufferMin + minutes })))
  it('a longer notice', () => fewer((asked, minutes) => ({ minNoticeMin: asked.minNoticeMin + minutes })))
  it('a later start of the window', () => fewer((asked, minutes) => ({ from: later(asked.from, minutes) })))
  it('an earlier end of the window', () => fewer((asked, minutes) => ({ to: later(asked.to, -minutes) })))
})

describe('every zone on its change days', () => {
  const weeklyHours = [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
    { day, start: '00:00', end: '02:45' },
    { day, start: '22:15', end: '24:00' },
  ])
  const rules = { weeklyHours, durationMin: 45, bufferMin: 0, minNoticeMin: 0, now: '1900-01-01T00:00:00Z', busy: [] }
  const compare = (timezone: string, changes: number[]) => {
    for (const change of changes) {
      const asked = { ...rules, timezone, ...daysAround(change) }
      expect(freeSlots(asked), `${timezone} ${iso(change)}`).toEqual(naiveSlots(asked))
    }
  }

  it('answers as the rules read word by word, from 2025 to 2028', () => {
    for (const timezone of ZONES) compare(timezone, changesOf(timezone, Date.UTC(2025, 0, 1), Date.UTC(2028, 0, 1)))
  }, 60_000)
  it('answers as them at the last three changes before that', () => {
    for (const timezone of ZONES)
      compare(timezone, changesOf(timezone, Date.UTC(1900, 0, 1), Date.UTC(2025, 0, 1)).slice(-3))
  }, 60_000)
})

it('answers the same on servers in different zones', async () => {
  const script = fileURLToPath(new URL('../test/print-slots.ts', import.meta.url))
  const run = async (TZ: string) =>
    (await promisify(execFile)(process.execPath, [script], { env: { ...process.env, TZ } })).stdout.split(' ')
  const [utc, newYork, apia] = await Promise.all([run('UTC'), run('America/New_York'), run('Pacific/Apia')])
  expect([utc[0], newYork[0], apia[0]]).toEqual(['0', '300', '-780'])
  expect(newYork[1]).toBe(utc[1])
  expect(apia[1]).toBe(utc[1])
}, 60_000)
