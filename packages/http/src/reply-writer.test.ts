import {
  bookingContract,
  bookingResource,
  declared,
  declaredOperations,
  publicContract,
  settingsContract,
  StatusReply,
  type DeclaredOperation,
} from '@crm/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { checkReply } from './reply-check.ts'
import { replyWriter } from './reply-writer.ts'
import { registerService } from './routes.ts'
import { createServer } from './server.ts'

const planted = { planted: 'a column that nobody declared' }

/** Returns a value that a schema accepts, with an undeclared member in each of its objects; texts have no particular format. */
function plantedValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodObject) return { ...mapped(schema.shape), ...planted }
  if (schema instanceof z.ZodArray) return [plantedValue(schema.element as z.ZodType)]
  if (schema instanceof z.ZodRecord) return { free: plantedValue(schema.valueType as z.ZodType) }
  if (schema instanceof z.ZodUnion)
    return plantedValue(
      (schema.options.find((option) => option instanceof z.ZodObject) ?? schema.options[0]) as z.ZodType,
    )
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return plantedValue(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return plantedValue(schema.in as z.ZodType)
  return schema instanceof z.ZodLiteral ? schema.value : 'something'
}

function mapped(shape: z.ZodRawShape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, plantedValue(part as z.ZodType)]))
}

const everything = [publicContract, settingsContract, bookingContract].flatMap((contract) =>
  declaredOperations(contract),
)
// Answers in bytes have no keys, and the OpenAPI document has the keys of OpenAPI.
const answering = everything.filter(({ operation: { reply } }) => reply.body instanceof z.ZodObject)
const bodiesOf = ({ operation: { reply } }: DeclaredOperation): z.ZodType[] => [
  reply.body,
  ...(reply.also ? [reply.also.body] : []),
]

it.each(answering.map((one): [string, DeclaredOperation] => [one.title, one]))(
  '%s writes out what it declares and nothing planted',
  (_title, one) => {
    for (const body of bodiesOf(one)) {
      const value = plantedValue(body)
      expect(JSON.stringify(value)).toContain('planted')
      const written = replyWriter(body)(value)
      expect(JSON.stringify(written)).not.toContain('planted')
      expect(withoutPlanted(value)).toEqual(written)
    }
  },
)

function withoutPlanted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (key in planted ? undefined : part)))
}

const thing = z.object({
  id: z.string(),
  note: z.string().nullable(),
  place: z.strictObject({ town: z.string().optional() }).nullable(),
  parts: z.array(z.object({ n: z.number() })),
  free: z.record(z.string(), z.unknown()),
})
const other = z.object({ id: z.string(), insteadOf: z.string() })
const things = bookingResource('things', {
  list: {
    method: 'GET',
    path: '/things',
    summary: 'List things',
    access: 'open',
    reply: {
      status: 200,
      body: z.object({ items: z.array(z.union([thing, other])) }),
      also: { status: 202, body: other },
    },
  },
})
const list = declared(things, 'list', things.operations.list)
const full = { id: 'a', note: null, place: { town: 'Here' }, parts: [{ n: 1 }], free: { any: { thing: 1 } } }

/** Returns the body that a service sends for a handler's result. */
async function sent(result: unknown) {
  const server = createServer({ trustedProxies: [] })
  const faults: unknown[] = []
  registerService(
    server,
    { things: { resource: things, handlers: { list: async () => result } } },
    {
      recognise: async () => ({
        workspace: {
          id: 'w',
          baseUrl: 'http://localhost',
          timezone: 'UTC',
          weekStart: 'MONDAY' as const,
          inMaintenance: false,
          modulesOff: new Map(),
        },
        caller: null,
        budget: null,
        epoch: null,
      }),
      isSchemaBehind: async () => false,
      createContext: () => ({}),
      report: (error) => void faults.push(error),
      checkAnswers: true,
    },
  )
  onTestFinished(() => server.close())
  const answer = await server.inject({ method: 'GET', url: '/things' })
  return { status: answer.statusCode, body: answer.json(), faults }
}

describe('an answer', () => {
  it('has what is declared, at every depth', async () => {
    const row = { ...full, ...planted, place: { town: 'Here', ...planted }, parts: [{ n: 1, ...planted }] }
    expect(await sent({ items: [row, { id: 'b', insteadOf: 'a', ...planted }], ...planted })).toEqual({
      status: 200,
      body: { items: [full, { id: 'b', insteadOf: 'a' }] },
      faults: [],
    })
  })

  it('has the same with another status', async () => {
    expect(await sent(new StatusReply(202, { id: 'b', insteadOf: 'a', ...planted }))).toEqual({
      status: 202,
      body: { id: 'b', insteadOf: 'a' },
      faults: [],
    })
  })

  it('leaves out what is undefined, and keeps null', async () => {
    expect(
      (
        await sent({
          items: [
            { ...full, place: { town: undefined } },
            { ...full, place: null },
          ],
        })
      ).body,
    ).toEqual({
      items: [
        { ...full, place: {} },
        { ...full, place: null },
      ],
    })
  })

  it('is a fault when it is none of the things that are declared', async () => {
    const { status, faults } = await sent({ items: [{ id: 'a' }] })
    expect([status, String(faults[0])]).toEqual([500, expect.stringContaining('none of the things')])
  })
})

describe('the check of answers', () => {
  it('passes what is declared', () => {
    expect(() => checkReply(list, 200, { items: [full] })).not.toThrow()
  })

  it.each([
    ['planted', { items: [], ...planted }],
    ['items.0.planted', { items: [{ ...full, ...planted }] }],
    ['items.1.parts.0.planted', { items: [full, { ...full, parts: [{ n: 1, ...planted }] }] }],
    ['planted', { items: [{ ...full, place: { ...planted } }] }],
  ])('fails on %s where it would go out', (path, body) => {
    expect(() => checkReply(list, 200, body)).toThrow(path)
  })

  it('fails on a value that does not fit', () => {
    expect(() => checkReply(list, 200, { items: [{ ...full, note: 7 }] })).toThrow(/does not declare|something else/)
  })
})

it('refuses to write by a kind of schema that nobody has thought of', () => {
  expect(() => replyWriter(z.object({ when: z.date() }))).toThrow(/date/)
})
