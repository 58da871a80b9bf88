import { shortBody, type Tool } from '@crm/tools'
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { wholeBytesMax, type ApiAnswer } from './crm-api.ts'
import type { AnswerStyle } from './planned-call.ts'
import type { JsonStream } from './protocol.ts'
import type { ApiRefusal } from './refusal.ts'

/** Returns the result of a successful call as JSON text: the API's body, or the tool's form of it. */
export function successResult(
  tool: Tool,
  answer: ApiAnswer,
  style: AnswerStyle,
  address: () => Promise<string>,
): string | JsonStream | Promise<string> {
  if (tool.answersFile) return address().then((uri) => fileResult(answer, uri))
  const { rest } = answer
  if (rest) return tool.reshape ? tooLargeResult(rest) : passedOnText(answer.body, rest)
  const body = answer.body.toString()
  if (tool.reshape) return textResult(JSON.stringify(tool.reshape(JSON.parse(body))))
  if (!style.isShort) return textResult(body)
  const isChange = !tool.annotations.readOnlyHint
  return textResult(JSON.stringify(shortBody(JSON.parse(body), isChange, style.sent)))
}

/** Returns the result of a call that the API refused in a way that a model can act on. */
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

/** Streams a body that is too large to be held, as text alone: structured content would repeat the same body. */
async function* passedOnText(body: Buffer, rest: Readable): JsonStream {
  const decoder = new StringDecoder('utf8')
  yield `{"content":[{"type":"text","text":"${escaped(decoder.write(body))}`
  for await (const chunk of rest) yield escaped(decoder.write(chunk as Buffer))
  yield '"}]}'
}

/** Escapes a text for a JSON string. */
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

/** Wraps a JSON body in a result; the body is inserted unchanged. */
export function textResult(body: string): string {
  const content = `"content":[{"type":"text","text":${JSON.stringify(body)}}]`
  if (body.startsWith('{')) return `{${content},"structuredContent":${body}}`
  return body.startsWith('[') ? `{${content},"structuredContent":{"items":${body}}}` : `{${content}}`
}

/** A longer text is named instead of sent, because a model would read all of it. */
const textBytesMax = 64 * 1024

function fileResult({ contentType, body, size }: ApiAnswer, uri: string): string {
  const mimeType = contentType || 'application/octet-stream'
  const text = isText(contentType) ? readText(body) : null
  const named = textResult(JSON.stringify({ size, mimeType, uri }))
  if (size > wholeBytesMax || (text !== null && size > textBytesMax)) return named
  const content = text === null ? { blob: body.toString('base64') } : { text }
  return JSON.stringify({ content: [{ type: 'resource', resource: { uri, mimeType, ...content } }] })
}

function isText(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((parameter) => /charset="?([^"\s]+)/.exec(parameter)?.[1]).find(Boolean) ?? 'utf-8'
  return /^(text\/|application\/([\w.-]+\+)?(json|xml|csv)$)/.test(type.trim()) && /^(utf-?8|us-ascii)$/.test(charset)
}

/** Returns the text of a body; null when it is not UTF-8. */
function readText(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}
