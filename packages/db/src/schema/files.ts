import { sql } from 'drizzle-orm'
import { bigint, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, rowId, searchText, stamps, workspaceId } from '../columns.ts'
import { employees, workspaces } from './core.ts'

/** The metadata of a file; the storage has its bytes, under the workspace and the id. */
export const files = pgTable(
  'files',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    /** The type of the bytes themselves; the type that the uploader claims is ignored. */
    contentType: text('content_type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** In hexadecimal. */
    sha256: text('sha256').notNull(),
    uploadedById: uuid('uploaded_by_id').notNull(),
    /** The department of the uploader at the time. */
    departmentId: uuid('department_id'),
    deletedAt: instant('deleted_at'),
    /** The time when row and bytes are finally removed; set when the file is deleted or loses its last link. */
    leavesAt: instant('leaves_at'),
    ...stamps(),
    searchText: searchText(sql`name`),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('files_newest')
      .on(t.workspaceId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('files_of_uploader')
      .on(t.workspaceId, t.uploadedById, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('files_search')
      .using('gin', t.workspaceId, sql`${t.searchText} gin_trgm_ops`)
      .where(sql`${t.deletedAt} is null`),
    index('files_kept_sizes')
      .on(t.workspaceId, t.size)
      .where(sql`${t.deletedAt} is null`),
    index('files_leaving')
      .on(t.leavesAt)
      .where(sql`${t.leavesAt} is not null`),
    foreignKey({
      columns: [t.workspaceId, t.uploadedById],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'files_uploader',
    }),
  ],
)

/** The records that a file belongs to, of any kind. */
export const fileLinks = pgTable(
  'file_links',
  {
    workspaceId: workspaceId(),
    fileId: uuid('file_id').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: uuid('entity_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.fileId, t.entityType, t.entityId] }),
    index('file_links_of_record').on(t.workspaceId, t.entityType, t.entityId, t.fileId),
    foreignKey({
      columns: [t.workspaceId, t.fileId],
      foreignColumns: [files.workspaceId, files.id],
      name: 'file_links_file',
    }).onDelete('cascade'),
  ],
)

/** Current uploads: written before the first byte and deleted with the file's own row, so that remains of a crash are found. */
export const fileUploads = pgTable(
  'file_uploads',
  {
    workspaceId: workspaceId(),
    id: uuid('id').notNull(),
    startedAt: instant('started_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.id] }), index('file_uploads_started').on(t.startedAt)],
)

/**
 * Contents whose rows are gone. They are removed a while later: a backup that began before copies the contents of its rows until it ends.
 */
export const leavingContents = pgTable(
  'leaving_contents',
  {
    workspaceId: workspaceId(),
    /** Where the storage keeps the content. */
    key: text('key').notNull(),
    leavesAt: instant('leaves_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.key] }), index('leaving_contents_due').on(t.leavesAt)],
)
