import type { Tool } from '@crm/tools'
import { blobBytesMax, isJson, type ApiAnswer } from './crm-api.ts'
import type { ApiRefusal } from './refusal.ts'

/** The result of a call that succeeded, as JSON text: the API's body, or what the tool makes of it. */
export function successResult(tool: Tool, answer: ApiAnswer, address: () => Promise<string>): string | Promise<string> {
  if (!isJson(answer)) return address().then((uri) => fileResult(answer, uri))
  const body = answer.body.toString()
  return textResult(tool.reshape ? JSON.stringify(tool.reshape(JSON.parse(body))) : body)
}

/** The result of a call that the API refused in a way that a model can act on. */
export function errorResult(status: number, { error, code, ...rest }: ApiRefusal, retryAfter: string | null = null): string {
  const structured = { status, error, code, ...rest, ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }) }
  return JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured, isError: true })
}

/** The body is JSON already, so it is put in as it is. */
function textResult(body: string): string {
  const content = `"content":[{"type":"text","text":${JSON.stringify(body)}}]`
  if (body.startsWith('{')) return `{${content},"structuredContent":${body}}`
  return body.startsWith('[') ? `{${content},"structuredContent":{"items":${body}}}` : `{${content}}`
}

function fileResult({ contentType, body, size }: ApiAnswer, uri: string): string {
  const mimeType = contentType || 'application/octet-stream'
  if (size > blobBytesMax) return textResult(JSON.stringify({ size, mimeType, uri }))
  return JSON.stringify({ content: [{ type: 'resource', resource: { uri, mimeType, blob: body.toString('base64') } }] })
}
