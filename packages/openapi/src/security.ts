import type { JsonSchema } from './json-schema.ts'

/** The security schemes of the documents. */
export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk-…`' },
  oauth: {
    type: 'oauth2',
    description: 'An access token of the OAuth 2.1 server, with permission names as scopes',
    flows: {
      authorizationCode: {
        authorizationUrl: '/api/oauth-mcp/authorize',
        tokenUrl: '/api/oauth-mcp/token',
        refreshUrl: '/api/oauth-mcp/token',
        scopes: {},
      },
    },
  },
  session: { type: 'apiKey', in: 'cookie', name: 'crm_session', description: 'The session of a signed-in person' },
  webhookSecret: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The secret of an inbound webhook' },
} as const satisfies Readonly<Record<string, JsonSchema>>

export type SecurityName = keyof typeof securitySchemes
