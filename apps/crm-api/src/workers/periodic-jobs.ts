import { allBackfills, runBackfills } from '@crm/db'
import type { Egress } from '@crm/egress'
import type { PeriodicJob } from '@crm/jobs'
import { fetchCalendars } from '../resources/calendar/fetch-calendars.ts'
import { deleteOldTries } from '../domain/sign-in/sign-in-tries.repository.ts'
import { deleteOldStates } from '../domain/sso/states.repository.ts'
import type { CrmApiDeps } from '../platform/deps.ts'
import type { WorkerDeps } from './job-handler.ts'
import { purgeDueFields } from '../records/retired-fields.ts'
import { sealingBackfill } from '@crm/secrets'
import { mailNotifications } from './mail-notifications.ts'
import type { AuditFile } from '../domain/audit/audit-file.ts'
import { sealAuditLogs, signAuditHeads } from './seal-audit-log.ts'
import { sendAuditLogs } from './send-audit-log.ts'
import { finishErasures } from './finish-erasures.ts'
import { sweepContents } from './sweep-contents.ts'
import { sweepFiles } from './sweep-files.ts'
import { sweepRecords } from './sweep-records.ts'
import { sweepTransfers } from './sweep-transfers.ts'
import { tellExpiringKeys } from './tell-expiring-keys.ts'
import { tellDueTasks } from './tell-due-tasks.ts'

const fetchEveryMs = 15_000
const mailEveryMs = 60_000
const backfillEveryMs = 5_000
const auditEveryMs = 1_000
const sweepEveryMs = 10 * 60_000

type PeriodicDeps = Pick<CrmApiDeps, 'db' | 'pool' | 'storage' | 'clock' | 'logger' | 'secrets' | 'auditProof'> & {
  readonly exportsKeptDays: number
  readonly countExports: (rows: number) => void
  /** The file that gets each entry of the audit logs, where there is one. */
  readonly auditFile?: AuditFile | undefined
} & Pick<WorkerDeps, 'mailer'> & { readonly egress: Pick<Egress, 'send'> }

/** Returns the periodic work of the CRM API. */
export function periodicJobs(deps: PeriodicDeps): readonly PeriodicJob[] {
  const { db, clock, secrets } = deps
  const backfills = [...allBackfills, sealingBackfill(secrets)]
  return [
    { name: 'calendars', everyMs: fetchEveryMs, perform: () => fetchCalendars(deps) },
    { name: 'due-tasks', everyMs: mailEveryMs, perform: () => tellDueTasks(deps) },
    { name: 'notification-mails', everyMs: mailEveryMs, sends: true, perform: () => mailNotifications(deps) },
    { name: 'backfills', everyMs: backfillEveryMs, perform: () => runBackfills(db, backfills) },
    { name: 'audit-chains', everyMs: auditEveryMs, perform: () => sealAuditLogs(deps, deps.auditFile) },
    { name: 'audit-streams', everyMs: auditEveryMs, sends: true, perform: () => sendAuditLogs(deps) },
    { name: 'audit-heads', everyMs: sweepEveryMs, perform: () => signAuditHeads(deps) },
    { name: 'erasures', everyMs: mailEveryMs, perform: () => finishErasures(deps) },
    { name: 'old-files', everyMs: sweepEveryMs, perform: () => sweepFiles(deps) },
    { name: 'old-contents', everyMs: sweepEveryMs, perform: () => sweepContents(deps) },
    { name: 'old-transfers', everyMs: sweepEveryMs, perform: () => sweepTransfers(deps) },
    { name: 'old-sign-in-tries', everyMs: sweepEveryMs, perform: () => deleteOldTries(db, clock.now().getTime()) },
    { name: 'expiring-keys', everyMs: sweepEveryMs, perform: () => tellExpiringKeys(deps) },
    { name: 'old-sso-states', everyMs: sweepEveryMs, perform: () => deleteOldStates(db, clock.now()) },
    { name: 'deleted-records', everyMs: sweepEveryMs, perform: () => sweepRecords(deps) },
    { name: 'retired-fields', everyMs: sweepEveryMs, perform: () => purgeDueFields(db, clock.now()) },
  ]
}
