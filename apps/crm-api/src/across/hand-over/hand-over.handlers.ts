import { belongingTypes, handOvers, StatusReply, success, type Belongings, type HandOver } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { invalidField } from '@crm/errors'
import { count } from 'drizzle-orm'
import { implement, type CrmContext } from '../../platform/context.ts'
import { insertJob } from '../../platform/jobs.ts'
import { audit } from '../../records/audit.ts'
import { changedKinds } from '../undo/undoable-kinds.ts'
import { countOthers, isUpcoming, type Giver } from './belonging-others.ts'
import { countRecords } from './belonging-records.ts'
import { findLastHandOver, handOverEvent, type HandOverWork } from './hand-over.work.ts'
import { findReceivers, readLeaving, readReceivingRights, type ReceivingRights } from './receivers.ts'

export const implementedHandOvers = implement(handOvers, {
  belongings: async ({ params }, context) => {
    await readLeaving(context.db, context, params.id)
    const giver = { effective: context.caller.effective, mayActAsReceivers: true }
    const [belongings, handOver] = await Promise.all([
      countBelongings(context.db, context, params.id, giver),
      findLastHandOver(context.db, context, params.id),
    ])
    return success({ ...belongings, handOver: handOver ?? null })
  },

  run: async ({ params, body }, context) => {
    const { db, caller } = context
    const leaving = await readLeaving(db, context, params.id)
    const to = await findReceivers(db, context, leaving, body)
    const kinds = await chosenKinds(db, context, body)
    const toIds = to.map(({ id }) => id)
    const rights = await readReceivingRights(db, context, toIds)
    const giver = { effective: caller.effective, mayActAsReceivers: rights.isWithinCaller }
    const all = await countBelongings(db, context, leaving.id, giver)
    const belongings = {
      ...all,
      records: all.records.filter(({ entityType }) => kinds.includes(entityType)),
      others: all.others.filter(({ type }) => kinds.includes(type)),
    }
    refuseBlind(belongings, rights, body)
    const planned = { to: [...to], belongings }
    if (body.dryRun) return success(planned)
    const { includeOver, meetings } = body
    const payload: HandOverWork = {
      personId: leaving.id,
      toIds,
      kinds,
      meetings,
      includeOver,
      source: context.actor.source,
    }
    return context.transact(async (tx) => {
      const total = totalOf(belongings, body)
      const jobId = await insertJob(tx, context, { kind: handOverEvent, total, payload: { ...payload } })
      await audit(tx, context, {
        action: 'user.handed-over',
        subjectType: 'EMPLOYEE',
        subjectId: leaving.id,
        summary: `Handed over what belongs to ${leaving.name}`,
        data: { toIds, kinds: body.kinds, meetings, jobId },
      })
      return new StatusReply(202, success({ jobId, undoId: jobId, ...planned }))
    })
  },
})

async function countBelongings(db: Executor, context: CrmContext, id: string, giver: Giver): Promise<Belongings> {
  const { workspace, at } = context
  const [upcoming] = await db
    .select({ n: count() })
    .from(schema.bookings)
    .where(isUpcoming(workspace.id, id, at))
  return {
    records: [...(await countRecords(db, context, id))],
    others: await countOthers(db, workspace.id, id, giver),
    meetings: upcoming?.n ?? 0,
  }
}

/** Returns what is handed over, by entity type and type of thing. Throws VALIDATION_ERROR for a name that is neither. */
async function chosenKinds(db: Executor, context: CrmContext, { kinds }: HandOver): Promise<readonly string[]> {
  const records = (await changedKinds(db, context)).map(({ kind }) => kind.entityType)
  const known: readonly string[] = [...records, ...belongingTypes]
  const unknown = kinds?.find((kind) => !known.includes(kind))
  if (unknown !== undefined) throw invalidField('kinds', `Nothing of the kind ${unknown} belongs to people`)
  return known.filter((kind) => kinds?.includes(kind) ?? true)
}

/** Refuses to give records to people who could not see them. */
function refuseBlind({ records }: Belongings, rights: ReceivingRights, { toId, includeOver }: HandOver): void {
  const given = records.filter(({ movable, over }) => movable > 0 || (includeOver && over > 0))
  const blind = given.find(({ entityType }) => rights.mayHave(entityType).length === 0)
  if (blind)
    throw invalidField(
      toId === undefined ? 'byTeam' : 'toId',
      `Nobody of them may see records of the kind ${blind.entityType}; choose others, or leave the kind out`,
    )
}

function totalOf({ records, others, meetings }: Belongings, { includeOver, meetings: fate }: HandOver): number {
  const moved = [
    ...records.map(({ movable, over }) => movable + (includeOver ? over : 0)),
    ...others.filter((other) => other.fate === 'MOVES').map((other) => other.count),
    fate === 'KEEP' ? 0 : meetings,
  ]
  return moved.reduce((sum, n) => sum + n, 0)
}
