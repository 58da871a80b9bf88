import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '../../stage/drills.ts'
import { tally, type Drill } from '../drill.ts'
import { postgresBelow } from '../processes.ts'
import { outcomeOf } from '../../stage/requests.ts'

const frozenSeconds = 75
const worksAgainWithinMs = 10_000

/** A machine that hangs: every connection stays open, and none is answered. */
export const frozenDatabase: Drill = {
  name: `PostgreSQL is frozen for ${frozenSeconds} seconds`,
  isOutage: true,
  prepare: async ({ pid, tenant }) => {
    const { send } = await tenant()
    const create = (n: number) =>
      outcomeOf(send({ path: '/api/leads', body: { lastName: `Lead ${n}` }, withinMs: 15_000 }))
    await create(0)
    return async () => {
      const frozen = postgresBelow(pid)
      for (const one of frozen) process.kill(one, 'SIGSTOP')
      const outcomes: (number | string)[] = []
      try {
        const endsAt = performance.now() + frozenSeconds * 1_000
        while (performance.now() < endsAt) outcomes.push(...(await Promise.all([1, 2, 3].map(create))))
      } finally {
        for (const one of frozen) process.kill(one, 'SIGCONT')
      }
      promise(
        outcomes.every((outcome) => outcome === 503),
        `writes were answered ${tally(outcomes)}`,
      )
      const thawedAt = performance.now()
      while ((await create(1)) !== 201) {
        promise(performance.now() - thawedAt < worksAgainWithinMs, 'writes are still refused')
        await wait(100)
      }
      return `writes meanwhile: ${tally(outcomes)}; again after ${((performance.now() - thawedAt) / 1_000).toFixed(1)} s`
    }
  },
}
