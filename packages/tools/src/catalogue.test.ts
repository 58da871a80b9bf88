import { declaredOperations, leads, publicContract } from '@crm/contract'
import { permissionNames } from '@crm/permissions'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { JsonSchema } from './compact-schema.ts'
import { coreMode, toolCatalogue, type Tool } from './index.ts'

const catalogue = toolCatalogue(publicContract)
const names = catalogue.tools.map(({ name }) => name)
const offered = (...effective: string[]) => catalogue.offeredTo(new Set(effective)).map(({ name }) => name)

describe('the catalogue', () => {
  it('has one tool for each operation that needs a credential and may be one', () => {
    const guarded = declaredOperations(publicContract).filter(
      ({ operation }) => operation.access !== 'open' && operation.tool !== false,
    )
    expect(catalogue.tools).toHaveLength(guarded.length)
    expect(names).toEqual(
      expect.arrayContaining([
        'leads_list',
        'leads_get',
        'leads_create',
        'leads_update',
        'leads_delete',
        'leads_bulk_update',
        'leads_bulk_delete',
        'leads_convert',
        'pipelines_stages_create',
        'me_scopes',
      ]),
    )
    expect(names).not.toContain('openapi_get')
    expect(names).not.toContain('activities_send_email')
    expect(names).toEqual(expect.arrayContaining(['invoices_send', 'quotes_send']))
  })

  it('has names that every client takes, each once', () => {
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(names).size).toBe(names.length)
  })

  it('puts search, fetch and leads first and reference data last', () => {
    expect(names.slice(0, 3)).toEqual(['search', 'fetch', 'leads_list'])
    expect(catalogue.tools.at(-1)?.offeredBy.every((name) => name.endsWith('_REFERENCE_DATA'))).toBe(true)
  })

  it('begins every description with the method, the path and the permissions', () => {
    for (const { description } of catalogue.tools)
      expect(description).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \/api\/\S+\. Needs [^\n]+\.(\n\S|$)/)
    expect(catalogue.find('leads_create')?.description).toMatch(/^POST \/api\/leads\. Needs CREATE_LEAD\.\n/)
    expect(catalogue.find('leads_get')?.description).toBe('GET /api/leads/{id}. Needs VIEW_LEAD.')
    expect(catalogue.find('leads_merge')?.description).toMatch(
      /^POST \/api\/leads\/\{id\}\/merge\. Needs UPDATE_LEAD and DELETE_LEAD\.\n/,
    )
  })

  it('marks every GET as read-only, and what takes something away as destructive', () => {
    for (const { annotations, route } of catalogue.tools)
      if (route.method === 'GET')
        expect(annotations).toEqual({ readOnlyHint: true, destructiveHint: false, idempotentHint: true })
    expect(catalogue.find('leads_create')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    })
    expect(catalogue.find('leads_delete')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    })
  })

  it('asks for a person first where something is deleted, merged, changed in bulk, issued, voided, sent, converted or transferred, and nowhere else', () => {
    const asking = catalogue.tools.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name)
    expect(asking.filter((name) => !name.endsWith('_delete')).toSorted()).toEqual([
      'companies_bulk_update',
      'companies_merge',
      'contacts_bulk_update',
      'contacts_merge',
      'deals_bulk_update',
      'invoices_issue',
      'invoices_send',
      'invoices_void',
      'leads_bulk_update',
      'leads_convert',
      'leads_merge',
      'pipelines_transfer',
      'products_bulk_update',
      'quotes_convert',
      'quotes_send',
      'tasks_bulk_update',
    ])
    expect(asking).toEqual(
      expect.arrayContaining(catalogue.tools.map(({ name }) => name).filter((name) => name.endsWith('_delete'))),
    )
  })

  it('describes what search and fetch answer, and no other tool', () => {
    expect(catalogue.tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name)).toEqual([
      'search',
      'fetch',
    ])
  })
})

