import { eventually } from '@crm/testkit'
import { createLogger } from '@crm/runtime'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { apiUnderTest } from '../../test/harness.ts'
import { createCompaction } from './compaction.ts'

const api = await apiUnderTest()

it('folds a ledger within so many writes that its process has made, wherever it began to count', async () => {
  for (let n = 0; n < 5; n += 1)
    await api.call({ method: 'POST', path: '/api/leads', key: api.key, body: { lastName: `Counted ${n}` } })
  const ledger = async () => {
    const { rows } = await api.db.execute(
      sql`SELECT count(*)::int AS rows, sum(n)::int AS records FROM record_counts WHERE workspace_id = ${api.workspace.workspaceId} AND entity_type = 'LEAD'`,
    )
    return rows[0]
  }
  const compaction = createCompaction(api.db, createLogger({ name: 'test', level: 'silent' }))
  for (let n = 0; n < 500; n += 1) compaction.noteWrite(api.workspace.workspaceId, 'LEAD')
  // One row holds the sum of the common dimensions, and one row marks the fold.
  await eventually(async () => expect(await ledger()).toEqual({ rows: 2, records: 5 }))
})
