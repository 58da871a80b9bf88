import { declaredOperations, publicContract, type DeclaredOperation } from '@crm/contract'
import { schema } from '@crm/db'
import { toolCatalogue } from '@crm/tools'
import { and, eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { apiUnderTest } from './harness.ts'
import { pathOf } from './samples.ts'
import { bodyOf, targetOf } from './targets.ts'

const api = await apiUnderTest()
const cookie = await api.workspace.session()
const operations = declaredOperations(publicContract)
const { tools } = toolCatalogue(publicContract)
const titles = new Set(tools.map(({ route }) => `${route.method} ${route.path}`))

/** The operations of all tools of a full credential; a later one is among them by itself. */
const behindTools = operations.filter(({ title }) => titles.has(title))
const others = operations.filter(({ title }) => !titles.has(title))

/** What a tool may send: that document, to the people it is for (docs/guide/finance.md). */
const sendsDocument = ['quotes.send', 'invoices.send']

/** Changes whose sample is in a state that refuses them. */
const refused = [
  'quotes.accept quotes.decline quotes.convert orders.fulfil orders.invoice invoices.delete invoices.issue invoices.void',
  'pipelines.stages.delete currencies.update currencies.delete undo.run',
].flatMap((names) => names.split(' '))

/** Calls an operation with a sample, and returns its status and the jobs that it asks for: nothing leaves by another way. */
async function called(one: DeclaredOperation): Promise<{ readonly status: number; readonly jobs: readonly string[] }> {
  const { outbox } = schema
  const jobs = () =>
    api.db
      .select({ id: outbox.id, event: outbox.event })
      .from(outbox)
      .where(and(eq(outbox.workspaceId, api.workspace.workspaceId), inArray(outbox.topic, ['job', 'mail'])))
  const path = pathOf(one, await targetOf(api, one))
  const body = one.operation.body || one.operation.upload ? await bodyOf(api, one.id) : undefined
  const before = new Set((await jobs()).map(({ id }) => id))
  const credential = one.resource.name === 'customEntities.records' ? { cookie } : { key: api.key }
  const { status } = await api.call({ method: one.operation.method, path, ...credential, body })
  return { status, jobs: (await jobs()).filter(({ id }) => !before.has(id)).map(({ event }) => event) }
}

describe('a tool', () => {
  it(
    'writes no letter of its own: nothing is sent but a document that is asked for',
    { timeout: 120_000 },
    async () => {
      for (const one of behindTools.filter(({ operation }) => operation.method !== 'GET')) {
        const { status, jobs } = await called(one)
        expect({ id: one.id, jobs }).toEqual({
          id: one.id,
          jobs: sendsDocument.includes(one.id) ? ['commercial.mail'] : [],
        })
        expect({ id: one.id, isDone: status < 300 }).toEqual({ id: one.id, isDone: !refused.includes(one.id) })
      }
      expect(api.mails).toEqual([])
    },
  )

  it('would be found, if it did: the same call of a person asks for a mail', async () => {
    const letter = operations.find(({ title }) => title === 'POST /api/emails')!
    expect(others).toContain(letter)
    expect(await called(letter)).toEqual({ status: 201, jobs: ['activity.mail'] })
  })

  it('has no name that promises a letter, a call or an answer of an assistant', () => {
    const promises =
      /e-?mail|letter|\bsms\b|\b(?:phone|video)?calls?\b|\bdial|\bring\b|\bspeak|assistant|\bai\b|\bask\b|\bchat|completion|\bsend/i
    const found = behindTools.filter(({ operation, key }) =>
      promises.test([operation.path, key.replaceAll(/([A-Z])/g, ' $1'), operation.summary].join(' ')),
    )
    expect(found.map(({ id }) => id)).toEqual(sendsDocument)
  })

  it('is left out by a declaration that says why', () => {
    const left = others.filter(({ operation }) => operation.access !== 'open')
    expect(left.map(({ id }) => id)).toEqual(['activities.sendEmail', 'proposals.list'])
    for (const { operation } of operations)
      expect(operation.toolReason === undefined).toBe(operation.tool === undefined)
    for (const { operation } of left) expect(operation.toolReason).toMatch(/^[A-Z].{20,}\.$/)
  })
})
