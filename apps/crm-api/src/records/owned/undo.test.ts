import { describe, expect, it } from 'vitest'
import { planBack, planUndo } from './undo.ts'

const fields = ['name', 'stageId', 'status', 'tags', 'customFields']

it('gives replaced values back, and leaves to others what follows them', () => {
  const current = { name: 'New', tags: ['a', 'b'], score: 7 }
  const changes = [
    { field: 'name', from: null, to: 'New' },
    { field: 'tags', from: ['a'], to: ['a', 'b'] },
    { field: 'score', from: 3, to: 7 },
  ]
  expect(planUndo(current, changes, fields)).toEqual({ name: null, tags: ['a'] })
})

it('keeps a record that was changed since', () => {
  expect(planUndo({ name: 'Newer' }, [{ field: 'name', from: 'Old', to: 'New' }], fields)).toBeUndefined()
})

it('goes back to a stage, which brings its status along', () => {
  const changes = [
    { field: 'stageId', from: 'first', to: 'last' },
    { field: 'status', from: 'OPEN', to: 'WON' },
  ]
  expect(planUndo({ stageId: 'last', status: 'WON' }, changes, fields)).toEqual({ stageId: 'first' })
})

it('looks at the custom fields one by one', () => {
  const changes = [{ field: 'customFields', from: { a: 1, b: 2 }, to: { a: 1, b: 3, c: 4 } }]
  expect(planUndo({ customFields: { a: 9, b: 3, c: 4 } }, changes, fields)).toEqual({ customFields: { b: 2, c: null } })
  expect(planUndo({ customFields: { a: 1, b: 5, c: 4 } }, changes, fields)).toBeUndefined()
})

describe('the way back from several operations, the newest first', () => {
  const changed = (field: string, from: unknown, to: unknown, isUndoable = true) => ({
    isUndoable,
    changes: [{ field, from, to }],
  })

  it('goes through all of them', () => {
    const operations = [changed('name', 'Two', 'Three'), changed('name', 'One', 'Two'), changed('tags', [], ['a'])]
    expect(planBack({ name: 'Three', tags: ['a'] }, operations, fields)).toEqual({
      patch: { name: 'One', tags: [] },
      kept: [],
      back: [],
    })
  })

  it('keeps what somebody changed afterwards or in between, and what an operation left that cannot be undone', () => {
    const operations = [
      changed('name', 'Else', 'Three'),
      changed('name', 'One', 'Two'),
      changed('tags', [], ['a'], false),
    ]
    const { patch, kept } = planBack({ name: 'Three', tags: ['a'] }, operations, fields)
    expect({ patch, kept }).toEqual({ patch: {}, kept: ['name', 'tags'] })
    expect(planBack({ name: 'Mine' }, [changed('name', 'One', 'Two')], fields).kept).toEqual(['name'])
  })

  it('finds what is as before already', () => {
    const operations = [changed('name', 'Two', 'Three'), changed('name', 'One', 'Two')]
    expect(planBack({ name: 'One' }, operations, fields)).toEqual({ patch: {}, kept: [], back: ['name'] })
  })

  it('looks at custom fields one by one', () => {
    const operations = [changed('customFields', { a: 1 }, { a: 2, b: 3 }), changed('customFields', {}, { a: 1 })]
    expect(planBack({ customFields: { a: 9, b: 3 } }, operations, fields)).toEqual({
      patch: { customFields: { b: null } },
      kept: ['cf_a'],
      back: [],
    })
  })
})
