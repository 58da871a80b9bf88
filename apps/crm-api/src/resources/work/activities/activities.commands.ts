import { lead } from '@crm/model'
import {
  activities as activitiesResource,
  type ActivityInput,
  type ActivityPatch,
  type ActivityRecord,
} from '@crm/contract'
import type { Executor, Transaction } from '@crm/db'
import type { CrmContext } from '../../../platform/context.ts'
import { nextOwner, recallOwnedFacts } from '../../../records/owned/facts.ts'
import type { Trace } from '../../../records/owned/trace.ts'
import { createRecord, type RecordWriter, type WriteContext } from '../../../records/owned/write.ts'
import { allLinks, replaceLinks, withLinks, type RecordLink } from '../../../kinds/record-links.ts'
import { rescoreLeads } from '../../../domain/leads/rescore-leads.ts'
import { entriesOfChange, entriesOfLinked } from './activities.history.ts'
import { planActivity, planActivityChange } from './activities.intake.ts'
import { requireParticipants, showParticipants } from './activities.participants.ts'
import { activityKind, type ActivityRow } from '../../../kinds/activities.ts'

const fromActivity = ({ id }: ActivityRow) => ({ fromType: 'ACTIVITY', fromId: id }) as const

/** Records or plans an activity; the linked records get an entry in their history. */
export async function createActivity(
  tx: Transaction,
  context: WriteContext,
  input: ActivityInput,
): Promise<ActivityRow> {
  const facts = await recallOwnedFacts(tx, context, activityKind, nextOwner(context, input))
  await requireParticipants(tx, context, input.participants ?? [])
  return createRecord(tx, context, activityKind, planActivity(input, facts, context.at), async (activity) => {
    const { added } = await replaceLinks(tx, context, fromActivity(activity), input.links ?? [])
    await rescore(tx, context, added)
    return onlyTimeline(entriesOfLinked(activity, added))
  })
}

/** The rules by which activities change. */
export const activityWriter: RecordWriter<ActivityRow, ActivityPatch> = {
  kind: activityKind,
  listQuery: activitiesResource.operations.list.query.omit({ entityType: true, entityId: true }),
  planChange: async (tx, context, current, patch) => {
    const facts = await recallOwnedFacts(tx, context, activityKind, nextOwner(context, patch, current))
    await requireParticipants(tx, context, patch.participants ?? [], current.participants)
    return planActivityChange(current, patch, facts, context.at)
  },
  afterChange: async (tx, context, { before, after, patch }) => {
    const origin = fromActivity(after)
    const { added, removed } = patch.links
      ? await replaceLinks(tx, context, origin, patch.links)
      : { added: [], removed: [] }
    const links = await allLinks(tx, context.workspace.id, origin)
    await rescore(tx, context, [...links, ...removed])
    const longer = links.filter(
      (link) => !added.some((one) => one.entityType === link.entityType && one.entityId === link.entityId),
    )
    return onlyTimeline([...entriesOfChange(before, after, longer), ...entriesOfLinked(after, added)])
  },
}

/** Computes the scores of linked leads again: the time of the last activity is part of a lead's score. */
function rescore(tx: Transaction, { workspace, at }: WriteContext, links: readonly RecordLink[]): Promise<void> {
  const leadIds = links.filter(({ entityType }) => entityType === lead.entity).map(({ entityId }) => entityId)
  return rescoreLeads(tx, workspace.id, leadIds, at)
}

function onlyTimeline(timeline: Trace['timeline']): Trace {
  return { timeline, events: [] }
}

/** Shows activities with their linked records and participants, as far as the caller sees those. */
export async function showActivities(
  db: Executor,
  context: CrmContext,
  rows: readonly ActivityRow[],
): Promise<ActivityRecord[]> {
  const linked = await withLinks(db, context, 'ACTIVITY', rows)
  const participants = await showParticipants(
    db,
    context,
    rows.map((row) => row.participants),
  )
  return linked.map((row, at) => ({ ...row, participants: participants[at] ?? [] }))
}
