import { describe, expect, it } from 'vitest'
import { superfluous, type Dated } from '../src/backup/prune.ts'

/** Returns one backup for each of the `days` days until 1 March 2026, at noon, newest last. */
const daily = (days: number): Dated[] =>
  Array.from({ length: days }, (_, at) => {
    const day = Temporal.PlainDate.from('2026-03-01').subtract({ days: days - 1 - at })
    return { id: day.toString(), createdAt: `${day.toString()}T12:00:00.000Z`, verifiedAt: null }
  })

const keptOf = (backups: readonly Dated[], kept: Parameters<typeof superfluous>[1]): string[] => {
  const removed = new Set(superfluous(backups, kept))
  return backups.map(({ id }) => id).filter((id) => !removed.has(id))
}

describe('pruning keeps', () => {
  it('the newest of the latest days, weeks and months', () => {
    expect(keptOf(daily(100), { daily: 3, weekly: 2, monthly: 3 })).toEqual([
      '2026-01-31',
      '2026-02-22',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ])
  })

  it('one of several of a day', () => {
    const day = ['08', '12', '20'].map((hour) => ({
      id: hour,
      createdAt: `2026-03-01T${hour}:00:00.000Z`,
      verifiedAt: null,
    }))
    expect(keptOf(day, { daily: 7, weekly: 5, monthly: 12 })).toEqual(['20'])
  })

  it('the newest that was verified, whatever else is kept', () => {
    const backups = daily(10).map((each, at) => (at === 1 || at === 3 ? { ...each, verifiedAt: each.createdAt } : each))
    expect(keptOf(backups, { daily: 1, weekly: 0, monthly: 0 })).toEqual(['2026-02-23', '2026-03-01'])
    expect(keptOf(daily(2), { daily: 0, weekly: 0, monthly: 0 })).toEqual([])
  })
})
