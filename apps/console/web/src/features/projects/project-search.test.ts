import { expect, it } from 'vitest'
import { readProjectSearch } from './project-search.ts'

it('reads what makes sense and leaves out the rest', () => {
  expect(readProjectSearch({ search: ' house ', status: 'ACTIVE', page: '2' })).toEqual({
    search: 'house',
    status: 'ACTIVE',
    page: 2,
  })
  expect(readProjectSearch({ search: '', status: 'DREAMT', page: 'x' })).toEqual({})
})
