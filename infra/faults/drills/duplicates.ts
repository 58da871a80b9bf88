import { writeRows } from '@crm/db'
import { sql } from 'drizzle-orm'
import { generateRecords } from '../../../apps/cli/src/demo/generate.ts'
import { promise } from '../../stage/drills.ts'
import { forSeconds, type Drill } from '../drill.ts'

const leads = 60_000
const names = 20

interface Groups {
  readonly total: number
  readonly items: readonly { readonly count: number; readonly leads: readonly unknown[] }[]
}

/** Few names over many records: the size of a group is the size of the workspace divided by the number of names. */
export const duplicates: Drill = {
  name: `duplicates by company are asked for over ${leads.toLocaleString('en')} leads with ${names} names`,
  prepare: async ({ db, owner, tenant }) => {
    const { workspaceId, ask } = await tenant()
    await generateRecords(db, owner, workspaceId, 'leads', leads)
    const name = sql`'Company ' || (hashtext(id::text) & 2147483647) % ${names}::int`
    await writeRows(db, 'leads', sql`UPDATE leads SET company_name = ${name} WHERE workspace_id = ${workspaceId}`)
    await owner.query('VACUUM ANALYZE leads')
    return async () => {
      const answered = await forSeconds(20, 4, async () => {
        const { total, items } = await ask<Groups>({ path: '/api/leads/duplicates?by=company' })
        const counted = items.reduce((sum, { count }) => sum + count, 0)
        promise(total === names && counted === leads, `${total} groups with ${counted} leads were told of`)
        promise(
          items.every((group) => group.leads.length <= 20),
          'a group showed more than 20 records',
        )
      })
      return `${answered} answers of ${names} groups`
    }
  },
}
