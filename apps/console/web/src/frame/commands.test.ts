import { expect, it } from 'vitest'
import { commandsFor, keySequence } from './commands.ts'

const kind = (key: string, create: boolean) => ({
  key,
  noun: key.toLowerCase(),
  plural: `${key.toLowerCase()}s`,
  icon: 'leads',
  isCustom: key === 'VEHICLE',
  titleFields: [],
  pipelines: [],
  fields: [],
  may: { create, update: false, delete: false },
})

it('offers what a person may do, and nothing else', () => {
  const labels = commandsFor(new Set(['VIEW_LEAD']), [
    kind('LEAD', true),
    kind('DEAL', false),
    kind('ACTIVITY', true),
    kind('VEHICLE', false),
  ]).map(({ label }) => label)
  expect(labels).toContain('New lead')
  expect(labels).toContain('Leads')
  expect(labels).toContain('vehicles')
  for (const label of ['New deal', 'Deals', 'New activity', 'People']) expect(labels).not.toContain(label)
})

it('understands keys one after the other, but not after a while', () => {
  const [commands, press] = [commandsFor(new Set(['VIEW_DEAL']), []), keySequence()]
  expect(press(commands, 'd', 0)).toBeUndefined()
  expect(press([], 'g', 10)).toBeUndefined()
  expect(press(commands, 'd', 20)?.label).toBe('Deals')
  expect(press(commands, 'g', 30)).toBeUndefined()
  expect(press(commands, 'd', 5_000)).toBeUndefined()
  expect(press(commands, '?', 5_010)?.label).toBe('Keyboard shortcuts')
})
