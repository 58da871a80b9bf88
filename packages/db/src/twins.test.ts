import { createTestWorkspace, testDatabase } from '@crm/testkit'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { createDatabase, createPool } from './client.ts'
import { newId } from './new-id.ts'
import { insertRow, rowReader, updateRow } from './rows.ts'
import { leads, products, roles, units } from './schema/index.ts'
import { brokenConstraint } from './transaction.ts'
import { endingTwin, endOfTwin } from './twins.ts'

const database = await testDatabase()
const pool = createPool({ databaseUrl: database.ownerUrl, max: 2, applicationName: 'test' })
afterAll(() => pool.end())
const db = createDatabase(pool)
const { workspaceId } = await createTestWorkspace(db)

describe('a twin', () => {
  const { searchText: _, ...columns } = getTableColumns(products)
  const rows = rowReader(columns)
  const product = async (sku: string, isTwin: boolean) =>
    insertRow(
      db,
      products,
      { workspaceId, id: newId(), name: 'X', type: 'PRODUCT', status: 'ACTIVE', currency: 'EUR', sku, isTwin } as never,
      rows,
    )

  it('ends when a record gets another name, and not with the same one or another field', async () => {
    await product('crate', false)
    const { id } = await product('Crate', true)
    const change = async (set: object) => (await updateRow(db, products, { workspaceId, id }, set, rows))?.isTwin
    expect(await change({ sku: 'Crate' })).toBe(true)
    expect(await change({ name: 'Y' })).toBe(true)
    const taken = await change({ sku: 'CRATE' }).catch((error: unknown) => error)
    expect(brokenConstraint(taken)).toBe('products_sku')
    expect(await change({ sku: 'barrel' })).toBe(false)
  })

  it('ends when it loses its name', async () => {
    const { id } = await product('box', true)
    expect((await updateRow(db, products, { workspaceId, id }, { sku: null }, rows))?.isTwin).toBe(false)
  })

  it('ends with a change of its row, where that sets a name', async () => {
    const isThis = and(eq(units.workspaceId, workspaceId), eq(units.name, 'old'))
    await db.insert(units).values({ workspaceId, id: newId(), name: 'old', isTwin: true })
    await db
      .update(units)
      .set(endingTwin(units, { updatedAt: sql`now()` }))
      .where(isThis)
    await db
      .update(units)
      .set(endingTwin(units, { name: 'old' }))
      .where(isThis)
    expect(await db.select({ isTwin: units.isTwin }).from(units).where(isThis)).toEqual([{ isTwin: true }])
    const changed = await db
      .update(units)
      .set(endingTwin(units, { name: 'new' }))
      .where(isThis)
      .returning()
    expect(changed).toMatchObject([{ name: 'new', isTwin: false }])
  })

  it('is known of every table that has some', () => {
    expect(endOfTwin('roles', () => sql`''`)).toBeDefined()
    expect(endOfTwin(leads, () => sql`''`)).toBeUndefined()
    const set = { permissions: [] }
    expect(endingTwin(roles, set)).toBe(set)
  })
})

describe('the databases of tests', () => {
  const asApi = async (text: string, values: readonly unknown[]) => {
    const deployable = createPool({ databaseUrl: database.urlFor('crm_api'), max: 1, applicationName: 'test' })
    return deployable.query(text, [...values]).finally(() => deployable.end())
  }

  it('refuse a new name that forgets the twin, and times of a calendar without its lock', async () => {
    await expect(asApi("UPDATE units SET name = 'x' WHERE workspace_id = $1", [workspaceId])).rejects.toThrow(
      'forgets the end of a twin',
    )
    const event = `INSERT INTO calendar_events (workspace_id, id, employee_id, title, start_at, end_at)
      SELECT workspace_id, $2, id, 'X', now(), now() FROM employees WHERE workspace_id = $1 LIMIT 1`
    await expect(asApi(event, [workspaceId, newId()])).rejects.toThrow('does not hold the calendar')
  })
})
