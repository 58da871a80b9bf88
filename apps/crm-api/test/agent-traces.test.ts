import { declaredOperations, isWrite, publicContract } from '@crm/contract'
import { permissionNames } from '@crm/permissions'
import { describe, expect, it } from 'vitest'
import { requestOf } from './each-write.ts'
import { apiUnderTest } from './harness.ts'

const api = await apiUnderTest()
const { call, workspace } = api
const cookie = await workspace.session()
const writes = declaredOperations(publicContract).filter(({ operation }) => isWrite(operation))

interface Told {
  readonly id: string
  readonly operation?: string
  readonly changes: readonly { readonly entityType: string; readonly told: string; readonly title: string | null }[]
}

/** Writes of custom records; their rights are those of a kind that is made in the test. */
const ofCustomRecords = 'customEntities.records.'

async function newAgent(scopes: readonly string[], writes: 'DIRECT' | 'PROPOSE' = 'DIRECT') {
  const body = { name: 'Claude', scopes, writes }
  const { data } = (await call({ method: 'POST', path: '/api/settings/api-keys', cookie, body })).body
  const known = new Set<string>()
  /** Returns what its session tells that it did not tell before. */
  const news = async (): Promise<readonly Told[]> => {
    const { items } = (await call({ path: `/api/settings/agent-sessions?viaId=${data.id}`, cookie })).body
    const path = `/api/settings/agent-sessions/${items[0].id}`
    const operations: readonly Told[] = (await call({ path, cookie })).body.data.operations
    const added = operations.filter(({ id }) => !known.has(id))
    for (const { id } of added) known.add(id)
    return added
  }
  return { key: data.key as string, news }
}

describe('a write of an agent', () => {
  it('leaves a trace in the session of its agent, whatever it writes', async () => {
    const agent = await newAgent(permissionNames)
    const silent: string[] = []
    const unnamed: string[] = []
    for (const one of writes) {
      const { params, body } = await requestOf(api, one)
      const { key: kind } = params
      const isOfKind = one.id.startsWith(ofCustomRecords) && kind !== undefined
      const { key, news } = isOfKind
        ? await newAgent(['VIEW', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_${kind.toUpperCase()}`))
        : agent
      const path = one.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'missing')
      const answer = await call({ method: one.operation.method, path, key, body })
      expect(answer.status, `${one.id} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      const added = await news()
      if (added.length === 0) silent.push(one.id)
      if (added.some(({ changes }) => changes.length === 0)) unnamed.push(one.id)
    }
    expect({ silent, unnamed }).toEqual({ silent: [], unnamed: [] })
  }, 120_000)

  it('leaves a trace when a person approves it', async () => {
    const { key, news } = await newAgent(permissionNames, 'PROPOSE')
    const body = { name: 'Partners', entityType: 'LEAD' }
    const { proposalId } = (await call({ method: 'POST', path: '/api/pipelines', key, body })).body.data
    const path = `/api/settings/proposals/${proposalId}/approve`
    const { data } = (await call({ method: 'POST', path, cookie, body: {} })).body
    expect(data.status).toBe(201)
    expect(await news()).toEqual([
      expect.objectContaining({
        operation: 'pipelines.create',
        changes: [expect.objectContaining({ entityType: 'PIPELINE', told: 'CREATED', title: 'Partners' })],
      }),
    ])
  })

  it('leaves none where it changed nothing', async () => {
    const { key, news } = await newAgent(permissionNames)
    const body = { name: 'Resellers', entityType: 'LEAD' }
    const { data } = (await call({ method: 'POST', path: '/api/pipelines', key, body })).body
    await call({ method: 'PATCH', path: `/api/pipelines/${data.id}`, key, body: { name: 'Resellers' } })
    expect(await news()).toHaveLength(1)
  })
})
