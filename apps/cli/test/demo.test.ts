import { createDatabase, createPool, schema } from '@crm/db'
import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { addTeam } from '../src/demo/members.ts'
import { createRandom } from '../src/demo/random.ts'
import { addRecords } from '../src/demo/records.ts'

const { ownerUrl } = await testDatabase()
const pool = createPool({ databaseUrl: ownerUrl, max: 2, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)
const now = new Date('2026-11-18T10:00:00.000Z')
const { workspaceId, adminUserId: adminId, roleIds } = await createTestWorkspace(db)
const members = await db.transaction(async (tx) => {
  const team = await addTeam(tx, workspaceId, adminId, roleIds)
  await addRecords(tx, { workspaceId, adminId, members: team, random: createRandom(20_26), now })
  return team
})

const tables = {
  LEAD: schema.leads, CONTACT: schema.contacts, COMPANY: schema.companies, DEAL: schema.deals, ACTIVITY: schema.activities, TASK: schema.tasks, PROJECT: schema.projects, PRODUCT: schema.products, QUOTE: schema.quotes, INVOICE: schema.invoices,
}

async function numberOf(condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${condition}`)
  return rows[0]?.n ?? -1
}

describe('the records of the demo', () => {
  it('have a type of their own with values in its fields, and templates of documents', async () => {
    const [type] = await db.select().from(schema.customEntities).where(eq(schema.customEntities.workspaceId, workspaceId))
    const records = await db.select().from(schema.customRecords).where(and(eq(schema.customRecords.workspaceId, workspaceId), eq(schema.customRecords.entityKey, type?.key ?? '')))
    expect(records.length).toBeGreaterThan(5)
    for (const { customFields } of records) expect(new Set(Object.keys(customFields as object))).toEqual(new Set(type?.fields.map(({ key }) => key)))
    expect(await db.$count(schema.documents, eq(schema.documents.workspaceId, workspaceId))).toBe(3)
  })

  it.each(Object.entries(tables))('has believable numbers of %s, which the ledger counts', async (entityType, table) => {
    const there = await db.$count(table, and(eq(table.workspaceId, workspaceId), isNull(table.deletedAt)))
    const { rows } = await db.execute<{ n: number }>(sql`SELECT sum(n)::int AS n FROM record_counts WHERE workspace_id = ${workspaceId} AND entity_type = ${entityType}`)
    expect(there).toBeGreaterThan(5)
    expect(rows[0]?.n).toBe(there)
  })

  it('puts every deal where its stage says, closed when it is', async () => {
    const wrong = sql`deals d JOIN stages s ON s.workspace_id = d.workspace_id AND s.id = d.stage_id
      WHERE d.workspace_id = ${workspaceId} AND (d.status <> s.type OR d.pipeline_id <> s.pipeline_id OR (d.closed_at IS NULL) <> (s.type = 'OPEN') OR d.stage_changed_at < d.created_at)`
    expect(await numberOf(wrong)).toBe(0)
    expect(await numberOf(sql`(SELECT DISTINCT stage_id FROM deals WHERE workspace_id = ${workspaceId}) used`)).toBe(5)
  })

  it('has tasks that are done, overdue and ahead, and numbers without gaps', async () => {
    const tasks = await db.select().from(schema.tasks).where(eq(schema.tasks.workspaceId, workspaceId))
    const open = tasks.filter(({ status }) => status !== 'DONE')
    expect(tasks.every(({ status, completedAt }) => (status === 'DONE') === (completedAt !== null))).toBe(true)
    expect(open.filter(({ dueAt }) => dueAt !== null && dueAt < now.toISOString()).length).toBeGreaterThan(5)
    expect(open.filter(({ dueAt }) => dueAt !== null && dueAt > now.toISOString()).length).toBeGreaterThan(5)
    expect(tasks.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(tasks.map((_, at) => at + 1))
    expect(await numberOf(sql`record_numbers WHERE workspace_id = ${workspaceId} AND entity_type = 'TASK' AND last = ${tasks.length}`)).toBe(1)
    expect(await numberOf(sql`checklist_items WHERE workspace_id = ${workspaceId}`)).toBeGreaterThan(20)
  })

  it('tells what happened in its order, and nothing that lies ahead', async () => {
    const entries = await db.select().from(schema.timeline).where(eq(schema.timeline.workspaceId, workspaceId)).orderBy(schema.timeline.id)
    expect(entries.map(({ occurredAt }) => occurredAt)).toEqual(entries.map(({ occurredAt }) => occurredAt).toSorted())
    expect(entries.at(-1)?.occurredAt.localeCompare(now.toISOString())).toBeLessThanOrEqual(0)
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set([
      'CREATED', 'STAGE_CHANGED', 'STATUS_CHANGED', 'CALL_LOGGED', 'MEETING_SCHEDULED', 'EMAIL_SENT', 'NOTE_ADDED', 'COMMENT_ADDED', 'TASK_ADDED', 'TASK_COMPLETED',
      'QUOTE_SENT', 'QUOTE_ACCEPTED', 'QUOTE_DECLINED', 'INVOICE_ISSUED', 'PAYMENT_RECORDED',
    ]))
  })

  it('knows of leads when something last happened with them', async () => {
    const wrong = sql`leads WHERE workspace_id = ${workspaceId} AND last_activity_at IS DISTINCT FROM (
      SELECT max(least(a.end_at, ${now.toISOString()}::timestamptz)) FROM record_links l JOIN activities a ON a.workspace_id = l.workspace_id AND a.id = l.from_id AND a.status = 'DONE'
      WHERE l.workspace_id = leads.workspace_id AND l.from_type = 'ACTIVITY' AND l.entity_type = 'LEAD' AND l.entity_id = leads.id)`
    expect(await numberOf(wrong)).toBe(0)
    expect(await numberOf(sql`leads WHERE workspace_id = ${workspaceId} AND last_activity_at IS NOT NULL`)).toBeGreaterThan(20)
  })

  it('lets links and contacts lead to what is there', async () => {
    const lost = sql`record_links l WHERE l.workspace_id = ${workspaceId} AND NOT EXISTS (
      SELECT FROM leads r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id UNION ALL SELECT FROM deals r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id
      UNION ALL SELECT FROM contacts r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id UNION ALL SELECT FROM companies r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id)`
    expect(await numberOf(lost)).toBe(0)
    const strangers = sql`deals d JOIN contacts c ON c.workspace_id = d.workspace_id AND c.id = d.contact_id WHERE d.workspace_id = ${workspaceId} AND c.company_id <> d.company_id`
    expect(await numberOf(strangers)).toBe(0)
  })

  it.each([['quotes', 'QUOTE'], ['invoices', 'INVOICE']])('numbers %s by their sequence, in the order of their dates and without gaps', async (table, entityType) => {
    const { rows } = await db.execute<{ number: string; date: string }>(sql`SELECT number, issue_date::text AS date FROM ${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND number IS NOT NULL ORDER BY number`)
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.map(({ date }) => date)).toEqual(rows.map(({ date }) => date).toSorted())
    const lastOfYear = Map.groupBy(rows, ({ date }) => date.slice(0, 4))
    for (const [year, ofYear] of lastOfYear) expect(ofYear.at(-1)?.number).toMatch(new RegExp(`^[A-Z]{3}-${year}-0*${ofYear.length}$`))
    expect(await numberOf(sql`number_sequences WHERE workspace_id = ${workspaceId} AND entity_type = ${entityType} AND is_default AND next_value = ${[...lastOfYear.values()].at(-1)?.length ?? 0} + 1`)).toBe(1)
    expect(await numberOf(sql`${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND (number IS NULL) <> (status = 'DRAFT')`)).toBe(0)
  })

  it('has invoices whose payments are what is paid of them, some of them overdue', async () => {
    const wrong = sql`invoices i WHERE workspace_id = ${workspaceId} AND (amount_paid <> (SELECT coalesce(sum(amount), 0) FROM payments p WHERE p.workspace_id = i.workspace_id AND p.invoice_id = i.id)
      OR (status = 'PAID') <> (amount_paid = total) OR total <> subtotal - discount_total + tax_total)`
    expect(await numberOf(wrong)).toBe(0)
    expect(await numberOf(sql`invoices WHERE workspace_id = ${workspaceId} AND status IN ('ISSUED', 'PARTIALLY_PAID') AND due_date < ${now.toISOString()}::date`)).toBeGreaterThan(0)
  })

  it('has a tree of departments with people in three of them', async () => {
    expect(new Set(members.map(({ departmentId }) => departmentId)).size).toBe(3)
    expect(await numberOf(sql`departments WHERE workspace_id = ${workspaceId} AND parent_id IS NOT NULL`)).toBe(3)
  })

  it('has custom fields and filters on them', async () => {
    expect(await numberOf(sql`companies WHERE workspace_id = ${workspaceId} AND custom_fields->>'customerTier' IN ('gold', 'silver', 'bronze')`)).toBeGreaterThan(20)
    expect(await numberOf(sql`deals WHERE workspace_id = ${workspaceId} AND (custom_fields->>'contractMonths')::int >= 24`)).toBeGreaterThan(5)
    expect(await numberOf(sql`saved_filters WHERE workspace_id = ${workspaceId} AND visibility = 'WORKSPACE'`)).toBe(4)
  })

  it('has a team that talks with each other, each message after the one before it', async () => {
    const said = await db.select().from(schema.conversationMessages).where(eq(schema.conversationMessages.workspaceId, workspaceId)).orderBy(schema.conversationMessages.id)
    expect(said.length).toBeGreaterThan(10)
    expect(new Set(said.map(({ authorId }) => authorId)).size).toBeGreaterThan(4)
    for (const talk of Map.groupBy(said, ({ conversationId }) => conversationId).values()) {
      const times = talk.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted())
      expect(times.every((at) => at < now.toISOString())).toBe(true)
    }
    expect(await numberOf(sql`conversations c WHERE c.workspace_id = ${workspaceId} AND c.last_message_at <> (SELECT max(m.created_at) FROM conversation_messages m WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id)`)).toBe(0)
  })
})
