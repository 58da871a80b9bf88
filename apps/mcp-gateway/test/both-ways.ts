import type { Operation } from '@crm/contract'
import type { Tool, ToolArguments } from '@crm/tools'
import { request } from 'undici'
import type { Sample } from './samples.ts'

export interface Answer {
  readonly status: number
  /** Parsed JSON, or Base64 of any other body. */
  readonly body: unknown
}

export interface ToolAnswer {
  readonly httpStatus: number
  readonly result?: {
    readonly content: readonly {
      readonly text?: string
      readonly resource?: { readonly blob?: string; readonly text?: string }
    }[]
    readonly isError?: true
  }
  readonly error?: { readonly code: number; readonly data: Readonly<Record<string, unknown>> }
}

/** The server, host and key of a call. */
export interface Way {
  /** The address of the API or of the tool server. */
  readonly url: string
  readonly host: string
  readonly key: string
}

async function send(
  { host, key }: Way,
  url: string,
  { method, body }: { readonly method: Operation['method']; readonly body: unknown },
): Promise<Answer> {
  const headers = {
    host,
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const answer = await request(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  const isJson = String(answer.headers['content-type']).includes('json')
  return {
    status: answer.statusCode,
    body: isJson ? await answer.body.json() : Buffer.from(await answer.body.arrayBuffer()).toString('base64'),
  }
}

/** Makes the call as any program would, from the declaration alone. */
export function callDirectly(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  { params, query, body }: Sample,
  way: Way,
): Promise<Answer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return send(way, `${way.url}${filled}?${search}`, { method, body })
}

/** Sends a message to the tool server. */
export async function callRpc(way: Way, method: string, params: unknown, narrowing = ''): Promise<ToolAnswer> {
  const { status, body } = await send(way, `${way.url}/api/mcp${narrowing}`, {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  return { httpStatus: status, ...(body as object) }
}

/** Makes the same call as a tool. */
export function callTool(tool: Tool, sample: Sample, way: Way): Promise<ToolAnswer> {
  return callRpc(way, 'tools/call', { name: tool.name, arguments: argumentsOf(tool, sample) })
}

/** Makes the same call through the tool that calls any other. */
export function executeTool(tool: Tool, sample: Sample, way: Way): Promise<ToolAnswer> {
  const call = { name: tool.name, arguments: argumentsOf(tool, sample) }
  return callRpc(way, 'tools/call', { name: 'execute_tool', arguments: call }, '?mode=core')
}

/** Returns the arguments of a tool that make the request of a sample. */
export function argumentsOf(
  { route: { pathArguments, queryArguments, body: place } }: Tool,
  { params, query, body }: Sample,
): ToolArguments {
  return {
    ...Object.fromEntries(Object.entries(params).map(([param, value]) => [pathArguments[param] ?? param, value])),
    ...Object.fromEntries(
      Object.entries(query).map(([param, value]) => [
        Object.keys(queryArguments).find((argument) => queryArguments[argument] === param) ?? param,
        value,
      ]),
    ),
    ...(place === 'whole' ? { body } : (body as object | undefined)),
  }
}

/** Returns the status and the body of the API, as a tool call reports them; one success looks like another there. */
export function toldBy({ httpStatus, result, error }: ToolAnswer): Answer {
  if (error) {
    const { status, permission: _, ...body } = error.data
    return { status: Number(status ?? httpStatus), body }
  }
  const [first] = result?.content ?? []
  if (first?.resource) return { status: 200, body: base64Of(first.resource) }
  const body = JSON.parse(first?.text ?? 'null') as Readonly<Record<string, unknown>>
  if (!result?.isError) return { status: 200, body }
  const { status, retryAfter: _, ...refusal } = body
  return { status: Number(status), body: refusal }
}

function base64Of({ blob, text = '' }: { readonly blob?: string; readonly text?: string }): string {
  return blob ?? Buffer.from(text).toString('base64')
}
