import { expect, it } from 'vitest'
import { findOperations, groupName, readOperations, type ApiDocument } from './reference.ts'
import { curlOf, missingParameters, planRequest, prettyJson } from './request-plan.ts'
import { describeLimits, describeType, membersOf, sampleBody } from './schema-words.ts'

const document: ApiDocument = {
  info: { title: 'API', version: '1' },
  security: [{ apiKey: [] }, { session: [] }],
  paths: {
    '/api/leads': {
      get: {
        operationId: 'leads.list',
        tags: ['leads'],
        summary: 'List leads',
        'x-required-permissions': ['VIEW_LEAD'],
        parameters: [
          { name: 'search', in: 'query', required: false, schema: { type: 'string' } },
          { name: 'cf', in: 'query', required: false, schema: { type: 'object' } },
        ],
        responses: {
          '200': {
            description: 'Done',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Lead' } } },
          },
          '400': { $ref: '#/components/responses/400.A.B' },
        },
      },
    },
    '/api/leads/{id}': {
      patch: {
        operationId: 'leads.update',
        tags: ['leads'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { firstName: { type: ['string', 'null'], maxLength: 200 } } },
            },
          },
        },
      },
    },
    '/api/hooks/{path}': {
      post: { operationId: 'hooks.post', tags: ['crm.hooks'], security: [{ webhookSecret: [] }] },
    },
    '/api/openapi.json': { get: { operationId: 'openapi.get', tags: ['openapi'], security: [] } },
  },
  components: {
    schemas: {
      Lead: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          tags: { type: 'array', items: { type: 'string' }, maxItems: 50 },
        },
      },
    },
    responses: {
      '400.A.B': { description: 'INVALID_ID: An id is not a valid id\nSTAGE_NOT_FOUND: The stage does not exist' },
    },
  },
}
const groups = readOperations(document)
const [list, update, hook, open] = groups.flatMap(({ operations }) => operations) as [
  (typeof groups)[0]['operations'][0],
  ...(typeof groups)[0]['operations'],
]

it('reads operations by group, with codes and what opens them', () => {
  expect(groups.map(({ tag, operations }) => [tag, operations.length])).toEqual([
    ['leads', 2],
    ['crm.hooks', 1],
    ['openapi', 1],
  ])
  expect(list).toMatchObject({ method: 'GET', permissions: ['VIEW_LEAD'], permissionRule: 'all', opensWith: 'key' })
  expect(list.refusals).toEqual([
    {
      status: '400',
      codes: [
        { code: 'INVALID_ID', text: 'An id is not a valid id' },
        { code: 'STAGE_NOT_FOUND', text: 'The stage does not exist' },
      ],
    },
  ])
  expect([hook?.opensWith, open?.opensWith]).toEqual(['secret', 'nothing'])
  expect(groupName('crm.comments')).toBe('Comments')
})

it('finds operations by all words', () => {
  expect(findOperations(groups, 'PATCH leads').flatMap(({ operations }) => operations.map(({ id }) => id))).toEqual([
    'leads.update',
  ])
  expect(findOperations(groups, 'nothing such')).toEqual([])
})

it('describes schemas', () => {
  expect(describeType(document, { type: ['string', 'null'], format: 'date-time' })).toBe('string (date-time) or null')
  expect(describeType(document, { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] })).toBe(
    'list of string or null',
  )
  expect(describeLimits({ minimum: 1, maximum: 100, default: 20 })).toEqual(['1 to 100', 'default 20'])
  expect(
    membersOf(document, { type: 'array', items: { $ref: '#/components/schemas/Lead' } }).map(({ name, required }) => [
      name,
      required,
    ]),
  ).toEqual([
    ['id', true],
    ['tags', false],
  ])
})

it('begins a body with what is required, or a few members', () => {
  expect(sampleBody(document, { $ref: '#/components/schemas/Lead' })).toEqual({
    id: '00000000-0000-7000-8000-000000000000',
  })
  expect(sampleBody(document, update!.body!)).toEqual({ firstName: 'Ada' })
})

it('makes the request that curl shows', () => {
  const input = { parameters: { id: 'a/b', 'Idempotency-Key': 'k' }, body: `{"firstName":"O'Hara"}` }
  const request = planRequest(update!, input, 'https://crm.example.org')
  expect(request).toEqual({
    method: 'PATCH',
    url: 'https://crm.example.org/api/leads/a%2Fb',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
    body: input.body,
  })
  expect(curlOf(request, 'key')).toBe(
    [
      `curl -X PATCH 'https://crm.example.org/api/leads/a%2Fb'`,
      `-H "Authorization: Bearer $CRM_API_KEY"`,
      `-H 'Content-Type: application/json'`,
      `-H 'Idempotency-Key: k'`,
      `-d '{"firstName":"O'\\''Hara"}'`,
    ].join(' \\\n  '),
  )
})

it('spreads custom-field filters and leaves out what is empty', () => {
  expect(planRequest(list, { parameters: { search: '', cf: 'cf_region=EU&cf_sizeMin=3' }, body: 'x' }, '')).toEqual({
    method: 'GET',
    url: '/api/leads?cf_region=EU&cf_sizeMin=3',
    headers: {},
  })
  expect(planRequest(update!, { parameters: {}, body: '' }, '').url).toBe('/api/leads/{id}')
  expect(missingParameters(update!, { parameters: { id: ' ' }, body: '' })).toEqual(['id'])
  expect([prettyJson('{"a":1}'), prettyJson('<html>')]).toEqual(['{\n  "a": 1\n}', '<html>'])
})
