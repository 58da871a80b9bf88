// A team's whole sales come in from each of five programs, as their exports are.
import { schema } from '@crm/db'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { exportsOfPrograms } from '../../../test/exports-of-programs.ts'
import { ownApi } from '../../../test/harness.ts'
import { jobsUnderTest } from '../../../test/jobs.ts'
import { movingInto } from '../../../test/moving.ts'

const api = await ownApi()
const { call, newWorkspace } = api
const jobs = await jobsUnderTest(api)
const moving = movingInto(api, jobs)

const deals = 1_000
const programs = exportsOfPrograms(deals, { name: 'x', email: 'x@example.com' }).map(({ source }) => source)

it.each(programs)('a thousand deals of %s come in once, with company, contact, owner and stage', async (source) => {
  const workspace = await newWorkspace()
  const seller = await workspace.employee()
  const { key } = await workspace.apiKey()
  const countOf = async (path: string): Promise<number> => (await call({ path, key }, workspace)).body.total
  const who = (await call({ path: `/api/employees/${seller.id}`, key }, workspace)).body.data
  const name = `${who.firstName} ${who.lastName}`.trim()
  const files =
    exportsOfPrograms(deals, { name, email: seller.email }).find((one) => one.source === source)?.files ?? []
  const brought = await moving.bring(workspace, files, { source })
  const tried = await moving.go(workspace, brought.id, 'check')
  expect(tried.result).toMatchObject({ failed: 0 })
  expect(await countOf('/api/deals')).toBe(0)
  const done = await moving.go(workspace, brought.id, 'start')
  expect(done.result).toMatchObject({ created: tried.result.created, failed: 0, made: {} })
  expect(await countOf('/api/deals')).toBe(deals)
  for (const field of ['companyId', 'contactId', 'ownerId'])
    expect(await countOf(`/api/deals?${field}=none`), field).toBe(0)
  expect(await countOf(`/api/deals?ownerId=${seller.id}`)).toBe(deals)
  const ofDeals = and(eq(schema.deals.workspaceId, workspace.workspaceId), isNull(schema.deals.stageId))
  expect(await api.db.$count(schema.deals, ofDeals)).toBe(0)
  const again = await moving.go(workspace, brought.id, 'start')
  expect(again.result).toMatchObject({ created: 0, failed: 0 })
  expect(await countOf('/api/deals')).toBe(deals)
})
