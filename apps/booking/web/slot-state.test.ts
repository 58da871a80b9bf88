import { describe, expect, it } from 'vitest'
import {
  daysOf,
  isUnread,
  localDate,
  nothingRead,
  reduce,
  spanOf,
  targetOf,
  validPlace,
  type State,
} from './slot-state.js'

const timeZone = 'Asia/Tokyo'
const slots = ['2026-05-31T15:30:00.000Z', '2026-06-02T01:00:00.000Z', '2026-06-02T02:00:00.000Z']
const asked = reduce(nothingRead, { type: 'asked', timeZone, today: '2026-06-01' })

function read(month: string): State {
  return reduce(asked, { type: 'read', month, days: daysOf(slots, month, timeZone), isUsual: true })
}

describe('the state of the slot picker', () => {
  it('sorts slots by the days of the guest’s zone, and reads a day more on both sides of a month', () => {
    expect([...daysOf(slots, '2026-06', timeZone)].map(([day, times]) => [day, times.length])).toEqual([
      ['2026-06-01', 1],
      ['2026-06-02', 2],
    ])
    expect([...daysOf(slots, '2026-05', timeZone)]).toEqual([])
    expect(spanOf('2026-06').map((at) => new Date(at).toISOString().slice(0, 10))).toEqual(['2026-05-31', '2026-07-02'])
    expect(localDate('2026-06-01T15:00:00.000Z', timeZone)).toBe('2026-06-02')
  })

  it('takes the day and the time of a visit, or else the day of the meeting, or else the first free one', () => {
    const [first, second, third] = slots
    const visited = (place: { date?: string; slot?: string }, near?: string) => {
      const { chosen, slot, focused } = reduce(read('2026-06'), { type: 'visited', place, near })
      return [chosen, slot, focused]
    }
    expect(visited({ date: '2026-06-02', slot: third })).toEqual(['2026-06-02', third, '2026-06-02'])
    expect(visited({ date: '2026-06-02', slot: first })).toEqual(['2026-06-02', undefined, '2026-06-02'])
    expect(visited({ date: '2026-06-09' }, second)).toEqual(['2026-06-02', undefined, '2026-06-02'])
    expect(visited({})).toEqual(['2026-06-01', undefined, '2026-06-01'])
  })

  it('has no day in a month without free ones; keys then move from today, or from its first day', () => {
    const focusIn = (month: string) => {
      const state = reduce(asked, { type: 'read', month, days: new Map(), isUsual: false })
      return reduce(state, { type: 'visited', place: {} })
    }
    expect(focusIn('2026-06')).toMatchObject({ chosen: undefined, focused: '2026-06-01' })
    expect(focusIn('2026-07')).toMatchObject({ chosen: undefined, focused: '2026-07-01' })
  })

  it('reads again for another month, another zone, and once times are gone', () => {
    const state = read('2026-06')
    expect(isUnread(state, {}, timeZone)).toBe(false)
    expect(isUnread(state, { month: '2026-07' }, timeZone)).toBe(true)
    expect(isUnread(state, {}, 'Europe/Berlin')).toBe(true)
    expect(isUnread(reduce(state, { type: 'forgotten' }), {}, timeZone)).toBe(true)
  })

  it('moves by keys, over the ends of months, but never into the past', () => {
    const from = (focused: string, key: string) =>
      targetOf({ focused, month: focused.slice(0, 7), today: '2026-06-03' }, key, 1)
    expect(from('2026-06-30', 'ArrowRight')).toEqual({ month: '2026-07', date: '2026-07-01' })
    expect(from('2026-06-10', 'ArrowUp')).toEqual({ month: '2026-06', date: '2026-06-03' })
    expect(from('2026-06-10', 'Home')).toEqual({ month: '2026-06', date: '2026-06-08' })
    expect(from('2026-06-10', 'End')).toEqual({ month: '2026-06', date: '2026-06-14' })
    expect(from('2026-06-10', 'PageDown')).toEqual({ month: '2026-07', date: undefined })
    expect(from('2026-06-10', 'PageUp')).toBeNull()
    expect(from('2026-06-03', 'ArrowLeft')).toBeNull()
    expect(from('2026-06-10', 'a')).toBeUndefined()
  })

  it('takes nothing from an address that is no month and no date', () => {
    expect(validPlace({ month: '2026-13', date: '2026-06-99', slot: 'x' })).toEqual({ slot: 'x' })
    expect(validPlace({ month: '2026-06', date: '2026-06-02' })).toEqual({ month: '2026-06', date: '2026-06-02' })
  })
})
