import type { Database, Transaction } from '@crm/db'
import { inTransaction, recordChange, schema } from '@crm/db'
import type { Egress } from '@crm/egress'
import type { Caller } from '@crm/identity'
import type { Epochs, FixedWindow } from '@crm/redis'
import type { Clock } from '@crm/runtime'
import type { Tool } from '@crm/tools'

/** The resources of the OAuth server. */
export interface OAuthDeps {
  readonly db: Database
  readonly epochs: Epochs
  readonly clock: Clock
  /** Registrations per workspace and address. */
  readonly registrations: FixedWindow
  /** Reads of documents of clients, per workspace and person. */
  readonly documentReads: FixedWindow
  /** The way to the documents of clients. */
  readonly egress: Pick<Egress, 'fetch'>
  /** Returns the person behind a Cookie header, or null when nobody is signed in. */
  findPerson(
    workspace: { readonly id: string; readonly baseUrl: string },
    cookie: string | undefined,
  ): Promise<SignedIn | null>
  readonly tools: readonly Tool[]
}

/** A person who is signed in. */
export interface SignedIn {
  readonly caller: Caller
  readonly sessionToken: string
}

/** A person who makes or ends a connection, for the audit log. */
interface AuditLine {
  readonly actor: { readonly id: string | null; readonly name: string }
  readonly action: 'connection.created' | 'connection.ended'
  readonly clientId: string
  readonly summary: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Writes to the audit log who connected or disconnected a client. */
export async function auditConnection(
  tx: Transaction,
  workspaceId: string,
  { actor, clientId, ...line }: AuditLine,
  at: Date,
): Promise<void> {
  await tx.insert(schema.auditLog).values({
    workspaceId,
    at: at.toISOString(),
    actorId: actor.id,
    actorName: actor.name,
    subjectType: 'CONNECTION',
    subjectId: clientId,
    ...line,
  })
}

/**
 * Revokes credentials, and makes every process forget them before anybody is told that the work is done. The outbox
 * repeats the message in case this process dies between the commit and the message.
 */
export async function endingCredentials(
  { db, epochs, clock }: OAuthDeps,
  workspaceId: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await inTransaction(db, undefined, async (tx) => {
    await work(tx)
    const actor = { type: 'SYSTEM' as const, id: null, name: 'Tool server', source: 'SYSTEM' as const }
    await recordChange(tx, {
      workspaceId,
      actor,
      at: clock.now().toISOString(),
      events: [{ topic: 'access', event: 'access.changed' }],
    })
  })
  await epochs.bump(workspaceId)
}
