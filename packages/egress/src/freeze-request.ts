import { compileTemplate, renderJson } from '@crm/templates'

/** What a request has as its body; without a choice the template if there is one, else the usual body. */
export type OutboundBody = 'USUAL' | 'TEMPLATE' | 'NONE'

/** The part of a request that a customer configured (docs/guide/webhooks.md). */
export interface OutboundTemplate {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyTemplate: string | null
  readonly body?: OutboundBody | undefined
}

/** A configured request with its variables filled in; exactly this is sent, logged and redelivered. Names of headers are lower case. */
export interface PlannedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * Fills the body of a request. Throws a TemplateError when the template gives too much.
 * @param usualBody JSON text that is sent without a template
 */
export function freezeRequest(template: OutboundTemplate, data: unknown, usualBody: string | null): PlannedRequest {
  const { method, url, headers, bodyTemplate } = template
  const kind = method === 'GET' ? 'NONE' : chosenBody(template)
  const filled = kind === 'TEMPLATE' && bodyTemplate !== null ? renderJson(compileTemplate(bodyTemplate), data) : null
  const body = kind === 'USUAL' ? usualBody : filled
  return {
    method,
    url,
    headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...lowerCased(headers) },
    body,
  }
}

/** Returns what a request has as its body. */
export function chosenBody({ body, bodyTemplate }: Pick<OutboundTemplate, 'body' | 'bodyTemplate'>): OutboundBody {
  return body ?? (bodyTemplate === null ? 'USUAL' : 'TEMPLATE')
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
