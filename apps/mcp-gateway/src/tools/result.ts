import type { Tool } from '@crm/tools'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { isJson, wholeBytesMax, type ApiAnswer } from './crm-api.ts'
import type { JsonStream } from './protocol.ts'
import type { ApiRefusal } from './refusal.ts'

/** The result of a call that succeeded, as JSON text: the API's body, or what the tool makes of it. */
export function successResult(
  tool: Tool,
  answer: ApiAnswer,
  address: () => Promise<string>,
): string | JsonStream | Promise<string> {
  if (!isJson(answer)) return address().then((uri) => fileResult(answer, uri))
  const { rest } = answer
  if (rest) return tool.reshape ? tooLargeResult(rest) : passedOnText(answer.body, rest)
  const body = answer.body.toString()
  return textResult(tool.reshape ? JSON.stringify(tool.reshape(JSON.parse(body))) : body)
}

/** The result of a call that the API refused in a way that a model can act on. */
export function errorResult(
  status: number,
  { error, code, ...rest }: ApiRefusal,
  retryAfter: string | null = null,
): string {
  const structured = {
    status,
    error,
    code,
    ...rest,
    ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }),
  }
  return JSON.stringify({
    content: [{ type: 'text', text: JSON.stringify(structured) }],
    structuredContent: structured,
    isError: true,
  })
}

/** A body that is too large to be held, as text alone: structured content would be the same body a second time. */
async function* passedOnText(body: Buffer, rest: Readable): JsonStream {
  const decoder = new StringDecoder('utf8')
  yield `{"content":[{"type":"text","text":"${escaped(decoder.write(body))}`
  for await (const chunk of rest) yield escaped(decoder.write(chunk as Buffer))
  yield '"}]}'
}

/** A text as it stands between the quotation marks of JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function tooLargeResult(rest: Readable): string {
  rest.destroy()
  return errorResult(413, {
    error: 'The answer is larger than 1 MB; use the tool of this type of record, or ask for less',
    code: 'PAYLOAD_TOO_LARGE',
  })
}

/** The body is JSON already, so it is put in as it is. */
function textResult(body: string): string {
  const content = `"content":[{"type":"text","text":${JSON.stringify(body)}}]`
  if (body.startsWith('{')) return `{${content},"structuredContent":${body}}`
  return body.startsWith('[') ? `{${content},"structuredContent":{"items":${body}}}` : `{${content}}`
}

function fileResult({ contentType, body, size }: ApiAnswer, uri: string): string {
  const mimeType = contentType || 'application/octet-stream'
  if (size > wholeBytesMax) return textResult(JSON.stringify({ size, mimeType, uri }))
  return JSON.stringify({ content: [{ type: 'resource', resource: { uri, mimeType, blob: body.toString('base64') } }] })
}
