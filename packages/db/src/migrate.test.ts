import { testDatabaseBefore } from '@crm/testkit'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { newId } from './new-id.ts'
import { usualCurrencies, usualTaxRates, usualUnits } from './usual-money.ts'

type Row = Record<string, unknown>

describe('0010_catalogue', () => {
  it('gives workspaces that are there what a new one begins with, and every currency that they use', async () => {
    const { ownerUrl } = await testDatabaseBefore('0010_catalogue')
    const [dollars, francs, pipelineId, stageId] = [newId(), newId(), newId(), newId()]
    await onDatabase(ownerUrl, async (query) => {
      await query("INSERT INTO workspaces (id, slug, name, base_url, currency) VALUES ($1, 'dollars', 'Dollars', 'http://a', 'USD'), ($2, 'francs', 'Francs', 'http://b', 'XOF')", [dollars, francs])
      await query("INSERT INTO pipelines (workspace_id, id, name, entity_type) VALUES ($1, $2, 'Deals', 'DEAL')", [francs, pipelineId])
      await query("INSERT INTO stages (workspace_id, id, pipeline_id, name, position) VALUES ($1, $2, $3, 'First', 1)", [francs, stageId, pipelineId])
      await query("INSERT INTO deals (workspace_id, id, name, currency, pipeline_id, stage_id, status) VALUES ($1, $2, 'Old deal', 'BTN', $3, $4, 'OPEN')", [francs, newId(), pipelineId, stageId])
      await query("INSERT INTO projects (workspace_id, id, number, name, status, currency) VALUES ($1, $2, 1, 'Old project', 'PLANNED', 'GEL'), ($1, $3, 2, 'Without', 'PLANNED', NULL)", [francs, newId(), newId()])
    })

    await migrate(ownerUrl)

    await onDatabase(ownerUrl, async (query) => {
      const codes = async (id: string) => (await query('SELECT code, name FROM currencies WHERE workspace_id = $1 AND is_active ORDER BY code', [id])).map(({ code, name }) => [code, name])
      expect(await codes(dollars)).toEqual(usualCurrencies)
      expect(await codes(francs)).toEqual([...usualCurrencies, ['BTN', 'BTN'], ['GEL', 'GEL'], ['XOF', 'XOF']].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)))
      for (const id of [dollars, francs]) {
        const units = (await query('SELECT name, symbol FROM units WHERE workspace_id = $1', [id])).map(({ name, symbol }) => [name, symbol])
        expect(new Set(units)).toEqual(new Set(usualUnits))
        const rates = (await query('SELECT name, rate::text FROM tax_rates WHERE workspace_id = $1', [id])).map(({ name, rate }) => [name, rate])
        expect(new Set(rates)).toEqual(new Set(usualTaxRates))
      }
      expect(await query('SELECT name, currency FROM deals')).toEqual([{ name: 'Old deal', currency: 'BTN' }])
    })
  })

  it('does nothing a second time', async () => {
    const { ownerUrl } = await testDatabaseBefore('0010_catalogue')
    await onDatabase(ownerUrl, (query) => query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'one', 'One', 'http://a')", [newId()]))
    const counted = () => onDatabase(ownerUrl, (query) => query('SELECT (SELECT count(*)::int FROM currencies) AS currencies, (SELECT count(*)::int FROM units) AS units'))
    await migrate(ownerUrl)
    const first = await counted()
    await migrate(ownerUrl)
    expect(await counted()).toEqual(first)
    expect(first).toEqual([{ currencies: usualCurrencies.length, units: usualUnits.length }])
  })
})

describe('0019_search_signs', () => {
  const asciiSigns = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((sign) => /[^a-zA-Z0-9]/.test(sign))

  it('lets each sign stand as a letter of its own, which the index of texts takes for one and no other text holds', async () => {
    const { ownerUrl } = await testDatabaseBefore('0019_search_signs')
    await migrate(ownerUrl)
    await onDatabase(ownerUrl, async (query) => {
      const rows = await query("SELECT crm_searchable(sign) AS letter, crm_fold(crm_searchable(sign)) AS folded, cardinality(show_trgm(crm_searchable('x' || sign))) AS known FROM unnest($1::text[]) AS sign", [asciiSigns])
      expect(new Set(rows.map(({ letter }) => letter)).size).toBe(32)
      expect(rows.filter(({ letter, folded }) => letter === folded || !/^[a-z]$/.test(String(folded)))).toEqual([])
      // Of a word of two letters there are three pieces, of a word of one only two.
      expect(new Set(rows.map(({ known }) => known))).toEqual(new Set([3]))
      expect(await query("SELECT crm_searchable('Zoë''s Ünit 7') AS text")).toEqual([{ text: 'zoečsššunitšš7' }])
    })
  })

  it('finds records that were there by their signs', async () => {
    const { ownerUrl } = await testDatabaseBefore('0019_search_signs')
    const [workspaceId, pipelineId, stageId] = [newId(), newId(), newId()]
    await onDatabase(ownerUrl, async (query) => {
      await query("INSERT INTO workspaces (id, slug, name, base_url) VALUES ($1, 'one', 'One', 'http://a')", [workspaceId])
      await query("INSERT INTO pipelines (workspace_id, id, name, entity_type) VALUES ($1, $2, 'Deals', 'DEAL')", [workspaceId, pipelineId])
      await query("INSERT INTO stages (workspace_id, id, pipeline_id, name, position) VALUES ($1, $2, $3, 'First', 1)", [workspaceId, stageId, pipelineId])
      await query("INSERT INTO deals (workspace_id, id, name, currency, pipeline_id, stage_id, status) VALUES ($1, $2, 'A.B', 'EUR', $4, $5, 'OPEN'), ($1, $3, 'A-B', 'EUR', $4, $5, 'OPEN')", [workspaceId, newId(), newId(), pipelineId, stageId])
    })

    await migrate(ownerUrl)

    await onDatabase(ownerUrl, async (query) => {
      expect(await query("SELECT name FROM deals WHERE search_text LIKE '%' || crm_searchable('a.b') || '%'")).toEqual([{ name: 'A.B' }])
      const indexes = await query("SELECT indexdef FROM pg_indexes WHERE indexname = 'deals_search'")
      expect(String(indexes[0]?.['indexdef'])).toContain('search_text gin_trgm_ops')
    })
  })
})

async function onDatabase<T>(connectionString: string, work: (query: (text: string, values?: unknown[]) => Promise<Row[]>) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await work(async (text, values) => (await client.query<Row>(text, values)).rows)
  } finally {
    await client.end()
  }
}
