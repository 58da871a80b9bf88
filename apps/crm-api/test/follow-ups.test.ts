import { seed, stepsOf } from '@crm/testkit'
import { schema } from '@crm/db'
import { createRandom } from '@crm/runtime'
import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownApi, type CallAnswer } from './harness.ts'
import { createActivity, createCompany, createContact, createDeal, createLead, createTask } from './samples.ts'

const steps = stepsOf(250)

const api = await ownApi()
const { call, key, workspace, clock, db } = api
const hour = 3_600_000
const inHours = (hours: number): string => new Date(clock.now().getTime() + hours * hour).toISOString()

const paths = { LEAD: '/api/leads', CONTACT: '/api/contacts', COMPANY: '/api/companies', DEAL: '/api/deals' } as const
type Followed = keyof typeof paths
const types = Object.keys(paths) as Followed[]

const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<CallAnswer> => {
  const answer = await call({ method, path, key, body })
  expect([200, 201, 202], `${method} ${path} ${JSON.stringify(answer.body)}`).toContain(answer.status)
  return answer
}

const read = async (path: string, id: string) => (await call({ path: `${path}/${id}`, key })).body.data
const linkTo = (entityType: string, entityId: string) => ({ entityType, entityId })
const cookie = await workspace.session()
const restore = (entityType: string, id: string) =>
  call({ method: 'POST', path: `/api/settings/deleted-records/${id}/restore`, cookie, body: { entityType } })

