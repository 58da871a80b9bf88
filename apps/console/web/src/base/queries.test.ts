import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { FreshQueryClient } from './queries.ts'

it('reads anew what was on its way for the first time when something changed', async () => {
  const client = new FreshQueryClient()
  const names = ['Oak']
  const firstAnswer = Promise.withResolvers<undefined>()
  let reads = 0
  const read = async () => {
    const seen = [...names]
    reads += 1
    if (reads === 1) await firstAnswer.promise
    return seen
  }
  const list = new QueryObserver(client, { queryKey: ['list'], queryFn: read })
  const stop = list.subscribe(() => undefined)
  names.push('Elm')
  const refreshed = client.invalidateQueries({ queryKey: ['list'] })
  firstAnswer.resolve(undefined)
  await refreshed
  expect(list.getCurrentResult().data).toEqual(['Oak', 'Elm'])
  await client.invalidateQueries({ queryKey: ['list'] })
  expect(reads).toBe(3)
  stop()
})