describe('input schemas', () => {
  it.each(catalogue.tools.map((tool) => [tool.name, tool] as const))(
    'of %s are plain objects that every client can read',
    (_, { inputSchema }) => {
      expect(inputSchema['type']).toBe('object')
      expect(Object.keys(inputSchema)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(oneOf|anyOf|allOf)$/)]),
      )
      const text = JSON.stringify(inputSchema)
      const properties = inputSchema['properties'] as Readonly<Record<string, JsonSchema>>
      for (const [name, argument] of Object.entries(properties)) {
        // An object without named members can be text as well.
        const types = [argument, ...((argument['anyOf'] ?? []) as readonly JsonSchema[])].map(({ type }) => type)
        expect(types.filter(Boolean), name).toEqual('type' in argument ? [argument['type']] : ['object', 'string'])
      }
      expect(text).not.toMatch(/"\$(ref|schema|defs)"|"prefixItems"|"items":\[|"integer":\{|"type":\[/)
    },
  )

  it('hold path, query and body side by side', () => {
    expect(Object.keys(catalogue.find('leads_update')?.inputSchema['properties'] ?? {})).toEqual(
      expect.arrayContaining(['id', 'firstName', 'version']),
    )
    expect(catalogue.find('leads_list')?.inputSchema).toMatchObject({
      properties: {
        page: { type: 'integer' },
        pageSize: { type: 'integer', default: 20 },
        createdFrom: { type: 'string' },
      },
      additionalProperties: { type: 'string' },
    })
  })

  it('take an idempotencyKey exactly where the operation does', () => {
    const taking = catalogue.tools
      .filter(({ inputSchema }) => 'idempotencyKey' in (inputSchema['properties'] as object))
      .map(({ name }) => name)
    expect(taking.toSorted()).toEqual(
      declaredOperations(publicContract)
        .filter(({ operation }) => operation.idempotent && operation.tool !== false)
        .map(({ tool }) => tool)
        .toSorted(),
    )
  })

  it('repeat in a change no more of a field than its type', () => {
    expect(catalogue.find('leads_update')?.inputSchema).toMatchObject({
      properties: {
        address: { type: 'object' },
        temperature: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    })
    expect(catalogue.find('leads_update')?.description).toContain('As in leads_create.')
    expect(Object.keys(catalogue.find('leads_update')?.inputSchema['properties'] ?? {})).toEqual(
      expect.arrayContaining(Object.keys(leads.operations.update.body.shape)),
    )
  })

  it('name what stands within an argument', () => {
    const text = { type: 'string' }
    const address = { line1: text, line2: text, city: text, region: text, postalCode: text, country: text }
    expect(catalogue.find('leads_create')?.inputSchema).toMatchObject({
      properties: {
        address: { type: 'object', properties: address },
        messengers: { items: { properties: { type: { enum: expect.arrayContaining(['SIGNAL']) }, handle: text } } },
      },
    })
    for (const [name, at] of [
      ['leads_update', 'address'],
      ['contacts_create', 'address'],
      ['invoices_update', 'billingAddress'],
    ] as const)
      expect(catalogue.find(name)?.inputSchema['properties'], name).toMatchObject({ [at]: { properties: address } })
    expect(catalogue.find('leads_convert')?.inputSchema).toMatchObject({
      properties: {
        contact: {
          properties: {
            mode: { enum: ['CREATE', 'EXISTING', 'AUTO', 'NONE'] },
            // What another tool describes is named after it.
            fields: { description: 'As in contacts_create' },
          },
        },
      },
    })
    expect(catalogue.find('deals_bulk_delete')?.inputSchema).toMatchObject({
      properties: { filter: { type: 'object', properties: { stageId: text, amountMin: text, search: text } } },
    })
    // Several forms of an object are one, with the words of all.
    expect(catalogue.find('quotes_create')?.inputSchema['properties']).toMatchObject({
      discount: { type: 'object', properties: { type: { enum: ['PERCENT', 'AMOUNT'] }, value: text } },
    })
  })

  it.each([
    ['list', (tool: Tool) => tool.inputSchema],
    ['search', (tool: Tool) => tool.fullSchema],
  ])('close no object empty for clients that allow only what is named, in the %s', (_, schemaOf) => {
    // Mastra and OpenAI’s strict mode close objects; what is closed then takes JSON text, or has members.
    const emptyIn = (schema: JsonSchema, at: string, isText = false): string[] => {
      const inner = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
      const variants = (schema['anyOf'] ?? []) as readonly JsonSchema[]
      const hasText = variants.some(({ type }) => type === 'string')
      return [
        ...(schema['type'] === 'object' && inner.length === 0 && !isText ? [at] : []),
        ...inner.flatMap(([name, one]) => emptyIn(one, `${at}.${name}`)),
        ...(schema['items'] ? emptyIn(schema['items'] as JsonSchema, `${at}[]`) : []),
        ...variants.flatMap((one) => emptyIn(one, at, hasText)),
      ]
    }
    const ofTools = catalogue.tools.flatMap((tool) =>
      Object.entries(schemaOf(tool)['properties'] as Readonly<Record<string, JsonSchema>>).flatMap(([name, one]) =>
        emptyIn(one, `${tool.name} ${name}`),
      ),
    )
    expect(ofTools).toEqual([])
  })

  it('name what shapes the answer wherever one record is read', () => {
    const shaped = declaredOperations(publicContract).filter(({ key, operation }) => key === 'get' && operation.shaped)
    expect(shaped.length).toBeGreaterThan(8)
    for (const { tool } of shaped)
      expect(catalogue.find(tool)?.inputSchema['properties'], tool).toMatchObject({
        fields: { type: 'string' },
        expand: { type: 'string' },
        compact: { type: 'boolean' },
      })
  })

  it('have no keyword that JSON Schema 2020-12 does not know', () => {
    // Genkit compiles each schema like this. Formats are annotations (JSON Schema 2020-12, validation, section 7.2.1).
    const ajv = new Ajv({ strict: true, strictTypes: true, strictTuples: true, validateFormats: false })
    const core = coreMode(catalogue.tools).tools.map(({ descriptor }) => descriptor)
    const ofTools = catalogue.tools.flatMap(({ inputSchema, fullSchema, outputSchema }) => [
      inputSchema,
      fullSchema,
      outputSchema,
    ])
    const ofCore = core.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema])
    const schemas = [...ofTools, ...ofCore].filter((one) => one !== undefined) as readonly object[]
    for (const schema of schemas) expect(() => ajv.compile(schema), JSON.stringify(schema)).not.toThrow()
    expect(schemas.length).toBeGreaterThan(500)
  })

  it('give every field one type, and have an argument that clears where something can be cleared', () => {
    expect(catalogue.find('leads_update')?.inputSchema).toMatchObject({ properties: { email: { type: 'string' } } })
    expect(catalogue.find('leads_update')?.inputSchema).toMatchObject({ properties: { clear: { type: 'array' } } })
    expect(catalogue.find('leads_create')?.inputSchema).not.toMatchObject({ properties: { clear: expect.anything() } })
    expect(catalogue.find('leads_create')?.description).not.toContain('null')
    expect(catalogue.find('leads_create')?.inputSchema).toMatchObject({
      properties: { email: { type: 'string' }, temperature: { enum: ['HOT', 'WARM', 'COLD'] } },
    })
  })
})

