import { compactCounts, counted, statement, type Database } from '@crm/db'
import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'

/** A row of a statement is a number `n`, counted from 1; each value follows from it, so that every run makes the same records. */
const batchRows = 100_000

/** Spreads numbers over a range without order; values of different salts have nothing in common. */
const spread = (over: number, salt: number): string =>
  `((hashint8extended(n::bigint, ${salt}) & 1073741823) % ${over})::int`
const pick = (values: readonly string[], salt: number): string =>
  `(ARRAY[${values.map((value) => `'${value}'`).join(',')}])[1 + ${spread(values.length, salt)}]`

const beginnings = [
  'Bern',
  'Lind',
  'Hart',
  'Wald',
  'Stein',
  'Rosen',
  'Gold',
  'Kirch',
  'Berg',
  'Sommer',
  'Winter',
  'Feld',
]
const middles = ['', 'er', 'en', 'mann', 'holm', 'dal', 'wick', 'ford', 'lund', 'bach']
const endings = ['', 's', 'son', 'sen', 'ski', 'ova', 'ini', 'ez', 'aga', 'idis', 'yan', 'escu']
const firstName = pick(
  [
    'Ada',
    'Ben',
    'Clara',
    'David',
    'Elena',
    'Felix',
    'Greta',
    'Hugo',
    'Ines',
    'Jonas',
    'Klara',
    'Leo',
    'Mara',
    'Nils',
    'Olga',
  ],
  1,
)
const lastName = `${pick(beginnings, 2)} || ${pick(middles, 3)} || ${pick(endings, 4)}`
const companyName = `${pick(beginnings, 5)} || ${pick(middles, 6)} || ' ' || ${pick(['GmbH', 'Ltd', 'AB', 'SARL', 'BV', 'Inc'], 7)}`
// One in fifty has the address, and another one in fifty the number, of the record before.
const email = `'person.' || (n - (n % 50 = 0)::int) || '@example.com'`
const phone = `'+4930' || lpad((10000000 + n - (n % 50 = 25)::int)::text, 8, '0')`
const createdAt = `now() - ${spread(1_095, 8)} * interval '1 day' - ${spread(86_400, 9)} * interval '1 second'`
const owner = `p.owners[1 + ${spread(5, 10)}]`
// Twenty have a tag that is as rare in every workspace, one in ten has a common one, one in a thousand a rare one.
const tags = `CASE WHEN n <= 20 THEN ARRAY['few'] WHEN n % 1000 = 7 THEN ARRAY['rare'] WHEN n % 10 = 3 THEN ARRAY['common'] ELSE '{}' END`
const stageOf = (stages: string): string => `p.${stages}[1 + ${spread(1_000, 11)} % cardinality(p.${stages})]`
const after = (days: number, salt: number): string => `least(now(), made + ${spread(days, salt)} * interval '1 day')`

/** The values of each kind of record, by column; `p` holds the people and stages of the workspace, `made` is the time of creation. */
const kinds = {
  companies: {
    share: 1 / 20,
    entityType: 'COMPANY',
    columns: { name: `${companyName} || ' ' || n`, domain: `'example-' || n || '.com'`, phone, tags },
  },
  contacts: {
    share: 1 / 5,
    entityType: 'CONTACT',
    columns: { first_name: firstName, last_name: lastName, email, phone, tags },
  },
  leads: {
    share: 1,
    entityType: 'LEAD',
    columns: {
      first_name: firstName,
      last_name: lastName,
      company_name: companyName,
      email,
      phone,
      status: `p.statuses[1 + ${spread(1_000, 11)} % cardinality(p.statuses)]`,
      temperature: pick(['HOT', 'WARM', 'COLD'], 12),
      score: spread(101, 13),
      pipeline_id: 'p.lead_pipeline',
      stage_id: stageOf('lead_stages'),
      source_id: 'p.source',
      stage_changed_at: after(90, 14),
      last_activity_at: `CASE WHEN n % 3 > 0 THEN ${after(200, 15)} END`,
      tags,
      custom_fields: `jsonb_build_object('region', CASE WHEN n <= 20 THEN 'few' ELSE 'region ' || ${spread(500, 16)} END, 'budget', ${spread(100_000, 17)} + 1, 'plan', ${pick(['basic', 'plus', 'pro'], 18)})`,
    },
  },
  deals: {
    share: 1 / 10,
    entityType: 'DEAL',
    columns: {
      name: `${companyName} || ' ' || n`,
      amount: `250 * (1 + ${spread(400, 19)})`,
      currency: `'EUR'`,
      pipeline_id: 'p.deal_pipeline',
      stage_id: stageOf('deal_stages'),
      status: `p.deal_types[1 + ${spread(1_000, 11)} % cardinality(p.deal_stages)]`,
      expected_close_date: `(made + ${spread(120, 20)} * interval '1 day')::date`,
      stage_changed_at: after(90, 14),
      tags,
    },
  },
  tasks: {
    share: 1 / 10,
    entityType: 'TASK',
    columns: {
      number: 'n',
      title: `'Call ' || ${companyName}`,
      status: pick(['TODO', 'IN_PROGRESS', 'IN_REVIEW', 'CANCELLED'], 21),
      priority: pick(['LOW', 'NORMAL', 'HIGH', 'URGENT'], 22),
      due_at: `made + ${spread(60, 23)} * interval '1 day'`,
    },
  },
} as const satisfies Record<string, Recipe>

