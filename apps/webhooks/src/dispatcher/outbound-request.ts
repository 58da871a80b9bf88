import type { FrozenRequest } from '@crm/db'
import { compileTemplate, renderJson } from '@crm/templates'

/** The part of a request that a customer configured (docs/guide/webhooks.md). */
export interface OutboundTemplate {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyTemplate: string | null
}

/**
 * Fills the body of a request; exactly this request is sent, logged and redelivered.
 * @param usualBody JSON text that is sent without a template
 */
export function freezeRequest(
  { url, method, headers, bodyTemplate }: OutboundTemplate,
  data: unknown,
  usualBody: string | null,
): FrozenRequest {
  const body = bodyTemplate === null ? usualBody : renderJson(compileTemplate(bodyTemplate), data)
  return {
    method,
    url,
    headers: { 'content-type': 'application/json', ...lowerCased(headers) },
    body: method === 'GET' ? null : body,
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
