import { firstIdAt, newId, schema } from '@crm/db'
import { expect, it } from 'vitest'
import { ownApi } from '../../../../test/harness.ts'

const api = await ownApi({ outboundResolver: async () => [] })
const cookie = await api.workspace.session()
const settings = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  api.call({ method, path: `/api/settings/${path}`, cookie, body })
const listed = async (query = '') => (await settings('GET', `automations${query}`)).body

const request = { url: 'https://nobody.example/', method: 'POST', headers: { 'X-Secret': 'hush' } }

async function createBoth() {
  const steps = [{ key: 'send', type: 'HTTP_REQUEST', ...request }]
  const workflow = await settings('POST', 'workflows', { name: 'Tell them', trigger: { type: 'MANUAL' }, steps })
  const rule = await settings('POST', 'automation-rules', {
    name: 'Tell us',
    isActive: false,
    trigger: { event: 'deal.won' },
    actions: [{ type: 'WEBHOOK', ...request }],
  })
  return { workflowId: workflow.body.data.id as string, ruleId: rule.body.data.id as string }
}

it('lists workflows and rules alike, newest first, and keeps the values of headers', async () => {
  const { workflowId, ruleId } = await createBoth()
  const { items, total } = await listed()
  expect({ items, total }).toMatchObject({
    total: 2,
    items: [
      {
        id: ruleId,
        type: 'RULE',
        state: 'PAUSED',
        trigger: { type: 'EVENT', event: 'deal.won', conditions: [] },
        steps: [{ type: 'HTTP_REQUEST', key: 'request1', url: 'https://nobody.example/' }],
        runsOfWeek: 0,
        failuresOfWeek: 0,
      },
      { id: workflowId, type: 'WORKFLOW', state: 'DRAFT', trigger: { type: 'MANUAL' } },
    ],
  })
  expect(JSON.stringify(items)).not.toContain('hush')

  const ids = async (query: string) => (await listed(query)).items.map(({ id }: { id: string }) => id)
  expect(await ids('?search=tell%20u')).toEqual([ruleId])
  expect(await ids('?state=PAUSED')).toEqual([ruleId])
  expect(await ids('?state=DRAFT')).toEqual([workflowId])
  expect(await ids('?state=ON')).toEqual([])
  expect(await ids('?page=2&pageSize=1')).toEqual([workflowId])

  await settings('POST', `workflows/${workflowId}/publish`)
  await storeRuns(workflowId, ruleId)
  expect((await listed()).items).toMatchObject([
    { id: ruleId, runsOfWeek: 1, failuresOfWeek: 0 },
    { id: workflowId, state: 'ON', runsOfWeek: 2, failuresOfWeek: 1 },
  ])
})

/** Stores runs of the last days, and one that is older than a week. */
async function storeRuns(workflowId: string, ruleId: string): Promise<void> {
  const { workspaceId, adminUserId: runAsId } = api.workspace
  const run = { workspaceId, workflowId, version: 1, runAsId }
  const longAgo = firstIdAt(Date.now() - 8 * 24 * 60 * 60_000)
  await api.db.insert(schema.workflowRuns).values([
    { ...run, id: newId(), state: 'SUCCEEDED' },
    { ...run, id: newId(), state: 'FAILED' },
    { ...run, id: newId(), state: 'FAILED', isTest: true },
    { ...run, id: longAgo, state: 'FAILED' },
  ])
  const ofRule = { workspaceId, ruleId, event: 'deal.won', eventId: newId() }
  await api.db.insert(schema.ruleRuns).values({ ...ofRule, id: newId(), state: 'SUCCEEDED' })
}
