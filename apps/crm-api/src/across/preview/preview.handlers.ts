import { declaredOperations, isWrite, preview, publicContract, success, type DeclaredOperation } from '@crm/contract'
import { ApiError, invalidField, suggestionsFor } from '@crm/errors'
import { sendInner } from '@crm/http'
import type { FastifyInstance } from 'fastify'
import { implement } from '../../platform/context.ts'
import { rehearse, type Rehearsal } from './rehearse.ts'

const writes = declaredOperations(publicContract).filter(({ operation }) => isWrite(operation))
const byName = new Map(writes.flatMap((one) => [one.id, one.tool].map((name) => [name, one] as const)))

/** Returns the handlers of previews, which send the request through the whole pipeline of the service and take everything back. */
export function implementPreview(app: FastifyInstance) {
  return implement(preview, {
    run: async ({ body: { operation: name, params = {}, query = {}, body } }, context) => {
      const place = writeNamed(name)
      if (place.operation.preview === false) throw context.refuse('NOT_PREVIEWABLE')
      let seen: Rehearsal | undefined
      const answer = await sendInner(
        app,
        {
          method: place.operation.method,
          url: addressOf(place, params, query),
          body,
          headers: context.requestHeaders,
          remoteAddress: context.peer,
        },
        {
          recognition: { workspace: context.workspace, caller: context.caller, budget: null, epoch: null },
          perform: async (exchange, work) => {
            seen = await rehearse(context.deps.db, exchange as Parameters<typeof rehearse>[1], work)
            return seen.answer
          },
        },
      )
      context.deps.agentCounts?.preview(answer.status >= 500 ? 'failed' : seen ? 'made' : 'refused')
      if (answer.status >= 500) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterS: 1 })
      const { changes = [], more, hidden, leaves = [] } = seen ?? {}
      return success({ ...answer, changes: [...changes], more, hidden, leaves: [...leaves] })
    },
  })
}

/** Returns the write with a name; its tool's name counts too. */
function writeNamed(name: string): DeclaredOperation {
  const place = byName.get(name)
  if (place) return place
  const [near] = Object.values(suggestionsFor([name], [...byName.keys()]) ?? {})
  throw invalidField(
    'operation',
    `No operation that changes something has this name${near ? `: did you mean ${near}?` : ''}`,
  )
}

type Named = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns the path of an operation with its parts and its query. */
function addressOf({ operation: { path } }: DeclaredOperation, params: Named, query: Named): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_part, name: string) => {
    const { [name]: value } = params
    if (value === undefined || value === null || value === '') throw invalidField('params', `Expected ${name}`)
    return encodeURIComponent(textOf(value))
  })
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, textOf(value)])).toString()
  return asked === '' ? filled : `${filled}?${asked}`
}
