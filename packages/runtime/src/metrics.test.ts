import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('looks at the delay of the event loop so seldom that a process at rest sleeps', async () => {
  const metrics = createMetrics('resting')
  const shortestS = async (): Promise<number> => {
    const text = await metrics.render()
    const [mean = NaN, min = NaN] = ['mean', 'min'].map((of) =>
      Number(new RegExp(`^nodejs_eventloop_lag_${of}_seconds\\S* (\\S+)`, 'm').exec(text)?.[1]),
    )
    // Before the first look there is no mean, and the least delay is the largest number.
    return Number.isNaN(mean) ? 0 : min
  }
  let seen = 0
  // What is told includes the time between two looks; a busy machine only adds to it.
  await expect.poll(async () => (seen = await shortestS()), { interval: 500 }).toBeGreaterThan(0)
  expect(seen).toBeGreaterThan(0.05)
})
