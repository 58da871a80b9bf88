import { expect, it } from 'vitest'
import * as contracts from './index.ts'
import { automationEvents, changeEvents, declaredOperations, eventBody } from './index.ts'

const operations = new Set(
  [contracts.publicContract, contracts.settingsContract, contracts.bookingContract].flatMap((contract) =>
    declaredOperations(contract).map(({ id }) => id),
  ),
)

it.each(changeEvents)('$name is emitted by operations that there are', ({ emittedBy }) => {
  expect(emittedBy.filter((id) => !operations.has(id))).toEqual([])
  expect(emittedBy.length).toBeGreaterThan(0)
})

it('each event is declared once, and has a body', () => {
  expect(new Set(automationEvents).size).toBe(automationEvents.length)
  for (const event of changeEvents) expect(Object.keys(eventBody(event).shape.data.shape)).toContain('changes')
})
