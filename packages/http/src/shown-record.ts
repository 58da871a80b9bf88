import { declared, refuse, type DeclaredOperation } from '@crm/contract'
import { isRefusal } from '@crm/errors'
import type { AnyPorts, Exchange } from './exchange.ts'
import { replyWriter } from './reply-writer.ts'
import { authorize } from './steps/authorize.ts'

type AnyHandler = (input: unknown, context: object) => Promise<unknown>
type Shown = Readonly<Record<string, unknown>>

/** Reads the record that the path of a request names, as the API shows it to the caller; null when it shows them none. */
export type ReadShown = (exchange: Exchange, ports: AnyPorts, tx: unknown) => Promise<Shown | null>

/** Returns the way to read the records that an operation changes: by the operation that reads one, or by the list in which they stand. */
export function shownReader(
  { operation, resource }: DeclaredOperation,
  handlers: Readonly<Record<string, AnyHandler>>,
): ReadShown | undefined {
  const parent = operation.path.replace(/\/\{\w+\}$/, '')
  if (operation.method === 'GET') return undefined
  const reads = Object.entries(resource.operations).filter(([, { method }]) => method === 'GET')
  const found =
    reads.find(([key, { path }]) => key !== 'list' && path === operation.path) ??
    reads.find(([key, { path }]) => key === 'list' && path === parent && parent !== operation.path)
  if (!found) return undefined
  const [key, reading] = found
  const handler = handlers[key]
  if (!handler) return undefined
  const place = declared(resource, key, reading)
  const write = replyWriter(reading.reply.body)
  return async (exchange, ports, tx) => {
    const { params } = exchange.input
    const query = reading.query?.safeParse({})
    if (query?.success === false) return null
    const input = {
      params,
      query: query?.data,
      body: undefined,
      customFieldFilters: new Map<string, string>(),
    }
    // Nothing is remembered of what a transaction sees before its commit.
    const recognition = { ...exchange.recognition, epoch: null }
    const asked: Exchange = { ...exchange, recognition, declared: place, input }
    try {
      await authorize(asked, ports)
      const context = ports.createContext(asked, tx) as object
      const answer = await handler(input, Object.assign(context, { refuse }))
      return recordIn(write(answer), String(Object.values(params ?? {}).at(-1)))
    } catch (error) {
      if (isRefusal(error)) return null
      throw error
    }
  }
}

function recordIn(answer: unknown, id: string): Shown | null {
  const { data, items = data } = answer as { readonly data?: unknown; readonly items?: unknown }
  if (!Array.isArray(items)) return (data ?? null) as Shown | null
  return (items as readonly Shown[]).find((item) => item['id'] === id) ?? null
}
