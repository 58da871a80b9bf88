import { bookingResource, declaredOperations, publicContract, settingsContract } from '@crm/contract'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bookingDocument, publicDocument, settingsDocument, type OpenApiDocument } from './index.ts'

interface OperationObject {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: unknown }[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>
  readonly [key: string]: unknown
}

const links = bookingResource('booking.links', {
  create: {
    method: 'POST',
    path: '/api/public/booking/{slug}',
    summary: 'Book a meeting',
    access: 'open',
    params: z.object({ slug: z.string() }),
    body: z.strictObject({ name: z.string(), startAt: z.iso.datetime() }),
    reply: { status: 201, body: z.object({ success: z.literal(true), data: z.object({ bookingId: z.guid() }) }) },
    errors: ['LINK_NOT_FOUND', 'SLOT_TAKEN', 'MODULE_DISABLED', 'CALL_CREATION_FAILED'],
  },
})

const documents: readonly (readonly [string, OpenApiDocument])[] = [
  ['public', publicDocument()],
  ['settings', settingsDocument()],
  ['booking', bookingDocument({ links })],
]

function operationsOf(document: OpenApiDocument): Readonly<Record<string, OperationObject>> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as OperationObject] as const,
    ),
  )
  return Object.fromEntries(all)
}

describe.each(documents)('the %s document', (_, document) => {
  it('satisfies the JSON Schema of OpenAPI', async () => {
    const { valid, errors } = await new Validator().validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    )
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('satisfies a linter that follows every reference', async () => {
    const rules = {
      struct: 'error',
      'no-unresolved-refs': 'error',
      'spec-components-invalid-map-name': 'error',
      'path-parameters-defined': 'error',
      'operation-operationId-unique': 'error',
    } as const
    const problems = await lintFromString({ source: JSON.stringify(document), config: await createConfig({ rules }) })
    expect(problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }))).toEqual([])
  })

  it('keeps no hint that is meant for us alone', () => {
    expect(JSON.stringify(document)).not.toMatch(/"integer":|"\$schema"/)
  })
})

describe('every declared operation', () => {
  it.each([
    ['public', publicContract, publicDocument()],
    ['settings', settingsContract, settingsDocument()],
  ] as const)('of the %s contract is in its document under its own id', (_, contract, document) => {
    const found = operationsOf(document)
    const declared = declaredOperations(contract)
    for (const { title, id } of declared) expect(found[title]?.operationId, title).toBe(id)
    expect(Object.keys(found).filter((title) => !title.includes('/api/hooks/'))).toHaveLength(declared.length)
  })
})

