import type { JsonSchema } from './json-schema.ts'

const hookMethods = ['get', 'put', 'post'] as const

const errorBody = {
  'application/json': { schema: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } } },
}

const refusals = {
  401: 'Unauthorized: the header authentication of the trigger is missing or wrong',
  404: 'Not found: no published workflow at this path, or x-api-key missing or wrong',
  405: 'Method not allowed: the trigger takes another method',
  413: 'Payload too large: the body is over 64 KB',
  429: 'Too many requests: 60 a minute for one address, 300 a minute from one caller',
  503: 'Service unavailable: the request cannot be taken now',
} as const

function hookOperation(method: (typeof hookMethods)[number]): JsonSchema {
  const body = {
    description: 'Becomes the trigger data; anything that is not JSON counts as none',
    content: { 'application/json': { schema: {} } },
  }
  return {
    operationId: `hooks.${method}`,
    tags: ['hooks'],
    summary: 'Start the workflow of an inbound webhook',
    security: [{ webhookSecret: [] }],
    parameters: [
      {
        name: 'path',
        in: 'path',
        required: true,
        description: 'The long random end of the webhook address',
        schema: { type: 'string' },
      },
    ],
    ...(method === 'get' ? {} : { requestBody: body }),
    responses: {
      202: {
        description: 'A run is queued',
        content: {
          'application/json': {
            schema: { type: 'object', required: ['accepted'], properties: { accepted: { const: true } } },
          },
        },
      },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [status, { description, content: errorBody }]),
      ),
    },
  }
}

/** The inbound webhook as paths of a document (docs/guide/webhooks.md); it has no fixed shape, so it is no operation of the contract. */
export const hookPaths: Readonly<Record<string, JsonSchema>> = {
  '/api/hooks/{path}': Object.fromEntries(hookMethods.map((method) => [method, hookOperation(method)])),
}
