import type { MailInput } from '@crm/contract'
import { recordChange, type Transaction } from '@crm/db'
import { ApiError } from '@crm/errors'
import { createWorkspaceMailLimit, type WorkspaceMailLimit } from '@crm/mail'
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
/** The number of messages of one person per hour; each recipient counts. */
const perSender = 100

interface MailLimits {
  readonly sender: FixedWindow
  readonly whole: WorkspaceMailLimit
}

const limits = new WeakMap<RedisConnection, MailLimits>()

function limitsOf(redis: RedisConnection): MailLimits {
  const known = limits.get(redis) ?? {
    sender: createFixedWindow({ redis, name: 'mails-of-sender', points: perSender, windowMs: hourMs }),
    whole: createWorkspaceMailLimit(redis),
  }
  limits.set(redis, known)
  return known
}

/** Counts a mail for each of its recipients; refuses it when the sender or the workspace writes to too many in an hour. */
export async function countMail(
  { deps, workspace, caller }: Pick<CrmContext, 'deps' | 'workspace' | 'caller'>,
  { to, cc }: Pick<MailInput, 'to' | 'cc'>,
): Promise<void> {
  const { sender, whole } = limitsOf(deps.redis)
  const ofWorkspace = { id: workspace.id, perHour: workspace.limits['mails.per-hour'] }
  for (let recipient = 0; recipient < to.length + cc.length; recipient += 1) {
    const verdicts = [
      await sender.consume(`${workspaceTag(workspace.id)}:${caller.employee.id}`),
      await whole(ofWorkspace),
    ]
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
    events: [{ topic: 'mail', event, payload: { ...mail, employeeId: caller.employee.id } }],
  })
}
