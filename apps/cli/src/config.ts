import { passwordConfig } from '@crm/identity'
import { mailConfig } from '@crm/mail'
import { commonConfig, databaseUrl, redisUrl, replicaConfig } from '@crm/runtime'
import { secretsConfig } from '@crm/secrets/config'
import { bucketConfig } from '@crm/storage'
import { z } from 'zod'

/** A setting of the dispatcher or the CRM API, which a command only compares. */
const kept = z.coerce
  .number()
  .min(0)
  .optional()
  .describe('As the dispatcher and the CRM API have it: a workspace is then not given more.')

/** The password of one role, or the address of its deployable, which holds it. */
const rolePassword = (whose: string) =>
  z
    .string()
    .transform((text) =>
      /^postgres(ql)?:/.test(text) && URL.canParse(text) ? decodeURIComponent(new URL(text).password) : text,
    )
    .pipe(z.string().min(12))
    .optional()
    .describe(
      `Password with which db migrate lets the database role ${whose} log in, or the DATABASE_URL of that deployable; ROLE_PASSWORD when absent.`,
    )

/** The environment of the administration command. */
export const cliConfig = z.object({
  DATABASE_URL: databaseUrl
    .optional()
    .describe('PostgreSQL connection string of the owner; the database that npm start runs when absent.'),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'The same database without a pooler in between, which every command then uses: migrations and backups need it; DATABASE_URL when absent.',
    ),
  DATABASE_PREPARE: commonConfig.DATABASE_PREPARE,
  ...replicaConfig,
  REDIS_URL: redisUrl.optional().describe('Redis connection string; that of npm start when absent.'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .describe('Public address of the installation.'),
  SMTP_URL: mailConfig.SMTP_URL,
  ...passwordConfig,
  ROLE_PASSWORD: z
    .string()
    .min(12)
    .optional()
    .describe(
      'Password with which db migrate lets each database role log in that has none of its own here; they keep the one they have when absent. It is for installations of before: a password for each role keeps a process from the tables of the others.',
    ),
  ROLE_PASSWORD_CRM_API: rolePassword('of the CRM API'),
  ROLE_PASSWORD_CRM_BOOKING: rolePassword('of booking'),
  ROLE_PASSWORD_CRM_HOOKS: rolePassword('of the webhooks'),
  ROLE_PASSWORD_CRM_DISPATCHER: rolePassword('of the dispatcher'),
  ROLE_PASSWORD_CRM_GATEWAY: rolePassword('of the tool server'),
  DATA_DIR: z.string().default('.data').describe('Folder of the local installation.'),
  ...secretsConfig,
  ...bucketConfig,
  RETAIN_RUNS_DAYS: kept,
  RETAIN_DELIVERIES_DAYS: kept,
  RETAIN_REFUSED_CALLS_DAYS: kept,
  RETAIN_NOTIFICATIONS_DAYS: kept,
  RETAIN_AUDIT_DAYS: kept,
  RETAIN_TIMELINE_DAYS: kept,
  RETAIN_SESSIONS_DAYS: kept,
  RETAIN_JOBS_DAYS: kept,
  RETAIN_OUTBOX_HOURS: kept,
  RETAIN_EXPORTS_DAYS: kept,
})

export type CliConfig = z.output<typeof cliConfig>
