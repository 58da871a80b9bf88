import { entitiesWith } from '@crm/model'
import { numberedEntities } from '@crm/contract'
import { isAnyOf, kindTables, schema, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { and, eq, getTableName, isNotNull } from 'drizzle-orm'
import { recordKinds } from '../../kinds/kinds.ts'
import type { CrmContext } from '../../platform/context.ts'
import { audit } from '../../records/audit.ts'
import { existing } from '../../records/owned/list.ts'
import { findVisibleIds } from '../transfers/exports.repository.ts'
import { ownWords, type Claim } from './privacy.claims.ts'
import { eraseAuditEntries, eraseByAddress, eraseEmployee, eraseRecord } from './privacy.erasure.ts'
import { erasureReach, type ErasureReach } from './privacy.reach.ts'
import { recordsOfPerson, type PersonRecord } from './privacy.related.ts'
import { findNamed } from './privacy.targets.ts'
import { noteErasure, type ErasureKey } from './privacy.texts.ts'
import { wordsOf, type PrivacySubject } from './privacy.terms.ts'

const { employees } = schema

/** The most rows whose texts one erasure changes: more of them are rather a common phrase than the name of a person. */
export const textRowsMax = 10_000

/** What an erasure does, and what it leaves. */
export interface Erasure {
  readonly key: ErasureKey
  readonly erased: Readonly<Record<string, number>>
  readonly kept: readonly { readonly type: string; readonly id: string; readonly reason: string }[]
}

const erasedActions = { EMPLOYEE: 'user.erased', CONTACT: 'contact.erased', LEAD: 'lead.erased' } as const

/** What everybody may count who may erase the record. */
const countedByAll = ['contacts', 'leads', 'employees', 'comments', 'timeline', 'files']

/**
 * Erases a person: their records and what refers to them, and notes the rows whose texts name them, to be changed after the commit.
 * @throws ApiError NOT_TERMINATED, TOO_MANY_TEXTS
 */
export async function erasePerson(tx: Transaction, context: CrmContext, subject: PrivacySubject): Promise<Erasure> {
  const { at, caller } = context
  const workspaceId = context.workspace.id
  if (subject.type === 'EMPLOYEE') await requireTerminated(tx, workspaceId, subject.id)
  const reach = await erasureReach(context)
  const records = await recordsOfPerson(tx, workspaceId, subject, reach)
  const counts: Record<string, number> = {}
  for (const record of records.erased)
    add(
      counts,
      record.type === 'EMPLOYEE'
        ? await eraseEmployee(tx, { workspaceId, at }, subject)
        : await eraseRecord(tx, { workspaceId, at }, record),
    )
  const { words, claims } = await ownWords(tx, workspaceId, wordsOf(subject))
  if (reach.isWhole) await eraseByAddress(tx, workspaceId, words.emails, counts)
  const named = await findNamed(tx, workspaceId, reach, words, textRowsMax)
  if (named.rows > textRowsMax) throw new ApiError('TOO_MANY_TEXTS', { details: { limit: textRowsMax } })
  const ids = records.erased.map(({ id }) => id)
  const auditEntries = await eraseAuditEntries(tx, workspaceId, subject, ids)
  await audit(tx, context, {
    action: erasedActions[subject.type],
    subjectType: subject.type,
    subjectId: subject.id,
    summary: 'Erased a person',
    data: { auditEntries },
  })
  const key = await noteErasure(tx, { workspaceId, at, subject, words, targets: named.targets })
  const isSeen = (kind: string): boolean => reach.isWhole || countedByAll.includes(kind)
  const erased = Object.fromEntries(Object.entries(counts).filter(([kind]) => isSeen(kind)))
  add(erased, Object.fromEntries(named.targets.map(({ table, keys }) => [table, keys.length])))
  const inLog = auditEntries.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  if (inLog > 0 && caller.effective.has('VIEW_AUDIT_LOG')) erased['audit_log'] = inLog
  return {
    key,
    erased,
    kept: [
      ...(await issuedTo(tx, reach, records.erased)),
      ...[...named.kept].flatMap(([table, rows]) => rows.map((id) => keptRow(table, id))),
      ...records.left.map((record) => ({ ...record, reason: 'It is the same person; erase it as well' })),
      ...(await claimsInSight(tx, context, reach, claims)),
    ],
  }
}

function add(counts: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [kind, number] of Object.entries(more)) counts[kind] = (counts[kind] ?? 0) + number
}

const issued = 'Issued finance documents are kept unchanged'
const underWay = 'It is still under way; it goes with its history'

function keptRow(table: string, id: string): Erasure['kept'][number] {
  const type = numberedEntities.find((entity) => getTableName(kindTables[entity]) === table)
  return type ? { type, id, reason: issued } : { type: table, id, reason: underWay }
}

/** Returns the issued documents that are addressed to the person, as far as the caller sees them. */
async function issuedTo(
  tx: Transaction,
  reach: ErasureReach,
  records: readonly PersonRecord[],
): Promise<Erasure['kept']> {
  const contactIds = records.filter(({ type }) => type === 'CONTACT').map(({ id }) => id)
  const found: { type: string; id: string; reason: string }[] = []
  for (const type of numberedEntities) {
    const scope = reach.scope(type)
    if (!scope || contactIds.length === 0) continue
    const table = kindTables[type]
    const rows = await tx
      .select({ id: table.id })
      .from(table)
      .where(and(existing(recordKinds[type], scope), isNotNull(table.number), isAnyOf(table.contactId, contactIds)))
      .orderBy(table.id)
    found.push(...rows.map(({ id }) => ({ type, id, reason: issued })))
  }
  return found
}

const sameWords = 'It has the same name or address, so texts keep these; erase it as well if it is the same person'

/** Returns the records of others with the same name or address that the caller sees; they may be the same person. */
async function claimsInSight(
  tx: Transaction,
  { caller }: CrmContext,
  reach: ErasureReach,
  claims: readonly Claim[],
): Promise<Erasure['kept']> {
  const idsOf = (type: Claim['type']): string[] => [
    ...new Set(claims.filter((claim) => claim.type === type).map(({ id }) => id)),
  ]
  const seen: { type: string; id: string; reason: string }[] = []
  for (const type of entitiesWith('person')) {
    const scope = reach.scope(type)
    const visible = scope ? await findVisibleIds(tx, recordKinds[type], scope, idsOf(type)) : []
    for (const id of visible) seen.push({ type, id, reason: sameWords })
  }
  if (caller.effective.has('MANAGE_USERS'))
    for (const id of idsOf('EMPLOYEE')) seen.push({ type: 'EMPLOYEE', id, reason: sameWords })
  return seen
}

async function requireTerminated(tx: Transaction, workspaceId: string, id: string): Promise<void> {
  const [person] = await tx
    .select({ status: employees.status })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
    .for('update')
  if (person?.status !== 'TERMINATED') throw new ApiError('NOT_TERMINATED')
}
