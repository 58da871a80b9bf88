import type { MailInput } from '@crm/contract'
import { recordChange, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { createFixedWindow, workspaceTag, type FixedWindow, type RedisConnection } from '@crm/redis'
import type { CrmContext } from '../../platform/context.ts'
import type { WriteContext } from '../../records/owned/write.ts'

/** A mail that a person asked for, and the record that it is about. */
export interface OutgoingMail {
  readonly entityType: string
  readonly entityId: string
  readonly mail: MailInput
  /** The attachments. */
  readonly fileIds?: readonly string[]
}

const hourMs = 3_600_000
/** The number of messages per hour; each recipient counts. */
const perSender = 100
const perWorkspace = 500

const limits = new WeakMap<RedisConnection, Readonly<Record<'sender' | 'workspace', FixedWindow>>>()

function limitsOf(redis: RedisConnection): Readonly<Record<'sender' | 'workspace', FixedWindow>> {
  const windowOf = (name: string, points: number): FixedWindow =>
    createFixedWindow({ redis, name, points, windowMs: hourMs })
  const known = limits.get(redis) ?? {
    sender: windowOf('mails-of-sender', perSender),
    workspace: windowOf('mails-of-workspace', perWorkspace),
  }
  limits.set(redis, known)
  return known
}

/** Counts a mail for each of its recipients; refuses it when the sender or the workspace writes to too many in an hour. */
export async function countMail(
  { deps, workspace, caller }: Pick<CrmContext, 'deps' | 'workspace' | 'caller'>,
  { to, cc }: Pick<MailInput, 'to' | 'cc'>,
): Promise<void> {
  const { sender, workspace: whole } = limitsOf(deps.redis)
  const tag = workspaceTag(workspace.id)
  for (let recipient = 0; recipient < to.length + cc.length; recipient += 1) {
    const verdicts = [await sender.consume(`${tag}:${caller.employee.id}`), await whole.consume(tag)]
    const over = verdicts.find(({ allowed }) => !allowed)
    if (over)
      throw new ApiError('RATE_LIMITED', {
        message: 'Too many mails were sent in the last hour',
        retryAfterS: over.retryAfterS,
      })
  }
}

/** Queues the mail in the transaction of the change: it is sent after the commit, and only then. */
export async function queueMail(
  tx: Transaction,
  { workspace, actor, caller, at }: WriteContext,
  event: string,
  mail: OutgoingMail,
): Promise<void> {
  await recordChange(tx, {
    workspaceId: workspace.id,
    actor,
    at,
    events: [{ topic: 'job', event, payload: { ...mail, employeeId: caller.employee.id } }],
  })
}
