import { rowReader, schema, type Executor } from '@crm/db'
import { asc, eq } from 'drizzle-orm'
import type { CrmContext } from '../platform/context.ts'
import type { CustomFieldDefinition } from './custom-field-values.ts'
import type { RecordKind } from './owned/kind.ts'
import { shownColumns } from './shown-columns.ts'

const { customEntities, customRecords } = schema

/** A record of a custom entity as it is read. */
export type CustomRecordRow = Omit<
  typeof customRecords.$inferSelect,
  'workspaceId' | 'deletedAt' | 'searchText' | 'customFields'
> & { readonly values: Record<string, unknown> }

const rows = rowReader({ ...shownColumns(customRecords, 'customRecords'), values: customRecords.customFields })

/** Returns the entity type of a custom entity, as in permissions, comments and links. */
export function entityTypeOf(key: string): string {
  return key.toUpperCase()
}

/**
 * Returns the kind of record that a custom entity makes. Without its fields the kind tells only where its records are and
 * who sees them.
 */
export function customKind(
  entityType: string,
  fields: readonly CustomFieldDefinition[] = [],
): RecordKind<CustomRecordRow> {
  const key = entityType.toLowerCase()
  return {
    entityType,
    noun: key,
    table: customRecords,
    rows,
    base: eq(customRecords.entityKey, key),
    title: ({ title }) => title,
    filters: {},
    sortable: { updatedAt: customRecords.updatedAt, title: { names: customRecords.title } },
    customFields: fields,
    timelineKinds: { ownerId: 'OWNER_CHANGED' },
    followers: ['departmentId'],
    tellsEvents: true,
  }
}

/** A type of record that a workspace made for itself, with the kind of its records. */
export interface CustomEntity extends Omit<typeof customEntities.$inferSelect, 'workspaceId'> {
  readonly entityType: string
  readonly kind: RecordKind<CustomRecordRow>
}

/** Reads the custom entities of the workspace in the order of their creation. Code that changes them calls `changingWorkspace`. */
export function recallCustomEntities(
  db: Executor,
  { workspace, remembered }: Pick<CrmContext, 'workspace' | 'remembered'>,
): Promise<readonly CustomEntity[]> {
  return remembered('custom-entities', async () => {
    const declared = await db
      .select()
      .from(customEntities)
      .where(eq(customEntities.workspaceId, workspace.id))
      .orderBy(asc(customEntities.createdAt), asc(customEntities.id))
    return declared.map(toEntity)
  })
}

/** Returns a custom entity in the form that the shared code uses. */
export function toEntity({ workspaceId: _workspace, ...declared }: typeof customEntities.$inferSelect): CustomEntity {
  const entityType = entityTypeOf(declared.key)
  return { ...declared, entityType, kind: customKind(entityType, declared.fields) }
}
