import { inTransaction, isId, watchingChanges, type Transaction } from '@crm/db'
import type { Answer, Exchange } from '@crm/http'
import type { Caller, Workspace } from '@crm/identity'
import { kindOf } from '@crm/model'
import type { CrmApiDeps } from '../../platform/deps.ts'
import { actsNoted, noteAct, type Act } from '../../records/agent-acts.ts'
import { difference, idOf, plainAfter, titleIn, type Values } from '../preview/changes.ts'

type CrmExchange = Exchange<Workspace, Caller>
type Work = (running?: Transaction) => Promise<Answer>

/** What everybody of a workspace shares; only of these the values are kept. Others may belong to a record that not every reader sees. */
const setUp: ReadonlySet<string> = new Set([
  'CUSTOM_ENTITY',
  'DEPARTMENT',
  'NUMBER_SEQUENCE',
  'ORGANIZATION',
  'PIPELINE',
  'STAGE',
])

/** What belongs to a person: its name is kept. */
const personal: ReadonlySet<string> = new Set(['DASHBOARD', 'SAVED_FILTER'])

/**
 * Makes a write of an agent leave a trace: what adds nothing to the history of a record is noted as an act, so that no session is silent
 * about one of its writes. Writes that do work outside their transaction note it by themselves.
 */
export function leavingTrace({ db, clock }: CrmApiDeps, exchange: CrmExchange, work: Work): Work {
  const { recognition, declared, readShown } = exchange
  const { workspace, caller } = recognition
  const { resource, operation } = declared
  const { entity } = resource
  if (!workspace || !caller || entity === null || kindOf(entity) || operation.preview === false) return work
  return (running) =>
    inTransaction(db, running, async (tx) => {
      const before = (await readShown?.(tx)) ?? null
      const known = actsNoted(tx)
      let isInHistory = false
      const answer = await watchingChanges(
        tx,
        ({ timeline = [] }) => void (isInHistory ||= timeline.length > 0),
        () => work(tx),
      )
      if (isInHistory || actsNoted(tx) > known) return answer
      const act = actOf(exchange, entity, before, {
        body: answer.body,
        after: await plainAfter(exchange, answer.body, tx),
      })
      if (!act) return answer
      const actor = { type: 'EMPLOYEE', source: caller.source, via: caller.via, ...caller.employee } as const
      await noteAct(tx, { workspace, actor, at: clock.now().toISOString(), operation: declared.id }, act)
      return answer
    })
}

interface Outcome {
  readonly body: string
  readonly after: Values | null
}

/** Returns what a write did; undefined where it left everything as it was. */
function actOf(
  exchange: CrmExchange,
  entityType: string,
  before: Values | null,
  { body, after }: Outcome,
): Act | undefined {
  const { params } = exchange.input
  const { operation } = exchange.declared
  const told = operation.method === 'DELETE' ? 'DELETED' : isMaking(exchange, body) ? 'CREATED' : 'CHANGED'
  const ids = [
    after?.['id'],
    before?.['id'],
    ...Object.values(params ?? {}).toReversed(),
    exchange.recognition.workspace?.id,
  ]
  const entityId = ids.find((one) => typeof one === 'string' && isId(one)) as string
  const title = setUp.has(entityType) || personal.has(entityType) ? titleIn(after ?? before) : null
  if (told === 'CHANGED' && !before) return { entityType, entityId, told, title }
  const [change] = difference({ entityType, id: entityId, title }, before, told === 'DELETED' ? null : after)
  if (!change) return undefined
  const changes = Object.entries(change.fields).map(([field, [from = null, to = null]]) => ({ field, from, to }))
  return { entityType, entityId, told, title, ...(setUp.has(entityType) ? { changes } : {}) }
}

/** Whether a request makes the record that its answer holds. */
function isMaking(exchange: CrmExchange, body: string): boolean {
  const { method, path } = exchange.declared.operation
  return method === 'POST' && !path.endsWith('}') && idOf(exchange, body) !== null
}
