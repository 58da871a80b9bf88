import type { Tool } from '@crm/tools'
import type { ApiAnswer } from './crm-api.ts'
import type { ApiRefusal } from './refusal.ts'

/** Larger files are named, not carried. */
export const blobBytesMax = 1024 * 1024

/** The result of a call that succeeded, as JSON text: the API's body, or what the tool makes of it. */
export async function successResult(tool: Tool, answer: ApiAnswer, address: () => Promise<string>): Promise<string> {
  if (!answer.contentType.includes('json')) return fileResult(answer, address)
  const body = await answer.text()
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

async function fileResult(answer: ApiAnswer, address: () => Promise<string>): Promise<string> {
  const uri = await address()
  const mimeType = answer.contentType || 'application/octet-stream'
  if (answer.contentLength !== null && answer.contentLength > blobBytesMax) {
    await answer.discard()
    return namedFile({ size: answer.contentLength, mimeType, uri })
  }
  const bytes = await answer.bytes()
  if (bytes.byteLength > blobBytesMax) return namedFile({ size: bytes.byteLength, mimeType, uri })
  return JSON.stringify({ content: [{ type: 'resource', resource: { uri, mimeType, blob: Buffer.from(bytes).toString('base64') } }] })
}

function namedFile(file: { readonly size: number; readonly mimeType: string; readonly uri: string }): string {
  return textResult(JSON.stringify(file))
}
