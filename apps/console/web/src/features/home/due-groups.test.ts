import { expect, it } from 'vitest'
import { byDue } from './due-groups.ts'

it('puts what is late first, then today, then the days after', () => {
  const now = new Date(2026, 10, 23, 12).getTime()
  const due = (day: number, hour: number) => ({ dueAt: new Date(2026, 10, day, hour).toISOString() })
  const tasks = [due(23, 9), due(23, 18), due(24, 0), due(28, 9)]
  expect(byDue(tasks, now)).toEqual([
    ['overdue', [tasks[0]]],
    ['today', [tasks[1]]],
    ['soon', [tasks[2], tasks[3]]],
  ])
  expect(byDue([], now)).toEqual([])
})
