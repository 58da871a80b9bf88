import { expect, it } from 'vitest'
import { afterThisFile, cleanUpAfterFile, onceForAllFiles } from '../src/cleanup.ts'

it('ends what a file began, but not what was begun for all files', async () => {
  const ended: string[] = []
  const forAll = onceForAllFiles(async () => afterThisFile(() => void ended.push('of all')))
  afterThisFile(() => void ended.push('of this'))
  await forAll()
  await cleanUpAfterFile()
  expect(ended).toEqual(['of this'])
})

it('starts once for all who ask, and anew when that failed', async () => {
  let starts = 0
  const start = onceForAllFiles(async () => {
    starts += 1
    await Promise.resolve()
    if (starts === 1) throw new Error('not yet')
    return starts
  })
  await expect(start()).rejects.toThrow('not yet')
  expect(await Promise.all([start(), start(), start()])).toEqual([2, 2, 2])
})
