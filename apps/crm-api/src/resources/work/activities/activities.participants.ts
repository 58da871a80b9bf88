import type { Executor, schema } from '@crm/db'
import { invalidReference } from '@crm/errors'
import type { CrmContext } from '../../../platform/context.ts'
import { kindOf } from '../../../kinds/kinds.ts'
import { requireEmployees } from '../../../records/owned/facts.ts'
import { findRecords } from '../../../records/owned/repository.ts'
import { isVisibleRecord, type Sight } from '../../../kinds/references.ts'

type Participant = (typeof schema.activities.$inferSelect)['participants'][number]
type ParticipantContext = Sight & Pick<CrmContext, 'workspace'>

/** A participant as it is shown. */
export interface ShownParticipant {
  readonly name: string | null
  readonly email: string | null
  readonly entityType: string | null
  readonly entityId: string | null
}

/** Refuses participants whom the caller may not see; participants who were there already may stay. */
export async function requireParticipants(
  db: Executor,
  context: ParticipantContext,
  sent: readonly Participant[],
  current: readonly Participant[] = [],
): Promise<void> {
  const known = new Set(current.map(referenceOf))
  const fresh = sent.filter((participant) => participant.entityId && !known.has(referenceOf(participant)))
  await requireEmployees(
    db,
    context.workspace.id,
    fresh.filter(isEmployee).map(({ entityId }) => entityId),
    'participants',
  )
  for (const { entityType, entityId } of fresh.filter((participant) => !isEmployee(participant))) {
    if (!(await isVisibleRecord(db, context, entityType ?? '', entityId ?? ''))) throw invalidReference('participants')
  }
}

/** Shows participants of many activities; their records only as far as the caller sees those. */
export async function showParticipants(
  db: Executor,
  context: ParticipantContext,
  rows: readonly (readonly Participant[])[],
): Promise<ShownParticipant[][]> {
  const visible = await visibleReferencesOf(db, context, rows.flat())
  return rows.map((participants) =>
    participants.map((participant) => {
      const { name = null, email = null, entityType = null, entityId = null } = participant
      return visible.has(referenceOf(participant))
        ? { name, email, entityType, entityId }
        : { name, email, entityType: null, entityId: null }
    }),
  )
}

async function visibleReferencesOf(
  db: Executor,
  context: ParticipantContext,
  participants: readonly Participant[],
): Promise<ReadonlySet<string>> {
  const byType = Map.groupBy(
    participants.filter(({ entityId }) => entityId),
    ({ entityType }) => entityType ?? '',
  )
  const visible = new Set(participants.filter(isEmployee).map(referenceOf))
  for (const [entityType, ofType] of byType) {
    const kind = kindOf(entityType)
    const scope = kind && context.scopeIfAllowed(entityType)
    if (!scope) continue
    const found = await findRecords(
      db,
      kind,
      scope,
      ofType.map(({ entityId }) => entityId ?? ''),
    )
    for (const participant of ofType) if (found.has(participant.entityId ?? '')) visible.add(referenceOf(participant))
  }
  return visible
}

function isEmployee({ entityType }: Participant): boolean {
  return entityType === 'EMPLOYEE'
}

function referenceOf({ entityType, entityId }: Participant): string {
  return `${entityType}:${entityId}`
}
