import { createDatabase, createPool, schema } from '@crm/db'
import { createStorage } from '@crm/storage'
import { createTestWorkspace, miscounted, testDatabase } from '@crm/testkit'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { addTeam } from '../src/demo/members.ts'
import { createHistory } from '../src/demo/history.ts'
import { createRandom } from '@crm/runtime'
import { createShelf } from '../src/demo/shelf.ts'
import { tellStory } from '../src/demo/tell-story.ts'

const { ownerUrl } = await testDatabase()
const pool = createPool({ databaseUrl: ownerUrl, max: 2, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)
const now = new Date('2026-11-18T10:00:00.000Z')
const { workspaceId, adminUserId: adminId, roleIds } = await createTestWorkspace(db)
const folder = await mkdtemp(join(tmpdir(), 'crm-demo-'))
afterAll(() => rm(folder, { recursive: true }))
const storage = await createStorage({ directory: folder })
const about = { workspaceId, adminId, random: createRandom(20_26), now: now.toISOString(), history: createHistory() }
const members = await db.transaction(async (tx) => {
  const team = await addTeam(tx, workspaceId, adminId, roleIds)
  const shelf = createShelf(storage)
  await tellStory({ ...about, tx, members: team, shelf })
  await shelf.keep()
  return team
})

const tables = {
  LEAD: schema.leads,
  CONTACT: schema.contacts,
  COMPANY: schema.companies,
  DEAL: schema.deals,
  ACTIVITY: schema.activities,
  TASK: schema.tasks,
  PROJECT: schema.projects,
  PRODUCT: schema.products,
  QUOTE: schema.quotes,
  ORDER: schema.orders,
  INVOICE: schema.invoices,
}

async function numberOf(condition: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(sql`SELECT count(*)::int AS n FROM ${condition}`)
  return rows[0]?.n ?? -1
}

describe('the records of the demo', () => {
  it('have a type of their own with values in its fields, and templates of documents', async () => {
    const [type] = await db
      .select()
      .from(schema.customEntities)
      .where(eq(schema.customEntities.workspaceId, workspaceId))
    const records = await db
      .select()
      .from(schema.customRecords)
      .where(
        and(eq(schema.customRecords.workspaceId, workspaceId), eq(schema.customRecords.entityKey, type?.key ?? '')),
      )
    expect(records.length).toBeGreaterThan(5)
    for (const { customFields } of records)
      expect(new Set(Object.keys(customFields as object))).toEqual(new Set(type?.fields.map(({ key }) => key)))
    expect(await db.$count(schema.documents, eq(schema.documents.workspaceId, workspaceId))).toBe(3)
  })

  it.each(Object.entries(tables))(
    'has believable numbers of %s, which the ledger counts',
    async (entityType, table) => {
      const there = await db.$count(table, and(eq(table.workspaceId, workspaceId), isNull(table.deletedAt)))
      const { rows } = await db.execute<{ n: number }>(
        sql`SELECT sum(n)::int AS n FROM record_counts WHERE workspace_id = ${workspaceId} AND entity_type = ${entityType}`,
      )
      expect(there).toBeGreaterThan(5)
      expect(rows[0]?.n).toBe(there)
    },
  )

  it('are counted in every combination that the ledger knows', async () => {
    expect(await miscounted(pool)).toEqual([])
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
    expect(
      await numberOf(
        sql`record_numbers WHERE workspace_id = ${workspaceId} AND entity_type = 'TASK' AND last = ${tasks.length}`,
      ),
    ).toBe(1)
    expect(new Set(tasks.map(({ type }) => type))).toEqual(new Set(['CALL', 'EMAIL', 'MEETING', 'TODO']))
    expect(new Set(tasks.map(({ assigneeId }) => assigneeId)).size).toBe(7)
    expect(await numberOf(sql`checklist_items WHERE workspace_id = ${workspaceId}`)).toBeGreaterThan(20)
  })

  it('tells what happened in its order, and nothing that lies ahead', async () => {
    const entries = await db
      .select()
      .from(schema.timeline)
      .where(eq(schema.timeline.workspaceId, workspaceId))
      .orderBy(schema.timeline.id)
    expect(entries.map(({ occurredAt }) => occurredAt)).toEqual(entries.map(({ occurredAt }) => occurredAt).toSorted())
    expect(entries.at(-1)?.occurredAt.localeCompare(now.toISOString())).toBeLessThanOrEqual(0)
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(
      new Set([
        'CREATED',
        'STAGE_CHANGED',
        'STATUS_CHANGED',
        'CALL_LOGGED',
        'MEETING_SCHEDULED',
        'EMAIL_SENT',
        'NOTE_ADDED',
        'COMMENT_ADDED',
        'TASK_ADDED',
        'TASK_COMPLETED',
        'QUOTE_SENT',
        'QUOTE_ACCEPTED',
        'QUOTE_DECLINED',
        'INVOICE_ISSUED',
        'PAYMENT_RECORDED',
        'CONVERTED',
        'FILE_ADDED',
        'UPDATED',
        'BOOKING_CREATED',
        'MEETING_CANCELLED',
      ]),
    )
  })

  it('knows of leads when something last happened with them', async () => {
    const wrong = sql`leads WHERE workspace_id = ${workspaceId} AND last_activity_at IS DISTINCT FROM (
      SELECT max(least(a.end_at, ${now.toISOString()}::timestamptz)) FROM record_links l JOIN activities a ON a.workspace_id = l.workspace_id AND a.id = l.from_id AND a.status = 'DONE'
      WHERE l.workspace_id = leads.workspace_id AND l.from_type = 'ACTIVITY' AND l.entity_type = 'LEAD' AND l.entity_id = leads.id)`
    expect(await numberOf(wrong)).toBe(0)
    expect(
      await numberOf(sql`leads WHERE workspace_id = ${workspaceId} AND last_activity_at IS NOT NULL`),
    ).toBeGreaterThan(20)
  })

  it('lets links and contacts lead to what is there', async () => {
    const lost = sql`record_links l WHERE l.workspace_id = ${workspaceId} AND NOT EXISTS (
      SELECT FROM leads r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id UNION ALL SELECT FROM deals r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id
      UNION ALL SELECT FROM contacts r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id UNION ALL SELECT FROM companies r WHERE r.workspace_id = l.workspace_id AND r.id = l.entity_id)`
    expect(await numberOf(lost)).toBe(0)
    const strangers = sql`deals d JOIN contacts c ON c.workspace_id = d.workspace_id AND c.id = d.contact_id WHERE d.workspace_id = ${workspaceId} AND c.company_id <> d.company_id`
    expect(await numberOf(strangers)).toBe(0)
  })

  it.each([
    ['quotes', 'QUOTE'],
    ['orders', 'ORDER'],
    ['invoices', 'INVOICE'],
  ])('numbers %s by their sequence, in the order of their dates and without gaps', async (table, entityType) => {
    const { rows } = await db.execute<{ number: string; date: string }>(
      sql`SELECT number, issue_date::text AS date FROM ${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND number IS NOT NULL ORDER BY number`,
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(rows.map(({ date }) => date)).toEqual(rows.map(({ date }) => date).toSorted())
    const lastOfYear = Map.groupBy(rows, ({ date }) => date.slice(0, 4))
    for (const [year, ofYear] of lastOfYear)
      expect(ofYear.at(-1)?.number).toMatch(new RegExp(`^[A-Z]{3}-${year}-0*${ofYear.length}$`))
    expect(
      await numberOf(
        sql`number_sequences WHERE workspace_id = ${workspaceId} AND entity_type = ${entityType} AND is_default AND next_value = ${[...lastOfYear.values()].at(-1)?.length ?? 0} + 1`,
      ),
    ).toBe(1)
    expect(
      await numberOf(
        sql`${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND (number IS NULL) <> (status = 'DRAFT')`,
      ),
    ).toBe(0)
  })

  it('has invoices whose payments are what is paid of them, some of them overdue', async () => {
    const wrong = sql`invoices i WHERE workspace_id = ${workspaceId} AND (amount_paid <> (SELECT coalesce(sum(amount), 0) FROM payments p WHERE p.workspace_id = i.workspace_id AND p.invoice_id = i.id)
      OR (status = 'PAID') <> (amount_paid = total) OR total <> subtotal - discount_total + tax_total)`
    expect(await numberOf(wrong)).toBe(0)
    expect(
      await numberOf(
        sql`invoices WHERE workspace_id = ${workspaceId} AND status IN ('ISSUED', 'PARTIALLY_PAID') AND due_date < ${now.toISOString()}::date`,
      ),
    ).toBeGreaterThan(0)
  })

  it('gives the administrator work of their own', async () => {
    for (const [table, column] of [
      ['tasks', 'assignee_id'],
      ['deals', 'owner_id'],
      ['leads', 'owner_id'],
    ])
      expect(
        await numberOf(sql`${sql.raw(`${table} WHERE ${column}`)} = ${adminId} AND workspace_id = ${workspaceId}`),
        table,
      ).toBeGreaterThan(5)
  })

  it('has a tree of departments with people in three of them', async () => {
    expect(new Set(members.flatMap(({ departmentId }) => departmentId ?? [])).size).toBe(3)
    expect(await numberOf(sql`departments WHERE workspace_id = ${workspaceId} AND parent_id IS NOT NULL`)).toBe(3)
  })

  it('has custom fields and filters on them', async () => {
    expect(
      await numberOf(
        sql`companies WHERE workspace_id = ${workspaceId} AND custom_fields->>'customerTier' IN ('gold', 'silver', 'bronze')`,
      ),
    ).toBeGreaterThan(20)
    expect(
      await numberOf(sql`deals WHERE workspace_id = ${workspaceId} AND (custom_fields->>'contractMonths')::int >= 24`),
    ).toBeGreaterThan(5)
    expect(await numberOf(sql`saved_filters WHERE workspace_id = ${workspaceId} AND visibility = 'WORKSPACE'`)).toBe(4)
  })

  it('has a team that talks with each other, each message after the one before it', async () => {
    const said = await db
      .select()
      .from(schema.conversationMessages)
      .where(eq(schema.conversationMessages.workspaceId, workspaceId))
      .orderBy(schema.conversationMessages.id)
    expect(said.length).toBeGreaterThan(10)
    expect(new Set(said.map(({ authorId }) => authorId)).size).toBeGreaterThan(4)
    for (const talk of Map.groupBy(said, ({ conversationId }) => conversationId).values()) {
      const times = talk.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted())
      expect(times.every((at) => at < now.toISOString())).toBe(true)
    }
    expect(
      await numberOf(
        sql`conversations c WHERE c.workspace_id = ${workspaceId} AND c.last_message_at <> (SELECT max(m.created_at) FROM conversation_messages m WHERE m.workspace_id = c.workspace_id AND m.conversation_id = c.id)`,
      ),
    ).toBe(0)
  })

  it('has files of several kinds on records of several kinds, each with its bytes', async () => {
    const files = await db.select().from(schema.files).where(eq(schema.files.workspaceId, workspaceId))
    const links = await db.select().from(schema.fileLinks).where(eq(schema.fileLinks.workspaceId, workspaceId))
    expect(new Set(files.map(({ contentType }) => contentType))).toEqual(
      new Set(['application/pdf', 'image/png', 'text/csv', 'text/plain']),
    )
    expect(new Set(links.map(({ entityType }) => entityType))).toEqual(
      new Set(['LEAD', 'CONTACT', 'COMPANY', 'DEAL', 'TASK', 'PRODUCT']),
    )
    for (const { id, name, size, sha256, contentType } of files) {
      const content = await readAll(`${workspaceId}/${id}`)
      expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, size, sha256])
      expect(content.subarray(0, 4).toString('latin1')).toMatch(beginnings[contentType] ?? /^/)
    }
    expect((await readdir(join(folder, workspaceId))).toSorted()).toEqual(files.map(({ id }) => id).toSorted())
    expect(await numberOf(sql`timeline WHERE workspace_id = ${workspaceId} AND kind = 'FILE_ADDED'`)).toBe(links.length)
  })

  it('leaves no bytes of files that came to nothing', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'))
    const shelf = createShelf(await createStorage({ directory: empty }))
    const file = {
      name: 'a.txt',
      contentType: 'text/plain',
      content: Buffer.from('a'),
      links: [{ entityType: 'LEAD', entityId: workspaceId }],
      by: members[0] as (typeof members)[number],
      at: now.toISOString(),
    }
    const seeding = db.transaction(async (tx) => {
      await shelf.add({ ...about, tx, members }, file)
      await shelf.keep()
      throw new Error('too late')
    })
    await expect(seeding).rejects.toThrow('too late')
    expect(await readdir(join(empty, workspaceId))).toHaveLength(1)
    await shelf.discard()
    expect(await readdir(join(empty, workspaceId))).toEqual([])
    await rm(empty, { recursive: true })
  })

  it('has orders and invoices in every state, and each leads back to what it was made of', async () => {
    const statesOf = async (table: typeof schema.orders | typeof schema.invoices) =>
      new Set(
        (await db.select({ status: table.status }).from(table).where(eq(table.workspaceId, workspaceId))).map(
          ({ status }) => status,
        ),
      )
    expect(await statesOf(schema.orders)).toEqual(new Set(['DRAFT', 'CONFIRMED', 'FULFILLED', 'CANCELLED']))
    expect(await statesOf(schema.invoices)).toEqual(
      new Set(['DRAFT', 'ISSUED', 'PARTIALLY_PAID', 'PAID', 'VOID', 'UNCOLLECTIBLE']),
    )
    const converted = sql`quotes q WHERE workspace_id = ${workspaceId} AND converted_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM orders o WHERE o.id = q.converted_id AND q.converted_type = 'ORDER' AND o.quote_id = q.id AND o.total = q.total
      UNION ALL SELECT FROM invoices i WHERE i.id = q.converted_id AND q.converted_type = 'INVOICE' AND i.quote_id = q.id AND i.total = q.total)`
    expect(await numberOf(converted)).toBe(0)
    expect(
      await numberOf(
        sql`orders o WHERE workspace_id = ${workspaceId} AND invoice_id IS NOT NULL AND NOT EXISTS (SELECT FROM invoices i WHERE i.id = o.invoice_id AND i.order_id = o.id AND i.total = o.total)`,
      ),
    ).toBe(0)
    expect(await numberOf(sql`orders WHERE workspace_id = ${workspaceId} AND invoice_id IS NOT NULL`)).toBeGreaterThan(
      0,
    )
  })

  it('has a catalogue in a tree with variants, pictures and values, and prices that depend on company, time and quantity', async () => {
    expect(
      await numberOf(sql`product_categories WHERE workspace_id = ${workspaceId} AND parent_id IS NOT NULL`),
    ).toBeGreaterThan(3)
    expect(await numberOf(sql`products WHERE workspace_id = ${workspaceId} AND parent_id IS NOT NULL`)).toBe(2)
    expect(
      await numberOf(
        sql`product_images i JOIN files f ON f.workspace_id = i.workspace_id AND f.id = i.file_id WHERE i.workspace_id = ${workspaceId} AND f.content_type = 'image/png'`,
      ),
    ).toBe(5)
    const tags = sql`products p, unnest(p.tags) tag WHERE p.workspace_id = ${workspaceId} AND NOT EXISTS (SELECT FROM product_tags t WHERE t.workspace_id = p.workspace_id AND t.name = tag)`
    expect(await numberOf(tags)).toBe(0)
    const strange = sql`product_attribute_assignments a, unnest(a.value_ids) chosen WHERE a.workspace_id = ${workspaceId} AND NOT EXISTS (SELECT FROM product_attribute_values v WHERE v.id = chosen AND v.attribute_id = a.attribute_id)`
    expect(await numberOf(strange)).toBe(0)
    const lists = await db
      .select()
      .from(schema.priceLists)
      .where(eq(schema.priceLists.workspaceId, workspaceId))
      .orderBy(schema.priceLists.name)
    expect(lists.map(({ isDefault, companyIds, endsAt }) => [isDefault, companyIds.length, endsAt !== null])).toEqual([
      [false, 2, false],
      [false, 0, true],
      [true, 0, false],
    ])
    expect(await numberOf(sql`price_list_entry_tiers WHERE workspace_id = ${workspaceId}`)).toBeGreaterThan(4)
  })

  it('has meetings that guests have booked, without taking a time of the link that everybody gets to try', async () => {
    const bookings = await db.select().from(schema.bookings).where(eq(schema.bookings.workspaceId, workspaceId))
    expect(new Set(bookings.map(({ status }) => status))).toEqual(new Set(['CONFIRMED', 'CANCELLED']))
    expect(
      bookings.filter(({ startAt, organizerId }) => startAt > now.toISOString() && organizerId === adminId),
    ).toEqual([])
    expect(bookings.filter(({ startAt }) => startAt > now.toISOString()).length).toBeGreaterThan(1)
    expect(
      await numberOf(
        sql`calendar_events WHERE workspace_id = ${workspaceId} AND employee_id = ${adminId} AND busy AND end_at > ${now.toISOString()}::timestamptz`,
      ),
    ).toBe(0)
    expect(
      await numberOf(
        sql`bookings b JOIN leads l ON l.workspace_id = b.workspace_id AND l.id = b.lead_id WHERE b.workspace_id = ${workspaceId} AND l.email = b.invitee_email`,
      ),
    ).toBe(bookings.length)
    expect(
      await numberOf(
        sql`bookings WHERE workspace_id = ${workspaceId} AND (created_at >= start_at OR created_at > ${now.toISOString()}::timestamptz)`,
      ),
    ).toBe(0)
  })

  it('has what automation did: runs of the workflow, and requests of the rule', async () => {
    expect(
      await numberOf(
        sql`workflow_runs r JOIN workflow_step_runs s ON s.run_id = r.id AND s.state = r.state WHERE r.workspace_id = ${workspaceId}`,
      ),
    ).toBe(4)
    expect(
      await numberOf(
        sql`deliveries d JOIN rule_runs r ON r.id = d.rule_run_id AND r.state = d.state WHERE d.workspace_id = ${workspaceId}`,
      ),
    ).toBe(3)
    // Each row concerns a lead, so a person reads a row only if they see its lead.
    for (const log of [sql`deliveries`, sql`rule_runs`])
      expect(
        await numberOf(
          sql`${log} t JOIN leads l ON l.workspace_id = t.workspace_id AND l.id = t.subject_id WHERE t.workspace_id = ${workspaceId} AND t.subject_type = 'LEAD'`,
        ),
      ).toBe(3)
    expect(await numberOf(sql`automation_rules WHERE workspace_id = ${workspaceId} AND is_active`)).toBe(0)
  })
})

const beginnings: Readonly<Record<string, RegExp>> = { 'application/pdf': /^%PDF/, 'image/png': /^\x89PNG/ }

async function readAll(key: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of await storage.read(key)) pieces.push(piece)
  return Buffer.concat(pieces)
}
