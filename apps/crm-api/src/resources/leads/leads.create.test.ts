import { describe, expect, it } from 'vitest'
import { apiUnderTest } from '../../../test/harness.ts'

const { call, key, workspace } = await apiUnderTest()
const create = (body: unknown, headers = {}) => call({ method: 'POST', path: '/api/leads', key, body, headers })

describe('201', () => {
  it('gives every default: owner, first stage of the default pipeline, direct source, NEW', async () => {
    const { status, body } = await create({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.example' })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ success: true, data: { firstName: 'Grace', status: 'NEW', ownerId: workspace.adminUserId, pipelineId: workspace.leadPipelineId, version: 1 } })
    expect(body.data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const list = await call({ path: '/api/leads?search=hopper', key })
    expect(list.body).toMatchObject({ total: 1, page: 1, pageSize: 20, pageCount: 1 })
    expect((await call({ path: '/api/leads', key })).body.total).toBe(1)
  })
})
