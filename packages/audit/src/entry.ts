import type { AuditActorType, FieldChange, schema } from '@crm/db'
import canonicalize from 'canonicalize'
import { createHash, randomBytes } from 'node:crypto'

/** One entry of the audit log, as the API shows it. */
export interface AuditEntry {
  readonly id: string
  /** Its place in the chain of the workspace, from 1; null for a moment after the action. */
  readonly seq: number | null
  /** ISO 8601. */
  readonly at: string
  readonly actorType: AuditActorType
  readonly actorId: string | null
  readonly actorName: string
  readonly action: string
  readonly outcome: 'SUCCESS' | 'FAILURE'
  readonly subjectType: string
  readonly subjectId: string | null
  readonly summary: string
  readonly address: string | null
  readonly userAgent: string | null
  readonly credential: { readonly class: string; readonly id: string } | null
  /** The way by which the actor came; null for entries from before it was kept, and for actors without a credential. */
  readonly via: {
    readonly type: NonNullable<(typeof schema.auditLog.$inferSelect)['viaType']>
    readonly id: string | null
    readonly name: string | null
  } | null
  readonly requestId: string | null
  readonly changes: FieldChange[]
  readonly data: Record<string, unknown>
  readonly prevHash: string | null
  readonly hash: string | null
}

/** An entry with the proof of its personal part, as exports and verification have it. */
export interface ProvenEntry extends AuditEntry {
  /** Null after erasure. */
  readonly privateSalt: string | null
  readonly privateHash: string | null
}

/** Whether a document that was read has the members of an entry by which a chain is followed. */
export function isEntry(value: unknown): value is ProvenEntry {
  const { seq, action, changes, data } = (value ?? {}) as Partial<ProvenEntry>
  return (
    typeof seq === 'number' &&
    typeof action === 'string' &&
    Array.isArray(changes) &&
    typeof data === 'object' &&
    data !== null
  )
}

/** The hash before the first entry. */
export const firstPrevHash = '0'.repeat(64)

export type AuditRow = typeof schema.auditLog.$inferSelect

export function toProven(row: AuditRow): ProvenEntry {
  const { workspaceId: _workspace, credentialClass, credentialId, viaType, viaId, viaName, ...entry } = row
  const credential =
    credentialClass === null || credentialId === null ? null : { class: credentialClass, id: credentialId }
  const via = viaType === null ? null : { type: viaType, id: viaId, name: viaName }
  return { ...entry, credential, via }
}

export function toEntry(row: AuditRow): AuditEntry {
  const { privateSalt: _salt, privateHash: _hash, ...entry } = toProven(row)
  return entry
}

/** The digests that an entry gets with its place in the chain. */
export interface Seal {
  readonly seq: number
  readonly privateSalt: string
  readonly privateHash: string
  readonly prevHash: string
  readonly hash: string
}

/** Returns the seal of an entry that follows another one. */
export function sealOf(entry: AuditEntry, seq: number, prevHash: string): Seal {
  const privateSalt = randomBytes(32).toString('hex')
  const privateHash = privateHashOf(entry, privateSalt)
  return { seq, privateSalt, privateHash, prevHash, hash: hashOf({ ...entry, seq, privateHash }, prevHash) }
}

/** Returns the hash of an entry: SHA-256 of the hash before, a line feed, and the entry by RFC 8785 with the digest of its personal part. */
export function hashOf(entry: AuditEntry & { readonly privateHash: string | null }, prevHash: string): string {
  const { id, seq, at, actorType, actorId, action, outcome, subjectType, subjectId } = entry
  const { credential, via, requestId, data, privateHash } = entry
  // Entries from before it was kept have the hash of then.
  const came = via ? { via: { ...via } } : {}
  const kept = { id, seq, at, actorType, actorId, action, outcome, subjectType, subjectId }
  return sha256(`${prevHash}\n${canonicalize({ ...kept, credential, ...came, requestId, data, privateHash })}`)
}

/** Returns the digest of the personal part of an entry, which can be erased without breaking the chain. */
export function privateHashOf(
  { actorName, address, userAgent, summary, changes }: AuditEntry,
  privateSalt: string,
): string {
  return sha256(`${privateSalt}\n${canonicalize({ actorName, address, userAgent, summary, changes })}`)
}

/** The personal part of an entry after erasure. */
export const erasedPart = {
  actorName: '',
  address: null,
  userAgent: null,
  summary: '',
  changes: [] as FieldChange[],
  privateSalt: null,
}

/** Whether the personal part of an entry is erased. */
export function isErased({ actorName, address, userAgent, summary, changes, privateSalt }: ProvenEntry): boolean {
  const isEmpty = actorName === '' && address === null && userAgent === null && summary === '' && changes.length === 0
  return privateSalt === null && isEmpty
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
