import { expect, it } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

const labelsAt = (...day: readonly [number, number, number, number]) =>
  snoozeTimes(new Date(...day).getTime()).map(
    ({ label, at }) => `${label} ${new Date(at).getDate()}. ${new Date(at).getHours()}`,
  )

it('offers the next hour, this evening, tomorrow and Monday', () => {
  expect(labelsAt(2026, 10, 23, 9)).toEqual([
    'In 1 hour 23. 10',
    'This evening 23. 18',
    'Tomorrow 24. 8',
    'Next Monday 30. 8',
  ])
  expect(labelsAt(2026, 10, 25, 20)).toEqual(['In 1 hour 25. 21', 'Tomorrow 26. 8', 'Next Monday 30. 8'])
  expect(labelsAt(2026, 10, 29, 20)).toEqual(['In 1 hour 29. 21', 'Tomorrow 30. 8'])
})
