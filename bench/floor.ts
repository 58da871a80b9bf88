// The floor: a bare server of Node.js with the same main SQL on the same PostgreSQL, without credentials, checks, counts or events.
import { counted, newId, statement } from '@crm/db'
import { sql } from 'drizzle-orm'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { Pool } from 'pg'

const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 10,
  application_name: 'floor',
  options: '-c TimeZone=UTC',
})

const columns = `id, first_name AS "firstName", last_name AS "lastName", company_name AS "companyName", email, phone, job_title AS "jobTitle", website, address,
  messengers, description, status, temperature, score, pipeline_id AS "pipelineId", stage_id AS "stageId", source_id AS "sourceId", utm_source AS "utmSource",
  utm_medium AS "utmMedium", utm_campaign AS "utmCampaign", utm_content AS "utmContent", utm_term AS "utmTerm", gclid, fbclid, referrer,
  landing_page AS "landingPage", lost_reason AS "lostReason", status_changed_at AS "statusChangedAt", stage_changed_at AS "stageChangedAt",
  converted_at AS "convertedAt", last_activity_at AS "lastActivityAt", contact_id AS "contactId", company_id AS "companyId", deal_id AS "dealId",
  owner_id AS "ownerId", department_id AS "departmentId", tags, custom_fields AS "customFields", version, created_at AS "createdAt",
  updated_at AS "updatedAt", created_by_id AS "createdById"`
const contactColumns = `id, first_name AS "firstName", last_name AS "lastName", email, phone, job_title AS "jobTitle", company_id AS "companyId", address, messengers, emails, phones,
  birthday, socials, description, owner_id AS "ownerId", department_id AS "departmentId", tags, custom_fields AS "customFields", version, created_at AS "createdAt",
  updated_at AS "updatedAt", created_by_id AS "createdById"`
const dealColumns = `id, name, amount, currency, pipeline_id AS "pipelineId", stage_id AS "stageId", status, probability, expected_close_date AS "expectedCloseDate",
  contact_id AS "contactId", company_id AS "companyId", lead_id AS "leadId", items, description, lost_reason AS "lostReason", stage_changed_at AS "stageChangedAt",
  closed_at AS "closedAt", owner_id AS "ownerId", department_id AS "departmentId", tags, custom_fields AS "customFields", version, created_at AS "createdAt",
  updated_at AS "updatedAt", created_by_id AS "createdById"`
const taskColumns = `id, number, title, description, status, priority, assignee_id AS "assigneeId", member_ids AS "memberIds", project_id AS "projectId",
  parent_task_id AS "parentTaskId", start_at AS "startAt", due_at AS "dueAt", completed_at AS "completedAt", estimate_min AS "estimateMin", owner_id AS "ownerId",
  department_id AS "departmentId", tags, version, created_at AS "createdAt", updated_at AS "updatedAt", created_by_id AS "createdById"`
const live = 'workspace_id = $1 AND deleted_at IS NULL'
const newest = 'ORDER BY created_at DESC, id DESC LIMIT 20'

// The totals of the lists are sums of what every statement adds to the ledger, also here.
const insertLead = statement(
  counted(
    'leads',
    sql.raw(`INSERT INTO leads (workspace_id, id, first_name, last_name, email, status, pipeline_id, stage_id, owner_id, created_by_id)
    VALUES ($1, $2, $3, $4, $5, 'NEW', $6, $7, $8, $8)`),
    { selection: sql.raw(columns), names: sql.raw(columns.replaceAll(/\w+ AS /g, '')) },
  ),
).text

type Query = Readonly<Record<string, string>>
type Body = Readonly<Record<string, string>>
interface Answer {
  readonly status: number
  readonly body: unknown
}

