import { describe, expect, it } from 'vitest'
import { apiUnderTest, type CallAnswer } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await apiUnderTest()
const jobs = await jobsUnderTest(api)
const { call, newWorkspace } = api
const moving = movingInto(api, jobs)

type Workspace = typeof api.workspace

const csv = (name: string, ...lines: readonly string[]) => ({ name, content: `${lines.join('\n')}\n` })

async function list(workspace: Workspace, path: string): Promise<CallAnswer['body'][]> {
  const { key } = await workspace.apiKey()
  return (await call({ path: `${path}${path.includes('?') ? '&' : '?'}pageSize=100`, key }, workspace)).body.items
}

describe('a file of contacts', () => {
  it('is planned, tried, imported and taken back', async () => {
    const workspace = await newWorkspace()
    const file = csv(
      'contacts.csv',
      'Vorname,Nachname,E-Mail,Unfug',
      'Ada,Lovelace,ada@example.com,x',
      'Grace,Hopper,no mail,y',
    )
    const brought = await moving.bring(workspace, [file])
    expect(brought).toMatchObject({ state: 'ANALYSED', plan: { files: [{ kind: 'CONTACT', rows: 2 }] } })
    expect(brought.plan.files[0].columns).toMatchObject([
      { header: 'Vorname', field: 'firstName', samples: ['Ada', 'Grace'] },
      { field: 'lastName' },
      { field: 'email' },
      { field: null },
    ])
    const tried = await moving.go(workspace, brought.id, 'check')
    expect(tried).toMatchObject({ state: 'CHECKED', result: { phase: 'CHECK', created: 2, failed: 0 } })
    expect(tried.result.files[0].problems).toMatchObject([
      { line: 3, header: 'E-Mail', field: 'email', code: 'NO_EMAIL', values: { text: 'no mail' }, isRow: false },
    ])
    expect(await list(workspace, '/api/contacts')).toEqual([])
    const done = await moving.go(workspace, brought.id, 'start')
    expect(done).toMatchObject({ state: 'DONE', result: { phase: 'IMPORT', created: 2 } })
    expect(await list(workspace, '/api/contacts?sortBy=lastName&sortOrder=desc')).toMatchObject([
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      { firstName: 'Grace', email: null },
    ])
    expect(await moving.go(workspace, brought.id, 'revert')).toMatchObject({ state: 'REVERTED', reverted: 2 })
    expect(await list(workspace, '/api/contacts')).toEqual([])
  })
})