interface Recipe {
  /** How many there are for each lead. */
  readonly share: number
  readonly entityType: string
  readonly columns: Readonly<Record<string, string>>
}

/** Fills a workspace by SQL: leads, a fifth as many contacts, a tenth deals and tasks, a twentieth companies, entries of the timeline as many as leads. */
export async function fillWorkspace(db: Database, owner: Pool, workspaceId: string, leads: number): Promise<void> {
  for (const [table, { share, entityType, columns }] of Object.entries<Recipe>(kinds)) {
    const insert = statement(counted(table, sql.raw(insertOf(table, columns)))).text
    await inBatches(leads * share, (from, to) => owner.query(insert, [workspaceId, from, to]))
    await compactCounts(db, workspaceId, entityType)
  }
  await owner.query(
    `INSERT INTO record_numbers (workspace_id, entity_type, last) VALUES ($1, 'TASK', $2)
     ON CONFLICT (workspace_id, entity_type) DO UPDATE SET last = excluded.last`,
    [workspaceId, Math.ceil(leads * kinds.tasks.share)],
  )
  await inBatches(leads, (from, to) => owner.query(insertTimeline, [workspaceId, from, to]))
}

async function inBatches(rows: number, write: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= rows; from += batchRows) await write(from, Math.min(rows, from + batchRows - 1))
}

function insertOf(table: string, columns: Readonly<Record<string, string>>): string {
  const names = ['workspace_id', 'id', 'owner_id', 'created_by_id', 'created_at', 'updated_at', ...Object.keys(columns)]
  const values = ['$1', 'uuidv7()', owner, 'p.owners[1]', 'made', after(100, 24), ...Object.values(columns)]
  return `WITH p AS MATERIALIZED (${places})
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM p, generate_series($2::int, $3::int) n, LATERAL (SELECT ${createdAt} AS made) made`
}

const stagesOf = (column: string, entityType: string): string =>
  `(SELECT array_agg(s.${column} ORDER BY s.position) FROM stages s JOIN pipelines l ON l.workspace_id = s.workspace_id AND l.id = s.pipeline_id
    WHERE s.workspace_id = $1 AND l.entity_type = '${entityType}' AND l.is_default${entityType === 'LEAD' ? " AND s.mapped_status IS DISTINCT FROM 'CONVERTED'" : ''})`
const pipelineOf = (entityType: string): string =>
  `(SELECT id FROM pipelines WHERE workspace_id = $1 AND entity_type = '${entityType}' AND is_default)`
const places = `SELECT
  (SELECT array_agg(id ORDER BY id) FROM employees WHERE workspace_id = $1) AS owners,
  ${stagesOf('id', 'LEAD')} AS lead_stages, ${stagesOf('mapped_status', 'LEAD')} AS statuses, ${pipelineOf('LEAD')} AS lead_pipeline,
  ${stagesOf('id', 'DEAL')} AS deal_stages, ${stagesOf('type', 'DEAL')} AS deal_types, ${pipelineOf('DEAL')} AS deal_pipeline,
  (SELECT id FROM lead_sources WHERE workspace_id = $1 ORDER BY id LIMIT 1) AS source`

// The newest lead has five hundred entries, so that its timeline has many pages.
const insertTimeline = `WITH made AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM leads WHERE workspace_id = $1)
  INSERT INTO timeline (workspace_id, id, entity_type, entity_id, kind, actor_type, actor_name, source)
  SELECT $1, uuidv7(), 'LEAD', CASE WHEN n <= 500 THEN (SELECT id FROM made WHERE n = 1) ELSE id END, 'UPDATED', 'SYSTEM', 'Bench', 'API'
  FROM made WHERE n BETWEEN $2 AND $3`
