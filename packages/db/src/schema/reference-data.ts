import { sql } from 'drizzle-orm'
import { jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isTwin, rowId, stamps, updatedAt, workspaceId } from '../columns.ts'
import { folded } from '../folding.ts'
import { workspaces } from './core.ts'

export const industries = pgTable(
  'industries',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    isTwin: isTwin(),
    ...stamps(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    uniqueIndex('industries_name_folded')
      .on(t.workspaceId, folded(t.name))
      .where(sql`not ${t.isTwin}`),
  ],
)

/** The seat of an organization. */
export interface Seat {
  readonly line1?: string | null
  readonly line2?: string | null
  readonly city?: string | null
  readonly region?: string | null
  readonly postalCode?: string | null
  readonly country?: string | null
}

/** The company behind a workspace, as its documents name it; the workspace holds its brand. */
export const organizations = pgTable('organizations', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  legalName: text('legal_name'),
  taxId: text('tax_id'),
  registrationNumber: text('registration_number'),
  email: text('email'),
  phone: text('phone'),
  website: text('website'),
  address: jsonb('address').$type<Seat>(),
  bankDetails: text('bank_details'),
  updatedAt: updatedAt(),
})
