import { parseCidrs } from '@crm/egress'
import { mailConfig } from '@crm/mail'
import { commonConfig, readBy } from '@crm/runtime'
import { secretsConfig } from '@crm/secrets/config'
import { z } from 'zod'
import { poolMax } from './ingress-config.ts'

// The ingress imports its configuration from that file, so that it loads nothing of the dispatcher's.
export { ingressConfig } from './ingress-config.ts'

/** The number of days for which a kind of history is kept. */
const days = (usual: number, of: string) =>
  z.coerce
    .number()
    .min(0)
    .max(36_500)
    .default(usual)
    .describe(`Days for which ${of} are kept; a part of a day is allowed, and 0 keeps them for ever.`)

const milliseconds = z.coerce.number().int().min(100)

const places = z.coerce.number().int().min(1).max(1_000)

/** The environment of the dispatcher. */
export const dispatcherConfig = z.object({
  ...commonConfig,
  CRM_API_URL: z
    .url({ protocol: /^https?$/ })
    .describe('Address of the CRM API, through which runs work with records.'),
  RUN_TOKEN_SECRET: z
    .string()
    .min(32)
    .describe('Secret shared with the CRM API; it signs the credentials of workflow runs.'),
  ...secretsConfig,
  OUTBOUND_ALLOW_CIDRS: z
    .string()
    .default('')
    .transform(readBy(parseCidrs))
    .describe(
      'Comma-separated private ranges that outbound requests may reach all the same; for tests and private networks.',
    ),
  ...mailConfig,
  MAIL_FROM: z
    .email()
    .optional()
    .describe('Address that mail comes from; workflows@ the host of BASE_URL unless told.'),
  DATABASE_POOL_MAX: poolMax.default(20).describe('Most connections to PostgreSQL.'),
  RUN_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(40)
    .describe('Workflow runs that are worked on at once.'),
  RULE_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(100)
    .describe('Actions of automation rules that are worked on at once.'),
  WORKSPACE_CONCURRENCY: places
    .optional()
    .describe(
      'How many of the runs, and of the actions, may be those of one workspace without a share of its own; a quarter unless told.',
    ),
  AUTOMATION_CONCURRENCY: places.default(8).describe('How many of them may be those of one rule or one workflow.'),
  RECEIVER_CONCURRENCY: places
    .default(4)
    .describe('Requests under way from the rules of one workspace to one host, and as many from its workflows.'),
  RECEIVER_TIMEOUT_MS: milliseconds
    .max(10_000)
    .default(10_000)
    .describe('How long a receiver may take to answer, with the name, the connection and the whole answer.'),
  RECEIVER_TIMEOUTS_MAX: places
    .default(3)
    .describe('Requests in a row without an answer in time after which a host is tried less often for a workspace.'),
  RECEIVER_PAUSE_MS: milliseconds
    .default(30_000)
    .describe('The first pause of such a host; each further one is twice as long, up to ten minutes.'),
  RUN_LEASE_MS: milliseconds
    .max(60_000)
    .default(30_000)
    .describe('How long a run stays with a worker that shows no life.'),
  QUEUE_LOCK_MS: milliseconds
    .max(60_000)
    .default(15_000)
    .describe('How long work from a queue stays with a process that shows no life.'),
  CRM_API_PAUSE_MS: z.coerce
    .number()
    .int()
    .min(10)
    .max(10_000)
    .default(200)
    .describe(
      'The first pause of a run whose request the CRM API could not take; further ones are up to ten times as long.',
    ),
  RETAIN_RUNS_DAYS: days(90, 'finished runs of workflows, with their steps, and of automation rules'),
  RETAIN_DELIVERIES_DAYS: days(30, 'outbound requests with their answers'),
  RETAIN_REFUSED_CALLS_DAYS: days(30, 'notes of refused webhook calls'),
  RETAIN_NOTIFICATIONS_DAYS: days(90, 'notifications'),
  RETAIN_AUDIT_DAYS: days(730, 'entries of the audit log'),
  RETAIN_TIMELINE_DAYS: days(0, 'entries of the histories of records'),
  RETAIN_SESSIONS_DAYS: days(30, 'sessions, tokens and invitations that have ended'),
  RETAIN_JOBS_DAYS: days(7, 'finished jobs, such as changes of many records'),
  RETAIN_OUTBOX_HOURS: z.coerce
    .number()
    .min(0)
    .max(876_000)
    .default(24)
    .describe(
      'Hours for which outbox rows that are done are kept; a part of an hour is allowed, and 0 keeps them for ever.',
    ),
  QUEUE_VIEW_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port on which the queues of the whole installation can be looked at, without a sign-in; there is none unless told.',
    ),
  QUEUE_VIEW_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address of that port. It answers to the names of this machine only, as those of a forwarded port are.'),
  CLOSE_WITHIN_MS: milliseconds
    .default(25_000)
    .describe('How long work may go on after the process was asked to stop.'),
})
