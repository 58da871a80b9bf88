import { newId, schema } from '@crm/db'
import type { CallAnswer } from './harness.ts'
import { automator, deadAddress, ruleOf, type Person, type World } from './reach.attacks.ts'
import { updateImport } from '../src/across/transfers/imports.repository.ts'
import { emptyPlan } from '../src/across/transfers/moving.analysis.ts'
import { beginFile, beginMigration, keepRows, updateMigration } from '../src/across/transfers/moving.repository.ts'

/** A view that shows the findings of another person's reach, read by a person who may not see them. */
export interface Peek {
  /** The only check that hides it. */
  readonly hiddenBy: string
  readonly attempt: (world: World) => Promise<CallAnswer>
}

/** A text that occurs in every finding. */
export const finding = 'zz-found'

const findsLeads = [{ key: 'find', name: '', type: 'FIND_RECORDS', entityType: 'LEAD', filter: {}, limit: 20 }]

async function leadOf(world: World): Promise<string> {
  return (await world.as('admin', 'POST', '/api/leads', { lastName: finding })).body.data.id as string
}

/** Creates a workflow that runs with a person's rights, and a run of it that received a lead of the administrator. */
async function runOf(world: World, me: Person, state: 'FAILED' | 'WAITING' | 'SUCCEEDED') {
  const { workspaceId } = world.workspace
  const { db } = world.api
  const workflowId = newId()
  const trigger = { type: 'WEBHOOK' }
  await db.insert(schema.workflows).values({
    workspaceId,
    id: workflowId,
    name: 'Flow',
    status: 'PUBLISHED',
    trigger,
    steps: [{ key: 'set', name: '', type: 'SET', values: { is: '{{trigger.name}}' } }],
    publishedVersion: 1,
    runAsId: me.id,
  })
  await db.insert(schema.workflowVersions).values({ workspaceId, workflowId, version: 1, trigger, steps: findsLeads })
  const runId = newId()
  await db.insert(schema.workflowRuns).values({
    workspaceId,
    id: runId,
    workflowId,
    version: 1,
    runAsId: me.id,
    state,
    failureCode: 'STEP_FAILED',
    failureMessage: finding,
    trigger: { name: finding },
    subjectType: 'LEAD',
    subjectId: await leadOf(world),
  })
  return { workflowId, runId }
}

async function deliveryOf(world: World): Promise<string> {
  const [row] = await world.api.db
    .insert(schema.deliveries)
    .values({
      workspaceId: world.workspace.workspaceId,
      ruleId: await ruleOf(world),
      request: { method: 'POST', url: deadAddress, headers: {}, body: finding },
      state: 'FAILED',
      subjectType: 'LEAD',
      subjectId: await leadOf(world),
    })
    .returning()
  return row?.id ?? ''
}

/** Creates an import of leads by a person, with one bad row that contains a text. */
export async function importOf(
  { api, workspace: { workspaceId } }: World,
  employeeId: string,
  text: string,
): Promise<string> {
  const id = newId()
  await api.db.insert(schema.imports).values({
    workspaceId,
    id,
    employeeId,
    entityType: 'LEAD',
    state: 'DONE',
    options: { entityType: 'LEAD', mapping: {}, onDuplicate: 'CREATE', matchBy: 'email' },
  })
  await api.db
    .insert(schema.importRows)
    .values({ workspaceId, importId: id, line: 2, cells: [text], outcome: 'FAILED', reason: text })
  return id
}

/** Creates a migration of leads by a person, with a sample and a bad row that contain a text. */
async function migrationOf(
  { api, workspace: { workspaceId } }: World,
  employeeId: string,
  text: string,
): Promise<string> {
  const key = await beginMigration(api.db, { workspaceId, employeeId, createdAt: new Date().toISOString() })
  const file = { employeeId, fileName: 'a.csv', position: 0, createdAt: new Date().toISOString() }
  const id = await beginFile(api.db, key, file)
  const column = {
    at: 0,
    header: 'Name',
    field: 'lastName',
    confidence: 1,
    onMissing: null,
    filled: 1,
    lostLetters: false,
  }
  const columns = [{ ...column, format: { phones: null, validWithPlus: null, currency: null }, samples: [text] }]
  await updateImport(api.db, { workspaceId, id }, { entityType: 'LEAD', plan: { ...emptyPlan, kind: 'LEAD', columns } })
  const problem = { code: 'REFUSED', values: { text }, at: 0, field: 'lastName', isRow: true }
  await keepRows(api.db, { workspaceId, id }, [{ line: 2, cells: [text], problems: [problem] }])
  const settings = {
    stages: [],
    owners: [],
    currencies: [],
    customFields: [],
    defaultOwnerId: employeeId,
    defaultCountry: null,
    zone: 'UTC',
    onBadCell: 'EMPTY',
    matchBy: [],
    onDuplicate: 'SKIP',
    automation: 'SILENT',
  }
  const filesUntil = new Date(Date.now() + 86_400_000).toISOString()
  await updateMigration(api.db, key, { state: 'DONE', phase: 'IMPORT', plan: settings, filesUntil })
  return key.id
}

