import { expect, it } from 'vitest'
import { readTaskSearch, taskQueryOf } from './task-search.ts'

const projectId = '01890000-0000-7000-8000-000000000000'

it('reads what makes sense and leaves out the rest', () => {
  expect(readTaskSearch({ whose: 'all', search: ' call ', status: 'TODO', projectId, page: '2' })).toEqual({
    whose: 'all',
    search: 'call',
    status: 'TODO',
    projectId,
    page: 2,
  })
  expect(readTaskSearch({ whose: 'nobody', search: '', status: 'DREAMT', projectId: 'x', page: '-1' })).toEqual({})
})

it('asks for the own tasks unless told, the ones due first at the top', () => {
  expect(taskQueryOf({}, 'me')).toEqual({ assigneeId: 'me', page: 1, pageSize: 50, sortBy: 'dueAt', sortOrder: 'asc' })
  expect(taskQueryOf({ whose: 'all', status: 'DONE', page: 3 }, 'me')).toEqual({
    status: 'DONE',
    page: 3,
    pageSize: 50,
    sortBy: 'dueAt',
    sortOrder: 'asc',
  })
})
