import { allBackfills, openBackfills, runBackfill } from '@crm/db'
import type { Egress } from '@crm/egress'
import { doSharedWork, type PeriodicJob, type RoundDeps } from '@crm/jobs'
import { fetchCalendars, fetchRoundMs } from '../resources/work/calendar/fetch-calendars.ts'
import { deleteOldTries } from '../domain/sign-in/sign-in-tries.repository.ts'
import { deleteOldStates } from '../domain/sso/states.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'
import type { WorkerDeps } from './job-handler.ts'
import { fieldsRoundMs, purgeDueFields } from '../records/retired-fields.ts'
import { sealingBackfill } from '@crm/secrets'
import { healTimeZones } from './heal-time-zones.ts'
import { mailNotifications, noticeMailsRoundMs } from './mail-notifications.ts'
import type { AuditFile } from '../domain/audit/audit-file.ts'
import { nextSealInMs, sealAuditLogs, sealingRoundMs, signAuditHeads, signingRoundMs } from './seal-audit-log.ts'
import { nextSendingInMs, sendAuditLogs, streamsRoundMs } from './send-audit-log.ts'
import { erasuresRoundMs, finishErasures } from './finish-erasures.ts'
import { sweepAgents } from './sweep-agents.ts'
import { contentsRoundMs, sweepContents } from './sweep-contents.ts'
import { filesRoundMs, sweepFiles } from './sweep-files.ts'
import { recordsRoundMs, sweepRecords } from './sweep-records.ts'
import { sweepTransfers } from './sweep-transfers.ts'
import { expiringKeysRoundMs, tellExpiringKeys } from './tell-expiring-keys.ts'
import { dueTasksRoundMs, tellDueTasks } from './tell-due-tasks.ts'

const backfillEveryMs = 5_000
const sweepEveryMs = 10 * 60_000

type PeriodicDeps = RoundDeps &
  Pick<CrmApiDeps, 'pool' | 'storage' | 'secrets' | 'auditProof'> & {
    readonly exportsKeptDays: number
    readonly countExports: (rows: number) => void
    /** The file that gets each entry of the audit logs, where there is one. */
    readonly auditFile?: AuditFile | undefined
  } & Pick<WorkerDeps, 'mailer'> & { readonly egress: Pick<Egress, 'send'> }

/** Returns the periodic work of the CRM API. */
export function periodicJobs(deps: PeriodicDeps): readonly PeriodicJob[] {
  const job = (
    name: string,
    everyMs: number,
    perform: (deps: PeriodicDeps) => Promise<unknown>,
    more: Pick<PeriodicJob, 'sends' | 'wokenBy' | 'dueInMs'> = {},
  ): PeriodicJob => ({ name, everyMs, ...more, perform: (signal) => perform({ ...deps, signal }) })
  const sends = { sends: true } as const
  return [
    job('calendars', fetchRoundMs, fetchCalendars),
    job('due-tasks', dueTasksRoundMs, tellDueTasks),
    job('notification-mails', noticeMailsRoundMs, mailNotifications, sends),
    job('backfills', backfillEveryMs, fillBack),
    job('audit-chains', sealingRoundMs, (given) => sealAuditLogs(given, given.auditFile), {
      wokenBy: 'audit-entry',
      dueInMs: () => nextSealInMs(deps),
    }),
    job('audit-streams', streamsRoundMs, sendAuditLogs, {
      ...sends,
      wokenBy: 'audit-chain',
      dueInMs: () => nextSendingInMs(deps),
    }),
    job('audit-heads', signingRoundMs, signAuditHeads),
    job('erasures', erasuresRoundMs, finishErasures),
    job('old-files', filesRoundMs, sweepFiles),
    job('old-contents', contentsRoundMs, sweepContents),
    job('old-transfers', sweepEveryMs, sweepTransfers),
    job('old-sign-in-tries', sweepEveryMs, deleteOldTries),
    job('expiring-keys', expiringKeysRoundMs, tellExpiringKeys),
    job('old-sso-states', sweepEveryMs, deleteOldStates),
    job('old-agents', sweepEveryMs, sweepAgents),
    job('deleted-records', recordsRoundMs, sweepRecords),
    job('retired-fields', fieldsRoundMs, purgeDueFields),
  ]
}

/** Does a part of each backfill; one that fails in a workspace holds up neither the others nor the other workspaces. */
async function fillBack(deps: PeriodicDeps): Promise<void> {
  const all = [...allBackfills, healTimeZones, sealingBackfill(deps.secrets)]
  for (const backfill of await openBackfills(deps.db, all))
    await doSharedWork(deps, {
      name: `backfill-${backfill.name}`,
      perform: (part) => runBackfill(deps.db, backfill, part),
    })
}