const routes: Readonly<Record<string, (query: Query, body: Body) => Promise<unknown[] | Answer>>> = {
  'GET /list': async ({ ws }) => rows('list', `SELECT ${columns} FROM leads WHERE ${live} ${newest}`, [ws]),

  'GET /status': async ({ ws, status }) =>
    rows('status', `SELECT ${columns} FROM leads WHERE ${live} AND status = $2 ${newest}`, [ws, status]),

  'GET /search': async ({ ws, q }) =>
    rows(
      'search',
      `SELECT ${columns} FROM leads WHERE ${live} AND search_text LIKE '%' || crm_searchable($2) || '%' ${newest}`,
      [ws, q],
    ),

  'GET /contacts': async ({ ws }) =>
    rows('contacts', `SELECT ${contactColumns} FROM contacts WHERE ${live} ${newest}`, [ws]),

  'GET /deals': async ({ ws, from }) =>
    rows(
      'deals',
      `SELECT ${dealColumns} FROM deals WHERE ${live} AND status = 'OPEN' AND currency = 'EUR' AND amount >= 50000
    AND (custom_fields->>'contractMonths')::numeric BETWEEN $2 AND $2 + 12 ORDER BY created_at DESC, id DESC LIMIT 50`,
      [ws, Number(from)],
    ),

  'GET /hundred': async ({ ws }) =>
    rows('hundred', `SELECT ${dealColumns} FROM deals WHERE ${live} ORDER BY created_at DESC, id DESC LIMIT 100`, [ws]),

  'GET /tasks': async ({ ws }) =>
    rows('tasks', `SELECT ${taskColumns} FROM tasks WHERE ${live} ORDER BY created_at DESC, id DESC LIMIT 500`, [ws]),

  'GET /lead': async ({ ws, id }) => rows('lead', `SELECT ${columns} FROM leads WHERE ${live} AND id = $2`, [ws, id]),

  'GET /stages': async ({ ws, OWN, DEPARTMENT }) => {
    const text = (reach: string) => `SELECT stage_id, count(*) FROM leads WHERE ${live} ${reach} GROUP BY stage_id`
    if (OWN !== undefined) return rows('stages-own', text('AND owner_id = $2'), [ws, OWN])
    if (DEPARTMENT !== undefined) return rows('stages-department', text('AND department_id = $2'), [ws, DEPARTMENT])
    return rows('stages', text(''), [ws])
  },

  'GET /months': async ({ ws }) =>
    rows('months', `SELECT date_trunc('month', created_at), count(*) FROM leads WHERE ${live} GROUP BY 1`, [ws]),

  'GET /amounts': async ({ ws }) =>
    rows('amounts', `SELECT stage_id, currency, count(*), sum(amount) FROM deals WHERE ${live} GROUP BY 1, 2`, [ws]),

  'GET /key': async ({ ws }) =>
    rows(
      'key',
      `SELECT k.*, e.email, r.permissions FROM api_keys k JOIN employees e ON e.workspace_id = k.workspace_id AND e.id = k.owner_id
    JOIN employee_roles er ON er.workspace_id = e.workspace_id AND er.employee_id = e.id JOIN roles r ON r.workspace_id = er.workspace_id AND r.id = er.role_id
    WHERE k.workspace_id = $1 LIMIT 1`,
      [ws],
    ),

  'GET /price': async ({ ws, productId, companyId }) =>
    rows(
      'price',
      `SELECT p.id, p.name, p.sku, p.base_price::text, p.currency, (
      SELECT json_agg(json_build_object('id', l.id, 'currency', l.currency, 'isDefault', l.is_default, 'priority', l.priority, 'companyIds', l.company_ids, 'entry', json_build_object(
        'id', e.id, 'mode', e.mode, 'price', e.price::text, 'percent', e.percent::text, 'tierMode', e.tier_mode, 'tiers', (
          SELECT json_agg(json_build_object('id', t.id, 'minQuantity', t.min_quantity::text, 'maxQuantity', t.max_quantity::text, 'price', t.price::text, 'percent', t.percent::text))
          FROM price_list_entry_tiers t WHERE t.workspace_id = e.workspace_id AND t.entry_id = e.id))))
      FROM price_list_entries e JOIN price_lists l ON l.workspace_id = e.workspace_id AND l.id = e.price_list_id
      WHERE e.workspace_id = p.workspace_id AND e.product_id = p.id AND l.deleted_at IS NULL AND l.is_active AND l.currency = p.currency
        AND (l.starts_at IS NULL OR l.starts_at <= now()) AND (l.ends_at IS NULL OR l.ends_at > now()) AND (l.company_ids = '{}' OR $3::uuid = ANY(l.company_ids))) AS candidates
    FROM products p WHERE p.workspace_id = $1 AND p.deleted_at IS NULL AND p.id = $2`,
      [ws, productId, companyId],
    ),

  'POST /lead': async ({ ws }, body) => {
    const { firstName, lastName, email, pipelineId, stageId, ownerId } = body
    const inserted = await rows('insert', insertLead, [
      ws,
      newId(),
      firstName,
      lastName,
      email,
      pipelineId,
      stageId,
      ownerId,
    ])
    return { status: 201, body: inserted }
  },

  'POST /run': async ({ ws, workflowId, runAsId }, body) => {
    await rows(
      'run',
      `INSERT INTO workflow_runs (workspace_id, id, workflow_id, version, run_as_id, trigger) VALUES ($1, $2, $3, 1, $4, $5)`,
      [ws, newId(), workflowId, runAsId, JSON.stringify(body)],
    )
    return { status: 202, body: { accepted: true } }
  },

  'GET /busy': async ({ ws, employeeId }) =>
    rows(
      'busy',
      `SELECT start_at AS "startAt", end_at AS "endAt" FROM calendar_events WHERE workspace_id = $1 AND employee_id = $2 AND busy AND end_at > now() AND start_at < now() + interval '60 days'`,
      [ws, employeeId],
    ),
  'GET /healthz': async () => [],
}

async function rows(name: string, text: string, values: unknown[]): Promise<unknown[]> {
  return (await pool.query({ name, text, values })).rows
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://floor')
  const answer = async (): Promise<void> => {
    const body = request.method === 'POST' ? ((await json(request)) as Body) : {}
    const found = await routes[`${request.method} ${pathname}`]?.(Object.fromEntries(searchParams), body)
    const { status, body: told } = Array.isArray(found)
      ? { status: 200, body: found }
      : (found ?? { status: 404, body: {} })
    const text = JSON.stringify(told)
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text)
  }
  answer().catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => server.close(() => process.exit(0)))
