import { describe, expect, it } from 'vitest'
import { expressionName, expressionOf, partsOf, stepVariables, textInWords, triggerVariables } from './variables.ts'

const call = triggerVariables({ type: 'WEBHOOK', method: 'POST' }, [], {
  email: 'a@b.example',
  items: [{ name: 'x' }],
  '': 1,
})

describe('the data that a step can use', () => {
  it('is what the last call of a webhook held', () => {
    expect(call.map(({ path, label }) => [path, label])).toEqual([
      ['trigger.email', 'Email'],
      ['trigger.items[0].name', 'Items[0] › Name'],
    ])
  })

  it('is what earlier steps give, by their number', () => {
    const request = { key: 'ask', name: '', type: 'HTTP_REQUEST', url: '', method: 'GET' } as const
    const step = { ...request, headers: {}, bodyTemplate: null }
    expect(stepVariables([{ position: '1.then.0', step }], [])).toEqual([
      { path: 'steps.ask.data.body', source: 'Request (step 2.1)', label: 'Response' },
      { path: 'steps.ask.data.status', source: 'Request (step 2.1)', label: 'Status code' },
    ])
  })
})

describe('a text with data', () => {
  it('has parts, and words for people', () => {
    expect(partsOf('To {{ trigger.email }}!')).toEqual([
      { text: 'To ' },
      { expression: 'trigger.email' },
      { text: '!' },
    ])
    expect(textInWords('To {{trigger.email | lower}}!', call)).toBe('To Call › Email!')
    expect(expressionName('steps.lead.data.id', call)).toBe('Earlier step › Id')
  })

  it('is one expression, or none', () => {
    expect(expressionOf('{{trigger.email}}')).toBe('trigger.email')
    expect(expressionOf('To {{trigger.email}}')).toBeUndefined()
    expect(expressionOf(7)).toBeUndefined()
  })
})
