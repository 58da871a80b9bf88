import { parseCidrs } from '@crm/egress'
import { passwordConfig } from '@crm/identity'
import { mailConfig } from '@crm/mail'
import { addressList, commonConfig, readBy, replicaConfig, requestsConfig } from '@crm/runtime'
import { secretsConfig } from '@crm/secrets/config'
import { bucketConfig } from '@crm/storage'
import { z } from 'zod'
import { auditFileFormats } from './domain/audit/audit-file.ts'

/** The environment of the CRM API. */
export const crmApiConfig = z.object({
  ...commonConfig,
  ...replicaConfig,
  RUN_TOKEN_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('Secret shared with the dispatcher; it signs the credentials with which workflow runs call the API.'),
  RUN_TOKEN_SECRET_PREVIOUS: z
    .string()
    .min(32)
    .optional()
    .describe('The RUN_TOKEN_SECRET of before, which is accepted beside it while the processes get the new one.'),
  ...secretsConfig,
  RUN_TOKEN_NETWORKS: addressList
    .default(['loopback', 'uniquelocal'])
    .describe(
      'Where the dispatcher is, as in TRUSTED_PROXIES; the credentials of workflow runs are taken from nowhere else, and never through a proxy.',
    ),
  OUTBOUND_ALLOW_CIDRS: z
    .string()
    .default('')
    .transform(readBy(parseCidrs))
    .describe('Comma-separated private ranges that automation may reach all the same; for tests and private networks.'),
  DNS_SERVERS: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter((each) => each !== ''))
    .describe(
      'Comma-separated DNS servers (address:port) that are asked for the records of domains; those of the system unless told.',
    ),
  ...mailConfig,
  ...passwordConfig,
  MAIL_FROM: z.email().optional().describe('Address that mail comes from; bookings@ the host of BASE_URL unless told.'),
  FILE_MAX_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(25)
    .describe('Largest file that can be uploaded, in megabytes.'),
  AUDIT_FILE: z
    .string()
    .optional()
    .describe('File to which each entry of the audit logs is appended, a line each; there is none unless told.'),
  AUDIT_FILE_FORMAT: z
    .enum(auditFileFormats)
    .default('ndjson')
    .describe('Form of the lines of that file: JSON, or the syslog protocol (RFC 5424) with JSON as its message.'),
  RETAIN_EXPORTS_DAYS: z.coerce
    .number()
    .min(0)
    .max(36_500)
    .default(7)
    .describe('Days for which the files of exports are kept; a part of a day is allowed, and 0 keeps them for ever.'),
  ...bucketConfig,
  ...requestsConfig,
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('Most connections to PostgreSQL for requests; work in the background has five more.'),
})
