import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { accessLevels } from '@crm/permissions'
import { createDatabase, createPool } from './client.ts'
import { newId } from './new-id.ts'
import { ledgerTotal } from './listing.ts'
import { leads, recordCounts, stages } from './schema/crm.ts'
import { authorizeScope, reachedParts, reaches, systemScope, visible, visibleCounts, type ScopeFacts } from './scope.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)

const workspace = await createTestWorkspace(db)
const stranger = await createTestWorkspace(db)
const top = await workspace.department('Top')
const below = await workspace.department('Below', top)
const aside = await workspace.department('Aside')
const { id: me } = await workspace.employee({ departmentId: top })
const { id: peer } = await workspace.employee({ departmentId: top })

interface Held {
  readonly ownerId?: string | null
  readonly createdById?: string | null
  readonly departmentId?: string | null
}

async function addLead(
  name: string,
  { ownerId = null, createdById = null, departmentId = null }: Held,
  at = workspace,
): Promise<void> {
  const pipelineId = at.leadPipelineId
  const [stage] = await db
    .select({ id: stages.id })
    .from(stages)
    .where(eq(stages.pipelineId, pipelineId))
    .orderBy(stages.position)
    .limit(1)
  await db.insert(leads).values({
    workspaceId: at.workspaceId,
    id: newId(),
    lastName: name,
    status: 'NEW',
    pipelineId,
    stageId: stage?.id ?? '',
    ownerId,
    createdById,
    departmentId,
  })
}

await addLead('mine', { ownerId: me, createdById: peer, departmentId: top })
await addLead('mine aside', { ownerId: me, departmentId: aside })
await addLead('made for a peer', { ownerId: peer, createdById: me, departmentId: null })
await addLead('of a peer', { ownerId: peer, departmentId: top })
await addLead('of a peer below', { ownerId: peer, departmentId: below })
await addLead('of a peer aside', { ownerId: peer, departmentId: aside })
await addLead('unowned, made by me', { createdById: me })
await addLead('unowned, made by a peer', { createdById: peer })
await addLead('unowned, of the top', { createdById: peer, departmentId: top })
await addLead('of nobody', {})
await addLead('of a stranger', {}, stranger)

const facts = (level: ScopeFacts['level'], rest: Partial<ScopeFacts> = {}) =>
  authorizeScope({
    workspaceId: workspace.workspaceId,
    level,
    employeeId: me,
    departmentId: top,
    departmentTreeIds: [top, below],
    ...rest,
  })

const namesIn = async (scope: ReturnType<typeof facts>): Promise<string[]> =>
  (await db.select({ name: leads.lastName }).from(leads).where(visible(scope, leads)).orderBy(leads.id)).map(
    ({ name }) => name ?? '',
  )

const own = ['mine', 'mine aside', 'unowned, made by me']
const ofTop = ['of a peer', 'unowned, of the top']

describe('visible', () => {
  it.each([
    ['NONE', []],
    ['OWN', own],
    ['DEPARTMENT', [...own, ...ofTop]],
    ['DEPARTMENT_TREE', [...own, ...ofTop, 'of a peer below']],
    [
      'ALL',
      [
        ...own,
        ...ofTop,
        'of a peer below',
        'made for a peer',
        'of a peer aside',
        'unowned, made by a peer',
        'of nobody',
      ],
    ],
  ] as const)('at level %s', async (level, names) => {
    expect((await namesIn(facts(level))).toSorted()).toEqual(names.toSorted())
  })

  it.each(accessLevels)('says the same of rows that were read already at level %s', async (level) => {
    const rows = await db.select().from(leads).where(eq(leads.workspaceId, workspace.workspaceId)).orderBy(leads.id)
    expect(rows.filter((row) => reaches(facts(level), row)).map(({ lastName }) => lastName)).toEqual(
      await namesIn(facts(level)),
    )
  })

  it.each(accessLevels)('lies in its parts at level %s', async (level) => {
    const scope = facts(level)
    const parts = or(sql`false`, ...reachedParts(scope, leads))
    const inParts = await db
      .select({ name: leads.lastName })
      .from(leads)
      .where(and(parts, visible(scope, leads)))
      .orderBy(leads.id)
    expect(inParts.map(({ name }) => name)).toEqual(await namesIn(scope))
  })

  it("is what is one's own for someone without a department", async () => {
    const alone = { departmentId: null, departmentTreeIds: [] }
    for (const level of ['OWN', 'DEPARTMENT', 'DEPARTMENT_TREE'] as const)
      expect((await namesIn(facts(level, alone))).toSorted()).toEqual(own.toSorted())
  })

  it('never reaches another workspace, not even with its departments', async () => {
    const elsewhere = { workspaceId: stranger.workspaceId }
    expect(await namesIn(facts('ALL', elsewhere))).toEqual(['of a stranger'])
    expect(await namesIn(facts('DEPARTMENT_TREE', elsewhere))).toEqual([])
    expect(await namesIn(systemScope(stranger.workspaceId))).toEqual(['of a stranger'])
  })

  it('counts in the ledger what it selects from the records, at every level', async () => {
    for (const level of accessLevels) {
      const scope = facts(level)
      const rows = await db.execute<{ total: number }>(
        sql`SELECT ${ledgerTotal({ scope, entityType: 'LEAD', where: undefined })} AS total`,
      )
      expect(rows.rows[0]?.total).toBe((await namesIn(scope)).length)
    }
    const held = await db
      .select({ n: recordCounts.n })
      .from(recordCounts)
      .where(visibleCounts(facts('OWN'), recordCounts))
    expect(held.reduce((sum, { n }) => sum + n, 0)).toBe(own.length)
  })

  it('moves with the owner', async () => {
    const mine = inArray(leads.lastName, ['mine', 'unowned, made by me'])
    await db.update(leads).set({ ownerId: peer }).where(mine)
    expect(await namesIn(facts('OWN'))).toEqual(['mine aside'])
  })
})