describe('publicDocument', () => {
  const document = publicDocument()
  const found = operationsOf(document)

  it('describes parameters in the types that a caller thinks in', () => {
    const parameters = found['GET /api/leads']?.parameters ?? []
    const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema
    expect(schemaOf('page')).toEqual({ type: 'integer', minimum: 1, default: 1 })
    expect(schemaOf('pageSize')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
    expect(schemaOf('sortOrder')).toEqual({ type: 'string', enum: ['asc', 'desc'], default: 'desc' })
    expect(schemaOf('ownerId')).toMatchObject({ type: 'string' })
    expect(schemaOf('savedFilterId')).toEqual({ type: 'string', format: 'uuid' })
    expect(parameters.find(({ name }) => name === 'cf')).toMatchObject({
      in: 'query',
      style: 'deepObject',
      explode: true,
    })
    expect(found['GET /api/pipelines']?.parameters.find(({ name }) => name === 'isActive')?.schema).toEqual({
      type: 'boolean',
    })
  })

  it('has the Idempotency-Key header on exactly the operations that take it', () => {
    const withKey = Object.entries(found).filter(([, operation]) =>
      operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
    )
    const declared = declaredOperations(publicContract).filter(({ operation }) => operation.idempotent)
    expect(withKey.map(([title]) => title).toSorted()).toEqual(declared.map(({ title }) => title).toSorted())
  })

  it('has If-Match and ETag where one record with a version is concerned', () => {
    const takes = (title: string) => found[title]?.parameters.some(({ name }) => name === 'If-Match')
    expect(['PATCH /api/leads/{id}', 'POST /api/invoices/{id}/void', 'DELETE /api/tasks/{id}'].map(takes)).toEqual([
      true,
      true,
      true,
    ])
    expect(['POST /api/leads', 'PATCH /api/leads', 'PATCH /api/tax-rates/{id}'].map(takes)).toEqual([
      false,
      false,
      false,
    ])
    expect(found['GET /api/leads/{id}']?.responses['200']).toHaveProperty('headers.ETag')
    expect(found['GET /api/leads']?.responses['200']).not.toHaveProperty('headers')
  })

  it('names the codes of each refusal', () => {
    const refs = Object.values(found['POST /api/leads']?.responses ?? {}).map(
      ({ $ref }) => $ref?.split('/').at(-1) ?? 'reply',
    )
    expect(refs).toEqual([
      'reply',
      '400.VALIDATION_ERROR.INVALID_REFERENCE.IDEMPOTENCY_KEY_INVALID.STAGE_NOT_FOUND',
      '401.AUTHENTICATION_ERROR',
      '403.ACCESS_DENIED.ACCESS_LEVEL_NONE.ADDRESS_NOT_ALLOWED.ACCOUNT_DISABLED.MODULE_DISABLED.QUOTA_EXCEEDED.BUDGET_EXCEEDED.ORIGIN_REFUSED',
      '404.NOT_FOUND',
      '409.IDEMPOTENCY_KEY_REUSED.IDEMPOTENCY_KEY_IN_FLIGHT',
      '412.PRECONDITION_FAILED',
      '413.PAYLOAD_TOO_LARGE',
      '415.UNSUPPORTED_CONTENT_ENCODING',
      '429.RATE_LIMITED',
      '500.INTERNAL_ERROR',
      '503.SCHEMA_OUT_OF_DATE.SERVICE_UNAVAILABLE',
    ])
  })

  it('tells permissions, and how several of them combine', () => {
    expect(found['POST /api/leads']).toMatchObject({ 'x-required-permissions': ['CREATE_LEAD'] })
    expect(found['POST /api/leads']).not.toHaveProperty('x-permission-rule')
    expect(found['GET /api/crm/timeline']).toMatchObject({ 'x-permission-rule': 'record' })
  })

  it('holds the three operations of the inbound webhook', () => {
    expect(Object.keys(found).filter((title) => title.includes('hooks'))).toEqual([
      'GET /api/hooks/{path}',
      'PUT /api/hooks/{path}',
      'POST /api/hooks/{path}',
    ])
  })

  it('says of shaped answers that they may be parts of records', () => {
    const content = JSON.stringify(found['GET /api/leads']?.responses['200'])
    expect(content).toContain(
      '"items":{"anyOf":[{"$ref":"#/components/schemas/LeadsRecord"},{"$ref":"#/components/schemas/LeadsRecordPart"}]}',
    )
    expect(document.components['schemas']?.['LeadsRecordPart']).toMatchObject({ required: ['id'] })
    expect(JSON.stringify(found['PATCH /api/leads/{id}']?.responses['200'])).not.toContain('LeadsRecordPart')
  })

  it('names the address of the workspace when it is told', () => {
    expect(publicDocument({ baseUrl: 'https://crm.example.org' }).servers).toEqual([{ url: 'https://crm.example.org' }])
  })

  it('shows both ways to send a file, and bytes where bytes come', () => {
    const upload = found['POST /api/files/upload']?.['requestBody'] as {
      readonly content: Readonly<Record<string, { readonly schema: object }>>
    }
    expect(Object.keys(upload.content)).toEqual(['application/json', 'multipart/form-data'])
    expect(upload.content['multipart/form-data']?.schema).toMatchObject({
      required: ['file'],
      properties: { file: { format: 'binary' }, metadata: { type: 'object' } },
    })
    expect(found['GET /api/files/{id}/content']?.responses['200']).toMatchObject({
      content: { '*/*': { schema: { format: 'binary' } } },
    })
  })

  it('is the same text each time', () => {
    expect(JSON.stringify(publicDocument())).toBe(JSON.stringify(publicDocument()))
  })
})

describe('bookingDocument', () => {
  it('shows a module that is off as 404, in the wrapped shape', () => {
    const document = bookingDocument({ links })
    expect(Object.keys(document.components['responses'] ?? {})).toContain(
      '404.MODULE_DISABLED.NOT_FOUND.LINK_NOT_FOUND',
    )
    expect(document.components['schemas']?.['Error']).toMatchObject({ required: ['success', 'error'] })
    expect(document.security).toEqual([])
  })
})
