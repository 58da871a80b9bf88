import { publicContract, resource } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ClearArgumentError,
  httpRequestOf,
  IdempotencyArgumentError,
  UnknownArgumentsError,
  PathArgumentError,
  toolCatalogue,
  type Tool,
  type ToolArguments,
} from './index.ts'

const catalogue = toolCatalogue(publicContract)

const things = toolCatalogue({
  things: resource('things', null, {
    attach: {
      method: 'POST',
      path: '/api/things/{fileId}/files',
      summary: 'Attach a file',
      access: 'credential',
      params: z.object({ fileId: z.guid() }),
      body: z.strictObject({ fileId: z.guid() }),
      reply: { status: 200, body: z.object({}) },
    },
    replace: {
      method: 'PUT',
      path: '/api/things',
      summary: 'Replace all things',
      access: 'credential',
      body: z.array(z.string()),
      reply: { status: 200, body: z.object({}) },
    },
  }),
})

function requestOf(name: string, args: ToolArguments, from = catalogue) {
  const tool = from.find(name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  const { query, ...request } = httpRequestOf(tool, args)
  return { ...request, query: query.toString() }
}

const id = '0197b2f0-0000-7000-8000-000000000001'

const caught = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('httpRequestOf', () => {
  it('fills the path, the query and the body', () => {
    expect(requestOf('leads_list', { page: 2, status: 'NEW', cf_region: 'EU', search: undefined })).toMatchObject({
      method: 'GET',
      path: '/api/leads',
      query: 'page=2&status=NEW&cf_region=EU',
      body: undefined,
    })
    expect(requestOf('leads_update', { id, firstName: 'Ada', lastName: null })).toMatchObject({
      method: 'PATCH',
      path: `/api/leads/${id}`,
      query: '',
      body: { firstName: 'Ada', lastName: null },
    })
  })

  it('takes null for absence where nothing can be null, whatever tool and argument', () => {
    const writing = catalogue.tools.filter(({ name }) => /_(?:create|update)$/.test(name))
    expect(writing.length).toBeGreaterThan(50)
    for (const tool of writing) {
      const { properties = {}, required = [] } = tool.reading.schema as {
        readonly properties?: Readonly<Record<string, { readonly anyOf?: readonly { readonly type?: string }[] }>>
        readonly required?: readonly string[]
      }
      const names = Object.keys(properties).filter((name) => !required.includes(name))
      const given = {
        ...Object.fromEntries(required.map((name) => [name, id])),
        ...Object.fromEntries(names.map((name) => [name, null])),
      }
      const { body, query, idempotencyKey } = requestOf(tool.name, given)
      const nulls = Object.entries(body ?? {}).flatMap(([name, value]) => (value === null ? [name] : []))
      for (const name of nulls)
        expect(JSON.stringify(properties[name]), `${tool.name} ${name}`).toMatch(/null|^\{(?!.*"type")/)
      expect([query, idempotencyKey], tool.name).toEqual(['', undefined])
    }
    expect(requestOf('tasks_create', { title: 'Call', status: null }).body).toEqual({ title: 'Call' })
  })

  it('empties the fields that clear names', () => {
    expect(requestOf('projects_update', { id, clear: ['description'] }).body).toEqual({ description: null })
    expect(requestOf('leads_update', { id, firstName: 'Ada', clear: ['lastName', 'phone'] }).body).toEqual({
      firstName: 'Ada',
      lastName: null,
      phone: null,
    })
    // Some clients send lists as text, and null for what they leave alone.
    expect(requestOf('projects_update', { id, clear: '["description"]' }).body).toEqual({ description: null })
    expect(requestOf('projects_update', { id, name: 'X', clear: null }).body).toEqual({ name: 'X' })
    expect(requestOf('projects_update', { id, description: null, clear: ['description'] }).body).toEqual({
      description: null,
    })
  })

  it.each([
    [{ clear: ['name'] }, /^name cannot be emptied; fields that can are /],
    [{ clear: ['constructor'] }, /^constructor cannot be emptied/],
    [{ clear: ['description'], description: 'x' }, /^description is emptied and gets a value/],
    [{ clear: [7] }, /^7 cannot be emptied/],
    [{ clear: 'description, name' }, /^clear must be a list/],
  ])('refuses %j', (args, message) => {
    const error = caught(() => requestOf('projects_update', { id, ...args }))
    expect(error).toBeInstanceOf(ClearArgumentError)
    expect((error as Error).message).toMatch(message)
  })

  it('separates lists in a query by commas', () => {
    expect(requestOf('leads_list', { cf_interests: ['a', 'b'] }).query).toBe('cf_interests=a%2Cb')
  })

  it('sends idempotencyKey apart from the body', () => {
    expect(requestOf('leads_create', { firstName: 'Ada', idempotencyKey: 'k1' })).toMatchObject({
      body: { firstName: 'Ada' },
      idempotencyKey: 'k1',
    })
  })

  it.each(['x'.repeat(256), '\0', 'a\nb', '\ud800', '鍵'])(
    'refuses an idempotencyKey that no header can carry: %j',
    (idempotencyKey) => {
      expect(() => requestOf('leads_create', { idempotencyKey })).toThrow(IdempotencyArgumentError)
    },
  )

  it.each([
    ['leads_create', { fristName: 'Ada' }, 'fristName', 'firstName'],
    ['leads_get', { id, idempotencyKey: 'k1' }, 'idempotencyKey', 'id'],
    ['leads_list', { stauts: 'NEW' }, 'stauts', 'status'],
    ['leads_list', { stauts: 'NEW' }, 'stauts', 'cf_<name>'],
    ['me_scopes', { constructor: 1 }, 'constructor', null],
    ['search', { q: 'ada' }, 'q', 'query'],
  ])('refuses an argument that %s does not have, and names those that it has', (tool, args, argument, accepted) => {
    const refusal = caught(() => requestOf(tool, args))
    expect(refusal).toBeInstanceOf(UnknownArgumentsError)
    expect(refusal).toMatchObject({
      unknown: [argument],
      accepted: accepted === null ? [] : expect.arrayContaining([accepted]),
    })
  })

  it('takes filters by custom fields, which the workspace names', () => {
    expect(requestOf('leads_list', { cf_color: 'red' }).query).toBe('cf_color=red')
    expect(caught(() => requestOf('tasks_list', { cf_color: 'red' }))).toBeInstanceOf(UnknownArgumentsError)
  })

  it('maps the two tools of a search connector to the search operations', () => {
    expect(requestOf('search', { query: 'ada' })).toMatchObject({ method: 'GET', path: '/api/search', query: 'q=ada' })
    expect(requestOf('fetch', { id: `lead:${id}` })).toMatchObject({
      method: 'GET',
      path: `/api/search/lead%3A${id}`,
      query: '',
    })
  })

  it('calls the argument of the path id where the body has the same name', () => {
    expect(requestOf('things_attach', { id: 'a', fileId: 'b' }, things)).toMatchObject({
      path: '/api/things/a/files',
      body: { fileId: 'b' },
    })
  })

  it('takes a body that is no object as the argument body', () => {
    expect(requestOf('things_replace', { body: '["a"]' }, things).body).toEqual(['a'])
  })
})

describe('arguments that come as text', () => {
  it('are read as JSON where the schema wants an object, a list, a number or a boolean', () => {
    const args = { ids: `["${id}"]`, set: '{"status":"NEW"}', expectedCount: '3', dryRun: 'true' }
    expect(requestOf('leads_bulk_update', args).body).toEqual({
      ids: [id],
      set: { status: 'NEW' },
      expectedCount: 3,
      dryRun: true,
    })
  })

  it('are read as JSON within an argument too, and where an object takes any members', () => {
    expect(
      requestOf('leads_convert', { id, contact: { mode: 'CREATE', fields: '{"socials":"{\\"x\\":\\"https://x\\"}"}' } })
        .body,
    ).toEqual({ contact: { mode: 'CREATE', fields: { socials: { x: 'https://x' } } } })
    expect(
      requestOf('leads_bulk_update', { filter: '{"tag":"vip"}', set: { customFields: '{"region":"north"}' } }).body,
    ).toEqual({
      filter: { tag: 'vip' },
      set: { customFields: { region: 'north' } },
    })
    expect(requestOf('pipelines_transfer', { id, toPipelineId: id, stageMap: `{"${id}":"${id}"}` }).body).toEqual({
      toPipelineId: id,
      stageMap: { [id]: id },
    })
    const items = '[{"name":"A","quantity":"2","discount":"{\\"type\\":\\"PERCENT\\",\\"value\\":\\"5\\"}"}]'
    expect(requestOf('invoices_create', { items }).body).toEqual({
      items: [{ name: 'A', quantity: '2', discount: { type: 'PERCENT', value: '5' } }],
    })
    expect(requestOf('leads_create', { firstName: 'A', customFields: 'north' }).body).toEqual({
      firstName: 'A',
      customFields: 'north',
    })
  })

  it('stay as they are where text is wanted, or where they are something else', () => {
    expect(
      requestOf('leads_create', { firstName: '42', lastName: 'true', tags: 'vip, new', customFields: '[1]' }).body,
    ).toEqual({
      firstName: '42',
      lastName: 'true',
      tags: 'vip, new',
      customFields: '[1]',
    })
  })
})

describe('arguments under other names', () => {
  it.each([
    [
      'leads_create',
      { first_name: 'Ada', LastName: 'L', 'Company Name': 'A' },
      { firstName: 'Ada', lastName: 'L', companyName: 'A' },
    ],
    [
      'deals_create',
      { dealName: 'D', company: id, owner: `employee:${id}` },
      { name: 'D', companyId: id, ownerId: id },
    ],
    ['deals_create', { data: { name: 'D', tags: 'big' } }, { name: 'D', tags: ['big'] }],
    ['deals_create', { deal: { name: 'D' }, amount: 7 }, { name: 'D', amount: '7' }],
    ['deals_create', { name: 'D', ownerId: { id } }, { name: 'D', ownerId: id }],
    ['leads_create', { arguments: '{"first_name":"Ada"}' }, { firstName: 'Ada' }],
    [
      'tasks_create',
      { title: 'T', links: { entity_type: 'deal', entity_id: id } },
      { title: 'T', links: [{ entityType: 'DEAL', entityId: id }] },
    ],
    ['leads_create', { address: { postal_code: '1' } }, { address: { postalCode: '1' } }],
  ])('of %s that can mean nothing else are read: %j', (name, args, body) => {
    expect(requestOf(name, args).body).toEqual(body)
  })

  it('may name the record by its kind', () => {
    expect(requestOf('leads_get', { leadId: id }).path).toBe(`/api/leads/${id}`)
    expect(requestOf('tasks_checklist_delete', { task_id: id, item_id: id }).path).toBe(
      `/api/tasks/${id}/checklist/${id}`,
    )
  })

  it.each([
    ['deals_create', { company: { name: 'Acme' } }],
    ['deals_create', { company: 'Acme', name: 'D' }],
    ['deals_create', { name: 'D', deal_name: 'E' }],
    ['deals_create', { first_name: 'Ada' }],
    ['deals_create', { data: { name: 'D' }, name: 'E' }],
    ['leads_create', { first_name: 'Ada', FirstName: 'Eve' }],
    ['product_categories_get', { productId: id }],
    ['tasks_comments_create', { commentId: id, body: 'B' }],
  ])('of %s that could be another’s are refused: %j', (name, args) => {
    expect(caught(() => requestOf(name, args))).toBeInstanceOf(UnknownArgumentsError)
  })
})

describe('days and moments in other forms', () => {
  it.each([
    ['2026/06/15', '2026-06-15'],
    ['15.06.2026', '2026-06-15'],
    ['06/15/2026', '2026-06-15'],
    ['June 15, 2026', '2026-06-15'],
    ['15. Juni 2026', '2026-06-15'],
    ['2026-06-15T00:00:00.000Z', '2026-06-15'],
    // Two days, a moment, no day.
    ['03/04/2026', '03/04/2026'],
    ['2026-06-15T22:00:00Z', '2026-06-15T22:00:00Z'],
    ['31.02.2026', '31.02.2026'],
  ])('the day %s is %s', (said, sent) => {
    expect(requestOf('deals_create', { name: 'D', expectedCloseDate: said }).body).toMatchObject({
      expectedCloseDate: sent,
    })
  })

  it.each([
    ['2026-06-15 08:00:00Z', '2026-06-15T08:00:00.000Z'],
    ['Mon, 15 Jun 2026 08:00:00 GMT', '2026-06-15T08:00:00.000Z'],
    ['2026-06-15T10:00+0200', '2026-06-15T08:00:00.000Z'],
    // A clock of no zone, and a day without a clock.
    ['2026-06-15 08:00:00', '2026-06-15 08:00:00'],
    ['2026-06-15', '2026-06-15'],
  ])('the moment %s is %s', (said, sent) => {
    expect(requestOf('tasks_create', { title: 'T', dueAt: said }).body).toMatchObject({ dueAt: sent })
  })
})

describe('an argument of the path', () => {
  it.each([{}, { id: '' }, { id: '..' }, { id: '.' }, { id: null }, { id: { a: 1 } }, { id: '\ud800' }])(
    'is refused when it cannot stand there: %j',
    (args) => {
      expect(() => requestOf('leads_get', args)).toThrow(PathArgumentError)
    },
  )

  it('cannot leave its place', () => {
    expect(requestOf('leads_get', { id: '../me?x=1#y' }).path).toBe('/api/leads/..%2Fme%3Fx%3D1%23y')
  })
})

describe('the answers of search and fetch', () => {
  const reshape = (name: string, answer: unknown) => (catalogue.find(name) as Tool).reshape?.(answer)

  it('have the shape that search connectors expect', () => {
    const found = {
      id: `lead:${id}`,
      type: 'lead',
      title: 'Ada',
      snippet: '…',
      url: 'http://localhost/leads/1',
      score: 1,
    }
    expect(reshape('search', { results: [found] })).toEqual({
      results: [{ id: found.id, title: 'Ada', url: found.url }],
    })
    expect(reshape('search', { results: [{ ...found, approximate: true }], partial: true })).toEqual({
      results: [{ id: found.id, title: 'Ada', url: found.url, approximate: true }],
      partial: true,
    })
    expect(
      reshape('fetch', {
        success: true,
        data: { id: found.id, type: 'lead', title: 'Ada', url: found.url, record: { firstName: 'Ada' } },
      }),
    ).toEqual({
      id: found.id,
      title: 'Ada',
      text: '{"firstName":"Ada"}',
      url: found.url,
      metadata: { type: 'lead' },
    })
  })
})
