import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../../test/harness.ts'

/** Knows two names: one of the internet, one of the house. */
const outboundResolver = async (name: string) => ({ 'hooks.example.com': ['203.0.114.7'], 'metadata.example.com': ['203.0.114.7', '169.254.169.254'] })[name] ?? []
const api = await apiUnderTest({ outboundResolver })
const cookie = await api.workspace.session()
const settings = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => api.call({ method, path: `/api/settings/automation-rules${path}`, cookie, body })

const action = { type: 'WEBHOOK', url: 'https://203.0.114.7/hook', method: 'PUT', headers: { 'X-Key': 'k' }, bodyTemplate: '{"who":"{{data.name}}"}' }
const rule = { name: 'Rule', trigger: { event: 'lead.stage_changed', conditions: [{ field: 'data.stageId', op: 'CHANGED_TO', value: 'x' }] }, actions: [action] }

describe('a rule', () => {
  it('is made, listed, changed and deleted', async () => {
    const { status, body } = await settings('POST', '', rule)
    expect({ status, data: body.data }).toMatchObject({ status: 201, data: { ...rule, isActive: true, failuresInRow: 0, pausedAt: null, warnings: [] } })
    const { id } = body.data
    expect((await settings('GET', '?event=lead.stage_changed')).body).toMatchObject({ total: 1, items: [{ id }] })
    expect((await settings('PATCH', `/${id}`, { isActive: false, name: 'Other' })).body.data).toMatchObject({ isActive: false, name: 'Other', actions: [action] })
    expect((await settings('DELETE', `/${id}`)).body.data).toEqual({ id })
    expect((await settings('GET', `/${id}`)).status).toBe(404)
  })

  it('is shown when it was stored without a template, as the demo once did', async () => {
    const { bodyTemplate: _, ...plain } = action
    await api.db.insert(schema.automationRules).values({ workspaceId: api.workspace.workspaceId, name: 'Older', isActive: false, event: 'lead.created', actions: [plain] })
    const { status, body } = await settings('GET', '')
    expect({ status, body }).toMatchObject({ status: 200, body: { items: expect.arrayContaining([expect.objectContaining({ name: 'Older', actions: [plain], warnings: [] })]) } })
  })

  it('goes to a name with a public address, and with a warning to one that has none now', async () => {
    const to = async (url: string) => (await settings('POST', '', { ...rule, actions: [{ ...action, url }] })).body.data.warnings
    expect(await to('https://hooks.example.com/')).toEqual([])
    expect(await to('https://nowhere.example.com/')).toEqual([{ path: ['actions', 0, 'url'], message: 'No address was found for this host' }])
  })

  it('begins to count its failures anew when it is switched on again', async () => {
    const { id } = (await settings('POST', '', rule)).body.data
    await api.db.update(schema.automationRules).set({ isActive: false, failuresInRow: 20, pausedAt: new Date().toISOString() }).where(eq(schema.automationRules.id, id))
    expect((await settings('PATCH', `/${id}`, { isActive: true })).body.data).toMatchObject({ isActive: true, failuresInRow: 0, pausedAt: null })
  })

  it('shows what it would send, without sending it', async () => {
    const { id } = (await settings('POST', '', { ...rule, trigger: { event: 'lead.created', conditions: [{ field: 'status', op: 'EQ', value: 'NEW' }] } })).body.data
    const { data } = (await settings('POST', `/${id}/test`, { data: { name: 'Ada', status: 'NEW' } })).body
    expect(data).toEqual({ fires: true, requests: [{ method: 'PUT', url: action.url, headers: action.headers, body: '{"who":"Ada"}' }] })
    expect((await settings('POST', `/${id}/test`, { data: { status: 'LOST' } })).body.data.fires).toBe(false)
  })
})

describe('400 VALIDATION_ERROR', () => {
  it.each([
    ['an unknown event', { trigger: { event: 'moon.rose' } }, ['trigger', 'event']],
    ['a machine of its own', { actions: [{ ...action, url: 'http://localhost:9200/' }] }, ['actions', 0, 'url']],
    ['a metadata address', { actions: [{ ...action, url: 'http://169.254.169.254/latest' }] }, ['actions', 0, 'url']],
    ['a name that resolves to a metadata address', { actions: [{ ...action, url: 'https://metadata.example.com/' }] }, ['actions', 0, 'url']],
    ['another protocol', { actions: [{ ...action, url: 'ftp://x.example/' }] }, ['actions', 0, 'url']],
    ['an unknown method', { actions: [{ ...action, method: 'HEAD' }] }, ['actions', 0, 'method']],
    ['a header in two lines', { actions: [{ ...action, headers: { A: 'b\r\nC: d' } }] }, ['actions', 0, 'headers', 'A']],
    ['a broken template', { actions: [{ ...action, bodyTemplate: '{"a": {{data.x' }] }, ['actions', 0, 'bodyTemplate']],
    ['no action', { actions: [] }, ['actions']],
    ['IN without a list', { trigger: { event: 'lead.created', conditions: [{ field: 'a', op: 'IN', value: 'x' }] } }, ['trigger', 'conditions', 0, 'value']],
  ])('for %s', async (_, change, path) => {
    const answer = await settings('POST', '', { ...rule, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.issues.map((issue: { path: unknown }) => issue.path)).toContainEqual(path)
  })
})
