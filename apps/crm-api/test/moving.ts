import { expect } from 'vitest'
import type { ApiUnderTest, CallAnswer } from './harness.ts'
import type { JobsUnderTest } from './jobs.ts'
import { postFormInSession } from './uploads.ts'

type Workspace = ApiUnderTest['workspace']

/** A file that somebody moves in with. */
export interface BroughtFile {
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
}

/** What people do with the files of a migration. */
export interface Moving {
  bring(workspace: Workspace, files: readonly BroughtFile[], options?: object): Promise<CallAnswer['body']>
  /** Sends the files without waiting for their analysis. */
  send(workspace: Workspace, files: readonly BroughtFile[], options?: unknown): Promise<CallAnswer>
  read(workspace: Workspace, id: string): Promise<CallAnswer['body']>
  change(workspace: Workspace, id: string, plan: object): Promise<CallAnswer>
  /** Asks for a verb, waits for the end, and returns the migration. */
  go(workspace: Workspace, id: string, verb: 'check' | 'start' | 'revert'): Promise<CallAnswer['body']>
}

/** Returns the ways of moving into workspaces of an API under test. */
export function movingInto(api: ApiUnderTest, jobs: Pick<JobsUnderTest, 'settled'>): Moving {
  const { call } = api
  const path = '/api/settings/migrations'

  const send: Moving['send'] = async (workspace, files, options = {}) => {
    const form = new FormData()
    form.append('options', JSON.stringify(options))
    for (const { name, content } of files) form.append('files', new Blob([content], { type: 'text/csv' }), name)
    return postFormInSession(api, workspace, path, form)
  }

  const read: Moving['read'] = async (workspace, id) =>
    (await call({ path: `${path}/${id}`, cookie: await workspace.session() }, workspace)).body.data

  return {
    send,
    read,
    bring: async (workspace, files, options) => {
      const sent = await send(workspace, files, options)
      expect(sent.status, JSON.stringify(sent.body)).toBe(201)
      await jobs.settled()
      return read(workspace, sent.body.data.id)
    },
    change: async (workspace, id, plan) =>
      call({ method: 'PATCH', path: `${path}/${id}`, cookie: await workspace.session(), body: { plan } }, workspace),
    go: async (workspace, id, verb) => {
      const asked = await call(
        { method: 'POST', path: `${path}/${id}/${verb}`, cookie: await workspace.session() },
        workspace,
      )
      expect(asked.status, JSON.stringify(asked.body)).toBe(200)
      await jobs.settled()
      return read(workspace, id)
    },
  }
}
