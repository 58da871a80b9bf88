import { findPeopleWithoutSight, type Database } from '@crm/db'
import { sql } from 'drizzle-orm'
import { ok, warn, type Finding } from './finding.ts'

const area = 'people'
/** The doctor answers soon, however many workspaces there are. */
const workspacesMax = 200

/** Looks for active people whose role shows them none of the records of their workspace. */
export async function lookAtPeople(db: Database): Promise<readonly Finding[]> {
  const { rows } = await db.execute<{ id: string; slug: string }>(
    sql`SELECT id, slug FROM workspaces ORDER BY created_at LIMIT ${workspacesMax}`,
  )
  const findings: Finding[] = []
  for (const { id, slug } of rows) {
    const blind = (await findPeopleWithoutSight(db, id)).length
    if (blind > 0)
      findings.push(
        warn(
          area,
          `In ${slug}, ${blind} active ${blind === 1 ? 'person sees' : 'people see'} no contact, deal or other record of the team.`,
          'Give them a department, or a role that shows everybody’s records, under Settings › People.',
        ),
      )
  }
  return findings.length > 0 ? findings : [ok(area, 'Whoever may see records sees some.')]
}
