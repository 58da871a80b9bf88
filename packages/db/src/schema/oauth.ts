import { foreignKey, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { agentControl, bytes, createdAt, instant, rowId, workspaceId } from '../columns.ts'
import { employees, workspaces } from './core.ts'

export const oauthClients = pgTable(
  'oauth_clients',
  {
    workspaceId: workspaceId().references(() => workspaces.id, { onDelete: 'cascade' }),
    id: rowId(),
    name: text('name').notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    createdAt: createdAt(),
    /** The address of the document that describes the client, which is the id that it calls itself by. */
    documentUrl: text('document_url'),
    /** Until when the document counts as it was read. */
    freshUntil: instant('fresh_until'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('oauth_clients_document').on(t.workspaceId, t.documentUrl),
  ],
)

/** A person's consent to one client; ending it ends every token of it. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    clientId: uuid('client_id').notNull(),
    employeeId: uuid('employee_id').notNull(),
    scopes: text('scopes').array().notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    ...agentControl(),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    index('oauth_grants_by_person').on(t.workspaceId, t.employeeId, t.clientId),
    foreignKey({
      columns: [t.workspaceId, t.clientId],
      foreignColumns: [oauthClients.workspaceId, oauthClients.id],
      name: 'oauth_grants_client',
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.workspaceId, t.employeeId],
      foreignColumns: [employees.workspaceId, employees.id],
      name: 'oauth_grants_employee',
    }).onDelete('cascade'),
  ],
)

export const oauthCodes = pgTable(
  'oauth_codes',
  {
    workspaceId: workspaceId(),
    codeHash: bytes('code_hash').notNull(),
    grantId: uuid('grant_id').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    challenge: text('challenge').notNull(),
    resource: text('resource'),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.codeHash] }),
    foreignKey({
      columns: [t.workspaceId, t.grantId],
      foreignColumns: [oauthGrants.workspaceId, oauthGrants.id],
      name: 'oauth_codes_grant',
    }).onDelete('cascade'),
  ],
)

export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    workspaceId: workspaceId(),
    id: rowId(),
    grantId: uuid('grant_id').notNull(),
    kind: text('kind').$type<'access' | 'refresh'>().notNull(),
    tokenHash: bytes('token_hash').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at'),
    /** The time when a refresh token was exchanged for its successor. */
    rotatedAt: instant('rotated_at'),
    /** Together with the token itself, the source of its successors, so that a lost answer can be repeated. */
    rotationSalt: bytes('rotation_salt'),
    /** Digest of the client that exchanged the token, and its address. */
    rotatedBy: bytes('rotated_by'),
  },
  (t) => [
    primaryKey({ columns: [t.workspaceId, t.id] }),
    unique('oauth_tokens_hash').on(t.workspaceId, t.tokenHash),
    index('oauth_tokens_by_grant').on(t.workspaceId, t.grantId),
    foreignKey({
      columns: [t.workspaceId, t.grantId],
      foreignColumns: [oauthGrants.workspaceId, oauthGrants.id],
      name: 'oauth_tokens_grant',
    }).onDelete('cascade'),
  ],
)