/** Creates a workflow of a person whose webhook was called. Its run made a lead that the person may not see. */
export async function calledWorkflow(world: World, me: Person): Promise<string> {
  const { workflowId } = await runOf(world, me, 'SUCCEEDED')
  const bytes = Buffer.from(newId())
  await world.api.db.insert(schema.webhookTriggers).values({
    workspaceId: world.workspace.workspaceId,
    workflowId,
    path: newId(),
    pathHash: bytes,
    secretHash: bytes,
    lastRequest: {
      method: 'POST',
      contentType: 'application/json',
      sizeBytes: 20,
      body: { name: finding },
      raw: finding,
      rawEncoding: 'utf8',
    },
    lastRequestAt: new Date().toISOString(),
  })
  return workflowId
}

const importer = (world: World) => world.person({ permissions: ['IMPORT_DATA', 'DELETE_LEAD'] })
const settings = '/api/settings'

/** Every way to read the findings of another person. */
export const peeks: readonly Peek[] = [
  {
    hiddenBy: 'settings.workflowRuns.list reveals',
    attempt: async (world) => {
      const me = await automator(world)
      await runOf(world, me, 'FAILED')
      return world.as(me, 'GET', `${settings}/workflow-runs`)
    },
  },
  ...(
    [
      ['get', 'SUCCEEDED'],
      ['cancel', 'WAITING'],
    ] as const
  ).map(([action, state]): Peek => ({
    hiddenBy: `settings.workflowRuns.${action} reveals`,
    attempt: async (world) => {
      const me = await automator(world)
      const { runId } = await runOf(world, me, state)
      const path = `${settings}/workflow-runs/${runId}`
      return action === 'get' ? world.as(me, 'GET', path) : world.as(me, 'POST', `${path}/${action}`)
    },
  })),
  {
    hiddenBy: 'settings.workflows.lastRequest reveals',
    attempt: async (world) => {
      const me = await automator(world)
      return world.as(me, 'GET', `${settings}/workflows/${await calledWorkflow(world, me)}/last-request`)
    },
  },
  {
    hiddenBy: 'settings.workflows.test reveals',
    attempt: async (world) => {
      const me = await automator(world)
      return world.as(me, 'POST', `${settings}/workflows/${await calledWorkflow(world, me)}/test`, {})
    },
  },
  {
    hiddenBy: 'settings.automationRules.runs reveals',
    attempt: async (world) => {
      const ruleId = await ruleOf(world)
      const entityId = await leadOf(world)
      await world.api.db.insert(schema.ruleRuns).values({
        workspaceId: world.workspace.workspaceId,
        ruleId,
        eventId: newId(),
        event: 'lead.created',
        state: 'SUCCEEDED',
        entityId,
        subjectType: 'LEAD',
        subjectId: entityId,
      })
      const answer = await world.as(await automator(world), 'GET', `${settings}/automation-rules/${ruleId}/runs`)
      return { ...answer, body: JSON.stringify(answer.body).replace(entityId, finding) }
    },
  },
  {
    hiddenBy: 'settings.deliveries.list reveals',
    attempt: async (world) => {
      await deliveryOf(world)
      return world.as(await automator(world), 'GET', `${settings}/deliveries`)
    },
  },
  {
    hiddenBy: 'settings.deliveries.get reveals',
    attempt: async (world) => {
      const id = await deliveryOf(world)
      return world.as(await automator(world), 'GET', `${settings}/deliveries/${id}`)
    },
  },
  {
    hiddenBy: 'settings.imports.get reveals',
    attempt: async (world) => {
      const id = await importOf(world, world.admin, finding)
      return world.as(await importer(world), 'GET', `${settings}/imports/${id}`)
    },
  },
  {
    hiddenBy: 'settings.imports.errors reveals',
    attempt: async (world) => {
      const id = await importOf(world, world.admin, finding)
      return world.as(await importer(world), 'GET', `${settings}/imports/${id}/errors.csv`)
    },
  },
  {
    hiddenBy: 'settings.imports.revert reveals',
    attempt: async (world) => {
      const id = await importOf(world, world.admin, finding)
      return world.as(await importer(world), 'POST', `${settings}/imports/${id}/revert`)
    },
  },
  ...(
    [
      ['get', 'GET', ''],
      ['problems', 'GET', '/problems.csv'],
      ['revert', 'POST', '/revert'],
    ] as const
  ).map(([operation, method, verb]) => ({
    hiddenBy: `settings.migrations.${operation} reveals`,
    attempt: async (world: World) => {
      const id = await migrationOf(world, world.admin, finding)
      return world.as(await importer(world), method, `${settings}/migrations/${id}${verb}`)
    },
  })),
]

/** Checks whose content another check would hide too, and the reasons why they are declared nevertheless. */
export const hiddenAnyway: Readonly<Record<string, string>> = {
  'settings.imports.create reveals': 'whoever imports sees their own rows',
  ...Object.fromEntries(
    ['create', 'update', 'check', 'start', 'cancel'].map((operation) => [
      `settings.migrations.${operation} reveals`,
      'only the person who brought the files can do it',
    ]),
  ),
  'settings.workflowRuns.retry reveals': 'a run that goes on has not failed any more',
  'settings.exports.file reveals': 'the lines of a file are looked up one by one when it is read',
  'settings.automationRules.test reveals': 'a test is sent with data of a sample or of the caller',
  'settings.deliveries.redeliver reveals': 'a request that is hidden is not sent again',
}
