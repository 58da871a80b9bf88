import {
  afterCommit,
  keepWayIn,
  noteQueued,
  recordChange,
  schema,
  type Actor,
  type AuditActorType,
  type FieldChange,
  type PeopleTransaction,
  type Transaction,
} from '@crm/db'
import { nobody, type CrmContext } from '../platform/context.ts'

/** One line of the audit log. */
export interface AuditLine {
  /** For example `api-key.created`. */
  readonly action: string
  readonly outcome?: 'SUCCESS' | 'FAILURE'
  readonly subjectType: string
  readonly subjectId: string | null
  readonly summary: string
  /** The values before and after; never a secret. */
  readonly changes?: readonly FieldChange[]
  readonly data?: Readonly<Record<string, unknown>>
}

/** The request that the audit line describes: its actor and origin. */
interface AuditContext extends Pick<
  CrmContext,
  'workspace' | 'at' | 'address' | 'requestHeaders' | 'requestId' | 'caller'
> {
  readonly actor: Pick<Actor, 'id' | 'name'> & { readonly type: Actor['type'] | AuditActorType }
}

/** Writes an audit line (actor, action and origin) in the transaction of the action. */
export async function audit(tx: Transaction, context: AuditContext, line: AuditLine): Promise<void> {
  await auditAll(tx, context, [line])
}

const linesAtOnce = 500

/** Writes several audit lines of one action. */
export async function auditAll(tx: Transaction, context: AuditContext, lines: readonly AuditLine[]): Promise<void> {
  const origin = originOf(context)
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const part = lines.slice(from, from + linesAtOnce)
    await tx
      .insert(schema.auditLog)
      .values(part.map(({ changes = [], ...line }) => ({ ...origin, changes: [...changes], ...line })))
  }
  noteQueued(tx, ['audit-entry'])
}

function originOf({ workspace, actor, at, address, requestHeaders, requestId, caller }: AuditContext) {
  const isProgram = actor.type === 'EMPLOYEE' && actor.id === caller.employee.id && caller.employee.kind === 'SERVICE'
  const programType = caller.class === 'scim-token' ? 'SCIM' : 'SERVICE'
  const actorType = isProgram ? programType : actor.type === 'EXTERNAL' ? 'ANONYMOUS' : actor.type
  const hasCredential = caller !== nobody && actor.id === caller.employee.id
  return {
    workspaceId: workspace.id,
    at,
    actorType,
    actorId: actor.id,
    actorName: actor.name,
    address: address() || null,
    userAgent: userAgentOf(requestHeaders),
    requestId,
    credentialClass: hasCredential ? caller.class : null,
    credentialId: hasCredential ? caller.credential.id : null,
    viaType: hasCredential ? caller.via.type : null,
    viaId: hasCredential ? caller.via.id : null,
    viaName: hasCredential ? caller.via.name : null,
  } as const
}

/** Returns the name that a program gives itself, cut to a length worth keeping. */
export function userAgentOf(headers: CrmContext['requestHeaders']): string | null {
  const { 'user-agent': name } = headers
  return typeof name === 'string' ? name.slice(0, 300) : null
}

/**
 * Runs a change of the rights of callers or of the set-up of the workspace, and makes every process forget its cached
 * values.
 * The outbox repeats the message in case this process dies between the commit and the message.
 */
export async function changingWorkspace<T>(context: CrmContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { workspace, actor, at, deps } = context
  return context.transact(async (tx) => {
    const outcome = await work(tx)
    await recordChange(tx, {
      workspaceId: workspace.id,
      actor,
      at,
      events: [{ topic: 'access', event: 'access.changed' }],
    })
    // Before the commit, another process would read the old values and take them for the new ones.
    afterCommit(tx, () => deps.epochs.bump(workspace.id))
    return outcome
  })
}

/**
 * Runs a change of people, of their rights or of their ways of signing in, like `changingWorkspace`. It is refused before its commit
 * when nobody could repair the workspace afterwards: LAST_ADMINISTRATOR, BREAK_GLASS_REQUIRED.
 */
export function changingPeople<T>(context: CrmContext, work: (tx: PeopleTransaction) => Promise<T>): Promise<T> {
  return changingWorkspace(context, async (tx) => work(await keepWayIn(tx, context.workspace.id)))
}
