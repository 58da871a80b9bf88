import { expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { startRounds } from './rounds.ts'

const logger = createLogger({ name: 'rounds', level: 'silent' })

it('goes on after a round that failed, one at a time, until it is closed', async () => {
  const third = Promise.withResolvers<void>()
  let begun = 0
  let underWay = 0
  const rounds = startRounds({
    name: 'test',
    everyMs: 1,
    logger,
    round: async () => {
      expect(++underWay).toBe(1)
      begun += 1
      await new Promise((resolve) => setImmediate(resolve))
      underWay -= 1
      if (begun === 3) third.resolve()
      if (begun < 3) throw new Error('not this time')
    },
  })
  await third.promise
  await rounds.close()
  const whenClosed = begun
  await new Promise((resolve) => setImmediate(resolve))
  expect({ begun, underWay }).toEqual({ begun: whenClosed, underWay: 0 })
})
