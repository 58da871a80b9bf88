import { fileLinkFields, type FileLinkField } from '@crm/contract'
import { recordChange, type Executor, type TimelineEntry, type Transaction } from '@crm/db'
import { ApiError, invalidReference } from '@crm/errors'
import type { CrmContext } from '../../platform/context.ts'
import { isVisibleRecord } from '../../kinds/references.ts'
import type { TraceContext } from '../../records/owned/trace.ts'
import type { FileLink, FileRow } from './files.repository.ts'

/** Links in the forms in which they may be sent: in full, or in the short form of a kind. */
export interface SentLinks extends Partial<Readonly<Record<FileLinkField, string>>> {
  readonly links?: readonly FileLink[]
}

const shortForms = Object.entries(fileLinkFields) as [FileLinkField, string][]

/** A link and the field in which it was sent. */
interface NamedLink extends FileLink {
  readonly field: string
}

/** Returns all links that were sent, in either form. */
function namedLinks(sent: SentLinks): NamedLink[] {
  const short = shortForms.flatMap(([field, entityType]) =>
    sent[field] === undefined ? [] : [{ entityType, entityId: sent[field].toLowerCase(), field }],
  )
  return [
    ...(sent.links ?? []).map(({ entityType, entityId }) => ({
      entityType,
      entityId: entityId.toLowerCase(),
      field: 'links',
    })),
    ...short,
  ]
}

/**
 * Returns the links that were sent, each once; refuses, with the same error, a record that does not exist and one that the
 * caller may not see.
 */
export async function requireLinks(
  db: Executor,
  context: CrmContext,
  sent: SentLinks,
  known: readonly FileLink[] = [],
): Promise<FileLink[]> {
  const named = new Map(namedLinks(sent).map((link) => [keyOf(link), link]))
  for (const [key, { entityType, entityId, field }] of named) {
    if (known.some((link) => keyOf(link) === key)) continue
    if (!(await isVisibleRecord(db, context, entityType, entityId))) throw invalidReference(field)
  }
  return [...named.values()].map(({ entityType, entityId }) => ({ entityType, entityId }))
}

/** Returns the records whose files a list is requested for; a record out of sight counts as missing. */
export async function requireListed(
  db: Executor,
  context: CrmContext,
  query: SentLinks & { readonly entityType?: string; readonly entityId?: string },
): Promise<FileLink[]> {
  const { entityType, entityId } = query
  if ((entityType === undefined) !== (entityId === undefined)) {
    const param = entityType === undefined ? 'entityType' : 'entityId'
    throw new ApiError('INVALID_QUERY_PARAM', {
      message: 'entityType and entityId go together',
      details: { param, message: 'entityType and entityId go together' },
    })
  }
  const asked = namedLinks({
    ...query,
    links: entityType !== undefined && entityId !== undefined ? [{ entityType, entityId }] : [],
  })
  for (const link of asked) {
    if (!(await isVisibleRecord(db, context, link.entityType, link.entityId)))
      throw new ApiError('NOT_FOUND', { message: 'There is no such record' })
  }
  return asked
}

/** Returns the links of one list that another list does not have. */
export function linksWithout(links: readonly FileLink[], others: readonly FileLink[]): FileLink[] {
  const keys = new Set(others.map(keyOf))
  return links.filter((link) => !keys.has(keyOf(link)))
}

function keyOf({ entityType, entityId }: FileLink): string {
  return `${entityType}:${entityId}`
}

/** Writes into the history of records that a file was added or removed. */
export async function traceLinks(
  tx: Transaction,
  {
    workspace,
    actor,
    at,
    groupId,
    operationId,
  }: Pick<TraceContext, 'workspace' | 'actor' | 'at' | 'groupId' | 'operationId'>,
  file: FileRow,
  { added = [], removed = [] }: { readonly added?: readonly FileLink[]; readonly removed?: readonly FileLink[] },
): Promise<void> {
  const { name, contentType, size } = file
  const entry =
    (kind: string) =>
    ({ entityType, entityId }: FileLink): TimelineEntry => ({
      entityType,
      entityId,
      kind,
      data: { name, contentType, size },
      relatedType: 'FILE',
      relatedId: file.id,
      ...(operationId !== undefined && { operationId }),
    })
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    groupId,
    timeline: [...added.map(entry('FILE_ADDED')), ...removed.map(entry('FILE_REMOVED'))],
  })
}