describe('what records tell of their tasks', () => {
  it('counts the open ones, tells when the next is due and whether that is past, and keeps version and updatedAt', async () => {
    const id = await createLead(api)
    const before = await read(paths.LEAD, id)
    expect(before).toMatchObject({ openTaskCount: 0, nextTaskAt: null, hasOverdueTask: false })
    const links = [linkTo('LEAD', id)]
    const later = await createTask(api, { links, dueAt: inHours(48) })
    const sooner = await createTask(api, { links, dueAt: inHours(1) })
    await createTask(api, { links })
    await createTask(api, { links, status: 'DONE', dueAt: inHours(-5) })
    expect(await read(paths.LEAD, id)).toMatchObject({
      openTaskCount: 3,
      nextTaskAt: inHours(1),
      hasOverdueTask: false,
      version: before.version,
      updatedAt: before.updatedAt,
    })
    await send('PATCH', `/api/tasks/${sooner}`, { dueAt: inHours(-1) })
    expect(await read(paths.LEAD, id)).toMatchObject({ nextTaskAt: inHours(-1), hasOverdueTask: true })
    await send('PATCH', `/api/tasks/${sooner}`, { status: 'CANCELLED' })
    expect(await read(paths.LEAD, id)).toMatchObject({
      openTaskCount: 2,
      nextTaskAt: inHours(48),
      hasOverdueTask: false,
    })
    await send('PATCH', `/api/tasks/${later}`, { links: [] })
    expect(await read(paths.LEAD, id)).toMatchObject({ openTaskCount: 1, nextTaskAt: null })
  })

  it('says nothing of them while tasks are switched off, and their filters answer MODULE_DISABLED', async () => {
    const other = await api.newWorkspace()
    const { key: theirs } = await other.apiKey()
    const at = (path: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET', body?: unknown) =>
      call({ method, path, key: theirs, body }, other)
    const { id } = (await at('/api/leads', 'POST', { lastName: 'Doe' })).body.data
    await at('/api/tasks', 'POST', { title: 'Call', dueAt: inHours(-1), links: [linkTo('LEAD', id)] })
    expect((await at(`/api/leads/${id}`)).body.data).toMatchObject({ openTaskCount: 1, hasOverdueTask: true })
    const session = await other.session()
    const off = await call(
      { method: 'PATCH', path: '/api/settings/modules/PROJECTS', cookie: session, body: { enabled: false } },
      other,
    )
    expect(off.status, JSON.stringify(off.body)).toBe(200)
    const hidden = { openTaskCount: null, nextTaskAt: null, hasOverdueTask: null }
    expect((await at(`/api/leads/${id}`)).body.data).toMatchObject(hidden)
    expect((await at('/api/leads')).body.items).toMatchObject([hidden])
    const refused = { status: 403, body: { code: 'MODULE_DISABLED', key: 'PROJECTS', reason: 'self' } }
    for (const filter of ['hasOpenTask=true', 'hasOverdueTask=false', 'nextTaskFrom=today', 'nextTaskTo=1d'])
      for (const path of ['/api/leads', '/api/leads/summary'])
        expect(await at(`${path}?${filter}`), `${path}?${filter}`).toMatchObject(refused)
    expect(await at('/api/leads', 'DELETE', { filter: { hasOpenTask: 'true' }, expectedCount: 1 })).toMatchObject(
      refused,
    )
    expect((await at('/api/leads?lastActivity=never')).body.total).toBe(1)
  })
})

describe('what records tell of their activities', () => {
  it('the last one, that of contacts and deals for their company too', async () => {
    const companyId = await createCompany(api)
    const contactId = await createContact(api, { companyId })
    const dealId = await createDeal(api, { companyId })
    const lastOf = async () => (await read(paths.COMPANY, companyId)).lastActivityAt
    await createActivity(api, { type: 'CALL', endAt: inHours(-30), links: [linkTo('CONTACT', contactId)] })
    expect([await lastOf(), (await read(paths.CONTACT, contactId)).lastActivityAt]).toEqual([
      inHours(-30),
      inHours(-30),
    ])
    const onDeal = await createActivity(api, { type: 'CALL', endAt: inHours(-3), links: [linkTo('DEAL', dealId)] })
    expect(await lastOf()).toBe(inHours(-3))
    await createActivity(api, { type: 'CALL', startAt: inHours(3), links: [linkTo('COMPANY', companyId)] })
    expect(await lastOf()).toBe(inHours(-3))
    await send('DELETE', `/api/activities/${onDeal}`)
    expect(await lastOf()).toBe(inHours(-30))
    expect((await restore('ACTIVITY', onDeal)).status).toBe(200)
    expect(await lastOf()).toBe(inHours(-3))
    const other = await createCompany(api)
    await send('PATCH', `${paths.DEAL}/${dealId}`, { companyId: other })
    expect([await lastOf(), (await read(paths.COMPANY, other)).lastActivityAt]).toEqual([inHours(-30), inHours(-3)])
    await send('DELETE', `${paths.CONTACT}/${contactId}`)
    expect(await lastOf()).toBeNull()
  })

  it('keeps when something was said to be done, whatever is edited later', async () => {
    const id = await createDeal(api)
    const planned = await createActivity(api, { type: 'CALL', status: 'PLANNED', links: [linkTo('DEAL', id)] })
    expect((await read(paths.DEAL, id)).lastActivityAt).toBeNull()
    await send('PATCH', `/api/activities/${planned}`, { status: 'DONE' })
    const saidAt = clock.now().toISOString()
    clock.advance(2 * hour)
    await send('PATCH', `/api/activities/${planned}`, { subject: 'Edited' })
    expect((await read(paths.DEAL, id)).lastActivityAt).toBe(saidAt)
    await send('PATCH', `/api/activities/${planned}`, { status: 'CANCELLED' })
    expect((await read(paths.DEAL, id)).lastActivityAt).toBeNull()
  })
})

describe('records that are left alone in their stage', () => {
  it('rot so many days after they came there or something happened last, and never in a closed stage', async () => {
    const pipeline = (
      await send('POST', '/api/pipelines', {
        name: 'Rotting',
        entityType: 'DEAL',
        stages: [{ name: 'Open', rottingDays: 2 }, { name: 'Patient' }, { name: 'Won', type: 'WON', rottingDays: 2 }],
      })
    ).body.data
    const [open, patient, won] = pipeline.stages.map(({ id }: { id: string }) => id)
    const id = await createDeal(api, { pipelineId: pipeline.id, stageId: open })
    const shown = () => read(paths.DEAL, id)
    expect(await shown()).toMatchObject({ rottingAt: inHours(48), isRotting: false })
    await createActivity(api, { type: 'NOTE', body: 'x', endAt: inHours(-10), links: [linkTo('DEAL', id)] })
    expect(await shown()).toMatchObject({ rottingAt: inHours(48) })
    clock.advance(10 * hour)
    await createActivity(api, { type: 'NOTE', body: 'x', links: [linkTo('DEAL', id)] })
    expect(await shown()).toMatchObject({ rottingAt: inHours(48), isRotting: false })
    const list = async (rots: boolean) =>
      (await call({ path: `${paths.DEAL}?pipelineId=${pipeline.id}&isRotting=${rots}`, key })).body
    expect([(await list(true)).total, (await list(false)).total]).toEqual([0, 1])
    clock.advance(49 * hour)
    expect(await shown()).toMatchObject({ isRotting: true })
    expect([(await list(true)).total, (await list(false)).total]).toEqual([1, 0])
    await send('PATCH', `${paths.DEAL}/${id}`, { stageId: patient })
    expect(await shown()).toMatchObject({ rottingAt: null, isRotting: false })
    await send('PATCH', `${paths.DEAL}/${id}`, { stageId: won })
    expect(await shown()).toMatchObject({ rottingAt: null, isRotting: false })
  })
})

describe(`stored facts are what a recount gives, after ${steps} random steps (seed ${seed})`, () => {
  const { next } = createRandom(seed)
  const below = (n: number): number => Math.floor(next() * n)
  const any = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const records: Record<Followed, string[]> = { LEAD: [], CONTACT: [], COMPANY: [], DEAL: [] }
  const tasks: string[] = []
  const activities: string[] = []
  const deleted: (readonly [string, string])[] = []
  const random = () => {
    const type = any(types)
    return linkTo(type, any(records[type]))
  }
  const links = () => Array.from({ length: below(4) }, random)
  const moment = () => (next() < 0.2 ? null : inHours(below(400) - 300))

  /** Sends a request of a step. Any step may be refused: a record that is gone by now cannot be linked or changed. */
  const attempt = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    call({ method, path, key, body })
  const keep = (list: string[], answer: CallAnswer) => void (answer.status === 201 && list.push(answer.body.data.id))
  const forget = async (type: string, path: string, id: string) => {
    if ((await attempt('DELETE', `${path}/${id}`)).status === 200) deleted.push([type, id])
  }
  const merge = (type: 'LEAD' | 'CONTACT' | 'COMPANY') =>
    attempt('POST', `${paths[type]}/${any(records[type])}/merge`, { sourceIds: [any(records[type])] })

  const moves: readonly (() => Promise<unknown>)[] = [
    async () => keep(tasks, await attempt('POST', '/api/tasks', { title: 'T', dueAt: moment(), links: links() })),
    async () =>
      keep(
        activities,
        await attempt('POST', '/api/activities', { type: 'CALL', endAt: moment() ?? undefined, links: links() }),
      ),
    () => attempt('PATCH', `/api/tasks/${any(tasks)}`, { status: any(['TODO', 'DONE', 'CANCELLED', 'IN_REVIEW']) }),
    () => attempt('PATCH', `/api/tasks/${any(tasks)}`, { dueAt: moment(), links: links() }),
    () => attempt('PATCH', `/api/activities/${any(activities)}`, { status: any(['DONE', 'PLANNED', 'CANCELLED']) }),
    () => attempt('PATCH', `/api/activities/${any(activities)}`, { startAt: null, endAt: moment() }),
    () => attempt('PATCH', `/api/activities/${any(activities)}`, { links: links() }),
    () => forget('TASK', '/api/tasks', any(tasks)),
    () => forget('ACTIVITY', '/api/activities', any(activities)),
    () => {
      const type = any(types)
      return forget(type, paths[type], any(records[type]))
    },
    async () => {
      const [type, id] = deleted.splice(below(deleted.length), 1)[0] ?? []
      if (type && id) await restore(type, id)
    },
    () => attempt('PATCH', `/api/contacts/${any(records.CONTACT)}`, { companyId: any(records.COMPANY) }),
    () =>
      attempt('PATCH', `/api/deals/${any(records.DEAL)}`, { companyId: next() < 0.3 ? null : any(records.COMPANY) }),
    () => merge('LEAD'),
    () => merge('CONTACT'),
    () => merge('COMPANY'),
    () => attempt('POST', `/api/leads/${any(records.LEAD)}/convert`, {}),
    () =>
      attempt('PATCH', '/api/tasks', {
        ids: [any(tasks), any(tasks), any(tasks)],
        set: { status: any(['TODO', 'DONE']) },
      }),
    () => attempt('DELETE', '/api/tasks', { ids: [any(tasks), any(tasks)] }),
    () =>
      attempt('PATCH', '/api/contacts', {
        ids: [any(records.CONTACT), any(records.CONTACT)],
        set: { companyId: any(records.COMPANY) },
      }),
  ]

  beforeAll(async () => {
    for (let n = 0; n < 6; n++) {
      records.COMPANY.push(await createCompany(api, { name: `Random ${n}` }))
      records.CONTACT.push(await createContact(api, { lastName: `Random ${n}`, companyId: any(records.COMPANY) }))
      records.DEAL.push(await createDeal(api, { name: `Random ${n}`, companyId: any(records.COMPANY) }))
      records.LEAD.push(await createLead(api, { lastName: `Random ${n}` }))
    }
    tasks.push(await createTask(api))
    activities.push(await createActivity(api))
  }, 60_000)

  it('of leads, contacts, companies and deals', { timeout: 300_000 }, async () => {
    for (let n = 0; n < steps; n++) {
      await any(moves)()
      if (n % 10 === 0) clock.advance(hour)
    }
    const expected = await recounted()
    expect(Object.values(expected).some(({ openTaskCount }) => openTaskCount > 0)).toBe(true)
    expect(Object.values(expected).some(({ lastActivityAt }) => lastActivityAt !== null)).toBe(true)
    expect(await stored()).toEqual(expected)
  })

  const tables = {
    LEAD: schema.leads,
    CONTACT: schema.contacts,
    COMPANY: schema.companies,
    DEAL: schema.deals,
  } as const

  interface Facts {
    readonly openTaskCount: number
    readonly nextTaskAt: string | null
    readonly lastActivityAt: string | null
  }

  const rowsOf = async (type: Followed) => {
    const rows = await db.select().from(tables[type]).where(eq(tables[type].workspaceId, workspace.workspaceId))
    return rows.map((row) => ({ companyId: null, ...row, type }))
  }

  const all = async () => (await Promise.all(types.map(rowsOf))).flat()

  async function stored(): Promise<Record<string, Facts>> {
    return Object.fromEntries(
      (await all()).map(({ type, id, openTaskCount, nextTaskAt, lastActivityAt }) => [
        `${type} ${id}`,
        { openTaskCount, nextTaskAt, lastActivityAt },
      ]),
    )
  }

  /** Computes the same facts from tasks, activities and links alone, in another way than the database. */
  async function recounted(): Promise<Record<string, Facts>> {
    const { recordLinks, tasks: taskTable, activities: activityTable } = schema
    const { workspaceId } = workspace
    const linked = await db.select().from(recordLinks).where(eq(recordLinks.workspaceId, workspaceId))
    const open = new Map(
      (await db.select().from(taskTable).where(eq(taskTable.workspaceId, workspaceId)))
        .filter(({ status, deletedAt }) => !['DONE', 'CANCELLED'].includes(status) && deletedAt === null)
        .map((task) => [task.id, task]),
    )
    const done = new Map(
      (
        await db
          .select()
          .from(activityTable)
          .where(and(eq(activityTable.workspaceId, workspaceId), eq(activityTable.status, 'DONE')))
      )
        .filter(({ deletedAt }) => deletedAt === null)
        .map((activity) => [activity.id, activity]),
    )
    const rows = await all()
    const lastOwn = (type: string, id: string): string[] =>
      linked
        .filter((link) => link.fromType === 'ACTIVITY' && link.entityType === type && link.entityId === id)
        .flatMap(({ fromId }) => done.get(fromId)?.happenedAt ?? [])
    const factsOf = (type: string, id: string): Facts => {
      const ofIt = linked
        .filter((link) => link.fromType === 'TASK' && link.entityType === type && link.entityId === id)
        .flatMap(({ fromId }) => open.get(fromId) ?? [])
      const parts =
        type === 'COMPANY'
          ? rows.filter(
              (row) => ['CONTACT', 'DEAL'].includes(row.type) && row.companyId === id && row.deletedAt === null,
            )
          : []
      const last = [...lastOwn(type, id), ...parts.flatMap((part) => lastOwn(part.type, part.id))].toSorted().at(-1)
      return {
        openTaskCount: ofIt.length,
        nextTaskAt: ofIt.flatMap(({ dueAt }) => dueAt ?? []).toSorted()[0] ?? null,
        lastActivityAt: last ?? null,
      }
    }
    return Object.fromEntries(rows.map(({ type, id }) => [`${type} ${id}`, factsOf(type, id)]))
  }
})
