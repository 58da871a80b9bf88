import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '../../stage/drills.ts'
import type { Drill } from '../drill.ts'
import { addressOf } from '../../stage/requests.ts'
import { startReceiver } from '../receiver.ts'
import type { Stage } from '../stage.ts'

const callsPerSecond = 20
/** Each hook accepts sixty calls a minute. */
const hooks = 30
const retentionMinutes = 2
const days = String(retentionMinutes / 24 / 60)
/** The largest allowed growth in the second half, as a factor. */
const growthMax = 1.25

const histories = ['workflow_runs', 'workflow_step_runs', 'deliveries', 'outbox', 'refused_calls'] as const

/** Hooks with calls over a long time: their stored history stops growing when the retention time of the first calls is over. */
export const retention: Drill = {
  name: `retention keeps up with ${callsPerSecond} hooks a second`,
  env: {
    RETAIN_RUNS_DAYS: days,
    RETAIN_DELIVERIES_DAYS: days,
    RETAIN_OUTBOX_HOURS: String(retentionMinutes / 60),
    RETAIN_REFUSED_CALLS_DAYS: days,
  },
  prepare: async (stage, { minutes }) => {
    const tenant = await stage.tenant()
    return async () => {
      await using receiver = await startReceiver()
      const step = {
        key: 'tell',
        name: '',
        type: 'HTTP_REQUEST',
        url: receiver.url,
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      }
      const called = await Promise.all(
        Array.from({ length: hooks }, () =>
          tenant.hook([step, { key: 'set', name: '', type: 'SET', values: { done: true } }]),
        ),
      )
      const sizes: Size[] = []
      const refused: number[] = []
      const endsAt = performance.now() + minutes * 60_000
      let sent = 0
      const timer = setInterval(() => {
        const { path, secret } = called[sent % hooks]!
        // One call of twenty has the wrong secret, and a note of it is kept.
        const isWrong = sent % 20 === 0
        const asked = tenant.send({
          path: `/api/hooks/${path}`,
          headers: { 'x-api-key': isWrong ? 'wrong' : secret },
          body: { n: sent },
          from: addressOf(sent % 20),
        })
        void asked.then(
          ({ status }) => status === (isWrong ? 404 : 202) || refused.push(status),
          () => refused.push(0),
        )
        sent++
      }, 1_000 / callsPerSecond)
      try {
        while (performance.now() < endsAt) {
          await wait(15_000)
          sizes.push(await sizeOf(stage))
        }
      } finally {
        clearInterval(timer)
      }
      promise(
        refused.length === 0,
        `${refused.length} calls were not answered as they should: ${[...new Set(refused)].join(', ')}`,
      )
      // Before that the retention time of no call is over, and the rounds of the purge are a minute apart.
      const leveled = sizes.slice(Math.ceil(((retentionMinutes + 2) * 60) / 15))
      const [early, late] = [leveled.slice(0, leveled.length / 2), leveled.slice(leveled.length / 2)]
      const growths = [...histories, 'bytes' as const].map((what) => ({
        what,
        before: largest(early, what),
        after: largest(late, what),
      }))
      const words = growths
        .map(({ what, before, after }) =>
          what === 'bytes'
            ? `all of them ${megabytes(before)} → ${megabytes(after)} MB`
            : `${what} ${before} → ${after} rows`,
        )
        .join(', ')
      promise(
        growths.every(({ before, after }) => before > 0 && after <= before * growthMax + 100),
        `it grows on: ${words}`,
      )
      return `${sent} calls; the most there was in the first and the second half after the first purge: ${words}`
    }
  },
}

type Size = Readonly<Record<(typeof histories)[number] | 'bytes', number>>

async function sizeOf({ owner }: Stage): Promise<Size> {
  const columns = histories.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
  const tables = histories.map((table) => `pg_total_relation_size('${table}')`)
  const { rows } = await owner.query<Size>(`SELECT ${columns.join(', ')}, (${tables.join(' + ')})::float8 AS bytes`)
  return rows[0] as Size
}

function largest(sizes: readonly Size[], what: keyof Size): number {
  return Math.max(0, ...sizes.map((size) => size[what]))
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
