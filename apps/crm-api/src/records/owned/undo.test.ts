import { expect, it } from 'vitest'
import { planUndo } from './undo.ts'

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
