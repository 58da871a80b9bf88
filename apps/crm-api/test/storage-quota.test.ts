import { schema } from '@crm/db'
import { storageUnitBytes } from '@crm/permissions'
import { eq } from 'drizzle-orm'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from './harness.ts'
import { jobsUnderTest } from './jobs.ts'
import { formOf, postFormInSession } from './uploads.ts'

const api = await ownApi()
const jobs = await jobsUnderTest(api)
const { call, db } = api
type Workspace = typeof api.workspace

/** Creates a workspace that may keep one megabyte. */
async function limitedWorkspace(megabytes = 1): Promise<Workspace> {
  const workspace = await api.newWorkspace()
  await db
    .insert(schema.workspaceQuotas)
    .values({ workspaceId: workspace.workspaceId, quota: 'storage', limit: megabytes })
  return workspace
}

const upload = (workspace: Workspace, bytes: number): Promise<CallAnswer> =>
  postFormInSession(api, workspace, '/api/files/upload', formOf({ content: 'x'.repeat(bytes) }))
const ask = async (
  workspace: Workspace,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<CallAnswer> => call({ method, path, cookie: await workspace.session(), body }, workspace)
const storageOf = async (workspace: Workspace): Promise<unknown> =>
  (await ask(workspace, 'GET', '/api/settings/usage')).body.data.find(
    ({ quota }: { quota: string }) => quota === 'storage',
  )
const keptFiles = ({ workspaceId }: Workspace): Promise<string[]> =>
  readdir(join(api.filesDirectory, workspaceId)).catch(() => [])

const full = (used: number) => ({
  status: 413,
  body: { code: 'STORAGE_QUOTA_EXCEEDED', details: { used, limit: storageUnitBytes } },
})

describe('the storage of a workspace', () => {
  it('takes files to the last byte and no further, and gives back what is deleted', async () => {
    const workspace = await limitedWorkspace()
    expect(await storageOf(workspace)).toEqual({ quota: 'storage', used: 0, limit: storageUnitBytes })
    const first = await upload(workspace, 1_000_000)
    expect(first.status).toBe(201)
    expect(await upload(workspace, storageUnitBytes - 1_000_000 + 1)).toMatchObject(full(1_000_000))
    expect((await upload(workspace, storageUnitBytes - 1_000_000)).status).toBe(201)
    expect(await storageOf(workspace)).toEqual({ quota: 'storage', used: storageUnitBytes, limit: storageUnitBytes })
    expect(await upload(workspace, 1)).toMatchObject(full(storageUnitBytes))
    expect((await ask(workspace, 'DELETE', `/api/files/${first.body.data.id}`)).status).toBe(200)
    expect((await upload(workspace, 1_000_000)).status).toBe(201)
    expect(await keptFiles(workspace)).toHaveLength(3)
  })

  it('holds exactly when many files come at once', async () => {
    const workspace = await limitedWorkspace()
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(workspace, 300_000)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 201, 201, 413, 413, 413, 413, 413,
    ])
    expect(await storageOf(workspace)).toMatchObject({ used: 900_000 })
    expect(await keptFiles(workspace)).toHaveLength(3)
    expect(await db.$count(schema.fileUploads, eq(schema.fileUploads.workspaceId, workspace.workspaceId))).toBe(0)
  })

  it('takes files in JSON and made documents by the same measure', async () => {
    const workspace = await limitedWorkspace()
    const lead = (await ask(workspace, 'POST', '/api/leads', { lastName: 'Reader' })).body.data
    const template = (
      await ask(workspace, 'POST', '/api/documents', { name: 'Letter', body: 'Dear {{record.lastName}}' })
    ).body.data
    expect((await upload(workspace, storageUnitBytes - 100)).status).toBe(201)
    const json = {
      filename: 'a.txt',
      contentType: 'text/plain',
      contentBase64: Buffer.from('x'.repeat(101)).toString('base64'),
    }
    expect(await ask(workspace, 'POST', '/api/files/upload', json)).toMatchObject(full(storageUnitBytes - 100))
    expect(
      await ask(workspace, 'POST', '/api/document-records', {
        documentId: template.id,
        entityType: 'LEAD',
        entityId: lead.id,
      }),
    ).toMatchObject(full(storageUnitBytes - 100))
    expect((await ask(workspace, 'GET', '/api/document-records')).body.total).toBe(0)
    expect(await keptFiles(workspace)).toHaveLength(1)
  })

  it('takes no import and keeps no export that does not fit, and says so', async () => {
    const workspace = await limitedWorkspace()
    for (const lastName of ['Ada', 'Grace']) await ask(workspace, 'POST', '/api/leads', { lastName })
    const exported = async () => {
      const { body } = await ask(workspace, 'POST', '/api/settings/exports', { entityType: 'LEAD' })
      await jobs.settled()
      return (await ask(workspace, 'GET', `/api/settings/exports/${body.data.id}`)).body.data
    }
    expect(await exported()).toMatchObject({ state: 'DONE', rows: 2 })
    const { used } = (await storageOf(workspace)) as { used: number }
    expect(used).toBeGreaterThan(100)
    expect((await upload(workspace, storageUnitBytes - used - 20)).status).toBe(201)
    expect(await exported()).toMatchObject({ state: 'FAILED', problem: expect.stringContaining('no room') })
    const form = new FormData()
    form.append('options', JSON.stringify({ entityType: 'LEAD' }))
    form.append('file', new Blob(['lastName\nSomebody with a long name\n'], { type: 'text/csv' }), 'people.csv')
    expect(await postFormInSession(api, workspace, '/api/settings/imports', form)).toMatchObject(
      full(storageUnitBytes - 20),
    )
    expect((await ask(workspace, 'GET', '/api/settings/imports')).body.total).toBe(0)
    const files = new FormData()
    files.append('files', new Blob(['lastName\nSomebody with a long name\n'], { type: 'text/csv' }), 'people.csv')
    expect(await postFormInSession(api, workspace, '/api/settings/migrations', files)).toMatchObject(
      full(storageUnitBytes - 20),
    )
    expect((await ask(workspace, 'GET', '/api/settings/migrations')).body.total).toBe(0)
    expect(await storageOf(workspace)).toMatchObject({ used: storageUnitBytes - 20 })
  })

  it('has no limit unless the plan sets one', async () => {
    const workspace = await api.newWorkspace()
    expect((await upload(workspace, 2_000_000)).status).toBe(201)
    expect(await storageOf(workspace)).toEqual({ quota: 'storage', used: 2_000_000, limit: null })
  })
})
