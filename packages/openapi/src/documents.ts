import { publicContract, settingsContract, type Resource } from '@crm/contract'
import { openapiDocument, type OpenApiDocument } from './document.ts'
import { hookPaths } from './hook-paths.ts'

interface Place {
  /** The address of the workspace; by default the origin of the document. */
  readonly baseUrl?: string
}

/** Returns the document of the public API, inbound webhooks included. */
export function publicDocument({ baseUrl }: Place = {}): OpenApiDocument {
  return openapiDocument({
    contract: publicContract,
    title: 'Workspace CRM: public API',
    description:
      'The records of a workspace. Every request needs an API key, an access token or a session, and sees only what its owner may see. ' +
      'Codes of errors are stable, their text is not. A key or connection that only proposes gets 202 with a proposal in place of any answer to a write.',
    security: ['apiKey', 'oauth', 'session'],
    extraPaths: hookPaths,
    extraSecurity: ['webhookSecret'],
    baseUrl,
  })
}

/** Returns the document of the settings API, which takes a session only. */
export function settingsDocument({ baseUrl }: Place = {}): OpenApiDocument {
  return openapiDocument({
    contract: settingsContract,
    title: 'Workspace CRM: settings API',
    description: 'What the console configures the product with, for signed-in people only.',
    security: ['session'],
    baseUrl,
  })
}

/** Returns the document of the booking API, which anybody may call. */
export function bookingDocument(
  contract: Readonly<Record<string, Resource>>,
  { baseUrl }: Place = {},
): OpenApiDocument {
  return openapiDocument({
    contract,
    title: 'Workspace CRM: booking API',
    description:
      'What the website of a company needs to let a visitor book a meeting. Without a credential, from any origin; times are ISO 8601 UTC with Z.',
    security: [],
    baseUrl,
  })
}
