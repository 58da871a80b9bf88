import { declaredOperations, publicContract, type DeclaredOperation } from '@crm/contract'
import { newId } from '@crm/db'
import { setTimeout as wait } from 'node:timers/promises'
import { sampleOf } from '../../../apps/mcp-gateway/test/samples.ts'
import { promise } from '../../stage/drills.ts'
import { tally, type Drill } from '../drill.ts'
import { codeOf, type Answer, type Call } from '../../stage/requests.ts'
import type { Tenant } from '../tenant.ts'

const keys = 8
/** The pause of a key between two requests: it stays within its limit. */
const pauseMs = 100
const heapMb = 256

const operations = declaredOperations(publicContract).filter(
  ({ operation: { upload, reply } }) => !upload && reply.mediaType !== 'text/event-stream',
)

/** The texts of a lead that are changed in ever new combinations. */
const texts = [
  'firstName',
  'lastName',
  'companyName',
  'phone',
  'jobTitle',
  'website',
  'description',
  'utmSource',
  'utmTerm',
]

/** One key after another operation, with the records that it has made. */
interface Caller {
  readonly tenant: Tenant
  /** The latest record of each resource. */
  readonly made: Map<string, string>
  sent: number
}

function requestOf({ resource, operation }: DeclaredOperation, { made, sent }: Caller): Omit<Call, 'host'> {
  const { params, query, body } = sampleOf(operation, `drill ${sent}`)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    name === 'id'
      ? (made.get(resource.name) ?? newId())
      : encodeURIComponent((params[name] as string | undefined) ?? newId()),
  )
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return {
    path: asked.size > 0 ? `${path}?${asked.toString()}` : path,
    method: operation.method,
    ...(body === undefined ? {} : { body }),
  }
}

/** Returns a change of a lead that names another set of fields each time. */
function changeOf({ made, sent }: Caller): Omit<Call, 'host'> {
  const chosen = texts.filter((_, at) => (sent >> at) & 1)
  return {
    path: `/api/leads/${made.get('leads') ?? newId()}`,
    method: 'PATCH',
    body: Object.fromEntries(chosen.map((name) => [name, `drill ${sent}`])),
  }
}

function note({ resource, operation }: DeclaredOperation, { made }: Caller, { status, body }: Answer): void {
  if (operation.method !== 'POST' || status !== 201) return
  const { data } = JSON.parse(body.toString()) as { readonly data?: { readonly id?: string } }
  if (data?.id !== undefined) made.set(resource.name, data.id)
}

/** Every operation again and again, by several keys, with a small heap: no process may grow until it ends. */
export const mixedLoad: Drill = {
  name: `${keys} keys call every public operation with a heap of ${heapMb} MB`,
  env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` },
  usualMinutes: 60,
  slowdownMax: 2,
  prepare: async ({ tenant }, { minutes }) => {
    const callers = await Promise.all(
      Array.from({ length: keys }, async (): Promise<Caller> => ({ tenant: await tenant(), made: new Map(), sent: 0 })),
    )
    return async () => {
      const statuses: number[] = []
      const faults: string[] = []
      const endsAt = performance.now() + minutes * 60_000
      const work = async (caller: Caller, first: number): Promise<void> => {
        while (performance.now() < endsAt) {
          const declared = operations[(first + caller.sent) % operations.length] as DeclaredOperation
          for (const request of [requestOf(declared, caller), changeOf(caller)]) {
            const answer = await caller.tenant
              .send({ ...request, withinMs: 60_000 })
              .catch((error: unknown) => codeOf(error))
            if (typeof answer === 'string') faults.push(`${declared.title}: ${answer}`)
            else {
              statuses.push(answer.status)
              note(declared, caller, answer)
              if (answer.status >= 500 && answer.status !== 503) faults.push(`${declared.title}: ${answer.status}`)
            }
            await wait(pauseMs)
          }
          caller.sent++
        }
      }
      await Promise.all(callers.map((caller, at) => work(caller, Math.floor((at * operations.length) / keys))))
      const seen = `${statuses.length} requests of ${operations.length} operations: ${tally(statuses)}`
      promise(faults.length === 0, `${seen}; ${tally(faults)}`)
      return seen
    }
  },
}
