import { setTimeout as wait } from 'node:timers/promises'
import { promise } from '../../stage/drills.ts'
import type { Drill } from '../drill.ts'
import { killBelow } from '../processes.ts'
import { call, outcomeOf } from '../../stage/requests.ts'

const texts = 2_000
/** A round of each minute takes erasures on that nobody has worked on for a minute. */
const finishedWithinMs = 4 * 60_000
const victim = 'crm-api'

/** A process that is killed in the middle of the erasure of a person: the next one finishes it, and nothing else changes. */
export const killedErasure: Drill = {
  name: 'the process of an erasure is killed with kill -9',
  isOutage: true,
  kills: victim,
  prepare: async ({ pid, port, owner, tenant }) => {
    const { ask, send, session, host, workspaceId } = await tenant()
    // People erase people, and keys do not.
    const cookie = await session()
    const made = async (path: string, body: object): Promise<string> =>
      (await ask<{ readonly data: { readonly id: string } }>({ path, body })).data.id
    const task = await made('/api/tasks', { title: 'Calls' })
    const lead = await made('/api/leads', { firstName: 'Paula', lastName: 'Petersen' })
    const other = await made('/api/leads', { firstName: 'Petra', lastName: 'Paulsen' })
    await owner.query(
      `INSERT INTO comments (workspace_id, id, entity_type, entity_id, body, visibility, author_type, author_name)
       SELECT $1, gen_random_uuid(), 'TASK', $2, 'Paula Petersen called, and so did Petra Paulsen', 'INTERNAL', 'EMPLOYEE', 'A'
       FROM generate_series(1, $3)`,
      [workspaceId, task, texts],
    )
    const count = async (text: string): Promise<number> => {
      const { rows } = await owner.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM comments WHERE workspace_id = $1 AND body LIKE $2',
        [workspaceId, text],
      )
      return rows[0]?.n ?? 0
    }
    return async () => {
      const holder = await owner.connect()
      let left: number
      try {
        // A lock on the last row makes the erasure wait in the middle of its last batch.
        await holder.query('BEGIN')
        await holder.query('SELECT id FROM comments WHERE workspace_id = $1 ORDER BY ctid DESC LIMIT 1 FOR UPDATE', [
          workspaceId,
        ])
        let outcome: number | string | undefined
        const answer = outcomeOf(
          call(port, {
            host,
            path: '/api/settings/privacy/erasures',
            headers: { cookie, 'sec-fetch-site': 'same-origin' },
            body: { subject: { type: 'LEAD', id: lead }, confirm: 'Paula Petersen' },
            withinMs: 30_000,
          }),
        ).then((known) => (outcome = known))
        const isWaiting = async (): Promise<boolean> =>
          (
            await owner.query(
              `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"comments"%FOR UPDATE%'`,
            )
          ).rows.length > 0
        while (!(await isWaiting())) {
          promise(outcome === undefined, `the erasure was answered ${outcome} before its last text`)
          await wait(20)
        }
        killBelow(pid, victim)
        promise((await answer) !== 200, 'the erasure was answered although its process was killed')
        left = await count('%Paula Petersen%')
        promise(left > 0 && left < texts, `${left} of ${texts} texts were left at the kill`)
      } finally {
        await holder.query('ROLLBACK')
        holder.release()
      }
      const killedAt = performance.now()
      while ((await count('%Paula Petersen%')) > 0) {
        promise(performance.now() - killedAt < finishedWithinMs, 'the erasure is still not finished')
        await wait(500)
      }
      const seconds = ((performance.now() - killedAt) / 1_000).toFixed(0)
      promise((await count('%Petra Paulsen%')) === texts, 'the texts of somebody else changed')
      const { data } = await ask<{ readonly data: { readonly lastName: string } }>({ path: `/api/leads/${other}` })
      promise(data.lastName === 'Paulsen', 'the record of somebody else changed')
      promise((await send({ path: `/api/leads/${lead}` })).status === 404, 'the record of the person is still there')
      return `${left} of ${texts} texts were left at the kill; the last one was erased ${seconds} s later`
    }
  },
}
