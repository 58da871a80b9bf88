import type { DocumentedOperation } from './reference.ts'

/** The entries for a trial of an operation. */
export interface TrialInput {
  /** The values of parameters by name; custom-field filters are under `cf` as a query string. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
}

/** A request in the form in which it is sent, and in which curl shows it. */
export interface PlannedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Makes the request of an operation; empty parameters are left out, except in the path, where their name stays. */
export function planRequest(
  operation: DocumentedOperation,
  { parameters, body }: TrialInput,
  origin: string,
): PlannedRequest {
  const filled = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place && (parameters[parameter.name] ?? '') !== '')
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (placeholder, name: string) => encodeURIComponent(parameters[name] ?? '') || placeholder,
  )
  const query = new URLSearchParams()
  for (const { name, schema } of filled('query')) {
    if (schema.type === 'object')
      for (const [member, value] of new URLSearchParams(parameters[name])) query.append(member, value)
    else query.append(name, parameters[name] ?? '')
  }
  const headers = Object.fromEntries(filled('header').map(({ name }) => [name, parameters[name] ?? '']))
  const hasBody = operation.body !== null && body.trim() !== ''
  return {
    method: operation.method,
    url: `${origin}${path}${query.size === 0 ? '' : `?${query}`}`,
    headers: hasBody ? { 'Content-Type': 'application/json', ...headers } : headers,
    ...(hasBody ? { body } : {}),
  }
}

/** Returns the parameters that a request still needs. */
export function missingParameters(operation: DocumentedOperation, { parameters }: TrialInput): readonly string[] {
  return operation.parameters
    .filter(({ name, required }) => required && (parameters[name] ?? '').trim() === '')
    .map(({ name }) => name)
}

const credentials = {
  key: 'Authorization: Bearer $CRM_API_KEY',
  secret: 'x-api-key: $CRM_WEBHOOK_SECRET',
  nothing: null,
} as const

/** Returns the request as a shell command; the credential is in a variable, never in the command. */
export function curlOf(
  { method, url, headers, body }: PlannedRequest,
  opensWith: DocumentedOperation['opensWith'],
): string {
  const credential = credentials[opensWith]
  const parts = [
    method === 'GET' ? `curl ${quote(url)}` : `curl -X ${method} ${quote(url)}`,
    ...(credential === null ? [] : [`-H "${credential}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Formats JSON for reading; other text stays unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