describe('offeredTo', () => {
  it('offers nothing without a scope', () => {
    expect(offered()).toEqual([])
  })

  it('offers what the path enforces, over all of its methods', () => {
    const tools = offered('VIEW_LEAD')
    expect(tools).toEqual(
      expect.arrayContaining([
        'leads_list',
        'leads_create',
        'leads_bulk_delete',
        'leads_get',
        'leads_update',
        'search',
        'fetch',
        'me_scopes',
        'crm_timeline_list',
      ]),
    )
    expect(tools).not.toEqual(expect.arrayContaining(['leads_convert']))
    expect(tools).not.toEqual(expect.arrayContaining(['pipelines_list']))
  })

  it('offers what any credential may use to a credential with any scope', () => {
    expect(offered('EXPORT_DATA').toSorted()).toEqual([
      'custom_entities_get',
      'custom_entities_list',
      'jobs_get',
      'me_get',
      'me_scopes',
      'me_workspace',
      'preview',
      'proposals_get',
      'schema_get',
      'undo_run',
    ])
  })

  it('offers the records of custom entities, with what hangs on them, to whoever holds a permission of one', () => {
    const tools = offered('VIEW_VEHICLE')
    expect(tools).toEqual(
      expect.arrayContaining([
        'custom_entities_records_list',
        'custom_entities_records_create',
        'crm_comments_list',
        'crm_timeline_list',
      ]),
    )
    expect(tools.filter((name) => name.startsWith('leads_'))).toEqual([])
    expect(offered('CREATE_VEHICLE')).not.toContain('crm_comments_list')
    expect(offered(...permissionNames).filter((name) => name.startsWith('custom_entities_records_'))).toEqual([])
  })

  it('offers everything to a full credential', () => {
    expect(offered(...permissionNames, 'VIEW_VEHICLE', 'UPDATE_VEHICLE')).toEqual(names)
  })
})
