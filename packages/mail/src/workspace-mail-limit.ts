import { workspaceLimits } from '@crm/runtime'
import { createFixedWindow, workspaceTag, type RedisConnection, type Verdict } from '@crm/redis'

/** A workspace as the limit of its mails sees it. */
interface MailingWorkspace {
  readonly id: string
  /** Its own limit (`mails.per-hour`); the usual one by default. */
  readonly perHour?: number | null | undefined
}

/** Counts a mail to one recipient and returns whether it may be sent. */
export type WorkspaceMailLimit = (workspace: MailingWorkspace) => Promise<Verdict>

/** Makes the limit of the mails that people and workflows of one workspace send in an hour, which all services share. */
export function createWorkspaceMailLimit(redis: RedisConnection): WorkspaceMailLimit {
  const points = workspaceLimits['mails.per-hour'].usual
  const window = createFixedWindow({ redis, name: 'mails-of-workspace', points, windowMs: 3_600_000 })
  return ({ id, perHour }) => window.consume(workspaceTag(id), perHour ?? undefined)
}
